// Words with rules between them: boxes side by side, heads of columns.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LiteParse } from '@llamaindex/liteparse'
import { expect, test } from 'vitest'
import { inFolder, parseBytes } from '../../../../test/support/files/parse.ts'
import { makePdf, type PdfRule } from '../../../../test/support/files/pdf.ts'
import { thorough } from '../../../../test/support/full.ts'
import type { GreyImage } from '../raster/grey-image.ts'
import { findRulingLines } from '../raster/ruling-lines.ts'
import { findSeparators } from './separators.ts'

type Stroke = readonly [x: number, y: number, width: number, height: number]

const box = (left: number, top: number, right: number, bottom: number): Stroke[] => [
  [left, top, right - left, 2],
  [left, bottom, right - left + 2, 2],
  [left, top, 2, bottom - top],
  [right, top, 2, bottom - top],
]

function gapsOf(strokes: readonly Stroke[]): number[][] {
  const data = new Uint8Array(1000 * 800).fill(255)
  for (const [left, top, across, down] of strokes)
    for (let y = top; y < top + down; y++) data.fill(20, y * 1000 + left, y * 1000 + left + across)
  const grey: GreyImage = { width: 1000, height: 800, data }
  return findSeparators(grey, findRulingLines(grey)).gutters.map((gap) => gap.map(Math.round))
}

test('blank paper between two boxes is a gap; a column, a double rule and paper beside one box are none', () => {
  const boxes = [...box(100, 100, 400, 300), ...box(550, 100, 900, 280)]
  expect(gapsOf(boxes)).toEqual([[402, 102, 550, 299]])
  expect(gapsOf([...boxes, [450, 200, 40, 12]])).toEqual([])
  expect(gapsOf([...boxes, [400, 200, 150, 2]])).toEqual([])
  expect(gapsOf([...box(100, 100, 400, 300), ...box(415, 100, 700, 300)])).toEqual([])
  expect(gapsOf([...box(100, 100, 400, 300), [600, 100, 2, 200]])).toEqual([])
})

const lines = [
  'The keeper of the pier signs each sheet in the evening of its day,',
  'and the office stamps it when the figures are in its book. Sheets',
  'that came late are kept apart and are counted in the month after.',
]
const left = ['Keeper of the pier', 'Name: Ada Holm', 'Post: North Pier, third hut', 'Seen: 4 May 2026']
const right = ['Entered in the book', 'Harbour office, room 12', 'Number: HO-2026-0417', 'Clerk: Jon Berg']
const frame = (x0: number, y0: number, x1: number, y1: number): PdfRule[] => [
  [x0, y0, x1, y0],
  [x0, y1, x1, y1],
  [x0, y0, x0, y1],
  [x1, y0, x1, y1],
]

/** What a page is read as that stands as a picture at 150 dots an inch. */
const readAs = (texts: readonly (readonly [number, number, string])[], rules: readonly PdfRule[]) =>
  inFolder(async (folder) => {
    const path = join(folder, 'page.pdf')
    const page = texts.map(([x, y, text]) => ({ x, y, text, size: 11 }))
    await writeFile(path, makePdf([page], { rules }))
    const [shot] = await new LiteParse({ dpi: 150, quiet: true, ocrEnabled: false }).screenshot(path, [1])
    const { blocks } = await parseBytes('image', shot?.imageBuffer ?? Buffer.alloc(0))
    return blocks.map(({ text }) => text)
  })

thorough('two boxes side by side are read one after the other', { timeout: 120_000 }, async () => {
  const rows = left.flatMap((text, i): [number, number, string][] => [
    [84, 600 - i * 18, text],
    [300, 600 - i * 18, right[i] ?? ''],
  ])
  const prose = lines.map((text, i): [number, number, string] => [72, 720 - i * 15, text])
  const rules = [...frame(76, 530, 240, 620), ...frame(290, 530, 460, 620)]
  const read = (await readAs([...prose, ...rows], rules)).join('\n')
  expect(read.replaceAll('\n', ' ')).toBe([...lines, ...left, ...right].join(' '))
})
