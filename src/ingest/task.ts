// The tasks that read files: their subjects and their dependencies.

import type { Deps } from '../ports/deps.ts'
import type { ParserPool } from '../reader/reader.ts'
import type { Subject, Task } from '../work/queue.sql.ts'

/** The subject is a file (`job_id`, `file_no`), or the document that it became (`document_id`). */
interface FileSubject extends Subject {
  job_id?: string
  file_no?: number
  document_id?: string
}

export interface FileTask extends Task {
  subject: FileSubject
}

/** The parser of a worker. Without `pictures`, pictures inside documents are not read. */
export type FileParser = Pick<ParserPool, 'parse'> & {
  settings?: string
  pictures?: ParserPool['pictures'] | undefined
} & Partial<Pick<ParserPool, 'backlog'>>

export type IngestDeps = Pick<Deps, 'db' | 'blobs' | 'log'> & {
  parser: FileParser
  /** The parser of the fairness slots. It gives each file one time slice. */
  fairnessParser?: FileParser | undefined
  /** The parsers of the current setting, if it may change while the worker runs. */
  parsers?: () => Promise<{ parser: FileParser; fairnessParser: FileParser }>
  /** Waits until a parsed text of this size fits into memory beside the texts of the worker's other tasks. */
  reserveMemory?: (bytes: number, signal?: AbortSignal) => Promise<void>
  /** The cache of parsing results. Without it every attempt parses the file again. */
  cache?: Deps['cache']
}
