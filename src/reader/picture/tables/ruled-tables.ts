// Ruled tables, recognised cell by cell where the engine can. In a whole page Tesseract takes ruling lines for letters, drops single digits in
// cells and joins words across lines. The cells replace what the whole page's pass found inside the table.

import type { BBox, Block } from '../../block.ts'
import { type Cell, tableBlocks } from '../../blocks/table.ts'
import { type BlockText, type OcrEngine, toBlockText } from '../ocr/engine.ts'
import { countLetters, linesOf, type OcrBlock, type Word } from '../ocr/recognised.ts'
import { cropToPgm, type GreyImage, inkBounds, type Rect } from '../raster/grey-image.ts'
import { maxThickness, type RulingLines } from '../raster/ruling-lines.ts'
import { findGrids, type RuledCell, type RuledGrid } from './ruled-grid.ts'

interface RuledTable {
  bbox: BBox
  block: Block
  /** Letters and digits in its cells. */
  letters: number
}

// Fewer filled cells are a form, a frame or the grid of a chart.
const MIN_FILLED = 4
const MIN_FILLED_SHARE = 1 / 3
// Cells of the same number of lines are several rows without ruling lines between them.
const MIN_UNRULED_LINES = 3
const SAME_LINES_SHARE = 0.6
// A header of long column names comes after at most a title and a row of spanning names, and above rows of a line or two.
const MAX_ROWS_ABOVE_HEADER = 2
const MIN_ROWS_BELOW_HEADER = 5
const LOW_ROWS_SHARE = 0.8

/** The texts of cells with ink, `bounds` of which are within their ruling lines. */
export type CellReader = (cells: readonly { cell: RuledCell; bounds: Rect }[]) => Promise<BlockText[]>

/** Recognises each cell by itself; `onCell` is called for each. */
export const cellByCell =
  (grey: GreyImage, engine: OcrEngine, language: string, onCell: () => void): CellReader =>
  (cells) =>
    engine.recogniseBlocks(
      cells.map(({ bounds }) => cropToPgm(grey, bounds)),
      language,
      onCell,
    )

/** Takes the words that the page's own recognition found in each cell, of an upright page. */
export const fromWords =
  (blocks: readonly OcrBlock[]): CellReader =>
  async (cells) =>
    cells.map(({ cell: { left, top, width, height } }) => {
      const isInside = ({ bbox: { x0, y0, x1, y1 } }: Word): boolean => {
        const [x, y] = [(x0 + x1) / 2 - left, (y0 + y1) / 2 - top]
        return x > 0 && x < width && y > 0 && y < height
      }
      const lines = linesOf(blocks).flatMap((line) => {
        const words = line.words.filter(isInside)
        return words.length > 0 ? [{ ...line, words }] : []
      })
      return toBlockText(lines)
    })

/** The ruled tables of an upright page, in order; boxes in pixels. */
export async function recogniseRuledTables(
  grey: GreyImage,
  lines: RulingLines,
  read: CellReader,
): Promise<RuledTable[]> {
  const tables: RuledTable[] = []
  for (const grid of findGrids(lines, maxThickness(grey))) {
    const isFilled = (count: number): boolean =>
      count >= Math.max(MIN_FILLED, MIN_FILLED_SHARE * grid.cells.length)
    const inked = grid.cells.flatMap((cell) => {
      const bounds = inkBounds(grey, cell)
      return bounds === undefined ? [] : [{ cell, bounds }]
    })
    if (!isFilled(inked.length)) continue
    const texts = await read(inked)
    // The curves of a chart are ink between ruling lines as well.
    if (!isFilled(texts.filter(({ text }) => countLetters(text) > 0).length)) continue
    const textOf = new Map(inked.map(({ cell }, i) => [cell, texts[i] ?? EMPTY]))
    if (!hasUnruledRows(textOf)) tables.push(...toTable(grid, textOf))
  }
  return tables
}

const EMPTY: BlockText = { text: '', lines: 0, confidence: 0 }

function toTable(grid: RuledGrid, textOf: ReadonlyMap<RuledCell, BlockText>): RuledTable[] {
  const rows = Array.from({ length: grid.rows }, (): Cell[] => [])
  for (const cell of grid.cells) {
    const text = textOf.get(cell)?.text ?? ''
    rows[cell.row]?.push({ text, rowSpan: cell.rowSpan, colSpan: cell.columnSpan })
  }
  const texts = [...textOf.values()]
  const letters = texts.reduce((sum, { text }) => sum + countLetters(text), 0)
  const weighted = texts.reduce((sum, { text, confidence }) => sum + countLetters(text) * confidence, 0)
  const bbox: BBox = [grid.left, grid.top, grid.left + grid.width, grid.top + grid.height]
  const confidence = Math.round((100 * weighted) / Math.max(1, letters)) / 100
  return tableBlocks(rows)
    .filter(({ kind }) => kind === 'table')
    .map((block) => ({ bbox, letters, block: { ...block, bbox, confidence } }))
}

/**
 * Whether a row of the grid holds several rows of the table, which shows in cells of the same number of lines. One such row
 * above many low ones is a header of long names.
 */
function hasUnruledRows(textOf: ReadonlyMap<RuledCell, BlockText>): boolean {
  const rows = new Map<number, number[]>()
  for (const [{ row, rowSpan }, { lines }] of textOf)
    if (rowSpan === 1 && lines > 0) rows.set(row, [...(rows.get(row) ?? []), lines])
  const unruled = [...rows].filter(([, lines]) => isSeveralRows(lines)).map(([row]) => row)
  const [first, ...more] = unruled
  if (first === undefined) return false
  const below = [...rows].filter(([row]) => row > first)
  const low = below.filter(([, lines]) => Math.max(...lines) < MIN_UNRULED_LINES).length
  const isHeader =
    first <= MAX_ROWS_ABOVE_HEADER && low >= Math.max(MIN_ROWS_BELOW_HEADER, LOW_ROWS_SHARE * below.length)
  return more.length > 0 || !isHeader
}

function isSeveralRows(lines: readonly number[]): boolean {
  const frequency = (count: number): number => lines.filter((other) => other === count).length
  const highest = Math.max(...lines.map(frequency))
  const common = lines.find((count) => frequency(count) === highest) ?? 0
  return lines.length > 1 && common >= MIN_UNRULED_LINES && highest >= SAME_LINES_SHARE * lines.length
}
