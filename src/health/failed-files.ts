// Shows administrators the files of all workspaces that could not be read, and lets them queue one again. They have no rights
// inside workspaces, so the name of a file is shown only to a member of its workspace.

import type { SessionUser } from '../accounts/sessions.sql.ts'
import { requireAdmin } from '../accounts/sessions.ts'
import { record } from '../audit/activity.sql.ts'
import { userActor } from '../audit/activity.ts'
import type { FailedFileOfService, FailedFileRetry } from '../contract/health.ts'
import { invalid, notFound } from '../errors.ts'
import { failureSentence } from '../ingest/failures.ts'
import { FAILED_FILE_DAYS } from '../ingest/sweep.ts'
import type { Deps } from '../ports/deps.ts'
import { insertTask } from '../work/queue.sql.ts'
import { type FailedFileRow, type FileId, reopenFile, selectFailedOfService } from './health.sql.ts'

const MAX_LISTED_FILES = 100

const selectFailedFiles = (
  { db }: Pick<Deps, 'db'>,
  { id }: SessionUser,
  file?: FileId,
): Promise<FailedFileRow[]> =>
  selectFailedOfService(db, {
    adminId: id,
    cancelled: failureSentence.cancelled,
    retryDays: FAILED_FILE_DAYS,
    limit: MAX_LISTED_FILES,
    ...(file && { file }),
  })

/** The file that failed last comes first. @throws ApiError 403 */
export async function listFailedOfService(
  deps: Pick<Deps, 'db'>,
  admin: SessionUser,
): Promise<{ data: FailedFileOfService[] }> {
  requireAdmin(admin)
  const rows = await selectFailedFiles(deps, admin)
  return {
    data: rows.map(({ content_hash: _hash, is_stored, ...row }) => ({ ...row, can_retry: is_stored })),
  }
}

/** Queues a listed file again. @throws ApiError 403; 404 if the file is not listed; 422 if its bytes are no longer stored */
export async function retryFailedFile(
  deps: Pick<Deps, 'db' | 'blobs'>,
  admin: SessionUser,
  { workspace_id, job_id, file_no }: FailedFileRetry,
): Promise<void> {
  requireAdmin(admin)
  const [file] = await selectFailedFiles(deps, admin, { workspace_id, job_id, file_no })
  if (!file) throw notFound()
  const isStored = await deps.blobs.size(file.content_hash).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
  if (!isStored)
    throw invalid(['body'], 'The bytes of this file are no longer stored: whoever has it uploads it again')
  await deps.db.tx(async (tx) => {
    if (!(await reopenFile(tx, admin.id, { workspace_id, job_id, file_no }))) throw notFound()
    const subject = { job_id, file_no }
    await insertTask(tx, { workspaceId: workspace_id, kind: 'ingest', priority: 'userVisible', subject })
    await record(tx, {
      action: 'file_retried',
      actor: userActor(admin.id),
      workspaceIds: [workspace_id],
    })
  })
}
