// What the worker's task handlers share: their dependencies and the sign that a task is no longer theirs.

import type { Deps } from '../../ports/deps.ts'
import type { ChatModel } from '../../ports/llm/llm.ts'
import type { ParserPool } from '../parse/pool.ts'
import type { Task } from './queue.sql.ts'

export type WorkDeps = Pick<Deps, 'db' | 'blobs' | 'log' | 'embedder'> & {
  /** Without `pictures` those inside documents are not read. */
  parser: Pick<ParserPool, 'parse'> & { settings?: string; pictures?: ParserPool['pictures'] }
  /** Keeps what parsing gave; without one every attempt parses anew. */
  cache?: Deps['cache']
  /** Reads documents for the graph besides the statistics, for so many tokens a workspace. */
  reader?: { llm: ChatModel; budget: number } | undefined
}

export type TaskHandler = (deps: WorkDeps, task: Task, signal: AbortSignal) => Promise<void>

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
