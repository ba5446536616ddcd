// Deletes a document with its versions (extension). Readers cannot see it any more at once; tasks then remove its rows and its
// part of the graph. Tasks that are reading a file for the document are cancelled, so that it does not come back.

import { record } from '../audit/activity.sql.ts'
import { actorOf } from '../audit/activity.ts'
import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import { retireDocument } from '../documents/documents.sql.ts'
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
import { deleteVersions } from './versions/versions.sql.ts'

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
  const deletedHashes = await deps.db.tx(async (tx) => {
    if (!(await lockWorkspace(tx, workspaceId))) throw notFound()
    await beforeDelete?.(tx)
    const document = await retireDocument(tx, workspaceId, documentId)
    if (!document) throw notFound()
    await cancelFiles(tx, workspaceId, { documentId })
    const hashes = new Set([document.content_hash, ...(await deleteVersions(tx, workspaceId, documentId))])
    await deleteUse(tx, workspaceId, documentId)
    for (const contentHash of hashes) await deleteUnreferencedPictures(tx, { workspaceId, contentHash })
    const graph = graphTask(workspaceId, { document_id: documentId, awaited: false })
    await insertTask(tx, graph, foldTask(workspaceId))
    await record(tx, {
      action: 'document_deleted',
      actor: actorOf(caller),
      workspaceIds: [workspaceId],
      subject: documentId,
    })
    return hashes
  })
  for (const hash of deletedHashes) await deps.cache.drop(pagesFolder(workspaceId, hash))
}
