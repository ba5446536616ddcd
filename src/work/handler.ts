// The interface between the worker and the handlers of tasks: what a handler has to provide, and what a running task gets. app.ts
// lists the handler of each kind.

import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import type { Lease, Task } from './queue.sql.ts'

/** Runs the tasks of one kind. `D` is the type of its dependencies. */
export interface Handler<D> {
  /** Runs the task, and ends it in the queue itself (`finishTask`, `endRound`, `releaseTask`). */
  run(deps: D, task: Task, signal: AbortSignal, slot: Slot): Promise<void>
  /**
   * Set if somebody waits for tasks of this kind. While such a task runs in this worker, other tasks stay in the queue, unless they
   * have waited long (`ClaimFilter` in queue.sql.ts).
   */
  userVisible?: true
  /**
   * Set for network-bound kinds whose tasks may take hours. They have slots of their own, with a small limit for each workspace.
   */
  mayTakeHours?: true
  /** How to end a task that keeps failing. Without it, the task is retried for ever. */
  giveUp?: GiveUp
  /** What an error means for the task. Undefined means that the attempt failed and is repeated. */
  verdict?(error: unknown): Verdict | undefined
}

interface GiveUp {
  /** How many times a task of this kind may be claimed beyond MAX_CLAIMS, because each of its rounds is a claim. */
  rounds?: number
  /**
   * Records the end of the task in the transaction that deletes it. `reason` is the verdict's reason, or undefined after too many
   * failures.
   */
  write(tx: Queryable, task: Task, reason: string | undefined): Promise<unknown>
}

/**
 * What happens to a task after an error:
 * - `giveUp`: no further attempt can succeed, for this reason.
 * - `busy`: the machine could not do the task now, for this reason. This does not count as a failure, but after MAX_BUSY_ATTEMPTS
 * times in a row the task is given up with the reason `giveUpReason`.
 * - `long`: the time slice of the slot was over.
 */
export type Verdict = { giveUp: string } | { busy: string; giveUpReason: string } | 'long'

/** The worker's slot, as the task that runs in it can use it. */
export interface Slot {
  /** Whether this is a fairness slot or a short slot, in which the task must end soon or be released (`Verdict` `long`). */
  mustBeShort: boolean
  /** Whether the worker ran no other user-visible task of this workspace when it claimed this one. */
  isFirstOfWorkspace: boolean
  /** Call this when the task only writes from now on, so that another task may begin. */
  onlyWrites(): void
  /** Call this with other tasks whose work this task does from now on. Their leases are extended, and no other slot claims them. */
  coClaim(tasks: readonly Lease[]): void
  /** Waits until a text of this size fits into memory beside the texts of the worker's other tasks. */
  reserveMemory(bytes: number, signal?: AbortSignal): Promise<void>
}

/** A periodic task of every worker. */
interface Sweep<D> {
  everyMinutes: number
  run(deps: D): Promise<unknown>
}

/** All work of a worker. */
export interface Work<D> {
  handlers: Readonly<Record<string, Handler<D>>>
  /** Run once when a worker starts, before its first claim. */
  atStart: readonly ((deps: D) => Promise<unknown>)[]
  /** The periodic tasks, in the order in which they run. */
  sweeps: readonly Sweep<D>[]
}

/** The dependencies of the worker itself. */
export type WorkerDeps = Pick<Deps, 'db' | 'log'> & Partial<Pick<Deps, 'metrics'>>

/** Another worker has taken the task over, or the task was cancelled. The attempt stops and writes nothing more. */
export class TaskLost extends Error {
  constructor() {
    super('the task was taken over or cancelled')
    this.name = 'TaskLost'
  }
}

/** The input of the task has changed since it was read. The task is released and starts again. */
export class TaskStale extends Error {
  constructor() {
    super('the document changed while the task ran')
    this.name = 'TaskStale'
  }
}
