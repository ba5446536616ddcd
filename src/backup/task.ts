// The task that makes a backup with the code of `kenning backup` and then checks it. Each attempt writes its own folder, and
// removes the folders of earlier attempts.

import { readdir, rm, statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Backup } from '../contract/health.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { type Handler, TaskLost } from '../work/handler.ts'
import { finishTask } from '../work/queue.sql.ts'
import {
  type BackupTask,
  type FinishedBackup,
  finishBackup,
  selectBackup,
  selectSizes,
  updateBackup,
} from './backups.sql.ts'
import { NO_FOLDER, sizeOf } from './backups.ts'
import { problemsOf } from './check.ts'
import { FilesMissing, writeBackup } from './write.ts'

export type BackupDeps = Pick<Deps, 'db' | 'blobs' | 'log' | 'settings'>

const REPORT_INTERVAL_MS = 1000

/** A failure that every attempt would have. Its message gives the cause and the remedy. */
class BackupFailed extends Error {}

/** KENNING_BACKUP_DIR is not set for this worker. It may be set for another. */
class FolderNotSet extends Error {}

export const backupHandler: Handler<BackupDeps> = {
  run: (deps, task, signal) => runBackup(deps, task as BackupTask, signal),
  verdict: (error) =>
    error instanceof FolderNotSet
      ? { busy: 'the worker has no folder for backups', giveUpReason: error.message }
      : undefined,
  giveUp: {
    write: (tx, task, reason) =>
      finishBackup(tx, (task as BackupTask).subject.backup_id, {
        error: reason ?? 'The backup failed again and again inside Kenning. Its log says why.',
      }),
  },
}

async function runBackup(deps: BackupDeps, task: BackupTask, signal: AbortSignal): Promise<void> {
  const id = task.subject.backup_id
  const endTask = (work: (tx: Queryable) => Promise<void> = async () => {}): Promise<void> =>
    deps.db.tx(async (tx) => {
      if (!(await finishTask(tx, task))) throw new TaskLost()
      await work(tx)
    })
  const backup = await selectBackup(deps.db, id)
  // There is no row in a restored database: backups include tasks, but not the table of backups.
  if (!backup) return endTask()
  try {
    const result = await makeBackup(deps, backup, task, signal)
    await endTask((tx) => finishBackup(tx, id, result)).catch(async (error: unknown) => {
      if (error instanceof TaskLost) await removeFolder(result.folder)
      throw error
    })
    deps.log.info({ backup: id, size: result.size }, 'a backup was made')
  } catch (error) {
    signal.throwIfAborted()
    const reason = reasonOf(error)
    if (reason === undefined) throw error
    deps.log.warn({ backup: id, code: (error as { code?: unknown }).code }, 'a backup failed')
    await endTask((tx) => finishBackup(tx, id, { error: reason }))
  }
}

async function makeBackup(
  deps: BackupDeps,
  backup: Backup,
  task: BackupTask,
  signal: AbortSignal,
): Promise<FinishedBackup> {
  const { backupDir, dataDir } = deps.settings
  if (backupDir === undefined) throw new FolderNotSet(`${NO_FOLDER} The worker on ${hostname()} has none.`)
  const prefix = folderPrefix(backup)
  const place = { machine: hostname(), folder: join(backupDir, `${prefix}${task.attempt}`) }
  const { folder } = place
  await removeEarlierAttempts(backupDir, prefix, task.attempt)
  const sizes = await selectSizes(deps.db)
  await requireRoom(backupDir, sizes.bytes)
  const reporter = startReporter(deps, task, place)
  try {
    let files = 0
    let tables = 0
    await writeBackup(deps.db, { blobs: deps.blobs, dataDir }, folder, {
      signal,
      onFile: () => reporter.note('files', ++files / Math.max(files, sizes.files)),
      onTable: () => reporter.note('rows', ++tables / Math.max(tables, APPROXIMATE_TABLES)),
    })
    reporter.note('check', 0)
    const [problem] = await problemsOf(folder, signal)
    if (problem) throw new BackupFailed(`The backup was written and is not whole: ${problem}`)
    return { ...place, size: await sizeOf(folder, signal) }
  } catch (error) {
    await removeFolder(folder)
    throw error
  } finally {
    await reporter.stop()
  }
}

/** The approximate number of tables of the database, for the progress. */
const APPROXIMATE_TABLES = 60

const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true }).catch(() => undefined)

/** A name that sorts by time. The number of the attempt is appended to it. */
const folderPrefix = ({ id, created_at }: Backup): string =>
  `kenning-${created_at.slice(0, 19).replaceAll(':', '-')}-${id.slice(0, 8)}-`

/** Does not create `backupDir`: if its disk is not mounted, the backup would be written to the disk of the mount point. */
async function removeEarlierAttempts(backupDir: string, prefix: string, attempt: number): Promise<void> {
  const names = await readdir(backupDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new BackupFailed(
      `KENNING_BACKUP_DIR, ${backupDir}, does not exist on ${hostname()}: mount its disk, or make the folder on it.`,
    )
  })
  for (const name of names) {
    const isEarlier = name.startsWith(prefix) && Number(name.slice(prefix.length)) < attempt
    if (isEarlier) await removeFolder(join(backupDir, name))
  }
}

async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= bytes) return
  const gigabytes = (count: number): string => `${(count / 1e9).toFixed(1)} GB`
  throw new BackupFailed(
    `A backup may take ${gigabytes(bytes)}, and KENNING_BACKUP_DIR on ${hostname()} has ${gigabytes(bavail * bsize)} free: make room there.`,
  )
}

/** Stores the progress every second, in the background, because the embedded database cannot store it while it reads the rows. */
function startReporter(
  { db }: BackupDeps,
  task: BackupTask,
  place: { machine: string; folder: string },
): { note: (step: NonNullable<Backup['step']>, progress: number) => void; stop: () => Promise<void> } {
  const stopping = new AbortController()
  let state: { step: NonNullable<Backup['step']>; progress: number } = { step: 'files', progress: 0 }
  const report = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await updateBackup(db, task, { ...state, ...place }).catch(() => undefined)
      await sleep(REPORT_INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const reporting = report()
  return {
    note: (step, progress) => {
      state = { step, progress }
    },
    stop: async () => {
      stopping.abort()
      await reporting
    },
  }
}

const NOT_WRITABLE_CODES = ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR']
const DISK_FULL_CODES = ['ENOSPC', 'EDQUOT']

/** Why the backup failed for good. Undefined if another attempt may succeed. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof BackupFailed || error instanceof FilesMissing) return error.message
  const { code = '' } = error as { code?: string }
  if (DISK_FULL_CODES.includes(code))
    return `The disk of KENNING_BACKUP_DIR on ${hostname()} is full: make room there.`
  if (NOT_WRITABLE_CODES.includes(code))
    return `KENNING_BACKUP_DIR cannot be written on ${hostname()} (${code}): give the service the right to write there.`
  return undefined
}
