// Blobs in a folder: staging/<random> while a file arrives, then blobs/ab/cdef… by its SHA-256. A blob is renamed only
// after it has been synced, so a killed process leaves no partial blob behind.

import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { access, mkdir, open, readdir, rename, rm, stat, statfs, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Blobs, BlobTooLarge, type Staged } from './blobs.ts'

/** Creates the folders if necessary. @param root the data directory */
export async function openDiskBlobs(root: string): Promise<Blobs> {
  const staging = join(root, 'staging')
  const kept = join(root, 'blobs')
  await mkdir(staging, { recursive: true, mode: 0o700 })
  await mkdir(kept, { recursive: true, mode: 0o700 })
  const pathOf = (hash: string): string => join(kept, hash.slice(0, 2), hash.slice(2))

  return {
    stage: (source, maxBytes) => stage(join(staging, randomUUID()), source, maxBytes),
    keep: (staged) => keep(staged, pathOf(staged.hash)),
    discard: (staged) => rm(staged.path, { force: true }),
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
    space: async () => {
      const volume = await statfs(root)
      return { free: volume.bavail * volume.bsize, total: volume.blocks * volume.bsize }
    },
    sweep: (olderThanMs) => sweep(staging, olderThanMs),
  }
}

async function stage(path: string, source: Readable, maxBytes: number): Promise<Staged> {
  const hash = createHash('sha256')
  let size = 0
  const measure = new Transform({
    transform(piece: Buffer, _encoding, done) {
      size += piece.length
      if (size > maxBytes) return done(new BlobTooLarge(maxBytes))
      hash.update(piece)
      done(null, piece)
    },
  })
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  const closed = new Promise<void>((resolve) => file.once('close', resolve))
  try {
    await pipeline(source, measure, file)
    await sync(path)
  } catch (error) {
    // A source may fail while the file is still being opened, which would create the file after it was removed.
    file.destroy()
    await closed
    await rm(path, { force: true })
    throw error
  }
  return { hash: hash.digest('hex'), size, path }
}

async function keep(staged: Staged, path: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
  await rename(staged.path, path)
  // The sweeper spares young blobs, since their rows may not exist yet (ingest/sweep.ts).
  const now = new Date()
  await utimes(path, now, now)
  await sync(join(path, '..'))
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function isOlder(path: string, ms: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs >= ms
}

async function* list(kept: string, olderThanMs: number): AsyncGenerator<string> {
  for (const folder of await readdir(kept)) {
    for (const name of await readdir(join(kept, folder))) {
      if (await isOlder(join(kept, folder, name), olderThanMs)) yield folder + name
    }
  }
}

async function sweep(staging: string, olderThanMs: number): Promise<number> {
  let removed = 0
  for (const name of await readdir(staging)) {
    const path = join(staging, name)
    if (!(await isOlder(path, olderThanMs))) continue
    await rm(path, { force: true })
    removed++
  }
  return removed
}
