// A cache in a folder of limited size. The least recently used entries are removed first. Entries can be made again, so nothing is
// synced to disk, and any disk error counts as a miss.

import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export interface DiskCache {
  /** The bytes of the entry. The call counts as a use of the entry. */
  get(key: string): Promise<Buffer | undefined>
  put(key: string, bytes: Buffer): Promise<void>
  /** Removes all entries whose keys are below `folder`. */
  drop(folder: string): Promise<void>
  /** The names of the folders directly in `folder`. Empty if the folder does not exist. */
  folders(folder: string): Promise<string[]>
}

/** Images of pages, with a folder for each workspace. */
export const PAGES = 'pages'

/** The folder for the pages of a file, or without a hash for all pages of a workspace. */
export const pagesFolder = (workspaceId: string, hash?: string): string =>
  [PAGES, workspaceId, ...(hash === undefined ? [] : [hash])].join('/')

interface DiskCacheOptions {
  /** The limit for all entries. It may be exceeded slightly between two sweeps. */
  maxBytes: number
  /** The next sweep removes entries that have not been used for this long. */
  maxUnusedMs: number
}

// A sweep runs when this share of `maxBytes` has been written since the last sweep, or after an hour. It reduces a cache that is
// too large to the share SWEEP_DOWN_TO.
const SWEEP_AFTER = 1 / 16
const SWEEP_EVERY_MS = 3_600_000
const SWEEP_DOWN_TO = 3 / 4
// The prefix of folders that are being removed; a killed process may leave some.
const DROPPED_PREFIX = 'dropped-'

/** @param root a folder for this cache alone. Keys are paths in it, made only of ids and hashes. */
export function openDiskCache(root: string, options: DiskCacheOptions): DiskCache {
  // 0, so that the first use sweeps the folder of an earlier process.
  let sweptAt = 0
  let bytesSinceSweep = 0
  let lastSweep = Promise.resolve()
  const pathOf = (key: string): string => join(root, key)
  const sweepIfDue = async (): Promise<void> => {
    if (bytesSinceSweep < options.maxBytes * SWEEP_AFTER && Date.now() - sweptAt < SWEEP_EVERY_MS) return
    sweptAt = Date.now()
    bytesSinceSweep = 0
    lastSweep = lastSweep.then(() => sweep(root, options)).catch(() => undefined)
    await lastSweep
  }
  return {
    get: async (key) => {
      const contents = await read(pathOf(key)).catch(() => undefined)
      await sweepIfDue()
      return contents
    },
    put: async (key, bytes) => {
      if (bytes.length > options.maxBytes * SWEEP_AFTER) return
      await write(pathOf(key), bytes).catch(() => undefined)
      bytesSinceSweep += bytes.length
      await sweepIfDue()
    },
    drop: (folder) => remove(pathOf(folder), pathOf(`${DROPPED_PREFIX}${randomUUID()}`)),
    folders: async (folder) => {
      const names = await readdir(pathOf(folder), { withFileTypes: true }).catch(() => [])
      return names.filter((name) => name.isDirectory()).map(({ name }) => name)
    },
  }
}

/** Renames the folder first, because removing it would fail if an entry is written to it at the same time. */
async function remove(folder: string, trashPath: string): Promise<void> {
  try {
    await rename(folder, trashPath)
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return
    throw error
  }
  await rm(trashPath, { recursive: true, force: true })
}

async function read(path: string): Promise<Buffer> {
  const bytes = await readFile(path)
  const now = new Date()
  await utimes(path, now, now)
  return bytes
}

/** Renames the written file, so that no reader gets a partial entry. */
async function write(path: string, bytes: Buffer): Promise<void> {
  const draft = `${path}.${randomUUID()}`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  try {
    await writeFile(draft, bytes, { mode: 0o600 })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

interface Entry {
  path: string
  size: number
  usedAt: number
}

async function sweep(root: string, { maxBytes, maxUnusedMs }: DiskCacheOptions): Promise<void> {
  for (const name of await readdir(root).catch(() => []))
    if (name.startsWith(DROPPED_PREFIX)) await rm(join(root, name), { recursive: true, force: true })
  const entries = await entriesOf(root)
  entries.sort((a, b) => a.usedAt - b.usedAt)
  let size = entries.reduce((sum, entry) => sum + entry.size, 0)
  const targetBytes = size > maxBytes ? maxBytes * SWEEP_DOWN_TO : size
  for (const entry of entries) {
    if (size <= targetBytes && Date.now() - entry.usedAt < maxUnusedMs) break
    await rm(entry.path, { force: true })
    size -= entry.size
  }
}

async function entriesOf(root: string): Promise<Entry[]> {
  const names = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  const entries: Entry[] = []
  for (const name of names) {
    if (!name.isFile()) continue
    const path = join(name.parentPath, name.name)
    const stats = await stat(path).catch(() => undefined)
    if (stats) entries.push({ path, size: stats.size, usedAt: stats.mtimeMs })
  }
  return entries
}
