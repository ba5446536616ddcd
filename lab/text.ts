// Text of files of many kinds against a Markdown truth. `--data DIR` holds `src/FILE` and `gt/FILE.md`. What is compared is
// the text of a document's chunks, whole and in order, as it is read over HTTP. Files are divided by a hash of their name:
// what goes wrong is looked for in one half only, the other is held out.

import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { chunksOf } from '../src/ingest/chunk/chunk.ts'
import { openPool, readDocument } from '../src/reader/reader.ts'
import { type BenchOptions, table } from './report.ts'
import { compareText, type TextScore } from './text/compare.ts'

const silent = { info: () => {}, warn: () => {} }

export async function benchText({ data, all }: BenchOptions): Promise<string> {
  if (data === undefined) throw new Error('text: name the folder with src/ and gt/ with --data DIR')
  const names = (await readdir(join(data, 'gt'))).map((name) => name.replace(/\.md$/, '')).sort()
  const scores = new Map<string, TextScore | undefined>()
  const scratch = await mkdtemp(join(tmpdir(), 'kenning-text-'))
  const pool = openPool({ size: 1, cacheDir: scratch, log: silent })
  try {
    for (const name of names) {
      const parsed = await readDocument(pool, join(data, 'src', name)).catch(() => undefined)
      const ours = parsed && [...chunksOf(randomUUID(), parsed)].map(({ text }) => text)
      const truth = await readFile(join(data, 'gt', `${name}.md`), 'utf8')
      scores.set(name, ours && compareText(truth, ours.join('\n\n')))
    }
  } finally {
    await pool.close()
    await rm(scratch, { recursive: true, force: true })
  }
  const kinds = [...new Set(names.map(kindOf))].sort()
  const rows = [...kinds, undefined].flatMap((kind) =>
    [undefined, false, true].map((heldOut) => {
      const chosen = names.filter(
        (name) => (kind ?? kindOf(name)) === kindOf(name) && (heldOut ?? isHeldOut(name)) === isHeldOut(name),
      )
      const half = heldOut === undefined ? 'both halves' : heldOut ? 'held out' : 'looked at'
      return [kind ?? 'all', half, ...meansOf(chosen.map((name) => scores.get(name)))]
    }),
  )
  const header = ['kind', 'half', 'files', 'unread', 'words found', 'words right', 'order', 'cells']
  const single = all ? `\n\n${table(['file', ...header.slice(4)], fileRows(scores))}` : ''
  return `## Text of files of many kinds: ${names.length} files

${table(
  header,
  rows.filter(([, , files]) => files !== 0),
)}${single}

Words found and right: share of the truth's words that are read, and of the words read that are in the truth. Order: twice the
words in matching runs by all words of both. Cells: F1 of the words of each cell of a table, where the truth has tables.`
}

const kindOf = (name: string): string => extname(name).slice(1)

/** One half of the files, by their names, so that it stays the same when files are added. */
export const isHeldOut = (name: string): boolean =>
  ((createHash('sha256').update(name).digest()[0] ?? 0) & 1) === 1

const figures = ['found', 'right', 'order', 'cells'] as const

function meansOf(scores: readonly (TextScore | undefined)[]): (number | string)[] {
  const read = scores.filter((score) => score !== undefined)
  const means = figures.map((figure) => {
    const values = read.flatMap((score) => score[figure] ?? [])
    return values.length === 0 ? '–' : (values.reduce((a, b) => a + b, 0) / values.length).toFixed(3)
  })
  return [scores.length, scores.length - read.length, ...means]
}

/** Only those of the half that is looked at. */
const fileRows = (scores: ReadonlyMap<string, TextScore | undefined>): (number | string)[][] =>
  [...scores].flatMap(([name, score]) =>
    isHeldOut(name) ? [] : [[name, ...figures.map((figure) => score?.[figure]?.toFixed(3) ?? '–')]],
  )
