// Ruled tables in pictures: the lines, the cells between them, and what stands in each.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LiteParse } from '@llamaindex/liteparse'
import { expect, test } from 'vitest'
import { inFolder, parseBytes } from '../../../../test/support/files/parse.ts'
import { makePdf, type PdfRule } from '../../../../test/support/files/pdf.ts'
import { thorough } from '../../../../test/support/full.ts'
import { type OcrEngine, openOcrEngine } from '../ocr/engine.ts'
import { cropToPgm, decodeGrey, type GreyImage, rotateUpright } from '../raster/grey-image.ts'
import { findRulingLines, maxThickness } from '../raster/ruling-lines.ts'
import { findGrids, type RuledGrid } from './ruled-grid.ts'
import { cellByCell, recogniseRuledTables } from './ruled-tables.ts'

type Line = readonly [x: number, y: number, width: number, height: number]

function sheet(lines: readonly Line[], width = 1000, height = 800): GreyImage {
  const data = new Uint8Array(width * height).fill(255)
  for (const [left, top, across, down] of lines)
    for (let y = top; y < top + down; y++) data.fill(20, y * width + left, y * width + left + across)
  return { width, height, data }
}

const gridsOf = (grey: GreyImage): RuledGrid[] => findGrids(findRulingLines(grey), maxThickness(grey))
const spans = ({ cells }: RuledGrid) =>
  cells.map(({ row, column, rowSpan, columnSpan }) => [row, column, rowSpan, columnSpan])

const across = (y: number, from = 100, to = 701): Line => [from, y, to - from, 2]
const down = (x: number, from = 100, to = 401): Line => [x, from, 2, to - from]

test('where a rule is missing cells are one', () => {
  // Two columns under one header, and a cell over two rows.
  const [grid, ...more] = gridsOf(
    sheet([
      across(100),
      across(200, 300),
      across(300),
      across(400),
      down(100),
      down(300),
      down(500, 200),
      down(700),
    ]),
  )
  expect(more).toEqual([])
  expect(grid).toMatchObject({ rows: 3, columns: 3, width: 600, height: 300 })
  expect(grid && spans(grid)).toEqual([
    [0, 0, 2, 1],
    [0, 1, 1, 2],
    [1, 1, 1, 1],
    [1, 2, 1, 1],
    [2, 0, 1, 1],
    [2, 1, 1, 1],
    [2, 2, 1, 1],
  ])
})

test('a table open at its sides has its outer columns', () => {
  const [grid] = gridsOf(
    sheet([across(100), across(200), across(300), down(300, 100, 301), down(500, 100, 301)]),
  )
  expect(grid).toMatchObject({ rows: 2, columns: 3, left: 100, width: 600 })
})

test('a frame, a rule under a heading, bars and cells that are no rectangles are no table', () => {
  const frame = [across(100), across(400), down(100), down(700)]
  expect(gridsOf(sheet(frame))).toEqual([])
  expect(gridsOf(sheet([...frame, across(200)]))).toEqual([])
  expect(gridsOf(sheet([across(100), across(150, 100, 400)]))).toEqual([])
  expect(
    gridsOf(
      sheet([
        [100, 100, 500, 60],
        [100, 300, 60, 300],
      ]),
    ),
  ).toEqual([])
  const stairs = [across(200, 100, 301), across(300, 300), down(300, 200), down(500, 100, 201)]
  expect(gridsOf(sheet([...frame, ...stairs]))).toEqual([])
})

test('a cell reaches up to the rules around it, as its letters may', () => {
  const [grid] = gridsOf(
    sheet([...[100, 200, 300].map((y) => across(y)), ...[100, 400, 700].map((x) => down(x, 100, 301))]),
  )
  expect(grid?.cells[0]).toMatchObject({ left: 101.5, top: 101.5, width: 298, height: 98 })
})

test('a page between a ruled head and foot is no cell, and what stands in a table is no table of its own', () => {
  const head = [across(10), across(60), across(700), across(750), down(100, 10, 751), down(700, 10, 751)]
  const parts = [300, 500].flatMap((x) => [down(x, 10, 60), down(x, 700, 750)])
  const inner = [
    ...[300, 350, 400].map((y) => across(y, 200, 601)),
    ...[200, 400, 600].map((x) => down(x, 300, 401)),
  ]
  expect(gridsOf(sheet([...head, ...parts]))).toEqual([])
  expect(gridsOf(sheet([...head, ...parts, ...inner]))).toMatchObject([{ left: 200.5, width: 400 }])
  const table = [...[100, 400, 700].map((y) => across(y)), ...[100, 400, 700].map((x) => down(x, 100, 701))]
  const small = [
    ...[430, 530, 630].map((y) => across(y, 430, 631)),
    ...[430, 530, 630].map((x) => down(x, 430, 631)),
  ]
  expect(gridsOf(sheet([...table, ...small]))).toMatchObject([{ left: 100.5, width: 600 }])
})

test('a page of many tables is read cell by cell as far as its time goes', () => {
  const lines = [0, 1, 2].flatMap((i) =>
    Array.from({ length: 16 }, (_, k): Line[] => [
      across(20 + k * 48, 20 + i * 320, 320 + i * 320),
      down(20 + i * 320 + k * 20, 20, 742),
    ]).flat(),
  )
  expect(gridsOf(sheet(lines)).map(({ cells }) => cells.length)).toEqual([225])
})

test('a page of strokes is looked at within its bounds', () => {
  const strokes = Array.from({ length: 60 }, (_, i): Line[] => [
    across(13 * i, 0, 1000),
    down(16 * i, 0, 800),
  ]).flat()
  expect(gridsOf(sheet(strokes))).toEqual([])
})

test('a drawn page in grey, turned upright; a cell stands in a margin of its own ground', async () => {
  const png = await drawn([], 18)
  const grey = decodeGrey(png)
  expect(grey).toMatchObject({ width: 153, height: 198 })
  expect(new Set(grey?.data)).toEqual(new Set([255]))
  expect(decodeGrey(Buffer.from(png).fill(2, 24, 25))).toBeUndefined()
  const small = { width: 3, height: 2, data: Uint8Array.from([1, 2, 3, 4, 5, 6]) }
  expect(rotateUpright(small, 180)).toEqual({
    width: 3,
    height: 2,
    data: Uint8Array.from([6, 5, 4, 3, 2, 1]),
  })
  expect(rotateUpright(small, 90)).toEqual({ width: 2, height: 3, data: Uint8Array.from([3, 6, 2, 5, 1, 4]) })
  expect(rotateUpright(small, 270)).toEqual({
    width: 2,
    height: 3,
    data: Uint8Array.from([4, 1, 5, 2, 6, 3]),
  })
  const cell = cropToPgm(small, { left: 1, top: 0, width: 2, height: 1 })
  expect(cell.toString('latin1', 0, 13)).toBe('P5\n26 25\n255\n')
  expect([...cell.subarray(13 + 12 * 26 + 11, 13 + 12 * 26 + 15)]).toEqual([2, 2, 3, 2])
})

test('the curves of a chart between its rules are no cells', { timeout: 60_000 }, async () => {
  const chart = sheet([
    ...[100, 200, 300, 400].map((y) => across(y)),
    ...[100, 300, 500, 700].map((x) => down(x)),
  ])
  for (let x = 110; x < 690; x++)
    for (const y of [100 + (x >> 2), 390 - (x >> 2)]) chart.data.fill(20, y * 1000 + x, y * 1000 + x + 8)
  const reader = openOcrEngine()
  try {
    expect(
      await recogniseRuledTables(
        chart,
        findRulingLines(chart),
        cellByCell(chart, reader, 'eng', () => undefined),
      ),
    ).toEqual([])
  } finally {
    await reader.close()
  }
})

const columns = [72, 190, 260, 330, 440]
const rows = [700, 660, 620, 596, 572]
const cells: [x: number, y: number, text: string][] = [
  [80, 665, 'Harbour'],
  [200, 665, 'Gauges'],
  [350, 680, 'Deviation'],
  [270, 640, 'Lost'],
  [350, 640, 'Mean'],
]

/** A table of Harbours with lone figures in its cells, "Deviation" over two columns. */
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
  const bottom = 548
  const across = [...rows, bottom].map((y): PdfRule => [y === 660 ? 260 : 72, y, 440, y])
  const down = columns.map((x): PdfRule => [x, x === 330 ? 660 : 700, x, bottom])
  return { texts: [...cells, ...body], rules: [...across, ...down] }
}

function drawn(
  texts: readonly (readonly [number, number, string])[],
  dpi: number,
  rules: readonly PdfRule[] = [],
  angle: 0 | 90 = 0,
) {
  return inFolder(async (folder) => {
    const path = join(folder, 'table.pdf')
    const page = texts.map(([x, y, text]) => ({ x, y, text, size: 11 }))
    await writeFile(path, makePdf([[...page, { x: 72, y: 90, text: '.', size: 1 }]], { rules }))
    const turned = angle === 0 ? {} : { pageOrientationCorrections: [{ page: 1, angle }] }
    const drawer = new LiteParse({ dpi, quiet: true, ocrEnabled: false, ...turned })
    const [shot] = await drawer.screenshot(path, [1])
    return shot?.imageBuffer ?? Buffer.alloc(0)
  })
}

/** Whether a ruled grid of two columns is a table, by the lines of each row's cells. */
async function isTable(lines: readonly number[]): Promise<boolean> {
  const bottom = 100 + lines.length * 60
  const rules = lines.map((_, i) => across(100 + i * 60)).concat([across(bottom)])
  const sides = [100, 400, 700].map((x) => down(x, 100, bottom + 1))
  const ink = lines.flatMap((_, i): Line[] => [200, 500].map((x) => [x, 120 + i * 60, 40, 20]))
  const grey = sheet([...rules, ...sides, ...ink])
  const texts = lines.flatMap((count) => [count, count]).map((count) => Array(count).fill('word').join('\n'))
  const reader = {
    recogniseBlocks: async () => texts.map((text) => ({ text, lines: text.split('\n').length })),
  }
  const found = await recogniseRuledTables(
    grey,
    findRulingLines(grey),
    cellByCell(grey, reader as unknown as OcrEngine, 'eng', () => undefined),
  )
  return found.length > 0
}

test('a head of long names above low rows is a head, cells of many lines below a head are rows without rules', async () => {
  expect(await isTable([4, 1, 1, 1, 2, 1])).toBe(true)
  expect(await isTable([1, 1, 4, 1, 1, 1, 1, 1])).toBe(true)
  expect(await isTable([1, 9])).toBe(false)
  expect(await isTable([4, 9, 9, 1, 1, 1])).toBe(false)
  expect(await isTable([4, 1, 1])).toBe(false)
})

// A few seconds, a minute on a busy machine. Lying on its side: everything is found on the page as it stands upright.
thorough('figures alone in ruled cells are read, merged cells kept', { timeout: 180_000 }, async () => {
  const { texts, rules } = ruledTable()
  const above: [number, number, string] = [
    72,
    730,
    'The gauges of three harbours were looked at again in the spring.',
  ]
  const below: [number, number, string] = [
    72,
    520,
    'Those of two were lost in the storm and are made anew this year.',
  ]
  const shares = new Set<number>()
  const picture = await drawn([above, ...texts, below], 150, rules, 90)
  const { blocks } = await parseBytes('image', picture, false, ({ share }) => shares.add(share))
  expect(blocks.map(({ text }) => text)).toEqual([
    above[2],
    [
      '| Harbour | Gauges | Deviation |  |',
      '| --- | --- | --- | --- |',
      '|  |  | Lost | Mean |',
      '| Antwerp | 5 | 1 | 4 |',
      '| Bergen | 5 | 2 | 3 |',
      '| Cork | 3 | 3 | 0 |',
    ].join('\n'),
    below[2],
  ])
  expect(blocks[1]?.html).toContain('<td colspan="2">Deviation</td>')
  // Each cell is told: the deadline of a page would not do for a table of hundreds.
  expect(shares.size).toBeGreaterThan(texts.length)
})
