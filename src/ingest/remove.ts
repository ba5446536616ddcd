// Deletes documents with their versions (extension). From then on readers do not see them; tasks remove their rows and their part
// of the graph later. Tasks that are reading a file for a document are cancelled, so that it is not created again.

import { record } from '../audit/activity.sql.ts'
import { actorOf } from '../audit/activity.ts'
import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import { type RetiredDocument, retireDocuments } from '../documents/documents.sql.ts'
import { deleteUse } from '../documents/use.sql.ts'
import { notFound } from '../errors.ts'
import { graphTask } from '../graph/task.ts'
import { pagesFolder } from '../ports/cache/disk-cache.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { insertTask } from '../work/queue.sql.ts'
import { foldTask } from './fold.ts'
import { cancelFiles } from './jobs.sql.ts'
import { deleteUnreferencedPictures } from './pictures/pictures.sql.ts'
import { lockWorkspace } from './publish.sql.ts'
import { deleteVersions, type StoredVersion } from './versions/versions.sql.ts'

/**
 * @param beforeDelete is called before the deletion, in the same transaction. When it throws, nothing is deleted.
 * @throws ApiError 403, 404; the second of two concurrent deletes gets 404 too
 */
export async function deleteDocument(
  deps: Pick<Deps, 'db' | 'cache'>,
  caller: Caller,
  { workspaceId, documentId }: { workspaceId: string; documentId: string },
  beforeDelete?: (tx: Queryable) => Promise<void>,
): Promise<void> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  const removed = await deps.db.tx(async (tx) => {
    if (!(await lockWorkspace(tx, workspaceId))) throw notFound()
    await beforeDelete?.(tx)
    const removal = await removeDocuments(tx, workspaceId, [documentId])
    if (removal.documents.length === 0) throw notFound()
    await record(tx, {
      action: 'document_deleted',
      actor: actorOf(caller),
      workspaceIds: [workspaceId],
      subject: documentId,
    })
    return removal
  })
  await dropPages(deps, workspaceId, removed)
}

export interface RemovedDocuments {
  documents: RetiredDocument[]
  versions: StoredVersion[]
}

/**
 * Removes documents from everything that readers see; ids that do not exist are ignored. The caller must have checked the access
 * and locked the workspace, and must drop the page images after the transaction.
 */
export async function removeDocuments(
  tx: Queryable,
  workspaceId: string,
  documentIds: readonly string[],
): Promise<RemovedDocuments> {
  const documents = await retireDocuments(tx, workspaceId, documentIds)
  if (documents.length === 0) return { documents, versions: [] }
  const ids = documents.map(({ id }) => id)
  await cancelFiles(tx, workspaceId, { documentIds: ids })
  const versions = await deleteVersions(tx, workspaceId, ids)
  await deleteUse(tx, workspaceId, ids)
  for (const contentHash of hashesOf({ documents, versions }))
    await deleteUnreferencedPictures(tx, { workspaceId, contentHash })
  const graphTasks = ids.map((id) => graphTask(workspaceId, { document_id: id, awaited: false }))
  await insertTask(tx, ...graphTasks, foldTask(workspaceId))
  return { documents, versions }
}

const hashesOf = ({ documents, versions }: RemovedDocuments): Set<string> =>
  new Set([...documents, ...versions].map(({ content_hash: hash }) => hash))

/** Drops the page images of removed documents. */
export async function dropPages(
  { cache }: Pick<Deps, 'cache'>,
  workspaceId: string,
  removed: RemovedDocuments,
): Promise<void> {
  for (const hash of hashesOf(removed)) await cache.drop(pagesFolder(workspaceId, hash))
}
