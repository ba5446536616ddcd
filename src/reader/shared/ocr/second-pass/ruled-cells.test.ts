// Ruled tables in pictures: which cells are looked at again, and what is believed of them.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LiteParse } from '@llamaindex/liteparse'
import { expect, test } from 'vitest'
import { inFolder, parseBytes } from '../../../../../test/support/files/parse.ts'
import { makePdf, type PdfRule } from '../../../../../test/support/files/pdf.ts'
import { thorough } from '../../../../../test/support/full.ts'
import { cropToPgm, decodeGrey, type GreyImage, rotateUpright } from '../../rasters/grey-image.ts'
import { findRulingLines } from '../../rasters/ruling-lines.ts'
import type { OcrContext, PageRecognition } from '../context.ts'
import type { LineWord } from '../engine.ts'
import { rereadCells } from './ruled-cells.ts'

type Stroke = readonly [x: number, y: number, width: number, height: number]

function sheet(strokes: readonly Stroke[], width = 1000, height = 800): GreyImage {
  const data = new Uint8Array(width * height).fill(255)
  for (const [left, top, across, down] of strokes)
    for (let y = top; y < top + down; y++) data.fill(20, y * width + left, y * width + left + across)
  return { width, height, data }
}

const across = (y: number, from = 100, to = 701): Stroke => [from, y, to - from, 2]
const down = (x: number, from = 100, to = 401): Stroke => [x, from, 2, to - from]
/** Two columns and three rows, all closed. */
const grid = [...[100, 200, 300, 400].map((y) => across(y)), ...[100, 400, 700].map((x) => down(x))]
const ink = [150, 250, 350].flatMap((y) => [150, 450].map((x): Stroke => [x, y - 10, 60, 20]))

const word = (text: string, x0: number, y0: number) => ({
  text,
  confidence: 90,
  bbox: { x0, y0, x1: x0 + 60, y1: y0 + 20 },
})
const known = [word('heading', 150, 40), word('a', 150, 140), word('lone', 450, 340)]
const page = {
  lines: known.map((one) => ({ words: [one], bbox: one.bbox })),
  language: 'eng',
  skew: 0,
  textHeight: 20,
} as unknown as PageRecognition

/** The words of the page after its cells were read as `texts` say, one a cell. */
async function reread(
  texts: readonly string[],
  strokes = [...grid, ...ink],
  before = page,
): Promise<string[]> {
  const grey = sheet(strokes)
  const read = async (images: readonly Buffer[]): Promise<LineWord[][][]> =>
    images.map((_, i) => {
      const text = texts[i] ?? ''
      return text === '' ? [] : [[{ text, confidence: 90, left: 0, top: 0, right: 60, bottom: 20 }]]
    })
  const context = { engine: { recogniseBlocks: read }, progress: () => undefined } as unknown as OcrContext
  const { page: after } = await rereadCells(context, grey, findRulingLines(grey), before)
  return after.lines.flatMap(({ words }) => words.map(({ text, bbox }) => `${text} ${bbox.x0} ${bbox.y0}`))
}

const asRead = ['heading 150 40', 'a 150 140', 'lone 450 340']

test('each cell has what it gives alone, at its place; what is outside stays', async () => {
  expect(await reread(['one', '2', 'three', '4', 'five', 'lonely'])).toEqual([
    'heading 150 40',
    'one 150 140',
    '2 450 140',
    'three 150 240',
    '4 450 240',
    'five 150 340',
    'lonely 450 340',
  ])
})

test('a cell that gives less than the page did keeps what the page gave', async () => {
  expect(await reread(['one', '2', 'three', '4', 'five', ''])).toContain('lone 450 340')
})

test('what the page gave without confidence does not keep a cell out', async () => {
  const smudge = { ...word('NE', 450, 240), confidence: 16 }
  const before = {
    ...page,
    lines: [...page.lines, { words: [smudge], bbox: smudge.bbox }],
  } as PageRecognition
  const after = await reread(['one', '2', 'three', '4', 'five', 'lonely'], undefined, before)
  expect(after).toContain('4 450 240')
  expect(after.join()).not.toContain('NE')
})

test('cells of which most are empty are a form or a chart', async () => {
  expect(await reread(['one', '2', '', '', '', ''])).toEqual(asRead)
  expect(await reread(['one', '2', 'three', '4', 'five', 'six'], ink)).toEqual(asRead)
})

test('a frame, a rule under a heading and a page of strokes have no cells', async () => {
  const six = ['1', '2', '3', '4', '5', '6']
  expect(await reread(six, [across(100), across(400), down(100), down(700), ...ink])).toEqual(asRead)
  expect(await reread(six, [across(100), across(150, 100, 400), ...ink])).toEqual(asRead)
  const strokes = Array.from({ length: 60 }, (_, i) => [across(13 * i, 0, 1000), down(16 * i, 0, 800)]).flat()
  expect(await reread(six, [...strokes, ...ink])).toEqual(asRead)
})

test('a drawn page in grey, turned upright; a cell stands in a margin of its own ground', async () => {
  const png = await drawn([], 18)
  const grey = decodeGrey(png)
  expect(grey).toMatchObject({ width: 153, height: 198 })
  expect(new Set(grey?.data)).toEqual(new Set([255]))
  expect(decodeGrey(Buffer.from(png).fill(2, 24, 25))).toBeUndefined()
  const small = { width: 3, height: 2, data: Uint8Array.from([1, 2, 3, 4, 5, 6]) }
  const turned = [180, 90, 270] as const
  expect(turned.map((angle) => [...rotateUpright(small, angle).data])).toEqual([
    [6, 5, 4, 3, 2, 1],
    [3, 6, 2, 5, 1, 4],
    [4, 1, 5, 2, 6, 3],
  ])
  const cell = cropToPgm(small, { left: 1, top: 0, width: 2, height: 1 })
  expect(cell.toString('latin1', 0, 13)).toBe('P5\n26 25\n255\n')
  expect([...cell.subarray(13 + 12 * 26 + 11, 13 + 12 * 26 + 15)]).toEqual([2, 2, 3, 2])
})

function drawn(
  texts: readonly (readonly [number, number, string])[],
  dpi: number,
  rules: readonly PdfRule[] = [],
  angle: 0 | 90 = 0,
) {
  return inFolder(async (folder) => {
    const path = join(folder, 'table.pdf')
    const placed = texts.map(([x, y, text]) => ({ x, y, text, size: 11 }))
    await writeFile(path, makePdf([[...placed, { x: 72, y: 90, text: '.', size: 1 }]], { rules }))
    const turned = angle === 0 ? {} : { pageOrientationCorrections: [{ page: 1, angle }] }
    const drawer = new LiteParse({ dpi, quiet: true, ocrEnabled: false, ...turned })
    const [shot] = await drawer.screenshot(path, [1])
    return shot?.imageBuffer ?? Buffer.alloc(0)
  })
}

const columns = [72, 190, 260, 330, 440]
const cells: [x: number, y: number, text: string][] = [
  [80, 665, 'Harbour'],
  [200, 665, 'Gauges'],
  [350, 680, 'Deviation'],
  [270, 640, 'Lost'],
  [350, 640, 'Mean'],
]

/** A table of harbours with lone figures in its cells, "Deviation" over two columns. */
function ruledTable(): { texts: [number, number, string][]; rules: PdfRule[] } {
  const body = ['Antwerp 5 1 4', 'Bergen 5 2 3', 'Cork 3 3 0'].flatMap((line, i) =>
    line
      .split(' ')
      .map((text, k): [number, number, string] => [
        (columns[k] ?? 0) + (k === 0 ? 8 : 30),
        604 - i * 24,
        text,
      ]),
  )
  const lines = [700, 660, 620, 596, 572, 548].map((y): PdfRule => [y === 660 ? 260 : 72, y, 440, y])
  const sides = columns.map((x): PdfRule => [x, x === 330 ? 660 : 700, x, 548])
  return { texts: [...cells, ...body], rules: [...lines, ...sides] }
}

// A few seconds, a minute on a busy machine. Lying on its side: everything is found on the page as it stands upright.
thorough('figures alone in ruled cells are read, merged cells kept', async () => {
  const { texts, rules } = ruledTable()
  const above = 'The gauges of three harbours were looked at again in the spring.'
  const below = 'Those of two were lost in the storm and are made anew this year.'
  const shares = new Set<number>()
  const placed = [[72, 730, above], ...texts, [72, 520, below]] as [number, number, string][]
  const picture = await drawn(placed, 150, rules, 90)
  const { blocks } = await parseBytes('image', picture, false, ({ share }) => shares.add(share))
  const table = blocks.find(({ kind }) => kind === 'table')
  expect(blocks.map(({ text }) => text)).toEqual([above, table?.text, below])
  expect(table?.text.split('\n').slice(-4)).toEqual([
    '| Harbour | Gauges | Lost | Mean |',
    '| Antwerp | 5 | 1 | 4 |',
    '| Bergen | 5 | 2 | 3 |',
    '| Cork | 3 | 3 | 0 |',
  ])
  expect(table?.html).toContain('<td colspan="2">Deviation</td>')
  // Each cell is told: the deadline of a page would not do for a table of hundreds.
  expect(shares.size).toBeGreaterThan(texts.length)
})
