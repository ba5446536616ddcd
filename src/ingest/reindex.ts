// POST …/reindex (extension) reads documents again from their stored originals. Readers see the current version until the new one
// is complete, and ids stay.

import { record } from '../audit/activity.sql.ts'
import { actorOf } from '../audit/activity.ts'
import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { Job } from '../contract/resources.ts'
import { notFound } from '../errors.ts'
import { claimKey } from '../idempotency/idempotency.ts'
import type { Deps } from '../ports/deps.ts'
import { newJobId } from './job-id.ts'
import { insertFileTasks, insertJob, insertReindexFiles } from './jobs.sql.ts'
import { getJob, queuedJob } from './jobs.ts'
import { lockWorkspace } from './publish.sql.ts'

type ReindexDeps = Pick<Deps, 'db'>

/**
 * Reindexes one document, or all if `documentId` is undefined.
 * @throws ApiError 404, 403, 422 for the idempotency key of another request
 */
export async function reindex(
  deps: ReindexDeps,
  caller: Caller,
  { workspaceId, documentId }: { workspaceId: string; documentId?: string | undefined },
  key: string | undefined,
): Promise<Job> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  const id = newJobId(workspaceId)
  const operation = `reindex ${workspaceId}`
  const jobId = await deps.db.tx(async (tx) => {
    if (!(await lockWorkspace(tx, workspaceId))) throw notFound()
    const request = { document: documentId ?? null }
    const claimedId = await claimKey(tx, caller, { key, operation, request, result: id, workspaceId })
    if (claimedId !== id) return claimedId
    await insertJob(tx, { id, workspaceId, createdBy: caller.userId, kind: 'reindex' })
    const files = await insertReindexFiles(tx, workspaceId, id, documentId)
    if (documentId !== undefined && files === 0) throw notFound()
    await insertFileTasks(tx, workspaceId, id)
    const entry = { action: 'reindex_started', actor: actorOf(caller), subject: id } as const
    await record(tx, { ...entry, workspaceIds: [workspaceId], detail: { files } })
    return id
  })
  const { files } = await getJob(deps, caller, jobId)
  return queuedJob(
    jobId,
    files.map(({ filename }) => filename),
  )
}
