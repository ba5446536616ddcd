// Copies of the embedded database that are made by themselves, one a day, while it is used: its files are copied as they are, and
// the part of the log that was written meanwhile makes them whole when the copy is opened (PostgreSQL's online backup). The files
// of documents are not in it: they are never changed, and stay in the data folder.

import { constants, existsSync, readdirSync } from 'node:fs'
import { copyFile, cp, lstat, mkdir, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sync, syncTree } from '../../sync.ts'
import { clusterFolder } from './directory.ts'
import { beginCopy, endCopy } from './engine.sql.ts'

export interface CopySettings {
  /** How many days a copy is kept. */
  days: number
  /** All copies together; the newest is never removed for it, but none is made that is larger. */
  maxBytes: number
  /** Time from the start of the engine to the first look (default 10 minutes). */
  firstAfterMs?: number | undefined
}

/** What a copy needs of the engine. */
export interface CopiedEngine {
  query<T>(sql: string): Promise<{ rows: T[] }>
  /** Runs `work` outside any transaction. */
  between<T>(work: () => Promise<T>): Promise<T>
  /** While a copy is made, the log must keep what was written since it began: no checkpoint may be made. */
  keepLog(isKept: boolean): void
}

const DAY_MS = 86_400_000
const LOOK_MS = 3_600_000
const FIRST_LOOK_MS = 600_000
const DRAFT = 'new-'
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d$/
const SEGMENT = /^[0-9A-F]{24}$/
const CONTROL = join('global', 'pg_control')
// Rebuilt at each start, or of this run only.
const LEFT_OUT =
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/.|pgsql_tmp|^postmaster\.(pid|opts)$|pg_internal\.init/

const copiesFolder = (dataDir: string): string => join(dataDir, 'copies')

/** The copies of a data folder, the newest first. */
export function copiesOf(dataDir: string): string[] {
  const folder = copiesFolder(dataDir)
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => NAME.test(name)) : []
  return names
    .sort()
    .reverse()
    .map((name) => join(folder, name))
}

/** When the copy of this path was made, in UTC. */
const madeAt = (copy: string): number =>
  Date.parse(`${copy.slice(-16).replace(/T(\d\d)-(\d\d)$/, 'T$1:$2')}:00Z`)

/** Makes a copy whenever the newest is a day old, and removes old ones. The result stops it. */
export function startCopies(
  dataDir: string,
  engine: CopiedEngine,
  settings: CopySettings,
  onTrouble: (error: unknown) => void,
): () => void {
  let isBusy = false
  async function look(): Promise<void> {
    if (isBusy) return
    isBusy = true
    try {
      const [newest] = copiesOf(dataDir)
      if (newest === undefined || Date.now() - madeAt(newest) >= DAY_MS)
        await makeCopy(dataDir, engine, settings.maxBytes)
      await removeOld(dataDir, settings)
    } catch (error) {
      onTrouble(error)
    } finally {
      isBusy = false
    }
  }
  let timer = setTimeout(() => {
    timer = setInterval(() => void look(), LOOK_MS)
    void look()
  }, settings.firstAfterMs ?? FIRST_LOOK_MS)
  return () => clearInterval(timer)
}

/** @returns its folder. @throws Error when there is no room for it; nothing is left then */
export async function makeCopy(dataDir: string, engine: CopiedEngine, maxBytes: number): Promise<string> {
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
    const [begun] = (await engine.between(() => engine.query<{ first: string }>(beginCopy))).rows
    await copyFiles(cluster, draft)
    const label = await engine.between(async () => {
      const [end] = (await engine.query<{ label: string; last: string }>(endCopy)).rows
      // Nothing is written meanwhile: a file that is half the old and half the new one could not be opened.
      await copyFile(join(cluster, CONTROL), join(draft, CONTROL))
      return end
    })
    if (!begun || !label) throw new Error('the database did not say what belongs to the copy')
    await writeFile(join(draft, 'backup_label'), label.label, { mode: 0o600 })
    for (const segment of await readdir(join(cluster, 'pg_wal')))
      if (SEGMENT.test(segment) && segment >= begun.first && segment <= label.last)
        await copyOne(join(cluster, 'pg_wal', segment), join(draft, 'pg_wal', segment))
  } catch (error) {
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

/** Puts a copy in the place of the database, which nobody has open. @returns where the one that was there is kept */
export async function restoreCopy(copy: string, dataDir: string): Promise<string | undefined> {
  const cluster = clusterFolder(dataDir)
  const draft = `${cluster}.new-${process.pid}`
  await cp(copy, draft, { recursive: true, mode: constants.COPYFILE_FICLONE })
  await syncTree(draft)
  const replaced = existsSync(cluster)
    ? `${cluster}.replaced-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`
    : undefined
  if (replaced !== undefined) await rename(cluster, replaced)
  await rename(draft, cluster)
  await sync(dirname(cluster))
  return replaced
}

export const isCopy = (folder: string): boolean =>
  existsSync(join(folder, 'PG_VERSION')) && existsSync(join(folder, 'backup_label'))

/** What to do about a database that cannot be opened. */
export function adviceFor(dataDir: string): string {
  const [copy] = copiesOf(dataDir)
  if (copy === undefined)
    return 'There is no automatic copy of it. Restore a backup with `kenning restore FOLDER` into another KENNING_DATA_DIR.'
  return (
    `The last automatic copy is of ${new Date(madeAt(copy)).toISOString().slice(0, 16).replace('T', ' ')} UTC. To go back to it: ` +
    `kenning restore ${copy} (the database as it is now is kept beside it).`
  )
}

async function copyFiles(cluster: string, draft: string): Promise<void> {
  await mkdir(draft, { mode: 0o700 })
  for (const entry of await readdir(cluster, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(cluster.length + 1)
    if (LEFT_OUT.test(path) && !(entry.isDirectory() && !path.includes('pgsql_tmp'))) continue
    if (entry.isDirectory()) await mkdir(join(draft, path), { recursive: true, mode: 0o700 })
    else await copyOne(join(cluster, path), join(draft, path))
  }
}

/** A table may be dropped meanwhile: the log says so, too. */
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
  // So much again stays free for the database itself.
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
    const isOld = Date.now() - madeAt(copy) > days * DAY_MS || bytes > maxBytes
    if (index > 0 && isOld) await rm(copy, { recursive: true, force: true })
  }
}
