// Makes an automatic copy of the embedded database once a day, while the database is in use. It copies the database's files, and
// the part of the write-ahead log that was written meanwhile. Opening the copy replays that part (PostgreSQL's online backup). The
// files of documents are not copied, because they never change and stay in the data folder.

import { constants, existsSync } from 'node:fs'
import { copyFile, cp, lstat, mkdir, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sync, syncTree } from '../../sync.ts'
import { copiesFolder, copiesOf, madeAt } from './copy-list.ts'
import { clusterFolder, restoredFolder } from './directory.ts'
import { beginCopy, endCopy } from './engine.sql.ts'

export interface CopySettings {
  /** A copy is removed after this many days. The two newest are kept whatever their age. */
  days: number
  /** The limit for all copies together. The newest copy is never removed because of it, but a larger copy is not made. */
  maxBytes: number
  /** Time from the engine's start to the first check (default 10 minutes). */
  firstCheckAfterMs?: number | undefined
}

/** What making a copy needs from the engine. */
interface CopyEngine {
  query<T>(sql: string): Promise<{ rows: T[] }>
  /** Runs `work` outside any transaction. */
  runAlone<T>(work: () => Promise<T>): Promise<T>
  /**
   * Called with true before a copy begins, and with false after it. Meanwhile no checkpoint may run, so that the log stays
   * complete.
   */
  keepLog(isKept: boolean): void
}

const DAY_MS = 86_400_000
const CHECK_EVERY_MS = 3_600_000
const FIRST_CHECK_AFTER_MS = 600_000
const DRAFT_PREFIX = 'new-'
const LOG_SEGMENT_NAME = /^[0-9A-F]{24}$/
const CONTROL_FILE = join('global', 'pg_control')
// Files that a copy does not need, because each start makes them again, or because they belong only to the running process.
const EXCLUDED_FILES =
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/.|pgsql_tmp|^postmaster\.(pid|opts)$|pg_internal\.init/

/** The age of a copy in milliseconds. It is negative if the clock has been set back since. */
const ageOf = (copy: string): number => Date.now() - madeAt(copy)

/** Makes a copy whenever the newest is a day old, and removes old ones. Returns a function that stops it. */
export function startCopies(
  dataDir: string,
  engine: CopyEngine,
  settings: CopySettings,
  onTrouble: (error: unknown) => void,
): () => void {
  let isChecking = false
  async function check(): Promise<void> {
    if (isChecking) return
    isChecking = true
    try {
      const isOfToday = (copy: string): boolean => ageOf(copy) >= 0 && ageOf(copy) < DAY_MS
      if (!copiesOf(dataDir).some(isOfToday)) await makeCopy(dataDir, engine, settings.maxBytes)
      await removeOld(dataDir, settings)
    } catch (error) {
      onTrouble(error)
    } finally {
      isChecking = false
    }
  }
  let timer = setTimeout(() => {
    timer = setInterval(() => void check(), CHECK_EVERY_MS)
    void check()
  }, settings.firstCheckAfterMs ?? FIRST_CHECK_AFTER_MS)
  return () => clearInterval(timer)
}

/**
 * Makes a copy. @returns the copy's folder
 * @throws Error if the copy is too large or fails; an incomplete copy is removed
 */
export async function makeCopy(dataDir: string, engine: CopyEngine, maxBytes: number): Promise<string> {
  const cluster = clusterFolder(dataDir)
  const folder = copiesFolder(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder))
    if (name.startsWith(DRAFT_PREFIX)) await rm(join(folder, name), { recursive: true, force: true })
  await requireRoom(cluster, folder, maxBytes)
  const name = new Date().toISOString().slice(0, 16).replace(':', '-')
  const draft = join(folder, `${DRAFT_PREFIX}${name}`)
  engine.keepLog(true)
  try {
    const [copyBeginning] = (await engine.runAlone(() => engine.query<{ first: string }>(beginCopy))).rows
    await copyFiles(cluster, draft)
    const label = await engine.runAlone(async () => {
      const [end] = (await engine.query<{ label: string; last: string }>(endCopy)).rows
      // pg_control is copied inside `runAlone`, while nothing writes it: a file that is half old and half new could not be opened.
      await copyFile(join(cluster, CONTROL_FILE), join(draft, CONTROL_FILE))
      return end
    })
    if (!copyBeginning || !label) throw new Error('the database did not say what belongs to the copy')
    await writeFile(join(draft, 'backup_label'), label.label, { mode: 0o600 })
    for (const segment of await readdir(join(cluster, 'pg_wal')))
      if (LOG_SEGMENT_NAME.test(segment) && segment >= copyBeginning.first && segment <= label.last)
        await copyOne(join(cluster, 'pg_wal', segment), join(draft, 'pg_wal', segment))
  } catch (error) {
    // The copy must be ended, because no other can begin before. An error of `endCopy` means that the copy has not begun, or has
    // already ended.
    await engine.runAlone(() => engine.query(endCopy)).catch(() => undefined)
    await rm(draft, { recursive: true, force: true })
    throw error
  } finally {
    engine.keepLog(false)
  }
  await syncTree(draft)
  const copy = join(folder, name)
  await rm(copy, { recursive: true, force: true })
  await rename(draft, copy)
  await sync(folder)
  return copy
}

/**
 * Replaces the database by a copy. No process may have the database open. If the restore is interrupted, it has changed nothing,
 * or the next start completes it (`ensureCluster`).
 * @returns the folder in which the previous database is kept
 */
export async function restoreCopy(copy: string, dataDir: string): Promise<string | undefined> {
  const cluster = clusterFolder(dataDir)
  const draft = `${cluster}.new-${process.pid}`
  const restoredPath = restoredFolder(dataDir)
  await rm(draft, { recursive: true, force: true })
  await cp(copy, draft, { recursive: true, mode: constants.COPYFILE_FICLONE })
  await syncTree(draft)
  await rm(restoredPath, { recursive: true, force: true })
  await rename(draft, restoredPath)
  await sync(dataDir)
  const replacedPath = existsSync(cluster)
    ? `${cluster}.replaced-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`
    : undefined
  if (replacedPath !== undefined) await rename(cluster, replacedPath)
  await rename(restoredPath, cluster)
  await sync(dataDir)
  return replacedPath
}

export const isCopy = (folder: string): boolean =>
  existsSync(join(folder, 'PG_VERSION')) && existsSync(join(folder, 'backup_label'))

async function copyFiles(cluster: string, draft: string): Promise<void> {
  await mkdir(draft, { mode: 0o700 })
  for (const entry of await readdir(cluster, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(cluster.length + 1)
    // The folders must exist in the copy, except those for temporary files.
    const isNeededFolder = entry.isDirectory() && !path.includes('pgsql_tmp')
    if (EXCLUDED_FILES.test(path) && !isNeededFolder) continue
    if (entry.isDirectory()) await mkdir(join(draft, path), { recursive: true, mode: 0o700 })
    else await copyOne(join(cluster, path), join(draft, path))
  }
}

/** Copies a file. A missing file is no error: its table was dropped meanwhile, which the log of the copy also contains. */
async function copyOne(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}

async function requireRoom(cluster: string, folder: string, maxBytes: number): Promise<void> {
  const bytes = await sizeOf(cluster)
  const { bavail, bsize } = await statfs(folder)
  const megabytes = Math.ceil(bytes / 2 ** 20)
  if (bytes > maxBytes)
    throw new Error(`no automatic copy: the database has ${megabytes} MB, more than KENNING_COPIES_MB allows`)
  // After the copy, as much space must still be free for the database itself.
  if (bavail * bsize < 2 * bytes)
    throw new Error(`no automatic copy: ${folder} has no room for ${megabytes} MB twice`)
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0
  for (const name of await readdir(folder, { recursive: true }))
    bytes += (await lstat(join(folder, name)).catch(() => undefined))?.size ?? 0
  return bytes
}

async function removeOld(dataDir: string, { days, maxBytes }: CopySettings): Promise<void> {
  let bytes = 0
  for (const [index, copy] of copiesOf(dataDir).entries()) {
    bytes += await sizeOf(copy)
    // The two newest copies stay: if the service was off for a long time or the clock is wrong, all good copies are old.
    const isOld = index > 1 && ageOf(copy) > days * DAY_MS
    const isTooMuch = index > 0 && bytes > maxBytes
    if (isOld || isTooMuch) await rm(copy, { recursive: true, force: true })
  }
}
