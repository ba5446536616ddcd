// Columns of a table that Tesseract took for separate blocks of text, joined to rows. Pure.

import { areOnOneLine, boundsOf, MIN_TABLE_ROWS, type Row } from './rows.ts'

// Columns of a table begin and end together and their rows are on the same lines. Columns of prose meet two of these three
// and have many words a line.
const MIN_COMMON_HEIGHT = 0.6
const MIN_ALIGNED_SHARE = 0.8
const PROSE_WORDS = 5

// A number with its sign, currency and unit.
const NUMBER = /^[^\p{L}\p{N}]*(?:\p{L}{1,3}\s?)?\d[\d.,:/' -]*(?:\s?[%\p{L}€$£]{1,3})?[^\p{L}\p{N}]*$/u

/** Joins blocks that are columns of one table to rows: a price list at 150 dpi came column by column. */
export function joinColumns(blocks: readonly Row[][]): Row[][] {
  const joined: Row[][] = []
  for (const rows of blocks) {
    // Tesseract may give the last columns of a table after the text below it, and each column of an invoice by itself.
    const at = joined.findLastIndex(
      (before, i) =>
        (i === joined.length - 1 || isTabular(before) || isNumberColumn(rows)) && areColumns(before, rows),
    )
    const left = joined[at]
    if (left === undefined) joined.push(rows)
    else joined[at] = joinRows(left, rows)
  }
  return joinFragments(joined)
}

/**
 * Joins fragments of columns to the table on whose lines they are: a column with few filled cells ("HIGH", four empty rows,
 * "HIGH") comes as blocks of a line or two, and its header as another.
 */
function joinFragments(blocks: readonly Row[][]): Row[][] {
  const joined = [...blocks]
  for (const [at, table] of blocks.entries()) {
    if (!isTabular(table)) continue
    for (const fragment of fragmentsOf(table, blocks)) {
      joined[at] = joinRows(joined[at] ?? [], fragment)
      joined[blocks.indexOf(fragment)] = []
    }
  }
  return joined.filter((rows) => rows.length > 0)
}

function fragmentsOf(table: readonly Row[], blocks: readonly Row[][]): Row[][] {
  const tabular = table.filter(({ cells }) => cells.length > 1)
  const [left, top, right, bottom] = boundsOf(tabular)
  const fits = (line: Row): boolean => tabular.some((row) => areOnOneLine(row, line) && hasRoomFor(row, line))
  const beside = blocks.filter((rows) => {
    const box = boundsOf(rows)
    const lineHeight = (box[3] - box[1]) / rows.length
    return (
      rows !== table &&
      areInOneBox(rows, table) &&
      box[0] > left - lineHeight &&
      box[1] < bottom &&
      box[3] > top
    )
  })
  const fragments = beside.filter((rows) => rows.every(fits))
  const lines = fragments.flat()
  // A column of text beside a table is on the line of a row here and there.
  const isTextBeside = beside.some((rows) => boundsOf(rows)[0] >= right && !fragments.includes(rows))
  const areInColumns = lines.every((line) => tabular.some((row) => !hasRoomFor(row, line)))
  const areTooFew = lines.length < MIN_TABLE_ROWS && !areInColumns
  return isTextBeside || areTooFew || isProse(lines) ? [] : fragments
}

const isTabular = (rows: readonly Row[]): boolean =>
  rows.filter(({ cells }) => cells.length > 1).length * 2 > rows.length

/** Whether the row has no cell at the line's place. */
function hasRoomFor({ cells }: Row, line: Row): boolean {
  const [left, , right] = boundsOf([line])
  return cells.every((cell) => cell.right < left || cell.left > right)
}

/** Numbers and at most one header: a column of an invoice. */
const isNumberColumn = (rows: readonly Row[]): boolean =>
  rows.filter(({ cells }) => cells.every(({ text }) => NUMBER.test(text))).length >=
  Math.max(MIN_TABLE_ROWS, rows.length - 1)

const areInOneBox = (left: readonly Row[], right: readonly Row[]): boolean =>
  left[0]?.block.box === right[0]?.block.box

function areColumns(left: readonly Row[], right: readonly Row[]): boolean {
  const [a, b] = [left, right].map(boundsOf)
  if (a === undefined || b === undefined || !areInOneBox(left, right)) return false
  if (Math.min(left.length, right.length) < MIN_TABLE_ROWS) return false
  const areApart = Math.min(a[2], b[2]) <= Math.max(a[0], b[0])
  const common = Math.min(a[3], b[3]) - Math.max(a[1], b[1])
  if (!areApart || common < MIN_COMMON_HEIGHT * Math.max(a[3] - a[1], b[3] - b[1])) return false
  const [fewer, more] = left.length <= right.length ? [left, right] : [right, left]
  const aligned = fewer.filter((row) => more.some((other) => areOnOneLine(row, other))).length
  return aligned >= MIN_ALIGNED_SHARE * fewer.length && (!isProse(left) || !isProse(right))
}

const isProse = (rows: readonly Row[]): boolean =>
  rows.reduce((sum, row) => sum + Math.max(...row.cells.map((cell) => cell.text.split(' ').length)), 0) >=
  PROSE_WORDS * rows.length

function joinRows(left: readonly Row[], right: readonly Row[]): Row[] {
  const open = new Set(right)
  const rows = left.map((row) => {
    const other = [...open].find((one) => areOnOneLine(row, one))
    if (other === undefined) return row
    open.delete(other)
    return {
      cells: [...row.cells, ...other.cells].sort((a, b) => a.left - b.left),
      words: [...row.words, ...other.words].sort((a, b) => a.bbox.x0 - b.bbox.x0),
      paragraph: row.paragraph,
      block: row.block,
      left: Math.min(row.left, other.left),
    }
  })
  return [...rows, ...open].sort((a, b) => boundsOf([a])[1] - boundsOf([b])[1])
}
