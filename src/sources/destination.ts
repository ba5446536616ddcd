// A workspace as the destination of a source that the service itself reads. Files are uploaded and deleted on behalf of the person
// who set up the source. If another worker has taken over the run, each transaction of this run fails.

import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../auth/caller.ts'
import { ApiError } from '../errors.ts'
import { selectFiles } from '../ingest/jobs.sql.ts'
import { deleteDocument } from '../ingest/remove.ts'
import { type Part, type Parts, uploadFiles } from '../ingest/uploads.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { refusalOf, sendBatch } from '../sync/batches.ts'
import type { Destination, SentFile } from '../sync/destination.ts'
import { TaskLost } from '../work/handler.ts'
import { lockTask, type Task } from '../work/queue.sql.ts'
import {
  insertSourceJob,
  isChangedByOthers,
  selectDocument,
  selectDocumentIds,
  selectOwned,
  selectSourceJobs,
} from './sources.sql.ts'

interface SourceRun {
  caller: Caller
  task: Task
  sourceId: string
  signal: AbortSignal
}

/**
 * Somebody has replaced the document, or has sent a file that will replace it. Deleting the document would lose that file, so the
 * source no longer owns the document.
 */
class DocumentOwnedByOthers extends Error {}

const POLL_INTERVAL_MS = 250
/**
 * The files come from this machine. With zero bytes to receive, they need none of the upload slots, which are for slow connections.
 */
const LOCAL_BODY: NonNullable<Parts['body']> = { bytes: 0, endsInMs: () => 1000 }

export function localDestination(
  deps: Pick<Deps, 'db' | 'blobs' | 'cache' | 'log' | 'admission'>,
  { caller, task, sourceId, signal }: SourceRun,
): Destination {
  const { db } = deps
  const workspaceId = task.workspace_id
  const requireOwnTask = async (tx: Queryable): Promise<void> => {
    if (!(await lockTask(tx, task))) throw new TaskLost()
  }
  const waitForEnd = async (jobId: string): Promise<SentFile[]> => {
    for (;;) {
      const files = await selectFiles(db, workspaceId, jobId)
      if (files.length === 0) throw new TaskLost()
      if (files.every(({ status }) => status === 'done' || status === 'failed'))
        return files.map(({ path, status, document_id, outcome, error }) => ({
          filename: path,
          status,
          ...(status === 'done' ? { document_id } : {}),
          ...(outcome === null ? {} : { outcome }),
          ...(error === null ? {} : { error }),
        }))
      await sleep(POLL_INTERVAL_MS, undefined, { signal })
    }
  }
  return {
    listOwned: () => selectOwned(db, workspaceId, sourceId),
    // Nothing to do: the stored entry of each path already contains its document.
    setOwned: async () => {},
    getDocument: async (documentId) => {
      const document = await selectDocument(db, workspaceId, documentId)
      return document && { ...document, isMine: true }
    },
    listDocumentIds: async () => new Set(await selectDocumentIds(db, workspaceId)),
    newestJob: async () => null,
    uploadsSince: async (_since, isSent) => {
      const files: SentFile[] = []
      for (const jobId of await selectSourceJobs(db, workspaceId, sourceId))
        files.push(...(await waitForEnd(jobId)))
      return files.filter(isSent)
    },
    send: (files, onConflict) =>
      sendBatch(files, signal, async (readyFiles) => {
        async function* parts(): AsyncGenerator<Part> {
          for (const { name, content } of readyFiles)
            yield { filename: name, stream: Readable.from(Buffer.from(await content.arrayBuffer())) }
        }
        const body = { body: LOCAL_BODY, [Symbol.asyncIterator]: parts }
        const beforeCommit = async (tx: Queryable, jobId: string): Promise<void> => {
          await requireOwnTask(tx)
          await insertSourceJob(tx, workspaceId, sourceId, jobId)
        }
        try {
          return {
            job: await uploadFiles(deps, caller, workspaceId, {
              parts: body,
              onConflict,
              inTransaction: beforeCommit,
            }),
          }
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          const { status, message, extras } = error
          const refusal = refusalOf({ status, message, detail: extras.detail ?? [] }, readyFiles)
          if (!refusal) throw error
          return refusal
        }
      }),
    waitForEnd,
    remove: async ({ id, hash }) => {
      const beforeDelete = async (tx: Queryable): Promise<void> => {
        await requireOwnTask(tx)
        if (await isChangedByOthers(tx, workspaceId, sourceId, { id, hash }))
          throw new DocumentOwnedByOthers()
      }
      await deleteDocument(deps, caller, { workspaceId, documentId: id }, beforeDelete).catch(
        (error: unknown) => {
          const isGone = error instanceof ApiError && error.status === 404
          if (!isGone && !(error instanceof DocumentOwnedByOthers)) throw error
        },
      )
    },
  }
}
