// Documents in the trash (extension, docs/decisions/0055-trash.md). Nothing finds a document there. When it is restored, it gets
// its id, versions and scopes again, and a job reads its file again.

import { record } from '../audit/activity.sql.ts'
import { actorOf } from '../audit/activity.ts'
import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { type PageQuery, readPage } from '../auth/cursor.ts'
import type { Job, Page } from '../contract/resources.ts'
import type { TrashedDocument, TrashedDocuments } from '../contract/trash.ts'
import { titleKey } from '../documents/documents.ts'
import { notFound } from '../errors.ts'
import { claimKey } from '../idempotency/idempotency.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { newJobId } from './job-id.ts'
import { insertFiles, insertFileTasks, insertJob, type NewFile } from './jobs.sql.ts'
import { getJob, queuedJob } from './jobs.ts'
import { freeTitle, nameOf } from './names.ts'
import { lockWorkspace } from './publish.sql.ts'
import { dropPages, removeDocuments } from './remove.ts'
import {
  deleteExpired,
  deleteTrashedRow,
  insertRestored,
  insertTrashed,
  selectAtPath,
  selectTrashed,
  type TrashedDocumentRow,
  type TrashedVersionRow,
  type TrashPosition,
  type TrashRow,
  takeTrashed,
} from './trash.sql.ts'
import { insertUnreadDocuments } from './unread.sql.ts'
import { isIdTaken } from './versions/document-ids.sql.ts'
import { documentIdFor } from './versions/document-ids.ts'
import { findFreePath } from './versions/place.ts'

/** Moves those of the documents that exist to the trash. @throws ApiError 403; 404 also if none of them exists */
export async function trashDocuments(
  deps: Pick<Deps, 'db' | 'cache'>,
  caller: Caller,
  workspaceId: string,
  documentIds: readonly string[],
): Promise<TrashedDocuments> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  const { removed, rows } = await deps.db.tx(async (tx) => {
    if (!(await lockWorkspace(tx, workspaceId))) throw notFound()
    const removal = await removeDocuments(tx, workspaceId, documentIds)
    const [firstDocument] = removal.documents
    if (!firstDocument) throw notFound()
    const ids = await insertTrashed(tx, workspaceId, removal, caller.userId)
    const documents = removal.documents.length
    const entry = { action: 'documents_trashed', actor: actorOf(caller), detail: { documents } } as const
    const subject = documents === 1 ? { subject: firstDocument.id } : {}
    await record(tx, { ...entry, ...subject, workspaceIds: [workspaceId] })
    return { removed: removal, rows: await selectTrashed(tx, workspaceId, { ids }) }
  })
  await dropPages(deps, workspaceId, removed)
  return { data: rows.map(toTrashed) }
}

/** A page of the documents in the trash, the latest first, for callers who may restore them. @throws ApiError 404, 403 */
export async function listTrash(
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  caller: Caller,
  workspaceId: string,
  query: PageQuery,
): Promise<Page<TrashedDocument>> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  const { rows, ...next } = await readPage(deps, {
    binding: ['trash', workspaceId, principal(caller)],
    page: query,
    select: (after: TrashPosition | undefined, limit) =>
      selectTrashed(deps.db, workspaceId, { after, limit }),
    positionOf: (row) => ({ at: row.position, id: row.id }),
  })
  return { data: rows.map(toTrashed), ...next }
}

const toTrashed = (row: TrashRow): TrashedDocument => ({
  id: row.id,
  document_id: row.document_id,
  title: row.title,
  filename: row.path,
  kind: row.kind,
  bytes: row.bytes,
  trashed_by: row.trashed_by,
  trashed_at: row.trashed_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
})

/**
 * Starts a job that reads the files of these documents again. They are listed at once, and searchable when their files have been
 * read. If another document now has the path or the id of a restored one, the restored one gets another path or id. If both have the
 * same path and bytes, they become one document.
 * @throws ApiError 403; 404 also if none of them is in the trash; 422 for the idempotency key of another request
 */
export async function restoreDocuments(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  { workspaceId, trashIds }: { workspaceId: string; trashIds: readonly string[] },
  key: string | undefined,
): Promise<Job> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  const id = newJobId(workspaceId)
  const operation = `restore from trash ${workspaceId}`
  const jobId = await deps.db.tx(async (tx) => {
    if (!(await lockWorkspace(tx, workspaceId))) throw notFound()
    const request = { trash: trashIds }
    const claimedId = await claimKey(tx, caller, { key, operation, request, result: id, workspaceId })
    if (claimedId !== id) return claimedId
    const { documents, versions } = await takeTrashed(tx, workspaceId, trashIds)
    if (documents.length === 0) throw notFound()
    const files: NewFile[] = []
    for (const document of documents) {
      const ownVersions = versions.filter((version) => version.trash_id === document.id)
      files.push(await restoreDocument(tx, workspaceId, document, ownVersions))
    }
    await insertJob(tx, { id, workspaceId, createdBy: caller.userId, kind: 'import' })
    await insertFiles(tx, workspaceId, id, files)
    await insertFileTasks(tx, workspaceId, id)
    const entry = { action: 'documents_restored', actor: actorOf(caller), subject: id } as const
    await record(tx, { ...entry, workspaceIds: [workspaceId], detail: { documents: files.length } })
    return id
  })
  const { files } = await getJob(deps, caller, jobId)
  return queuedJob(
    jobId,
    files.map(({ filename }) => filename),
  )
}

/** Inserts the document again, without text until its file is read. Returns the file to read. */
async function restoreDocument(
  tx: Queryable,
  workspaceId: string,
  document: TrashedDocumentRow,
  versions: readonly TrashedVersionRow[],
): Promise<NewFile> {
  const { content_hash: hash, kind, path: oldPath, scopes } = document
  const size = versions.find(({ content_hash }) => content_hash === hash)?.size ?? 1
  const atPath = await selectAtPath(tx, workspaceId, oldPath)
  if (atPath?.content_hash === hash) {
    await insertRestored(tx, workspaceId, atPath.id, { versions, scopes })
    return { path: oldPath, kind, size, hash, documentId: atPath.id, isUnchanged: !atPath.is_unread }
  }
  const path = atPath ? await findFreePath(tx, workspaceId, oldPath) : oldPath
  // A document that was uploaded to the same path since then has the same id, wherever it is now.
  const documentId = (await isIdTaken(tx, workspaceId, document.document_id))
    ? (await documentIdFor(tx, workspaceId, path)).documentId
    : document.document_id
  const uploadedAs = document.uploaded_as ?? (atPath ? oldPath : null)
  const names = { title: document.title, name: nameOf(path) }
  const title = await freeTitle(tx, { workspaceId, documentId }, names, path)
  const unread = {
    id: documentId,
    path,
    uploaded_as: uploadedAs,
    title,
    title_key: titleKey(title),
    sha256: hash,
  }
  await insertUnreadDocuments(tx, workspaceId, [{ ...document, ...unread }])
  await insertRestored(tx, workspaceId, documentId, { versions, scopes })
  return { path, kind, size, hash, documentId, isUnchanged: false }
}

/** Deletes a document in the trash for good. @throws ApiError 403, 404 */
export async function deleteTrashed(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  { workspaceId, trashId }: { workspaceId: string; trashId: string },
): Promise<void> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  await deps.db.tx(async (tx) => {
    if (!(await lockWorkspace(tx, workspaceId))) throw notFound()
    const documentId = await deleteTrashedRow(tx, workspaceId, trashId)
    if (documentId === undefined) throw notFound()
    const entry = { action: 'document_deleted', actor: actorOf(caller), subject: documentId } as const
    await record(tx, { ...entry, workspaceIds: [workspaceId] })
  })
}

/** Deletes what has been in the trash for 30 days. */
export const deleteExpiredDocuments = ({ db }: Pick<Deps, 'db'>): Promise<unknown> => deleteExpired(db)
