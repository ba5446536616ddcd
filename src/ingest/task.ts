// The tasks that read files: what they are about, and what they are given.

import type { Deps } from '../ports/deps.ts'
import type { ParserPool } from '../reader/reader.ts'
import type { Subject, Task } from '../work/queue.sql.ts'

/** Of a file (`job_id`, `file_no`), or of the document that it became (`document_id`). */
interface FileSubject extends Subject {
  job_id?: string
  file_no?: number
  document_id?: string
}

export interface FileTask extends Task {
  subject: FileSubject
}

/** Without `pictures` those inside documents are not read. */
export type FileParser = Pick<ParserPool, 'parse'> & {
  settings?: string
  pictures?: ParserPool['pictures'] | undefined
} & Partial<Pick<ParserPool, 'backlog'>>

export type IngestDeps = Pick<Deps, 'db' | 'blobs' | 'log'> & {
  parser: FileParser
  /** The parser of the fairness slots: it gives each file one time slice and no more. */
  fairnessParser?: FileParser | undefined
  /** Waits until a parsed text of so many bytes fits into memory beside those of the worker's other tasks. */
  reserveMemory?: (bytes: number, signal?: AbortSignal) => Promise<void>
  /** Keeps the results of parsing; without one every attempt parses anew. */
  cache?: Deps['cache']
}
