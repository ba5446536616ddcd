// Columns of a table that Tesseract took for blocks of text beside one another.

import { extent, isLevel, LEAST_TABLE_ROWS, type Row } from './rows.ts'

// Columns of one table start and end together and their rows face each other; in prose only two of three do, and the
// lines are full of words.
const BESIDE_SHARE = 0.6
const FACING_SHARE = 0.8
const WORDY = 5

// An amount, with its sign, its currency and its unit.
const FIGURE = /^[^\p{L}\p{N}]*(?:\p{L}{1,3}\s?)?\d[\d.,:/' -]*(?:\s?[%\p{L}€$£]{1,3})?[^\p{L}\p{N}]*$/u

/** Blocks that are columns of one table become one block of its rows (a price list at 150 dpi came back column by column). */
export function joinColumns(blocks: readonly Row[][]): Row[][] {
  const joined: Row[][] = []
  for (const rows of blocks) {
    // Tesseract gives the last columns of a table behind what stands below it, and each column of an invoice by itself;
    // prose is no table's column.
    const at = joined.findLastIndex(
      (before, i) =>
        (i === joined.length - 1 || isTabular(before) || isOfFigures(rows)) && isColumnBeside(before, rows),
    )
    const left = joined[at]
    if (left === undefined) joined.push(rows)
    else joined[at] = sideBySide(left, rows)
  }
  return joinMargins(joined)
}

/**
 * What stands beside the rows of a table, in pieces, is of its columns where each line faces a row: a column of few filled
 * cells ("HIGH", four rows of nothing, "HIGH") comes as blocks of a line or two, its head as one of its own.
 */
function joinMargins(blocks: readonly Row[][]): Row[][] {
  const whole = [...blocks]
  for (const [at, table] of blocks.entries()) {
    if (!isTabular(table)) continue
    const pieces = piecesOf(table, blocks)
    for (const piece of pieces) {
      whole[at] = sideBySide(whole[at] ?? [], piece)
      whole[blocks.indexOf(piece)] = []
    }
  }
  return whole.filter((rows) => rows.length > 0)
}

function piecesOf(table: readonly Row[], blocks: readonly Row[][]): Row[][] {
  const tabular = table.filter(({ cells }) => cells.length > 1)
  const [left, top, right, bottom] = extent(tabular)
  const faces = (line: Row): boolean => tabular.some((row) => isLevel(row, line) && hasRoomFor(row, line))
  const beside = blocks.filter((rows) => {
    const box = extent(rows)
    const slack = (box[3] - box[1]) / rows.length
    return (
      rows !== table && areOneBox(rows, table) && box[0] > left - slack && box[1] < bottom && box[3] > top
    )
  })
  const pieces = beside.filter((rows) => rows.every(faces))
  const lines = pieces.flat()
  // Text in a column of its own faces a row here and there.
  const isOther = beside.some((rows) => extent(rows)[0] >= right && !pieces.includes(rows))
  const isOfColumns = lines.every((line) => tabular.some((row) => !hasRoomFor(row, line)))
  const isFew = lines.length < LEAST_TABLE_ROWS && !isOfColumns
  return isOther || isFew || isWordy(lines) ? [] : pieces
}

const isTabular = (rows: readonly Row[]): boolean =>
  rows.filter(({ cells }) => cells.length > 1).length * 2 > rows.length

/** Whether none of the row's cells stands where the line does. */
function hasRoomFor({ cells }: Row, line: Row): boolean {
  const [left, , right] = extent([line])
  return cells.every((cell) => cell.right < left || cell.left > right)
}

/** Of amounts and their name: a column of an invoice. */
const isOfFigures = (rows: readonly Row[]): boolean =>
  rows.filter(({ cells }) => cells.every(({ text }) => FIGURE.test(text))).length >=
  Math.max(LEAST_TABLE_ROWS, rows.length - 1)

const areOneBox = (left: readonly Row[], right: readonly Row[]): boolean =>
  left[0]?.block.box === right[0]?.block.box

function isColumnBeside(left: readonly Row[], right: readonly Row[]): boolean {
  const [a, b] = [left, right].map(extent)
  if (
    a === undefined ||
    b === undefined ||
    !areOneBox(left, right) ||
    Math.min(left.length, right.length) < LEAST_TABLE_ROWS
  )
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

function sideBySide(left: readonly Row[], right: readonly Row[]): Row[] {
  const open = new Set(right)
  const rows = left.map((row) => {
    const facing = [...open].find((other) => isLevel(row, other))
    if (facing === undefined) return row
    open.delete(facing)
    return {
      cells: [...row.cells, ...facing.cells].sort((one, other) => one.left - other.left),
      words: [...row.words, ...facing.words].sort((one, other) => one.bbox.x0 - other.bbox.x0),
      paragraph: row.paragraph,
      block: row.block,
      left: Math.min(row.left, facing.left),
    }
  })
  return [...rows, ...open].sort((a, b) => extent([a])[1] - extent([b])[1])
}
