// The workspace to which a sync sends files. The command line implements it over HTTP, the service by calling its own functions.

import type { FileProgress, OnConflict } from '../contract/resources.ts'
import type { Sendable, SendResult } from './batches.ts'
import type { OwnedDocument } from './plan.ts'

/** The result of a file that was sent. */
export type SentFile = Pick<FileProgress, 'filename' | 'status' | 'document_id' | 'outcome' | 'error'>

export interface Destination {
  /** The documents that the workspace lists as belonging to the sync, even if the sync has lost its state. */
  listOwned(): Promise<OwnedDocument[]>
  /** Makes the workspace list exactly these documents as belonging to the sync. Deleted ones are left out. */
  setOwned(ids: readonly string[]): Promise<void>
  /** The current state of a document. `isMine`: its file was uploaded by the account that runs the sync. */
  getDocument(documentId: string): Promise<(OwnedDocument & { isMine: boolean }) | undefined>
  listDocumentIds(): Promise<Set<string>>
  /** The newest job of the workspace, for a later `uploadsSince`. */
  newestJob(): Promise<string | null>
  /** The files of later upload jobs that contain such a file. Waits until they have been read. */
  uploadsSince(since: string | null, isSent: (file: SentFile) => boolean): Promise<SentFile[]>
  /** Sends files. Every file is in one of the results, in a job or refused. */
  send<File extends Sendable>(
    files: readonly File[],
    onConflict: OnConflict,
  ): AsyncIterable<SendResult<File, { id: string }>>
  /** The files of the job, in the order in which they were sent, once they are searchable or failed. */
  waitForEnd(jobId: string): Promise<SentFile[]>
  /**
   * Deletes a document. It is no error if it is already deleted. A document that a user has changed is not deleted if the
   * destination detects the change.
   */
  remove(document: OwnedDocument): Promise<void>
}
