import fs, { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { openDiskBlobs } from './disk.ts'

test('a source that fails while its file is being opened leaves nothing behind, however slow the disk is', async () => {
  const root = mkdtempSync(join(tmpdir(), 'kenning-blobs-'))
  // A slow disk: the file is created after its source has failed.
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
