// What a sync remembers of each path, and what it was sending. Where it is kept is its owner's business: a file on the
// person's machine, or rows of the service.

import type { Remembered } from './plan.ts'

export interface Kept extends Remembered {
  /** The mark of the source when the hash was made. */
  mark?: string
  /** What the document holds: the hash before, where a newer content could not be read. */
  held?: string
}

export interface State {
  files: ReadonlyMap<string, Kept>
  /** What was being sent when the last run was killed: hashes by path. */
  intents: ReadonlyMap<string, ReadonlySet<string>>
  /** The newest job of the workspace before that. */
  since: string | null
  /** Before sending, so that what was sent is found again. */
  intend(entries: readonly { path: string; hash: string }[], since: string | null): Promise<void>
  remember(path: string, memory: Kept): Promise<void>
  forget(path: string): Promise<void>
  /** All intents have been looked up. */
  settled(): Promise<void>
}
