// Ruled tables read cell by cell: Tesseract takes rules for letters, drops figures that stand alone in a cell and joins
// words over them. What a page's whole reading found inside a table gives way to it.

import type { BBox, Block } from '../../block.ts'
import { type Cell, tableBlocks } from '../../blocks/table.ts'
import { type CellText, lettersIn, type Reader } from '../ocr/engine.ts'
import { type Grey, pgmOf } from '../raster/grey-image.ts'
import type { Part } from '../raster/rect.ts'
import { type Rules, thickest } from '../raster/ruling-lines.ts'
import { findGrids, type Grid, type RuledCell } from './ruled-grid.ts'

/** A table and how many letters and digits were read in it. */
export interface RuledTable {
  bbox: BBox
  block: Block
  letters: number
}

// Fewer filled cells are a form, a frame or the lines behind a chart.
const LEAST_FILLED = 4
const LEAST_FILLED_SHARE = 1 / 3
// As many lines in most cells of a row are rows without rules between them.
const MANY_LINES = 3
const SAME_LINES_SHARE = 0.6
// Rows above a head of long names, a title and what several columns have in common, and the rows of
// a line or two below it.
const MOST_ABOVE = 2
const LEAST_BELOW = 5
const LOW_SHARE = 0.8

/** The ruled tables of an upright page, in order; boxes in pixels. `onCell` hears of each cell that is read. */
export async function readRuledTables(
  grey: Grey,
  rules: Rules,
  reader: Reader,
  language: string,
  onCell: () => void,
): Promise<RuledTable[]> {
  const tables: RuledTable[] = []
  for (const grid of findGrids(rules, thickest(grey))) {
    const isFilled = (count: number): boolean =>
      count >= Math.max(LEAST_FILLED, LEAST_FILLED_SHARE * grid.cells.length)
    const inked = grid.cells.flatMap((cell) => {
      const part = inkOf(grey, cell)
      return part === undefined ? [] : [{ cell, picture: pgmOf(grey, part) }]
    })
    if (!isFilled(inked.length)) continue
    const texts = await reader.readCells(
      inked.map(({ picture }) => picture),
      language,
      onCell,
    )
    // The curves of a chart stand between rules as well.
    if (!isFilled(texts.filter(({ text }) => lettersIn(text) > 0).length)) continue
    const read = new Map(inked.map(({ cell }, i) => [cell, texts[i] ?? nothing]))
    if (!hasUnruledRows(read)) tables.push(...tableOf(grid, read))
  }
  return tables
}

const nothing: CellText = { text: '', lines: 0, confidence: 0 }

function tableOf(grid: Grid, read: ReadonlyMap<RuledCell, CellText>): RuledTable[] {
  const rows = Array.from({ length: grid.rows }, (): Cell[] => [])
  for (const cell of grid.cells) {
    const text = read.get(cell)?.text ?? ''
    rows[cell.row]?.push({ text, rowSpan: cell.rows, colSpan: cell.columns })
  }
  const texts = [...read.values()]
  const letters = texts.reduce((sum, { text }) => sum + lettersIn(text), 0)
  const weighted = texts.reduce((sum, { text, confidence }) => sum + lettersIn(text) * confidence, 0)
  const bbox: BBox = [grid.left, grid.top, grid.left + grid.width, grid.top + grid.height]
  const confidence = Math.round((100 * weighted) / Math.max(1, letters)) / 100
  return tableBlocks(rows)
    .filter(({ kind }) => kind === 'table')
    .map((block) => ({ bbox, letters, block: { ...block, bbox, confidence } }))
}

/**
 * Whether some row of the grid is many rows of the table: its cells have the same number of lines. One such row above
 * many low ones is a head of long names.
 */
function hasUnruledRows(read: ReadonlyMap<RuledCell, CellText>): boolean {
  const rows = new Map<number, number[]>()
  for (const [{ row, rows: span }, { lines }] of read)
    if (span === 1 && lines > 0) rows.set(row, [...(rows.get(row) ?? []), lines])
  const unruled = [...rows].filter(([, lines]) => isManyRows(lines)).map(([row]) => row)
  const [first, ...more] = unruled
  if (first === undefined) return false
  const below = [...rows].filter(([row]) => row > first)
  const low = below.filter(([, lines]) => Math.max(...lines) < MANY_LINES).length
  const isHead = first <= MOST_ABOVE && low >= Math.max(LEAST_BELOW, LOW_SHARE * below.length)
  return more.length > 0 || !isHead
}

function isManyRows(lines: readonly number[]): boolean {
  const most = Math.max(...lines.map((count) => lines.filter((other) => other === count).length))
  const common = lines.find((count) => lines.filter((other) => other === count).length === most) ?? 0
  return lines.length > 1 && common >= MANY_LINES && most >= SAME_LINES_SHARE * lines.length
}

const LEAST_INK_CONTRAST = 60
// A speck of dust has fewer pixels.
const LEAST_INK_PIXELS = 15
// Pixels beside a rule that its blurred edge darkens.
const EDGE = 3

/** What of a part is darker than its ground; undefined for an empty one. */
export function inkOf({ width, data }: Grey, cell: Part): Part | undefined {
  const [left, top] = [Math.ceil(cell.left) + EDGE, Math.ceil(cell.top) + EDGE]
  const [right, bottom] = [
    Math.floor(cell.left + cell.width) - EDGE,
    Math.floor(cell.top + cell.height) - EDGE,
  ]
  if (right <= left || bottom <= top) return undefined
  let lightest = 0
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) lightest = Math.max(lightest, data[y * width + x] ?? 0)
  const ink: BBox = [Infinity, Infinity, -1, -1]
  let pixels = 0
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      if ((data[y * width + x] ?? 0) > lightest - LEAST_INK_CONTRAST) continue
      pixels++
      ink[0] = Math.min(ink[0], x)
      ink[1] = Math.min(ink[1], y)
      ink[2] = Math.max(ink[2], x)
      ink[3] = y
    }
  }
  if (pixels < LEAST_INK_PIXELS) return undefined
  return { left: ink[0], top: ink[1], width: ink[2] - ink[0] + 1, height: ink[3] - ink[1] + 1 }
}
