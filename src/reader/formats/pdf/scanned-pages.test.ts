// Which pages are recognised: what a page shows, held against its text, says so, not what it is made of.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { LiteParse } from '@llamaindex/liteparse'
import { expect, test } from 'vitest'
import { rawPdf } from '../../../../test/support/files/bad.ts'
import { inFolder, parseBytes } from '../../../../test/support/files/parse.ts'
import { makePdf, prose } from '../../../../test/support/files/pdf.ts'
import { thorough } from '../../../../test/support/full.ts'
import type { Block } from '../../block.ts'
import { decodeGrey, type GreyImage } from '../../shared/rasters/grey-image.ts'
import { countUnreadCells } from './page-ink.ts'
import { ownAndRecognised } from './scanned-pages.ts'

const letter = [
  'The lease of Unit 4 ends on 30 June 2026, and the deposit of',
  '9,600 pounds is returned within thirty days of the last day.',
  'The keepers of the northern harbours read their gauges each',
  'hour and write what they read into the book of the pier.',
]

function drawn(): Promise<GreyImage> {
  return inFolder(async (folder) => {
    const path = join(folder, 'letter.pdf')
    await writeFile(path, makePdf([prose(letter)]))
    const [shot] = await new LiteParse({ dpi: 150, quiet: true, ocrEnabled: false }).screenshot(path, [1])
    const grey = shot && decodeGrey(shot.imageBuffer)
    if (grey === undefined) throw new Error('nothing drawn')
    return grey
  })
}

type PdfObject = Parameters<typeof rawPdf>[0][number]

const picture = ({ width, height, data }: GreyImage): PdfObject => ({
  dictionary: `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode`,
  bytes: deflateSync(Buffer.from(data)),
})

const form = (resources: string, content: string): PdfObject => ({
  dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << ${resources} >> >>`,
  bytes: Buffer.from(content),
})

/** A font that draws what it should and says the letter after it. */
function shiftedFont(): PdfObject[] {
  const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')
  const codes = Array.from({ length: 26 }, (_, i) => [97 + i, 97 + ((i + 1) % 26)] as const)
  const map = `/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /T def\n/CMapType 2 def\n1 begincodespacerange\n<00> <FF>\nendcodespacerange\n26 beginbfchar\n${codes.map(([code, says]) => `<${hex(code, 2)}> <${hex(says, 4)}>`).join('\n')}\nendbfchar\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend`
  return [
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 4 0 R >>',
    { dictionary: '', bytes: Buffer.from(map) },
  ]
}

const SCAN = '/Scan Do'

/** Pages of the given operators; the scan is a form in a form. */
async function pagesOf(contents: readonly string[]): Promise<Buffer> {
  const objects: PdfObject[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${contents.map((_, i) => `${9 + 2 * i} 0 R`).join(' ')}] /Count ${contents.length} >>`,
    ...shiftedFont(),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    picture(await drawn()),
    form('/Picture 6 0 R', 'q 612 0 0 792 0 0 cm /Picture Do Q'),
    form('/Inner 7 0 R', '/Inner Do'),
  ]
  for (const content of contents) {
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F 5 0 R /Shifted 3 0 R >> /XObject << /Scan 8 0 R >> >> /Contents ${objects.length + 2} 0 R >>`,
      { dictionary: '', bytes: Buffer.from(content) },
    )
  }
  return rawPdf(objects)
}

const typed = (lines: readonly string[], top = 700, font = 'F'): string =>
  lines.map((line, i) => `BT /${font} 11 Tf 72 ${top - 14 * i} Td (${line}) Tj ET`).join('\n')

const own = typed(
  Array.from({ length: 12 }, (_, i) => `Line ${i} of a page that the office has typed itself`),
)

test('a scan in a form within a form is read, alone, among pages of text and under a stamp', async () => {
  const notice = Array.from({ length: 4 }, (_, i) => `Produced under the protective order, copy ${i}`)
  const { blocks, warnings } = await parseBytes(
    'pdf',
    await pagesOf([own, SCAN, `${SCAN}\n${typed(notice, 780)}`, own]),
  )
  const text = (page: number): string =>
    blocks
      .filter((block) => block.page === page)
      .map((block) => block.text)
      .join('\n')
  for (const page of [2, 3]) {
    expect(text(page)).toContain('deposit of 9,600 pounds')
    expect(text(page)).toContain('the book of the pier')
  }
  expect(text(3)).toContain('protective order, copy 3')
  expect(text(4)).toContain('Line 11 of a page')
  expect(warnings).toBeUndefined()
  // What has text of its own and shows nothing else is not read twice.
  for (const { page, confidence } of blocks) expect(confidence === undefined).toBe(page === 1 || page === 4)
})

thorough('letters that say others than they draw are read as they are drawn', async () => {
  const { blocks } = await parseBytes('pdf', await pagesOf([typed(letter, 700, 'Shifted')]))
  const text = blocks.map((block) => block.text).join('\n')
  expect(text).toContain('deposit of 9,600 pounds')
  expect(text).not.toContain('qpvoet')
})

thorough(
  'a page that shows something and says nothing is told of; blank and ruled pages are not',
  async () => {
    const squares = Array.from(
      { length: 900 },
      (_, i) => `${100 + 8 * (i % 30)} ${300 + 8 * Math.floor(i / 30)} 4 4 re f`,
    )
    const ruled = '50 50 500 700 re S 50 600 m 550 600 l S'
    const shares: number[] = []
    const bytes = await pagesOf([own, '', ruled, squares.join(' '), ''])
    const { pages, warnings } = await parseBytes('pdf', bytes, false, ({ share }) => shares.push(share))
    expect(pages).toBe(5)
    // They count as read all the same, the last one too.
    expect(shares.at(-1)).toBe(1)
    expect(warnings).toEqual(['No text was found on page 4, though something is drawn there.'])
  },
)

test('ink is what looks like letters and stands in no box', () => {
  const grid = [...Array(15).keys()].map(
    (i) => `72 ${300 + 18 * i} m 400 ${300 + 18 * i} l S ${72 + 20 * i} 300 m ${72 + 20 * i} 552 l S`,
  )
  return inFolder(async (folder) => {
    const path = join(folder, 'a.pdf')
    await writeFile(
      path,
      await pagesOf([SCAN, '', '50 50 500 700 re S', '0 0 612 792 re f', own, grid.join(' ')]),
    )
    const ink = (page: number, boxes: [number, number, number, number][] = []) =>
      countUnreadCells(path, page, boxes)
    expect(await ink(1)).toBeGreaterThan(60)
    expect(await ink(1, [[72, 80, 560, 106]])).toBeLessThan(60)
    for (const page of [2, 3, 4, 6]) expect(await ink(page)).toBeLessThan(5)
    expect(await ink(5)).toBeGreaterThan(200)
    expect(await ink(5, [[72, 80, 400, 250]])).toBe(0)
    expect(await ink(7)).toBeUndefined()
  })
})

const says = (...texts: string[]): Block[] => texts.map((text) => ({ kind: 'paragraph', text }))

test('own text stands where the page shows the same, and goes where it shows something else', () => {
  const [true_, seen] = [says('Rents of the quay in 2026'), says('Rents of the quay in 2O26')]
  expect(ownAndRecognised({ blocks: true_, isGarbled: false }, seen)).toBe(true_)
  // A list of codes reads like none.
  expect(ownAndRecognised({ blocks: true_, isGarbled: true }, seen)).toBe(true_)
  const shifted = says('Sfout pg uif rvbz jo 2026')
  expect(ownAndRecognised({ blocks: shifted, isGarbled: true }, true_)).toBe(true_)
  expect(ownAndRecognised({ blocks: shifted, isGarbled: true }, says('ix'))).toBe(shifted)
  const long = says('The lease ends in June and the deposit is returned to the tenant', 'SMITH-000128')
  expect(
    ownAndRecognised({ blocks: says('SMITH-000123'), isGarbled: false }, long).map(({ text }) => text),
  ).toEqual([...long.map(({ text }) => text), 'SMITH-000123'])
  expect(
    ownAndRecognised({ blocks: says('DRAFT'), isGarbled: false }, says('DRAFT', long[0]?.text ?? '')),
  ).toHaveLength(2)
})
