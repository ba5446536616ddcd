// Tesseract's blocks as the blocks of a document: headings, lists, tables where the cells of rows are aligned, and paragraphs
// joined over their line ends. Pure.

import type { BBox, Block } from '../../block.ts'
import { joinBroken } from '../../blocks/clean.ts'
import { markdownTable } from '../../blocks/table.ts'
import { isEntry, isMark, ordinalOf } from '../../page/marks.ts'
import type { OcrBlock } from '../ocr/recognised.ts'
import { joinsWithoutSpace } from '../ocr/unspaced-scripts.ts'
import type { StrokeWidths } from '../raster/stroke-width.ts'
import { joinColumns } from './columns.ts'
import { findHeadings } from './headings.ts'
import { listAt } from './lists.ts'
import { boundsOf, type Cell, MIN_TABLE_ROWS, type Row, rowsOf, textOf } from './rows.ts'
import { type Separators, separatedBy, splitAtGutters } from './separators.ts'

// A line that ends this close to the paragraph's right edge was wrapped there.
const WRAPPED_SHARE = 0.8

const isListItem = (text: string): boolean => isEntry(text) || ordinalOf(text) !== undefined
// The number of a row: "12", "4.2", "4.2.".
const NUMBER = /^[\d.]+[.)]?$/

/** What the image of a page shows beside its words. */
export interface PageGraphics extends Separators {
  strokes?: StrokeWidths
}

const NO_GRAPHICS: PageGraphics = { rules: [], gutters: [] }

/** In Tesseract's order, boxes in pixels; successive rows with aligned cells are one table. */
export function toBlocks(found: readonly OcrBlock[], graphics: PageGraphics = NO_GRAPHICS): Block[] {
  const { rules, gutters, strokes = new Map() } = graphics
  const isSeparated = separatedBy(rules, found)
  const rows = joinColumns(splitAtGutters(found, gutters).map((block) => rowsOf(block, isSeparated))).flat()
  const blocks: Block[] = []
  const headings = findHeadings(rows, strokes)
  for (let at = 0; at < rows.length; ) {
    const heading = headings.get(at)
    const list = heading ? undefined : listAt(rows, at)
    if (heading !== undefined) {
      const { text, ...rest } = paragraphBlock(rows.slice(at, heading.end))
      blocks.push({ ...rest, kind: 'heading', text: text.replaceAll('\n', ' '), level: heading.level })
      at = heading.end
      continue
    }
    if (list !== undefined) {
      blocks.push({ kind: 'list', text: list.text, ...placeOf(rows.slice(at, list.end)) })
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
    while (continuesParagraph(rows.slice(at, next), rows[next]) && !isOther(next)) next++
    blocks.push(paragraphBlock(rows.slice(at, next)))
    at = next
  }
  return blocks.filter((block) => /[\p{L}\p{N}]/u.test(block.text))
}

/**
 * Whether a row belongs to the paragraph before it. Tesseract may take the short last line of one for another ("a missed
 * appointment costs" / "£35."): it has the same left edge and the same line spacing.
 */
function continuesParagraph(paragraph: readonly Row[], row: Row | undefined): boolean {
  const [before, last] = paragraph.slice(-2)
  if (row === undefined || paragraph[0] === undefined) return false
  if (row.paragraph === paragraph[0].paragraph) return true
  if (before === undefined || last === undefined || last.cells.length > 1 || row.cells.length > 1)
    return false
  const [above, here, below] = [boundsOf([before]), boundsOf([last]), boundsOf([row])]
  const height = here[3] - here[1]
  const spacing = here[3] - above[3]
  const next = below[3] - here[3]
  return (
    !/[.!?:;]["'”’»)\]]*$/.test(last.words.at(-1)?.text ?? '') &&
    !isListItem(textOf(row)) &&
    isWrapped(last, paragraph) &&
    Math.abs(below[0] - here[0]) < height &&
    next > 0 &&
    Math.abs(next - spacing) < height / 3
  )
}

/** Whether a line ends at the right edge of its paragraph. */
function isWrapped(row: Row, paragraph: readonly Row[]): boolean {
  const [left, , right] = boundsOf(paragraph)
  return ((row.cells.at(-1)?.right ?? 0) - left) / Math.max(1, right - left) >= WRAPPED_SHARE
}

/** The end of a table that starts with a row: rows of at least two cells in the columns of the first one. */
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

/** Enough rows, and not the text of a list apart from its marks. */
function isTable(rows: readonly Row[], start: number): boolean {
  const found = rows.slice(start, tableEnd(rows, start))
  const isList = found.every(
    ({ cells }) => cells.length === 2 && (isMark(cells[0]?.text ?? '') || NUMBER.test(cells[0]?.text ?? '')),
  )
  return found.length >= MIN_TABLE_ROWS && !isList
}

/** The column of each cell; undefined when two cells share a column or one has none. */
function columnsOf(cells: readonly Cell[], header: readonly Cell[]): number[] | undefined {
  const columns = cells.map((cell) =>
    header.findIndex((column) => Math.min(cell.right, column.right) > Math.max(cell.left, column.left)),
  )
  const areDistinct = new Set(columns).size === columns.length
  return areDistinct && !columns.includes(-1) ? columns : undefined
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
  return { kind: 'table', text: markdownTable(grid), ...placeOf(rows) }
}

function paragraphBlock(rows: readonly Row[]): Block {
  let text = ''
  rows.forEach((row, i) => {
    const line = textOf(row)
    const before = rows[i - 1]
    if (before === undefined) {
      text = line
      return
    }
    const isHyphenated = /\p{Ll}[-\u2010]$/u.test(text)
    const space = joinsWithoutSpace(text, line) ? '' : ' '
    const isJoined = isWrapped(before, rows) && !isHyphenated && !isListItem(line)
    text += `${isJoined ? space : '\n'}${line}`
  })
  return { kind: 'paragraph', text: joinBroken(text), ...placeOf(rows) }
}

function placeOf(rows: readonly Row[]): { bbox: BBox; confidence: number } {
  const words = rows.flatMap((row) => row.words)
  const length = words.reduce((sum, word) => sum + word.text.length, 0)
  const weighted = words.reduce((sum, word) => sum + word.text.length * word.confidence, 0)
  return { bbox: boundsOf(rows), confidence: Math.round(weighted / Math.max(1, length)) / 100 }
}
