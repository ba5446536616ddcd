// What the worker has to know of each kind of task, and what a running task is given. The kinds themselves are named in
// app.ts, by the rooms that own them.

import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import type { Lease, Task } from './queue.sql.ts'

/** A kind of task as data. `D`: what its function is given besides the task. */
export interface Handler<D> {
  /** Runs the task to its end, which it writes itself (`finishTask`, `endRound`, `releaseTask`). */
  run(deps: D, task: Task, signal: AbortSignal, slot: Slot): Promise<void>
  /**
   * Somebody waits for tasks of this kind: while one is held here, kinds that nobody waits for are left in the queue. The
   * slots for newcomers take no other kind (`PRIORITY.awaited`).
   */
  awaited?: true
  /** Of kinds that wait for the network: it may take hours. These have slots of their own, few a workspace. */
  mayTakeHours?: true
  /** How a task ends that keeps failing. Without it the kind is tried for ever. */
  giveUp?: GiveUp
  /** What an error says about the task; undefined: it failed and is tried again. */
  verdict?(error: unknown): Verdict | undefined
}

export interface GiveUp {
  /** Rounds that a task of this kind may take: each is a claim, beside the twenty that any task has. */
  rounds?: number
  /** Writes down why, in the transaction that deletes the task. `reason`: of the verdict; undefined after too many failures. */
  write(tx: Queryable, task: Task, reason: string | undefined): Promise<unknown>
}

/**
 * `giveUp`: no further attempt can succeed. `long`: the slot had no more time for it. `busy`: the machine could not do it now and
 * says why, which is no failure of the task; it is given up with `atLast` when it was busy twenty times in a row for the same reason.
 */
export type Verdict = { giveUp: string } | { busy: string; atLast: string } | 'long'

/** What a running task knows of its worker, and tells it. */
export interface Slot {
  /** A slot for newcomers took the task. */
  newcomer: boolean
  /** The worker held no other awaited task of this workspace when it took this one. */
  first: boolean
  /** From now on the task only writes: another may be begun beside it. */
  onlyWrites(): void
  /** What the task does beside itself from now on: these leases are kept with its own, and no other slot claims them. */
  takesAlong(tasks: readonly Lease[]): void
  /** Waits until a text of so many bytes fits into memory beside those of the worker's other tasks. */
  enter(bytes: number, signal?: AbortSignal): Promise<void>
}

/** Done again every so many minutes by every worker, whatever its tasks. */
export interface Sweep<D> {
  everyMinutes: number
  run(deps: D): Promise<unknown>
}

/** All that workers do. */
export interface Work<D> {
  handlers: Readonly<Record<string, Handler<D>>>
  /** Done once when a worker starts, before its first claim. */
  atStart: readonly ((deps: D) => Promise<unknown>)[]
  /** In this order. */
  sweeps: readonly Sweep<D>[]
}

/** What the worker itself needs. */
export type WorkerDeps = Pick<Deps, 'db' | 'log'> & Partial<Pick<Deps, 'metrics'>>

/** The lease was lost or the task cancelled: it stops at once and writes nothing more. */
export class TaskLost extends Error {
  constructor() {
    super('the task was taken over or cancelled')
    this.name = 'TaskLost'
  }
}

/** What the task read has changed since: it is given back and begun again. */
export class TaskStale extends Error {
  constructor() {
    super('the document changed while the task ran')
    this.name = 'TaskStale'
  }
}
