// F-11: whatever a file does to its parser (a crash, a loop, memory, endless output), it ends within the limits with a
// reason or a retryable error, and the next file is read by a fresh child.

import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { inFolder } from '../../test/support/files/parse.ts'
import { program } from '../../test/support/program.ts'
import type { ParserLimits } from './limits.ts'
import { openPool } from './pool.ts'

const poisoned = fileURLToPath(program('poison-parser'))
// Half of what a child may hold: the catalogue's own bound.
const limits = {
  pollMs: 20,
  residentBytes: 512 * 2 ** 20,
  heapMegabytes: 80,
  resultBytes: 50 * 2 ** 20,
}
// For those that never reach another bound: 300 ms of work, or of waiting, without anything new.
const hasty = { ...limits, baseMs: 300, hangMs: 300 }

/** Text has one parser: what bound stopped it is the reason, a crash counts when it comes twice. */
const expected: Record<string, string> = {
  throws: 'damaged',
  rejects: 'damaged',
  exits: 'damaged',
  segfaults: 'damaged',
  aborts: 'damaged',
  loops: 'too_complex',
  swells: 'too_large_unpacked',
  heap: 'too_large_unpacked',
  buried: 'too_large_unpacked',
  belated: 'too_large_unpacked',
  writes: 'too_large_unpacked',
  shouts: 'too_complex',
  silent: 'too_complex',
  repeats: 'too_complex',
  lies: 'again',
  number: 'damaged',
  nothing: 'damaged',
  nameless: 'damaged',
  strange: 'damaged',
}

test.runIf(process.platform === 'linux')('F-11: every way to fail ends, alone', () =>
  inFolder(async (folder) => {
    const quiet = { info: () => undefined, warn: () => undefined }
    const open = (bounds: Partial<ParserLimits>) =>
      openPool({ size: 2, cacheDir: folder, log: quiet, limits: bounds, program: poisoned })
    const [pool, impatient] = [open(limits), open(hasty)]
    const path = join(folder, 'file')
    await writeFile(path, 'text')
    const end = (name: string): Promise<string> =>
      (expected[name] === 'too_complex' ? impatient : pool)
        .parse({ path, filename: `${name}.txt`, kind: 'text' })
        .then(
          ({ blocks }) => blocks[0]?.text ?? '',
          (error: { reason?: string }) => error.reason ?? 'again',
        )
    try {
      const names = Object.keys(expected)
      const ends = await Promise.all(names.map((name) => end(name)))
      expect(Object.fromEntries(names.map((name, i) => [name, ends[i]]))).toEqual(expected)
      expect(await end('fine')).toBe('Read fine.txt')
      // Whose fault it is can be told.
      const full = pool.parse({ path, filename: 'full.txt', kind: 'text' })
      await expect(full).rejects.toMatchObject({ code: 'ENOSPC' })
      // What is attached to a mail does not take the mail with it.
      const mail = await pool.parse({ path, filename: 'segfaults.eml', kind: 'email' })
      expect(mail.blocks[0]?.text).toBe('Read segfaults.eml')
      const left = await readdir(folder, { recursive: true })
      expect(left.filter((name) => name.endsWith('.result'))).toEqual([])
    } finally {
      await pool.close()
      await impatient.close()
    }
  }),
)
