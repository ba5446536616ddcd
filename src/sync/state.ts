// The state of a sync: the result for each path, and the files that it was sending. The command line stores it in a file, the service
// in rows.

import type { FileResult } from './plan.ts'

export interface StoredFileResult extends FileResult {
  /** The source's mark of the file when the hash was computed. */
  mark?: string
  /** The hash of the document's content, if the newer content of the file could not be read. */
  held?: string
}

export interface State {
  files: ReadonlyMap<string, StoredFileResult>
  /** The hashes that were being sent when the last run was killed, by path. */
  intents: ReadonlyMap<string, ReadonlySet<string>>
  /** The newest job of the workspace before that sending. */
  since: string | null
  /** Stores what will be sent, so that it is found again if the run is killed. */
  rememberSending(entries: readonly { path: string; hash: string }[], since: string | null): Promise<void>
  remember(path: string, memory: StoredFileResult): Promise<void>
  forget(path: string): Promise<void>
  /** Deletes `intents` and `since`, when the results of all sent files are known. */
  clearSending(): Promise<void>
}
