// What can be made again, kept in a folder up to a size: entries unused for longest go first. Losing one is no loss, so
// nothing is synced and any error of the disk reads as "not there".

import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export interface DiskCache {
  /** The entry's bytes, and a sign of life for it. */
  get(key: string): Promise<Buffer | undefined>
  put(key: string, bytes: Buffer): Promise<void>
  /** Removes every entry whose key lies under `folder`. */
  drop(folder: string): Promise<void>
  /** The folders right under `folder`, by name; none when it is not there. */
  folders(folder: string): Promise<string[]>
}

/** All that is kept of files, a folder for each workspace. */
export const PAGES = 'pages'

/** Where the pictures of a file's pages are kept, or, without a hash, those of a whole workspace. */
export const pagesFolder = (workspaceId: string, hash?: string): string =>
  [PAGES, workspaceId, ...(hash === undefined ? [] : [hash])].join('/')

export interface DiskCacheOptions {
  /** Bytes in all; a little more between two sweeps. */
  mostBytes: number
  /** An entry unused for so long goes at the next sweep. */
  unusedMs: number
}

// Swept whenever this share of the bound has been written since the last time, and when it is used an hour after it;
// what is over the bound goes down to the share below it.
const SWEEP_AFTER = 1 / 16
const SWEEP_EVERY_MS = 3_600_000
const SWEEP_DOWN_TO = 3 / 4

/** @param root a folder of its own; keys are paths under it, made by us from ids and hashes only */
export function openDiskCache(root: string, options: DiskCacheOptions): DiskCache {
  // Nobody knows what an earlier process left: the first use sweeps.
  let sweptAt = 0
  let unswept = 0
  let sweeping = Promise.resolve()
  const place = (key: string): string => join(root, key)
  const tidy = async (): Promise<void> => {
    if (unswept < options.mostBytes * SWEEP_AFTER && Date.now() - sweptAt < SWEEP_EVERY_MS) return
    sweptAt = Date.now()
    unswept = 0
    sweeping = sweeping.then(() => sweep(root, options)).catch(() => undefined)
    await sweeping
  }
  return {
    get: async (key) => {
      const found = await read(place(key)).catch(() => undefined)
      await tidy()
      return found
    },
    put: async (key, bytes) => {
      if (bytes.length > options.mostBytes * SWEEP_AFTER) return
      await write(place(key), bytes).catch(() => undefined)
      unswept += bytes.length
      await tidy()
    },
    drop: (folder) => rm(place(folder), { recursive: true, force: true }),
    folders: async (folder) => {
      const names = await readdir(place(folder), { withFileTypes: true }).catch(() => [])
      return names.filter((name) => name.isDirectory()).map(({ name }) => name)
    },
  }
}

async function read(path: string): Promise<Buffer> {
  const bytes = await readFile(path)
  const now = new Date()
  await utimes(path, now, now)
  return bytes
}

/** Renamed into place, so that nobody reads half an entry. */
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

async function sweep(root: string, { mostBytes, unusedMs }: DiskCacheOptions): Promise<void> {
  const entries = await entriesOf(root)
  entries.sort((a, b) => a.usedAt - b.usedAt)
  let size = entries.reduce((sum, entry) => sum + entry.size, 0)
  const downTo = size > mostBytes ? mostBytes * SWEEP_DOWN_TO : size
  for (const entry of entries) {
    if (size <= downTo && Date.now() - entry.usedAt < unusedMs) break
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
    const found = await stat(path).catch(() => undefined)
    if (found) entries.push({ path, size: found.size, usedAt: found.mtimeMs })
  }
  return entries
}
