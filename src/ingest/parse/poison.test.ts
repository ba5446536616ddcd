// F-11: whatever a file does to its parser (a crash, a loop, memory, output without end), the file ends with a reason
// or an error worth a retry, within its bounds, and the next file is read by a fresh child.

import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { inFolder } from '../../../test/support/files/parse.ts'
import { createParserPool } from './pool.ts'

const program = fileURLToPath(new URL('../../../test/support/poison-parser.ts', import.meta.url))
const limits = {
  baseMs: 2500,
  capMs: 4000,
  pollMs: 20,
  residentBytes: 400 * 2 ** 20,
  heapMegabytes: 80,
  resultBytes: 50 * 2 ** 20,
}

/** Text has one parser: what bound stopped it is the reason, a crash counts when it comes twice. */
const expected: Record<string, string> = {
  throws: 'damaged',
  rejects: 'damaged',
  exits: 'damaged',
  segfaults: 'damaged',
  aborts: 'damaged',
  loops: 'took_too_long',
  swells: 'too_large_unpacked',
  heap: 'too_large_unpacked',
  writes: 'too_large_unpacked',
  shouts: 'took_too_long',
  silent: 'took_too_long',
  lies: 'again',
}

test.runIf(process.platform === 'linux')('F-11: every way to fail ends, alone', () =>
  inFolder(async (folder) => {
    const quiet = { info: () => undefined, warn: () => undefined }
    const pool = createParserPool({ size: 2, cacheDir: folder, log: quiet, limits, program })
    const path = join(folder, 'file')
    await writeFile(path, 'text')
    const end = (filename: string): Promise<string> =>
      pool.parse({ path, filename, kind: 'text' }).then(
        ({ blocks }) => blocks[0]?.text ?? '',
        (error: { reason?: string }) => error.reason ?? 'again',
      )
    try {
      const names = Object.keys(expected)
      const ends = await Promise.all(names.map((name) => end(`${name}.txt`)))
      expect(Object.fromEntries(names.map((name, i) => [name, ends[i]]))).toEqual(expected)
      expect(await end('fine.txt')).toBe('Read fine.txt')
      const [scratch] = (await readdir(folder)).filter((name) => name.startsWith('parser-'))
      expect((await readdir(join(folder, scratch ?? ''))).filter((name) => /result/.test(name))).toEqual([])
    } finally {
      await pool.close()
    }
  }),
)
