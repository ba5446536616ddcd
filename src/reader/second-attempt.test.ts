// A failure is final only after two attempts in different children; a file that ran into a limit is not tried again.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inFolder } from '../../test/support/files/parse.ts'
import { program } from '../../test/support/program.ts'
import type { DocumentKind, ParsedDocument } from './block.ts'
import type { ParserLimits } from './limits.ts'
import { openPool, type ParserPool } from './pool.ts'
import type { ParseJob } from './task.ts'

let folder = ''
let pool: ParserPool
// For what never reaches another bound.
let impatient: ParserPool
let end = (): void => undefined

beforeAll(
  () =>
    new Promise<void>((ready) => {
      void inFolder(async (path) => {
        folder = path
        const open = (limits: Partial<ParserLimits>): ParserPool =>
          openPool({
            size: 1,
            cacheDir: folder,
            log: { info: () => undefined, warn: () => undefined },
            limits: { pollMs: 20, residentBytes: 512 * 2 ** 20, ...limits },
            program: fileURLToPath(program('second-look-parser')),
            // It notes beside the file what it did.
            sandbox: 'network',
          })
        pool = open({})
        impatient = open({ baseMs: 1000 })
        ready()
        await new Promise<void>((resolve) => {
          end = resolve
        })
      })
    }),
)
afterAll(async () => {
  await pool.close()
  await impatient.close()
  end()
})

interface Looked {
  end: string
  document?: ParsedDocument
  /** Which parser each look was to use. */
  looks: string[]
  pids: string[]
}

let files = 0

async function looked(filename: string, kind: DocumentKind, round?: ParseJob['round']): Promise<Looked> {
  const path = join(folder, `upload-${files++}`)
  await writeFile(path, 'text')
  const job = { path, filename, kind, ...(round && { round }) }
  const chosen = filename.startsWith('loops') ? impatient : pool
  const outcome = await chosen.parse(job).then(
    (document) => ({ end: document.blocks[0]?.text ?? 'unfinished', document }),
    (error: { reason?: string }) => ({ end: error.reason ?? 'again' }),
  )
  const notes = (await readFile(`${path}.looks`, 'utf8')).trim().split('\n')
  const [pids, looks] = [0, 1].map((at) => notes.map((note) => note.split(' ')[at] ?? ''))
  return { ...outcome, looks: looks ?? [], pids: pids ?? [] }
}

const first = 'first'
const simple = 'simple'

test.each([
  // A sound file whose first parser was short of something.
  ['damaged.read', 'text', 'Read', [first, first]],
  ['no_text.read', 'text', 'no_text', [first]],
  ['too_large_unpacked.read', 'text', 'Read', [first, first]],
  ['crash.read', 'text', 'Read', [first, first]],
  ['crash.read', 'pdf', 'Read', [first, first]],
  ['heap.read', 'text', 'Read', [first, first]],
  ['killed.read', 'pdf', 'Read', [first, first]],
  // Both say the same.
  ['damaged.damaged', 'pdf', 'damaged', [first, first]],
  ['crash.crash', 'text', 'damaged', [first, first]],
  ['heap.heap', 'text', 'too_large_unpacked', [first, first]],
  ['crash.crash.read', 'pdf', 'Read simply', [first, first, simple]],
  // What the simpler parser does not find says nothing about the file.
  ['crash.crash.no_text', 'pdf', 'damaged', [first, first, simple]],
  // They do not agree, or were ended from outside: another time.
  ['damaged.crash', 'text', 'again', [first, first]],
  ['killed.crash', 'text', 'again', [first, first]],
  ['killed.killed', 'text', 'again', [first, first]],
  // What the bytes themselves say needs no second look, and a bound is not run into twice.
  ['encrypted', 'pdf', 'encrypted', [first]],
  ['loops', 'text', 'too_complex', [first]],
  ['swells', 'text', 'too_large_unpacked', [first]],
  ['loops.read', 'pdf', 'Read simply', [first, simple]],
] satisfies [string, DocumentKind, string, string[]][])(
  'F-11: %s as %s: %s',
  async (name, kind, expected, looks) => {
    const found = await looked(name, kind)
    expect({ end: found.end, looks: found.looks }).toEqual({ end: expected, looks })
    expect(new Set(found.pids).size).toBe(looks.length)
  },
)

test('F-11: a page of a scan counts as damaged once it took two children down', async () => {
  expect(await looked('page2.read', 'pdf', 'first')).toMatchObject({ end: 'Read', looks: [first, first] })
  expect(await looked('page2.page3', 'pdf', 'first')).toMatchObject({ end: 'again', looks: [first, first] })
  const fatal = await looked('page2.page2', 'pdf', 'first')
  expect(fatal).toMatchObject({ end: 'unfinished', looks: [first, first] })
  expect(fatal.document?.unfinished?.pages).toMatchObject([{ number: 2, damaged: 'damaged' }])
})

test('a child that called a file damaged reads no other', async () => {
  const before = await looked('read', 'text')
  const damaged = await looked('damaged.damaged', 'text')
  expect(damaged.pids[0]).toBe(before.pids[0])
  expect(damaged.pids).not.toContain((await looked('read', 'text')).pids[0])
})
