// Where a sync puts files: what it asks of a workspace. The command line asks over HTTP, the service asks its own rooms.

import type { FileProgress, OnConflict } from '../contract/resources.ts'
import type { Sendable, Sent } from './batches.ts'
import type { Owned } from './plan.ts'

/** What became of a file that was sent. */
export type SentFile = Pick<FileProgress, 'filename' | 'status' | 'document_id' | 'outcome' | 'error'>

export interface Destination {
  /** What it lists as put there by the sync, as it is now. It survives the loss of what the sync remembers. */
  owned(): Promise<Owned[]>
  /** Lists exactly these from now on; those that are gone meanwhile are left out. */
  own(ids: readonly string[]): Promise<void>
  /** A document as it is now; `mine`: its file was uploaded by whoever runs the sync. */
  current(documentId: string): Promise<(Owned & { mine: boolean }) | undefined>
  documentIds(): Promise<Set<string>>
  /** The newest job, from which `uploadsSince` looks back. */
  newestJob(): Promise<string | null>
  /** The files of upload jobs since then that hold such a file, once they have been read. */
  uploadsSince(since: string | null, isSent: (file: SentFile) => boolean): Promise<SentFile[]>
  /** Every file is in what this gives, in a job or refused. */
  send<File extends Sendable>(
    files: readonly File[],
    onConflict: OnConflict,
  ): AsyncIterable<Sent<File, { id: string }>>
  /** The files of the job, in the order in which they were sent, once they are searchable or failed. */
  ended(jobId: string): Promise<SentFile[]>
  /** One that is gone already is no error; one that holds something else by now stays, where that can be told. */
  remove(document: Owned): Promise<void>
}
