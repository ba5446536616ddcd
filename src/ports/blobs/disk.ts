// Blobs in a folder: staging/<random> while a file arrives, then blobs/ab/cdef… by its SHA-256. A blob is renamed only
// after it has been synced, so a killed process leaves no partial blob behind.

import { access, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Blobs, Staged } from './blobs.ts'
import { isOlder, openStaging, sync } from './staging.ts'

/** Creates the folders if necessary. @param root the data directory */
export async function openDiskBlobs(root: string): Promise<Blobs> {
  const kept = join(root, 'blobs')
  const staging = await openStaging(root)
  await mkdir(kept, { recursive: true, mode: 0o700 })
  const pathOf = (hash: string): string => join(kept, hash.slice(0, 2), hash.slice(2))

  return {
    ...staging,
    keep: (staged) => keep(staged, pathOf(staged.hash)),
    open: async (hash) => {
      await access(pathOf(hash))
      return pathOf(hash)
    },
    read: async (hash) => (await open(pathOf(hash), 'r')).createReadStream(),
    size: async (hash) => (await stat(pathOf(hash))).size,
    kept: (olderThanMs) => list(kept, olderThanMs),
    remove: async (hash, olderThanMs) => {
      if (await isOlder(pathOf(hash), olderThanMs)) await rm(pathOf(hash), { force: true })
    },
  }
}

async function keep(staged: Staged, path: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
  await rename(staged.path, path)
  // The sweeper spares young blobs, since their rows may not exist yet (ingest/sweep.ts).
  const now = new Date()
  await utimes(path, now, now)
  await sync(join(path, '..'))
}

async function* list(kept: string, olderThanMs: number): AsyncGenerator<string> {
  for (const folder of await readdir(kept)) {
    for (const name of await readdir(join(kept, folder))) {
      if (await isOlder(join(kept, folder, name), olderThanMs)) yield folder + name
    }
  }
}
