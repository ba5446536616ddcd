// Makes one automatic copy of the embedded database a day while it is in use. Its files are copied as they are, with the part
// of the log that was written during the copying. Opening the copy replays that part (PostgreSQL's online backup). The files of
// documents are not copied, because they never change and stay in the data folder.

import { constants, existsSync } from 'node:fs'
import { copyFile, cp, lstat, mkdir, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sync, syncTree } from '../../sync.ts'
import { copiesFolder, copiesOf, madeAt } from './copy-list.ts'
import { clusterFolder, restoredFolder } from './directory.ts'
import { beginCopy, endCopy } from './engine.sql.ts'

export interface CopySettings {
  /** How many days a copy is kept. The two newest are kept whatever their age. */
  days: number
  /** The size of all copies together. The newest is never removed for it, and a larger copy is not made. */
  maxBytes: number
  /** Time from the engine's start to the first check (default 10 minutes). */
  firstCheckAfterMs?: number | undefined
}

/** What making a copy needs from the engine. */
interface CopyEngine {
  query<T>(sql: string): Promise<{ rows: T[] }>
  /** Runs `work` outside any transaction. */
  runAlone<T>(work: () => Promise<T>): Promise<T>
  /** While a copy is made, the log must keep everything since its beginning, so no checkpoint may run. */
  keepLog(isKept: boolean): void
}

const DAY_MS = 86_400_000
const CHECK_EVERY_MS = 3_600_000
const FIRST_CHECK_MS = 600_000
const DRAFT = 'new-'
const SEGMENT = /^[0-9A-F]{24}$/
const CONTROL = join('global', 'pg_control')
// These files are rebuilt at each start, or concern this run only.
const EXCLUDED_FILES =
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/.|pgsql_tmp|^postmaster\.(pid|opts)$|pg_internal\.init/

/** Milliseconds, negative if the clock has been set back since. */
const ageOf = (copy: string): number => Date.now() - madeAt(copy)

/** Makes a copy whenever the newest is a day old, and removes old ones. Returns a function that stops it. */
export function startCopies(
  dataDir: string,
  engine: CopyEngine,
  settings: CopySettings,
  onTrouble: (error: unknown) => void,
): () => void {
  let isBusy = false
  async function check(): Promise<void> {
    if (isBusy) return
    isBusy = true
    try {
      const isOfToday = (copy: string): boolean => ageOf(copy) >= 0 && ageOf(copy) < DAY_MS
      if (!copiesOf(dataDir).some(isOfToday)) await makeCopy(dataDir, engine, settings.maxBytes)
      await removeOld(dataDir, settings)
    } catch (error) {
      onTrouble(error)
    } finally {
      isBusy = false
    }
  }
  let timer = setTimeout(() => {
    timer = setInterval(() => void check(), CHECK_EVERY_MS)
    void check()
  }, settings.firstCheckAfterMs ?? FIRST_CHECK_MS)
  return () => clearInterval(timer)
}

/** @returns its folder. @throws Error if there is no room for it; the incomplete copy is then removed */
export async function makeCopy(dataDir: string, engine: CopyEngine, maxBytes: number): Promise<string> {
  const cluster = clusterFolder(dataDir)
  const folder = copiesFolder(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder))
    if (name.startsWith(DRAFT)) await rm(join(folder, name), { recursive: true, force: true })
  await requireRoom(cluster, folder, maxBytes)
  const name = new Date().toISOString().slice(0, 16).replace(':', '-')
  const draft = join(folder, `${DRAFT}${name}`)
  engine.keepLog(true)
  try {
    const [copyBeginning] = (await engine.runAlone(() => engine.query<{ first: string }>(beginCopy))).rows
    await copyFiles(cluster, draft)
    const label = await engine.runAlone(async () => {
      const [end] = (await engine.query<{ label: string; last: string }>(endCopy)).rows
      // Nothing is written at this moment, because a file that is half old and half new could not be opened.
      await copyFile(join(cluster, CONTROL), join(draft, CONTROL))
      return end
    })
    if (!copyBeginning || !label) throw new Error('the database did not say what belongs to the copy')
    await writeFile(join(draft, 'backup_label'), label.label, { mode: 0o600 })
    for (const segment of await readdir(join(cluster, 'pg_wal')))
      if (SEGMENT.test(segment) && segment >= copyBeginning.first && segment <= label.last)
        await copyOne(join(cluster, 'pg_wal', segment), join(draft, 'pg_wal', segment))
  } catch (error) {
    // All clients share one session, so no other copy can begin until this one has ended. An error means that it has not begun,
    // or has already ended.
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
 * Puts a copy in the place of the database, which no process may have open. If it is interrupted, it has changed nothing, or
 * the next start completes it (`ensureCluster`).
 * @returns where the previous database is kept
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
    if (EXCLUDED_FILES.test(path) && !(entry.isDirectory() && !path.includes('pgsql_tmp'))) continue
    if (entry.isDirectory()) await mkdir(join(draft, path), { recursive: true, mode: 0o700 })
    else await copyOne(join(cluster, path), join(draft, path))
  }
}

/** A table may be dropped during the copying, and the log contains that as well. */
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
  // As much space again must stay free for the database itself.
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
    // After a long time off, or with a wrong clock, the last good copies are old.
    const isOld = index > 1 && ageOf(copy) > days * DAY_MS
    const isTooMuch = index > 0 && bytes > maxBytes
    if (isOld || isTooMuch) await rm(copy, { recursive: true, force: true })
  }
}
