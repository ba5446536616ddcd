// Recognised lines to blocks: prose joined over its line ends, rows of aligned cells as a table, also where Tesseract took
// the table's columns for columns of text.

import type { Line, Paragraph, Block as TesseractBlock, Word } from 'tesseract.js'
import type { BBox, Block } from '../block.ts'
import { joinBroken } from '../blocks/clean.ts'
import { markdownTable } from '../blocks/table.ts'
import { isUnspaced } from './sheet/whole-words.ts'

// Below this a word is a smudge, a line of a drawing or another script.
const LEAST_WORD_CONFIDENCE = 30
// Between two cells there is more room than this many line heights; between words of a line about a third of one.
const CELL_GAP = 1.3
const LEAST_TABLE_ROWS = 3
// A line that ends this close to the paragraph's right edge was wrapped there.
const WRAPPED_SHARE = 0.8

// An item of a list.
const ITEM = /^([-•*]|\d+[.)])\s/

// What dust and rules are read as.
const speck = /^[:;.,|'`~_\\]+$/

interface Cell {
  text: string
  left: number
  right: number
}

interface Row {
  cells: Cell[]
  words: Word[]
  paragraph: Paragraph
}

/** Tesseract's blocks in its order, boxes in pixels; a run of rows with matching cells is one table. */
export function lineBlocks(found: readonly TesseractBlock[]): Block[] {
  const rows = joinColumns(found.map(rowsOf)).flat()
  const blocks: Block[] = []
  for (let at = 0; at < rows.length; ) {
    if (isTable(rows, at)) {
      const end = tableEnd(rows, at)
      blocks.push(tableBlock(rows.slice(at, end)))
      at = end
      continue
    }
    let next = at + 1
    while (goesOn(rows.slice(at, next), rows[next]) && !isTable(rows, next)) next++
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

const rowsOf = (block: TesseractBlock): Row[] =>
  block.paragraphs.flatMap((paragraph) => paragraph.lines.flatMap((line) => toRow(line, paragraph)))

function toRow(line: Line, paragraph: Paragraph): Row[] {
  const words = line.words.filter(
    ({ text, confidence }) => (confidence >= LEAST_WORD_CONFIDENCE || isUnspaced(text)) && !speck.test(text),
  )
  if (words.length === 0) return []
  const heights = words.map((word) => word.bbox.y1 - word.bbox.y0).sort((a, b) => a - b)
  const gap = CELL_GAP * (heights[heights.length >> 1] ?? 1)
  const cells: Cell[] = []
  for (const { text, bbox } of words) {
    const last = cells.at(-1)
    if (last !== undefined && bbox.x0 - last.right <= gap) {
      last.text += ` ${text}`
      last.right = bbox.x1
    } else cells.push({ text, left: bbox.x0, right: bbox.x1 })
  }
  return [{ cells, words, paragraph }]
}

// Columns of one table start and end together and their rows face each other; in prose only two of three do, and the
// lines are full of words.
const BESIDE_SHARE = 0.6
const FACING_SHARE = 0.8
const WORDY = 5

/** Blocks that are columns of one table become one block of its rows (a price list at 150 dpi came back column by column). */
function joinColumns(blocks: readonly Row[][]): Row[][] {
  const joined: Row[][] = []
  for (const rows of blocks) {
    // Tesseract gives the last columns of a table behind what stands below it; prose is no table's column.
    const at = joined.findLastIndex(
      (before, i) => (i === joined.length - 1 || isTabular(before)) && isColumnBeside(before, rows),
    )
    const left = joined[at]
    if (left === undefined) joined.push(rows)
    else joined[at] = sideBySide(left, rows)
  }
  return joined
}

const isTabular = (rows: readonly Row[]): boolean =>
  rows.filter(({ cells }) => cells.length > 1).length * 2 > rows.length

function isColumnBeside(left: readonly Row[], right: readonly Row[]): boolean {
  const [a, b] = [left, right].map(extent)
  if (a === undefined || b === undefined || Math.min(left.length, right.length) < LEAST_TABLE_ROWS)
    return false
  const apart = Math.min(a[2], b[2]) <= Math.max(a[0], b[0])
  const common = Math.min(a[3], b[3]) - Math.max(a[1], b[1])
  if (!apart || common < BESIDE_SHARE * Math.max(a[3] - a[1], b[3] - b[1])) return false
  const [fewer, more] = left.length <= right.length ? [left, right] : [right, left]
  const facing = fewer.filter((row) => more.some((other) => isLevel(row, other))).length
  return facing >= FACING_SHARE * fewer.length && (!isWordy(left) || !isWordy(right))
}

const isWordy = (rows: readonly Row[]): boolean =>
  rows.reduce((sum, row) => sum + Math.max(...row.cells.map((cell) => cell.text.split(' ').length)), 0) >=
  WORDY * rows.length

/** Whether the middle of each stands within the other's height. */
function isLevel(one: Row, other: Row): boolean {
  const [a, b] = [extent([one]), extent([other])]
  const middleOf = (box: BBox): number => (box[1] + box[3]) / 2
  return middleOf(a) > b[1] && middleOf(a) < b[3] && middleOf(b) > a[1] && middleOf(b) < a[3]
}

function sideBySide(left: readonly Row[], right: readonly Row[]): Row[] {
  const open = new Set(right)
  const rows = left.map((row) => {
    const facing = [...open].find((other) => isLevel(row, other))
    if (facing === undefined) return row
    open.delete(facing)
    const [first, second] = extent([row])[0] <= extent([facing])[0] ? [row, facing] : [facing, row]
    return {
      cells: [...first.cells, ...second.cells],
      words: [...first.words, ...second.words],
      paragraph: row.paragraph,
    }
  })
  return [...rows, ...open].sort((a, b) => extent([a])[1] - extent([b])[1])
}

function extent(rows: readonly Row[]): BBox {
  const bbox: BBox = [Infinity, Infinity, 0, 0]
  for (const { bbox: box } of rows.flatMap((row) => row.words)) {
    bbox[0] = Math.min(bbox[0], box.x0)
    bbox[1] = Math.min(bbox[1], box.y0)
    bbox[2] = Math.max(bbox[2], box.x1)
    bbox[3] = Math.max(bbox[3], box.y1)
  }
  return bbox
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
    text += `${isWrapped(before, rows) && !broken && !ITEM.test(line) ? ' ' : '\n'}${line}`
  })
  return { kind: 'paragraph', text: joinBroken(text), ...placeAndTrust(rows) }
}

function placeAndTrust(rows: readonly Row[]): { bbox: BBox; confidence: number } {
  const words = rows.flatMap((row) => row.words)
  const length = words.reduce((sum, word) => sum + word.text.length, 0)
  const weighted = words.reduce((sum, word) => sum + word.text.length * word.confidence, 0)
  return { bbox: extent(rows), confidence: Math.round(weighted / Math.max(1, length)) / 100 }
}
