// Deletes a document with its versions (extension). Readers no longer see it at once, and tasks remove its rows and its share
// of the graph. Reading that is still under way for it is cancelled, so that it does not come back.

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
import { deleteUnnamedPictures } from './pictures/pictures.sql.ts'
import { lockWorkspace } from './publish.sql.ts'
import { deleteVersions } from './versions/versions.sql.ts'

/**
 * @param first runs before in the same transaction, in which nothing is published. When it fails, nothing is deleted.
 * @throws ApiError 403, 404; the second of two concurrent deletes gets 404 too
 */
export async function deleteDocument(
  deps: Pick<Deps, 'db' | 'cache'>,
  caller: Caller,
  workspaceId: string,
  documentId: string,
  first?: (tx: Queryable) => Promise<void>,
): Promise<void> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  const removed = await deps.db.tx(async (tx) => {
    if (!(await lockWorkspace(tx, workspaceId))) throw notFound()
    await first?.(tx)
    const retired = await retireDocument(tx, workspaceId, documentId)
    if (!retired) throw notFound()
    await cancelFiles(tx, workspaceId, { documentId })
    const hashes = new Set([retired.content_hash, ...(await deleteVersions(tx, workspaceId, documentId))])
    await deleteUse(tx, workspaceId, documentId)
    for (const contentHash of hashes) await deleteUnnamedPictures(tx, { workspaceId, contentHash })
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
  for (const hash of removed) await deps.cache.drop(pagesFolder(workspaceId, hash))
}
