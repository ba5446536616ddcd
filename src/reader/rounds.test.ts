// A long scan read in rounds of any length gives the same result as in one go, and progress never goes back.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { inFolder } from '../../test/support/files/parse.ts'
import { picturedPdf } from '../../test/support/files/pictured.ts'
import { drawLine, type Grey, makeTiff } from '../../test/support/files/pictures.ts'
import { FULL, thorough } from '../../test/support/full.ts'
import { program as programOf } from '../../test/support/program.ts'
import type { DocumentKind, ParsedDocument } from './block.ts'
import { openPool } from './pool.ts'
import { MAX_RECOGNISED_PAGES, warningsOf } from './shared/ocr/recognise-pages.ts'
import type { ParseJob } from './task.ts'

const lines = ['Gauge at Greenholm', 'Levelled in 1951']
const log = { info: () => undefined, warn: () => undefined }

async function inRounds(
  parse: (job: ParseJob) => Promise<ParsedDocument>,
  job: ParseJob,
): Promise<{ rounds: number; document: ParsedDocument }> {
  let round: ParseJob['round'] = 'first'
  for (let rounds = 1; ; rounds++) {
    const document = await parse({ ...job, round })
    if (document.unfinished === undefined) return { rounds, document }
    expect(document.blocks).toEqual([])
    round = document.unfinished
  }
}

/** The line on a white sheet that fills most of a page. */
function sheetOf({ width, height, pixels }: Grey): Grey {
  const sheet = new Uint8Array(width * 600).fill(255)
  sheet.set(pixels, width * 40)
  return { width, height: Math.max(height, 600), pixels: sheet }
}

const scans: [DocumentKind, () => Promise<Buffer>][] = [
  ['image', async () => makeTiff(await Promise.all(lines.map((line) => drawLine(line, 150))))],
  [
    'pdf',
    async () => {
      const scanned = await Promise.all(lines.map(async (line) => sheetOf(await drawLine(line, 100))))
      const typed = ['A covering letter that was typed and not scanned.']
      return picturedPdf([{ lines: typed }, ...scanned.map((picture) => ({ lines: [], picture }))])
    },
  ],
]

test.each(FULL ? scans : scans.slice(0, 1))(
  '%s: a page a round or all at once is the same document',
  async (kind, make) => {
    await inFolder(async (folder) => {
      const path = join(folder, 'upload')
      await writeFile(path, await make())
      const pool = openPool({ size: 1, cacheDir: folder, log, limits: { roundMs: 0 } })
      try {
        const shares: number[] = []
        const onProgress = (share: number): void => void shares.push(share)
        const job = { path, filename: `upload.${kind}`, kind }
        const whole = await pool.parse({ ...job, onProgress })
        expect(shares).toEqual([...shares].sort((a, b) => a - b))
        const { rounds, document } = await inRounds(pool.parse, job)
        expect(rounds).toBe(lines.length)
        expect(document).toEqual(whole)
        for (const line of lines) expect(document.blocks.map(({ text }) => text).join('\n')).toContain(line)
      } finally {
        await pool.close()
      }
    })
  },
)

test('why pages were not read does not depend on how many of those before were blank', () => {
  const read = {
    blocksByPage: new Map(),
    unread: [2001],
    damaged: [],
    doubtful: [],
    leftOut: [],
    unconfigured: [],
    empty: [],
    wordless: [],
    isOnlyNoise: false,
  }
  expect(warningsOf({ ...read, full: true })).toEqual([
    `The text of page 2001 was not read: at most ${MAX_RECOGNISED_PAGES} scanned pages of a document are recognised.`,
  ])
  expect(warningsOf({ ...read, full: false })).toEqual([
    'The text of page 2001 was not read: it took too long.',
  ])
})

thorough('a page that cannot be drawn is told, the others are read', async () => {
  await inFolder(async (folder) => {
    const path = join(folder, 'upload')
    const tiff = makeTiff(await Promise.all([...lines, 'Paid in full'].map((line) => drawLine(line, 150))))
    const first = tiff.readUInt32LE(4)
    const second = tiff.readUInt32LE(first + 2 + 12 * tiff.readUInt16LE(first))
    // Its width.
    tiff.writeUInt32LE(0, second + 10)
    await writeFile(path, tiff)
    const pool = openPool({ size: 1, cacheDir: folder, log, limits: { roundMs: 0 } })
    try {
      const { document } = await inRounds(pool.parse, { path, filename: 'upload.tiff', kind: 'image' })
      expect(document.blocks.map(({ page }) => page)).toEqual([1, 3])
      expect(document.warnings).toEqual(['The text of page 2 was not read: damaged.'])
    } finally {
      await pool.close()
    }
  })
})

thorough(
  'a page that takes its parser down is told, the others are read; behind the third none',
  async () => {
    await inFolder(async (folder) => {
      const program = fileURLToPath(programOf('fatal-page-parser'))
      const pool = openPool({ size: 1, cacheDir: folder, log, limits: { roundMs: 600_000 }, program })
      const scanOf = async (typed: string[], ...pages: string[]): Promise<ParseJob> => {
        const scanned = await Promise.all(pages.map(async (page) => sheetOf(await drawLine(page, 100))))
        const path = join(folder, `${typed.length}-${pages.length}.pdf`)
        const letter = typed.length === 0 ? [] : [{ lines: typed }]
        const scans = scanned.map((picture) => ({ lines: [], picture }))
        await writeFile(path, await picturedPdf([...letter, ...scans]))
        return { path, filename: 'scan.pdf', kind: 'pdf' }
      }
      try {
        const one = await inRounds(pool.parse, await scanOf([], ...lines))
        expect(one.rounds).toBe(2)
        expect(one.document.blocks.map(({ text, page }) => [page, text])).toEqual([[1, lines[0]]])
        expect(one.document.warnings).toEqual(['The text of page 2 was not read: damaged.'])
        const letter = await inRounds(pool.parse, await scanOf(['Dear keeper, here is the page.'], 'Lost'))
        expect(letter.document.blocks.map(({ page }) => page)).toEqual([1])
        expect(letter.document.warnings).toEqual(['The text of page 2 was not read: damaged.'])
        const many = await inRounds(pool.parse, await scanOf([], ...lines, 'Lost', 'Paid in full', 'Annex'))
        expect(many.rounds).toBe(4)
        expect(many.document.blocks.map(({ page }) => page)).toEqual([1])
        expect(many.document.warnings).toEqual(['The text of 4 pages from page 2 on was not read: damaged.'])
      } finally {
        await pool.close()
      }
    })
  },
)
