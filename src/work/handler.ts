// The interface between the worker and the kinds of tasks: what a handler has to provide, and what a running task gets. app.ts
// lists the handler of each kind.

import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import type { Lease, Task } from './queue.sql.ts'

/** Runs the tasks of one kind. `D` is the type of its dependencies. */
export interface Handler<D> {
  /** Runs the task, and ends it in the queue itself (`finishTask`, `endRound`, `releaseTask`). */
  run(deps: D, task: Task, signal: AbortSignal, slot: Slot): Promise<void>
  /**
   * Somebody waits for tasks of this kind. While such a task runs in this worker, tasks of other kinds stay in the queue. Fairness
   * slots claim only user-visible tasks (`PRIORITY.userVisible`).
   */
  userVisible?: true
  /**
   * Set for network-bound kinds whose tasks may take hours. These tasks have slots of their own, with a small limit for each
   * workspace.
   */
  mayTakeHours?: true
  /** How to end a task that keeps failing. Without it, the task is retried for ever. */
  giveUp?: GiveUp
  /** What an error means for the task. Undefined means that the attempt failed and is repeated. */
  verdict?(error: unknown): Verdict | undefined
}

interface GiveUp {
  /** A task of this kind may be claimed so many times more than the MAX_CLAIMS of any task, because each round is a claim. */
  rounds?: number
  /**
   * Records the end of the task in the transaction that deletes it. `reason` is the verdict's reason, or undefined after too many
   * failures.
   */
  write(tx: Queryable, task: Task, reason: string | undefined): Promise<unknown>
}

/**
 * What happens to a task after an error. `giveUp`: no further attempt can succeed, for this reason. `long`: the time slice of the
 * slot was over. `busy`: the machine could not do the task now, for this reason. That is no failure of the task, but after
 * MAX_BUSY_ATTEMPTS times in a row the task is given up with the reason `atLast`.
 */
export type Verdict = { giveUp: string } | { busy: string; atLast: string } | 'long'

/** What a running task can see and do about the worker's slot that it runs in. */
export interface Slot {
  /** The task runs in a fairness slot or a short slot, so it must end soon or give up its slot (`Verdict` `long`). */
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
