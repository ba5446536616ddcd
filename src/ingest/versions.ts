// Lists the versions of a document and restores them (extension). The id of a version is the SHA-256 of its file.

import { record } from '../audit/activity.sql.ts'
import { actorOf } from '../audit/activity.ts'
import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { type PageQuery, readPage } from '../auth/cursor.ts'
import type { DocumentVersion, Job, Page } from '../contract/resources.ts'
import { selectDocument } from '../documents/documents.sql.ts'
import { notFound } from '../errors.ts'
import { claimKey } from '../idempotency/idempotency.ts'
import type { Deps } from '../ports/deps.ts'
import { newJobId } from './job-id.ts'
import { insertFiles, insertFileTasks, insertJob } from './jobs.sql.ts'
import { queuedJob } from './jobs.ts'
import { lockWorkspace } from './publish.sql.ts'
import {
  selectRestorable,
  selectVersions,
  type VersionPosition,
  type VersionRow,
} from './versions/versions.sql.ts'

/** A page of versions: first the current version, then the most recently replaced versions. @throws ApiError 404 */
export async function listVersions(
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  caller: Caller,
  { workspaceId, documentId }: { workspaceId: string; documentId: string },
  query: PageQuery,
): Promise<Page<DocumentVersion>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  if (!(await selectDocument(deps.db, workspaceId, documentId))) throw notFound()
  const binding = ['versions', workspaceId, documentId, principal(caller)]
  const { rows, ...next } = await readPage(deps, {
    binding,
    page: query,
    select: (after: VersionPosition | undefined, limit) =>
      selectVersions(deps.db, workspaceId, documentId, { after, limit }),
    positionOf: (row) => ({ at: row.position, id: row.id }),
  })
  return { data: rows.map(toVersion), ...next }
}

const toVersion = (row: VersionRow): DocumentVersion => ({
  id: row.id,
  filename: row.filename,
  bytes: row.bytes,
  uploaded_at: row.uploaded_at.toISOString(),
  uploaded_by: row.uploaded_by,
  current: row.current,
  replaced_at: row.replaced_at?.toISOString() ?? null,
  restorable_until: row.restorable_until?.toISOString() ?? null,
})

/**
 * Starts a job that reads the original of the version again. The document does not change until the job is complete, and the
 * replaced version can be restored later. @throws ApiError 404, also for a version that is no longer restorable; 403
 */
export async function restoreVersion(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  ids: { workspaceId: string; documentId: string; versionId: string },
  key: string | undefined,
): Promise<Job> {
  const { workspaceId, documentId, versionId } = ids
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  const id = newJobId(workspaceId)
  const operation = `restore ${workspaceId}`
  return deps.db.tx(async (tx) => {
    if (!(await lockWorkspace(tx, workspaceId))) throw notFound()
    const version = await selectRestorable(tx, workspaceId, documentId, versionId)
    if (!version) throw notFound()
    const request = { document: documentId, version: versionId }
    const jobId = await claimKey(tx, caller, { key, operation, request, result: id, workspaceId })
    const { path, kind, size, current } = version
    if (jobId !== id) return queuedJob(jobId, [path])
    await insertJob(tx, { id, workspaceId, createdBy: caller.userId, kind: 'restore' })
    await insertFiles(tx, workspaceId, id, [
      { path, kind, size, hash: versionId, documentId, isUnchanged: current },
    ])
    await insertFileTasks(tx, workspaceId, id)
    const entry = { action: 'version_restored', actor: actorOf(caller), subject: documentId } as const
    await record(tx, { ...entry, workspaceIds: [workspaceId], detail: { version: versionId } })
    return queuedJob(id, [path])
  })
}
