// The interface between the worker and the kinds of tasks: what a handler offers, and what a running task gets. app.ts has
// the table of kinds.

import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import type { Lease, Task } from './queue.sql.ts'

/** A kind of task. `D` are the dependencies of its function. */
export interface Handler<D> {
  /** Runs the task to its end, which it writes itself (`finishTask`, `endRound`, `releaseTask`). */
  run(deps: D, task: Task, signal: AbortSignal, slot: Slot): Promise<void>
  /**
   * Somebody waits for tasks of this kind. While one runs here, other kinds stay in the queue. Fairness slots take only these
   * (`PRIORITY.userVisible`).
   */
  userVisible?: true
  /**
   * Set for network-bound kinds whose tasks may take hours. These have slots of their own, with a small limit for each
   * workspace.
   */
  mayTakeHours?: true
  /** How to end a task that keeps failing. Without it, the task is retried for ever. */
  giveUp?: GiveUp
  /** What an error means for the task. Undefined means that the attempt failed and is repeated. */
  verdict?(error: unknown): Verdict | undefined
}

interface GiveUp {
  /** Rounds that a task of this kind may take. Each is a claim, in addition to the twenty of any task. */
  rounds?: number
  /**
   * Records the reason in the transaction that deletes the task. `reason` is that of the verdict, or undefined after too many
   * failures.
   */
  write(tx: Queryable, task: Task, reason: string | undefined): Promise<unknown>
}

/**
 * `giveUp`: no further attempt can succeed. `long`: the slot had no more time for it. `busy`: the machine could not do it now,
 * for this reason. That is no failure of the task, but after twenty times in a row it is given up with `atLast`.
 */
export type Verdict = { giveUp: string } | { busy: string; atLast: string } | 'long'

/** The worker's slot, as the running task sees it. */
export interface Slot {
  /** The task runs in a fairness slot or a short slot, so it must end soon or give up its slot (`Verdict` `long`). */
  mustBeShort: boolean
  /** Whether the worker ran no other user-visible task of this workspace when it claimed this one. */
  isFirstOfWorkspace: boolean
  /** Called when the task only writes from now on, so that another task may begin. */
  onlyWrites(): void
  /** Tasks that this one does together with its own from now on. Their leases are extended, and no other slot claims them. */
  coClaim(tasks: readonly Lease[]): void
  /** Waits until a text of this size fits into memory beside those of the worker's other tasks. */
  reserveMemory(bytes: number, signal?: AbortSignal): Promise<void>
}

/** A periodic task of every worker. */
interface Sweep<D> {
  everyMinutes: number
  run(deps: D): Promise<unknown>
}

/** All that workers do. */
export interface Work<D> {
  handlers: Readonly<Record<string, Handler<D>>>
  /** Run once when a worker starts, before its first claim. */
  atStart: readonly ((deps: D) => Promise<unknown>)[]
  /** They run in this order. */
  sweeps: readonly Sweep<D>[]
}

/** The dependencies of the worker itself. */
export type WorkerDeps = Pick<Deps, 'db' | 'log'> & Partial<Pick<Deps, 'metrics'>>

/** The lease was lost or the task cancelled. The attempt stops and writes nothing more. */
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
