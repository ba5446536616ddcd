// Blobs in a folder. A file arrives as staging/<random> and is then moved to blobs/ab/cdef…, named by its SHA-256. It is synced
// before it is renamed, so a killed process leaves no partial blob.

import { randomUUID } from 'node:crypto'
import { access, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { sync } from '../sync.ts'
import type { Blobs, StagedFile } from './blobs.ts'
import { isOlder, openStaging } from './staging.ts'

/** Creates the folders if necessary. @param root the data directory */
export async function openDiskBlobs(root: string): Promise<Blobs> {
  const blobFolder = join(root, 'blobs')
  const stagingArea = await openStaging(root)
  await mkdir(blobFolder, { recursive: true, mode: 0o700 })
  const pathOf = (hash: string): string => join(blobFolder, hash.slice(0, 2), hash.slice(2))

  return {
    ...stagingArea,
    keep: (file) => keep(file, pathOf(file.hash)),
    open: async (hash) => {
      await access(pathOf(hash))
      return pathOf(hash)
    },
    read: async (hash) => (await open(pathOf(hash), 'r')).createReadStream(),
    size: async (hash) => (await stat(pathOf(hash))).size,
    storedHashes: (olderThanMs) => list(blobFolder, olderThanMs),
    remove: async (hash, olderThanMs) => {
      if (await isOlder(pathOf(hash), olderThanMs))
        await removeUnlessNewer(pathOf(hash), join(root, 'staging', randomUUID()), olderThanMs)
    },
  }
}

async function keep(file: StagedFile, path: string): Promise<void> {
  const folder = join(path, '..')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // The sweeper does not remove new blobs, because the rows that refer to them may not exist yet (ingest/sweep.ts).
  const now = new Date()
  await utimes(file.path, now, now)
  await rename(file.path, path)
  // Set again, because staging.ts may have reset the modification time in between.
  await utimes(path, now, now)
  await sync(folder)
  // The folder may be new, created by this call or by another one at the same time.
  await sync(join(folder, '..'))
}

/** An upload may store the same bytes at this moment, so the file is moved, checked again, and moved back if it is new. */
async function removeUnlessNewer(path: string, trashPath: string, olderThanMs: number): Promise<void> {
  try {
    await rename(path, trashPath)
  } catch (error) {
    // Another sweeper has removed it.
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
