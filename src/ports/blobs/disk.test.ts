import fs, { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { openDiskBlobs } from './disk.ts'

const HOUR_MS = 3_600_000

/** Makes a file look as if it was written this long ago. */
function age(path: string, ms: number): void {
  const then = new Date(Date.now() - ms)
  utimesSync(path, then, then)
}

test('a source that fails while its file is being opened leaves nothing behind, however slow the disk is', async () => {
  const root = mkdtempSync(join(tmpdir(), 'kenning-blobs-'))
  // On a slow disk the file is created after its source has failed.
  const open = fs.open
  const slow = (...args: unknown[]) => setTimeout(() => Reflect.apply(open, fs, args), 30)
  const slowed = vi.spyOn(fs, 'open').mockImplementation(slow as unknown as typeof open)
  try {
    const blobs = await openDiskBlobs(root)
    const failing = Array.from({ length: 20 }, () => {
      const source = new PassThrough()
      const staged = blobs.stage(source, 100)
      source.destroy(new Error('gone'))
      return staged.catch((error: Error) => error.message)
    })
    expect(new Set(await Promise.all(failing))).toEqual(new Set(['gone']))
    // By now the slow opens have ended.
    await sleep(60)
    expect(readdirSync(join(root, 'staging'))).toEqual([])
  } finally {
    slowed.mockRestore()
    rmSync(root, { recursive: true, force: true })
  }
})

test('a staged file is held while its process lives: an upload may take hours', async () => {
  const root = mkdtempSync(join(tmpdir(), 'kenning-blobs-'))
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const blobs = await openDiskBlobs(root)
    const staged = await blobs.stage(Readable.from(['the first of many files']), 100)
    age(staged.path, 2 * HOUR_MS)
    vi.advanceTimersByTime(HOUR_MS / 2)
    await expect.poll(() => Date.now() - statSync(staged.path).atimeMs).toBeLessThan(HOUR_MS)
    expect(await blobs.sweep(HOUR_MS)).toBe(0)
    await blobs.keep(staged)
    expect(await blobs.size(staged.hash)).toBe(staged.size)
    // Once the file is kept, nothing refreshes it in the staging area.
    vi.advanceTimersByTime(HOUR_MS / 2)
    await expect.poll(() => vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
    rmSync(root, { recursive: true, force: true })
  }
})

test('a blob that is kept again at the moment at which an old one is removed stays', async () => {
  const root = mkdtempSync(join(tmpdir(), 'kenning-blobs-'))
  const blobs = await openDiskBlobs(root)
  const stage = () => blobs.stage(Readable.from(['the same bytes']), 100)
  const first = await stage()
  await blobs.keep(first)
  const path = await blobs.open(first.hash)
  age(path, 2 * HOUR_MS)
  const again = await stage()
  const stat = promises.stat
  vi.spyOn(promises, 'stat').mockImplementationOnce((async (looked: string) => {
    const found = await stat(looked)
    await blobs.keep(again)
    return found
  }) as never)
  syncBuiltinESMExports()
  try {
    await blobs.remove(first.hash, HOUR_MS)
    expect(await blobs.size(first.hash)).toBe(again.size)
    age(path, 2 * HOUR_MS)
    await blobs.remove(first.hash, HOUR_MS)
    await expect(blobs.size(first.hash)).rejects.toThrow('ENOENT')
    expect(readdirSync(join(root, 'staging'))).toEqual([])
  } finally {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
    rmSync(root, { recursive: true, force: true })
  }
})
