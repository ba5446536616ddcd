import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { openDiskBlobs } from './disk.ts'

test('a source that fails while its file is being opened leaves nothing behind', async () => {
  const root = mkdtempSync(join(tmpdir(), 'kenning-blobs-'))
  try {
    const blobs = await openDiskBlobs(root)
    const failing = Array.from({ length: 500 }, () => {
      const source = new PassThrough()
      const staged = blobs.stage(source, 100)
      source.destroy(new Error('gone'))
      return staged.catch((error: Error) => error.message)
    })
    expect(new Set(await Promise.all(failing))).toEqual(new Set(['gone']))
    expect(readdirSync(join(root, 'staging'))).toEqual([])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
