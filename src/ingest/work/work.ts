// What the worker's task handlers share: their dependencies and the sign that a task is no longer theirs.

import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable } from '../../ports/db/postgres.ts'
import type { Deps } from '../../ports/deps.ts'
import type { ChatModel } from '../../ports/llm/llm.ts'
import type { ParserPool } from '../../reader/reader.ts'
import type { Task } from './queue.sql.ts'

export type WorkDeps = Pick<Deps, 'db' | 'blobs' | 'log' | 'embedder'> & {
  /** Without `pictures` those inside documents are not read. */
  parser: Pick<ParserPool, 'parse'> & {
    settings?: string
    pictures?: ParserPool['pictures'] | undefined
  } & Partial<Pick<ParserPool, 'backlog'>>
  /** Waits until a parsed text of so many bytes fits into the worker's heap beside those of its other tasks. */
  enter?: (bytes: number, signal?: AbortSignal) => Promise<void>
  /** Keeps what parsing gave; without one every attempt parses anew. */
  cache?: Deps['cache']
  /** Reads documents for the graph besides the statistics, for so many tokens a workspace. */
  reader?: { llm: ChatModel; budget: number } | undefined
}

export type TaskHandler = (deps: WorkDeps, task: Task, signal: AbortSignal) => Promise<void>

const AWAY_MS = 60_000
const AGAIN_MS = 500

/**
 * Says `work` once more, with `again`, while the database is away: an engine is started anew in seconds, and the three
 * minutes that were spent on a long file need not be. For what does no harm if it had been done already.
 */
export async function patiently<T>(
  signal: AbortSignal,
  work: (again: boolean) => Promise<T>,
  awayMs = AWAY_MS,
): Promise<T> {
  const until = performance.now() + awayMs
  for (let again = false; ; again = true) {
    try {
      return await work(again)
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > until) throw error
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}

/** Repeats a small write while the database is away; gives up silently at the signal (the lease runs out then). */
export async function persist(
  deps: WorkDeps,
  signal: AbortSignal,
  write: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await write()
    } catch (error) {
      if (!isUnavailable(error)) return deps.log.error({ err: error }, 'could not write the state of a task')
      await sleep(500, undefined, { signal }).catch(() => undefined)
    }
  }
}

/** The lease was lost or the work cancelled: stop at once and write nothing more. */
export class TaskLost extends Error {
  constructor() {
    super('the task was taken over or cancelled')
    this.name = 'TaskLost'
  }
}

/** What the task read has changed since: it is given back and starts anew. */
export class TaskStale extends Error {
  constructor() {
    super('the document changed while the task ran')
    this.name = 'TaskStale'
  }
}
