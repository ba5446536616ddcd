// Word accuracy of text recognition: pages of known text drawn at the resolutions scanners use, straight, turned and
// askew, read in a parser child as an upload is. Words count in order: one missing, added or wrong each cost one. Pages
// that do not lie straight are read at 200 dpi, which is what office scanners give; `--all` reads all at each.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPool } from '../src/reader/pool.ts'
import { knownPages, picture } from './ocr-pages.ts'
import { type BenchOptions, median, table } from './report.ts'

type Angle = 0 | 90 | 180 | 270

// Accuracy is what is measured, on however busy a machine.
const PATIENT = { baseMs: 3_600_000, capMs: 3_600_000 }
const DPIS = [150, 200, 300]
const USUAL_DPI = 200
const WAYS: [name: string, angle: Angle, skew: number][] = [
  ['straight', 0, 0],
  ['turned 90°', 90, 0],
  ['turned 180°', 180, 0],
  ['turned 270°', 270, 0],
  ['askew 2°', 0, 2],
]

export async function benchOcr({ data, all }: BenchOptions): Promise<string> {
  const source = await readFile(data ?? 'examples/staff-handbook.md', 'utf8')
  const folder = await mkdtemp(join(tmpdir(), 'kenning-ocr-'))
  const silent = { info: () => undefined, warn: () => undefined }
  const pool = openPool({ size: 1, cacheDir: folder, log: silent, limits: PATIENT })
  try {
    const rows: (string | number)[][] = []
    for (const page of knownPages(paragraphsOf(source))) {
      for (const [way, angle, skew] of WAYS) {
        const seconds: number[] = []
        const shares: string[] = []
        for (const dpi of DPIS) {
          if (!all && way !== 'straight' && dpi !== USUAL_DPI) {
            shares.push('–')
            continue
          }
          const path = join(folder, 'page.png')
          await writeFile(path, await picture(folder, page.pdf(skew), dpi, angle))
          const from = performance.now()
          const read = await pool.parse({ path, filename: 'page.png', kind: 'image' })
          seconds.push((performance.now() - from) / 1000)
          shares.push(percent(accuracy(page.words, wordsOf(read.blocks.map(({ text }) => text).join('\n')))))
        }
        rows.push([page.name, way, ...shares, median(seconds).toFixed(1)])
        process.stderr.write(`${rows.at(-1)?.join(' | ')}\n`)
      }
    }
    const header = ['page', 'lies', ...DPIS.map((dpi) => `${dpi} dpi`), 's a page (median)']
    return `## Text recognition: word accuracy, in order\n\n${table(header, rows)}`
  } finally {
    await pool.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/** Prose alone, in the letters PDF's own fonts have. */
const paragraphsOf = (markdown: string): string[] =>
  markdown
    .replace(/[^\x20-\x7e\n]/g, '-')
    .split(/\n\n+/)
    .filter((paragraph) => !/[|#]/.test(paragraph))
    .map((paragraph) =>
      paragraph
        .replace(/^(- |\d+\. )/gm, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )

const wordsOf = (text: string): string[] =>
  text
    .replace(/\|/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && !/^-+$/.test(word))

/** 1 less the edits from one list of words to the other, for each word of the first. */
export function accuracy(wanted: readonly string[], read: readonly string[]): number {
  let before = Array.from({ length: read.length + 1 }, (_, i) => i)
  wanted.forEach((word, i) => {
    const now = [i + 1]
    read.forEach((other, j) => {
      const kept = (before[j] ?? 0) + (word === other ? 0 : 1)
      now.push(Math.min(kept, (before[j + 1] ?? 0) + 1, (now[j] ?? 0) + 1))
    })
    before = now
  })
  return Math.max(0, 1 - (before.at(-1) ?? 0) / Math.max(1, wanted.length))
}
