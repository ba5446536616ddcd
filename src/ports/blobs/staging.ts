// The staging area: a local folder into which files are received, for every kind of blob store.

import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat, statfs, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sync } from '../sync.ts'
import { type Blobs, BlobTooLarge, type StagedFile } from './blobs.ts'

const TOUCH_EVERY_MS = 600_000

/** Creates the folder if necessary. @param root the data directory */
export async function openStaging(
  root: string,
): Promise<Pick<Blobs, 'stage' | 'discard' | 'space' | 'sweep'>> {
  const folder = join(root, 'staging')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return {
    stage: (source, maxBytes) => stage(join(folder, randomUUID()), source, maxBytes),
    discard: (file) => rm(file.path, { force: true }),
    space: async () => {
      const volume = await statfs(root)
      return { free: volume.bavail * volume.bsize, total: volume.blocks * volume.bsize }
    },
    sweep: (olderThanMs) => sweep(folder, olderThanMs),
  }
}

async function stage(path: string, source: Readable, maxBytes: number): Promise<StagedFile> {
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
    // The source may fail while the file is still being opened, which would create the file again after it was removed.
    file.destroy()
    await closed
    await rm(path, { force: true })
    throw error
  }
  touchUntilMoved(path)
  return { hash: hash.digest('hex'), size, path }
}

/**
 * Renews the access time of the file until it is moved or removed, because the other files of its upload may arrive for hours. The
 * sweeper removes files that were not read or written for an hour.
 */
function touchUntilMoved(path: string): void {
  const touch = async (): Promise<void> => {
    // The modification time must not change, because that would abort an upload of the file to a bucket.
    await utimes(path, new Date(), (await stat(path)).mtime)
  }
  const timer = setInterval(() => {
    touch().catch(() => clearInterval(timer))
  }, TOUCH_EVERY_MS)
  timer.unref()
}

export async function isOlder(path: string, ms: number): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined)
  return stats !== undefined && Date.now() - stats.mtimeMs >= ms
}

async function sweep(folder: string, olderThanMs: number): Promise<number> {
  let removedCount = 0
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const stats = await stat(path).catch(() => undefined)
    if (!stats || Date.now() - Math.max(stats.atimeMs, stats.mtimeMs) < olderThanMs) continue
    await rm(path, { force: true })
    removedCount++
  }
  return removedCount
}
