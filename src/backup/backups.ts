// Lists and starts backups, for administrators. A worker makes them (task.ts) in the folder KENNING_BACKUP_DIR of its machine. The
// service never sends the contents of a backup.

import { randomUUID } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { SessionUser } from '../accounts/sessions.sql.ts'
import { requireAdmin } from '../accounts/sessions.ts'
import { record } from '../audit/activity.sql.ts'
import { userActor } from '../audit/activity.ts'
import type { Backup, Backups } from '../contract/health.ts'
import { invalid } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { insertTask } from '../work/queue.sql.ts'
import { insertBackup, insertFinishedBackup, selectBackups } from './backups.sql.ts'

type Needs = Pick<Deps, 'db' | 'settings'>

const MAX_LISTED_BACKUPS = 20

export const NO_FOLDER =
  'There is no folder for backups: whoever runs the machine sets KENNING_BACKUP_DIR, or uses kenning backup FOLDER.'

/** @throws ApiError 403 */
export async function listBackups({ db, settings }: Needs, admin: SessionUser): Promise<Backups> {
  requireAdmin(admin)
  return {
    data: await selectBackups(db, MAX_LISTED_BACKUPS),
    refusal: settings.backupDir === undefined ? NO_FOLDER : null,
  }
}

/** @throws ApiError 403; 422 if no folder is set, or another backup is queued or running */
export async function beginBackup({ db, settings }: Needs, admin: SessionUser): Promise<Backup> {
  requireAdmin(admin)
  if (settings.backupDir === undefined) throw invalid(['body'], NO_FOLDER)
  const id = randomUUID()
  return db.tx(async (tx) => {
    const backup = await insertBackup(tx, id, admin.id)
    if (!backup) throw invalid(['body'], 'A backup is being made: wait until it has ended')
    const subject = { backup_id: id }
    await insertTask(tx, { workspaceId: admin.id, kind: 'backup', priority: 'networkBound', subject })
    await record(tx, { action: 'backup_begun', actor: userActor(admin.id) })
    return backup
  })
}

/** Adds a backup that `kenning backup` has made to the list. @throws Error if the database has an older schema or is read-only */
export async function recordBackup(db: Queryable, folder: string): Promise<void> {
  const backup = { machine: hostname(), folder, size: await sizeOf(folder) }
  await insertFinishedBackup(db, randomUUID(), backup)
}

/** The bytes of all files in the folder. @throws the reason of the signal */
export async function sizeOf(folder: string, signal?: AbortSignal): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    signal?.throwIfAborted()
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size
  }
  return bytes
}
