// Finds tables without ruling lines by a line with the names of their columns.

import type { BBox } from '../../../block.ts'
import { union } from '../layout/boxes.ts'
import {
  BLANK_ROW_PITCH,
  heightOf,
  isSameNumberEdge,
  LINE_PITCH,
  ROW_PITCH,
  usualHeight,
} from '../tolerance.ts'
import { isNumeric, type Line, type Segment } from './lines.ts'

const MIN_NAMES = 3
// A table with only three column names needs at least this many rows of three cells.
const MIN_ROWS_OF_THREE = 3
const MAX_NAME_WORDS = 4
// The minimum number of cells in a row, and of numbers among them.
const MIN_CELLS = 3
const MIN_NUMBERS = 2
const MIN_ROWS = 2
// More rows are not checked, because they do not change the result.
const MAX_CHECKED_ROWS = 20
// The maximum number of lines between two rows, such as further lines of a cell, or the title of a group.
const MAX_BETWEEN = 4

/** The boxes of lines of column names and the rows with several numbers below them. They are seeds of tables. */
export const namedColumns = (lines: readonly Line[]): BBox[] =>
  namedTables(lines, {
    isNames: areColumnNames,
    pitch: ROW_PITCH,
    isRow: (names, line) => isRow(line) && isUnderNames(names, line),
    mayBeBetween: isUnderNames,
    maxBetween: MAX_BETWEEN,
    isTable: (names, rows) => sharesEdges(names, rows) && isLong(names, rows),
  })

const isLong = ({ segments: names }: Line, rows: readonly Line[]): boolean =>
  names.length > MIN_NAMES ||
  rows.filter(({ segments }) => segments.length === names.length).length >= MIN_ROWS_OF_THREE

const areColumnNames = ({ segments }: Line): boolean =>
  segments.length >= MIN_NAMES &&
  segments.every(
    ({ text, words }) => words.length <= MAX_NAME_WORDS && /\p{L}/u.test(text) && !isNumeric(text),
  )

/** Whether each text is under a name of its own. */
function isUnderNames(names: Line, { segments }: Line): boolean {
  let next = 0
  return segments.every((segment) => {
    while (next < names.segments.length && (names.segments[next]?.bbox[2] ?? 0) <= segment.bbox[0]) next++
    const [name, other] = names.segments.slice(next, next + 2)
    next++
    return name !== undefined && isUnder(name, segment) && (other === undefined || !isUnder(other, segment))
  })
}

const numericSegments = ({ segments }: Line): Segment[] => segments.filter(({ text }) => isNumeric(text))

const isRow = (line: Line): boolean =>
  line.segments.length >= MIN_CELLS && numericSegments(line).length >= MIN_NUMBERS

/** Whether the numbers under at least two names have a common left or right edge. */
function sharesEdges(names: Line, rows: readonly Line[]): boolean {
  const numbers = rows.slice(0, MAX_CHECKED_ROWS).flatMap(numericSegments)
  const alignedNames = names.segments.filter((name) => {
    const columnNumbers = numbers.filter((number) => isUnder(name, number))
    return columnNumbers.length >= MIN_ROWS && [0, 2].some((side) => isOnEdge(columnNumbers, side))
  })
  return alignedNames.length >= MIN_NUMBERS
}

function isOnEdge(texts: readonly Segment[], side: number): boolean {
  const edges = texts.map(({ bbox }) => bbox[side] ?? 0)
  return isSameNumberEdge(Math.max(...edges), Math.min(...edges), usualHeight(texts))
}

// Small tables with a number under each name, which liteparse treats as text.

// A row has at least this many cells, with its label.
const MIN_COLUMNS = 3
// A table with only two columns of numbers needs this many rows, and no other line between them.
const MIN_ROWS_OF_TWO = 3
// The maximum number of labels between two rows, such as the title of a group, or the first line of a label that wraps.
const MAX_LABELS = 2
// Names have no more words. A line of prose with wide gaps has.
const MAX_SHORT_NAME_WORDS = 5

/** The boxes of lines of column names and the rows of numbers below them, with a number under each name. Seeds of tables. */
export const namedRows = (lines: readonly Line[]): BBox[] =>
  namedTables(lines, {
    isNames: areShortNames,
    // Each number is under its name, so a blank row may be between the rows.
    pitch: BLANK_ROW_PITCH,
    isRow: isRowOf,
    mayBeBetween: isLabelOf,
    maxBetween: MAX_LABELS,
    isTable: (_, rows) => areTableRows(rows),
  })

function areTableRows([first, ...others]: readonly Line[]): boolean {
  if (first === undefined) return false
  if (first.segments.length >= MIN_COLUMNS)
    return others.length > 0 || first.segments.every(({ text }) => isNumeric(text))
  const areClose = others.every((row, i) => isNear(i ? others[i - 1] : first, row, LINE_PITCH))
  return others.length + 1 >= MIN_ROWS_OF_TWO && areClose
}

/** Whether a line is a single text that ends before the second name. */
const isLabelOf = (names: Line, { segments: [only, second] }: Line): boolean =>
  only !== undefined && second === undefined && only.bbox[2] < (names.segments[1]?.bbox[0] ?? 0)

const areShortNames = ({ segments }: Line): boolean =>
  segments.length >= MIN_COLUMNS - 1 &&
  segments.every(
    ({ text, words }) => words.length <= MAX_SHORT_NAME_WORDS && (!isNumeric(text) || YEAR.test(text)),
  )

const YEAR = /^(?:19|20)\d\d$/

/** Whether a line has a number under each name. There may be a name above its label or not. */
function isRowOf(names: Line, { segments }: Line): boolean {
  const [label, ...numbers] = segments
  if (label === undefined || numbers.length === 0 || !numbers.every(({ text }) => isNumeric(text)))
    return false
  if (segments.length < MIN_COLUMNS)
    return isNumeric(label.text) && names.segments.length === segments.length && areBetween(names, segments)
  const texts = segments.length === names.segments.length ? segments : numbers
  return texts.length === names.segments.length && texts.every((cell, i) => isUnder(names.segments[i], cell))
}

/** Whether each number begins after the start of its name and ends before the next name, so the names are left-aligned. */
const areBetween = ({ segments: names }: Line, numbers: readonly Segment[]): boolean =>
  numbers.every(
    ({ bbox }, i) =>
      bbox[0] >= (names[i]?.bbox[0] ?? Number.POSITIVE_INFINITY) &&
      bbox[2] <= (names[i + 1]?.bbox[0] ?? Number.POSITIVE_INFINITY),
  )

/** The properties of one kind of table that begins with a line of names. */
interface NamedTable {
  isNames: (line: Line) => boolean
  /** In line heights: the maximum distance from one line of the table to the next. */
  pitch: number
  isRow: (names: Line, line: Line) => boolean
  /** Whether a line may be between two rows. */
  mayBeBetween: (names: Line, line: Line) => boolean
  /** The maximum number of such lines between two rows. */
  maxBetween: number
  isTable: (names: Line, rows: readonly Line[]) => boolean
}

/** The boxes of all tables of a kind: a line of names and the rows below it. */
function namedTables(lines: readonly Line[], kind: NamedTable): BBox[] {
  const boxes: BBox[] = []
  let next = 0
  lines.forEach((names, i) => {
    if (i < next || !kind.isNames(names)) return
    const { rows, end } = rowsBelow(names, lines, i + 1, kind)
    if (!kind.isTable(names, rows)) return
    next = end
    boxes.push(
      lines
        .slice(i, end)
        .map(({ bbox }) => bbox)
        .reduce(union),
    )
  })
  return boxes
}

/** The rows from the line `from` on, and the index of the line after the last row. */
function rowsBelow(
  names: Line,
  lines: readonly Line[],
  from: number,
  kind: NamedTable,
): { rows: Line[]; end: number } {
  const rows: Line[] = []
  let end = from
  for (let at = from; at - end <= kind.maxBetween; at++) {
    const line = lines[at]
    if (line === undefined || !isNear(lines[at - 1], line, kind.pitch)) break
    if (kind.isRow(names, line)) {
      rows.push(line)
      end = at + 1
    } else if (!kind.mayBeBetween(names, line)) break
  }
  return { rows, end }
}

const isNear = (above: Line | undefined, { bbox }: Line, pitch: number): boolean =>
  above !== undefined && bbox[3] - above.bbox[3] < heightOf(bbox) * pitch

export const isUnder = (name: Segment | undefined, { bbox }: Segment): boolean =>
  name !== undefined && Math.min(name.bbox[2], bbox[2]) > Math.max(name.bbox[0], bbox[0])
