// Recognised lines to blocks: prose joined over its line ends, rows of aligned cells as a table, also where Tesseract took
// the table's columns for columns of text.

import type { Block as TesseractBlock } from 'tesseract.js'
import type { BBox, Block } from '../../block.ts'
import { joinBroken } from '../../blocks/clean.ts'
import { markdownTable } from '../../blocks/table.ts'
import { areUnspaced } from '../ocr/unspaced-scripts.ts'
import type { Strokes } from '../raster/stroke-width.ts'
import { joinColumns } from './columns.ts'
import { headingsOf } from './headings.ts'
import { listAt } from './lists.ts'
import { type Cell, extent, LEAST_TABLE_ROWS, type Row, rowsOf } from './rows.ts'
import { inBoxes, partedBy, type Walls } from './separators.ts'

// A line that ends this close to the paragraph's right edge was wrapped there.
const WRAPPED_SHARE = 0.8

// An item of a list.
const ITEM = /^([-•*]|\d+[.)])\s/

/** What a page's picture says beside its words. */
export interface Drawn extends Walls {
  strokes?: Strokes
}

const nothing: Drawn = { down: [], gaps: [] }

/** Tesseract's blocks in its order, boxes in pixels; a run of rows with matching cells is one table. */
export function lineBlocks(found: readonly TesseractBlock[], drawn: Drawn = nothing): Block[] {
  const { down, gaps, strokes = new Map() } = drawn
  const isParted = partedBy(down, found)
  const rows = joinColumns(inBoxes(found, gaps).map((block) => rowsOf(block, isParted))).flat()
  const blocks: Block[] = []
  const headings = headingsOf(rows, strokes)
  for (let at = 0; at < rows.length; ) {
    const heading = headings.get(at)
    const list = heading ? undefined : listAt(rows, at)
    if (heading !== undefined) {
      const { text, ...rest } = proseBlock(rows.slice(at, heading.end))
      blocks.push({ ...rest, kind: 'heading', text: text.replaceAll('\n', ' '), level: heading.level })
      at = heading.end
      continue
    }
    if (list !== undefined) {
      blocks.push({ kind: 'list', text: list.text, ...placeAndTrust(rows.slice(at, list.end)) })
      at = list.end
      continue
    }
    if (isTable(rows, at)) {
      const end = tableEnd(rows, at)
      blocks.push(tableBlock(rows.slice(at, end)))
      at = end
      continue
    }
    let next = at + 1
    const isOther = (row: number): boolean =>
      isTable(rows, row) || headings.has(row) || listAt(rows, row) !== undefined
    while (goesOn(rows.slice(at, next), rows[next]) && !isOther(next)) next++
    blocks.push(proseBlock(rows.slice(at, next)))
    at = next
  }
  return blocks.filter((block) => /[\p{L}\p{N}]/u.test(block.text))
}

/**
 * Whether a row belongs to the prose before it: Tesseract says so, or it took the short last line of a paragraph for one of
 * its own ("a missed appointment costs" / "£35."), which stands at the same left and as close as the lines before it.
 */
function goesOn(prose: readonly Row[], row: Row | undefined): boolean {
  const [before, last] = prose.slice(-2)
  if (row === undefined || prose[0] === undefined) return false
  if (row.paragraph === prose[0].paragraph) return true
  if (before === undefined || last === undefined || last.cells.length > 1 || row.cells.length > 1)
    return false
  const [above, here, below] = [extent([before]), extent([last]), extent([row])]
  const height = here[3] - here[1]
  const pitch = here[3] - above[3]
  const next = below[3] - here[3]
  return (
    !/[.!?:;]["'”’»)\]]*$/.test(last.words.at(-1)?.text ?? '') &&
    !ITEM.test(row.words.map((word) => word.text).join(' ')) &&
    isWrapped(last, prose) &&
    Math.abs(below[0] - here[0]) < height &&
    next > 0 &&
    Math.abs(next - pitch) < height / 3
  )
}

/** Whether a line ends at the right edge of its paragraph. */
function isWrapped(row: Row, paragraph: readonly Row[]): boolean {
  const [left, , right] = extent(paragraph)
  return ((row.cells.at(-1)?.right ?? 0) - left) / Math.max(1, right - left) >= WRAPPED_SHARE
}

/** Where a table that starts with this row ends: rows of two cells or more that fit the first one's columns. */
function tableEnd(rows: readonly Row[], start: number): number {
  const first = rows[start]
  if (first === undefined || first.cells.length < 2) return start
  let end = start + 1
  for (let row = rows[end]; row !== undefined; row = rows[end]) {
    if (row.cells.length < 2 || columnsOf(row.cells, first.cells) === undefined) break
    end++
  }
  return end
}

/** Rows enough, and more than a list whose numbers stand apart from its text. */
function isTable(rows: readonly Row[], start: number): boolean {
  const found = rows.slice(start, tableEnd(rows, start))
  const numbered = found.every(
    ({ cells }) => cells.length === 2 && /^[\d.]+[.)]?$|^[-•*]$/.test(cells[0]?.text ?? ''),
  )
  return found.length >= LEAST_TABLE_ROWS && !numbered
}

/** The column of each cell, or undefined when two cells share one or a cell stands in none. */
function columnsOf(cells: readonly Cell[], header: readonly Cell[]): number[] | undefined {
  const columns = cells.map((cell) =>
    header.findIndex((column) => Math.min(cell.right, column.right) > Math.max(cell.left, column.left)),
  )
  const distinct = new Set(columns).size === columns.length
  return distinct && !columns.includes(-1) ? columns : undefined
}

function tableBlock(rows: readonly Row[]): Block {
  const header = rows[0]?.cells ?? []
  const grid = rows.map(({ cells }) => {
    const texts = header.map(() => '')
    columnsOf(cells, header)?.forEach((column, i) => {
      texts[column] = cells[i]?.text ?? ''
    })
    return texts
  })
  return { kind: 'table', text: markdownTable(grid), ...placeAndTrust(rows) }
}

function proseBlock(rows: readonly Row[]): Block {
  let text = ''
  rows.forEach((row, i) => {
    const line = row.words.map((word) => word.text).join(' ')
    const before = rows[i - 1]
    if (before === undefined) {
      text = line
      return
    }
    const broken = /\p{Ll}[-\u2010]$/u.test(text)
    const joint = areUnspaced(text, line) ? '' : ' '
    text += `${isWrapped(before, rows) && !broken && !ITEM.test(line) ? joint : '\n'}${line}`
  })
  return { kind: 'paragraph', text: joinBroken(text), ...placeAndTrust(rows) }
}

function placeAndTrust(rows: readonly Row[]): { bbox: BBox; confidence: number } {
  const words = rows.flatMap((row) => row.words)
  const length = words.reduce((sum, word) => sum + word.text.length, 0)
  const weighted = words.reduce((sum, word) => sum + word.text.length * word.confidence, 0)
  return { bbox: extent(rows), confidence: Math.round(weighted / Math.max(1, length)) / 100 }
}
