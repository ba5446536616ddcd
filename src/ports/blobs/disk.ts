// Blobs in a folder: staging/<random> while a file arrives, then blobs/ab/cdef… by its SHA-256. A blob is renamed only
// after it has been synced, so a killed process leaves no partial blob behind.

import { randomUUID } from 'node:crypto'
import { access, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { sync } from '../sync.ts'
import type { Blobs, Staged } from './blobs.ts'
import { isOlder, openStaging } from './staging.ts'

/** Creates the folders if necessary. @param root the data directory */
export async function openDiskBlobs(root: string): Promise<Blobs> {
  const blobFolder = join(root, 'blobs')
  const staging = await openStaging(root)
  await mkdir(blobFolder, { recursive: true, mode: 0o700 })
  const pathOf = (hash: string): string => join(blobFolder, hash.slice(0, 2), hash.slice(2))

  return {
    ...staging,
    keep: (staged) => keep(staged, pathOf(staged.hash)),
    open: async (hash) => {
      await access(pathOf(hash))
      return pathOf(hash)
    },
    read: async (hash) => (await open(pathOf(hash), 'r')).createReadStream(),
    size: async (hash) => (await stat(pathOf(hash))).size,
    kept: (olderThanMs) => list(blobFolder, olderThanMs),
    remove: async (hash, olderThanMs) => {
      if (await isOlder(pathOf(hash), olderThanMs))
        await removeUnlessNewer(pathOf(hash), join(root, 'staging', randomUUID()), olderThanMs)
    },
  }
}

async function keep(staged: Staged, path: string): Promise<void> {
  const folder = join(path, '..')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // The sweeper spares young blobs, since their rows may not exist yet (ingest/sweep.ts).
  const now = new Date()
  await utimes(staged.path, now, now)
  await rename(staged.path, path)
  // Again: what keeps a staged file young (staging.ts) may have written the time at which it was staged meanwhile.
  await utimes(path, now, now)
  await sync(folder)
  // The folder may be new, made by this call or by another one at the same time.
  await sync(join(folder, '..'))
}

/** An upload may keep the same bytes at this moment: what was moved away is looked at again, and goes back if it is new. */
async function removeUnlessNewer(path: string, trashPath: string, olderThanMs: number): Promise<void> {
  try {
    await rename(path, trashPath)
  } catch (error) {
    // Another sweeper was faster.
    if ((error as { code?: unknown }).code === 'ENOENT') return
    throw error
  }
  if (await isOlder(trashPath, olderThanMs)) await rm(trashPath, { force: true })
  else await rename(trashPath, path)
}

async function* list(root: string, olderThanMs: number): AsyncGenerator<string> {
  for (const folder of await readdir(root)) {
    for (const name of await readdir(join(root, folder))) {
      if (await isOlder(join(root, folder, name), olderThanMs)) yield folder + name
    }
  }
}
