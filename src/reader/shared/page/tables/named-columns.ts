// Tables without rules, found by a line with the names of the columns.

import type { BBox } from '../../../block.ts'
import { union } from '../layout/boxes.ts'
import {
  BLANK_ROW_PITCH,
  heightOf,
  LINE_PITCH,
  ROW_PITCH,
  sameFigureEdge,
  usualHeight,
} from '../tolerance.ts'
import { isFigure, type Line, type Segment } from './lines.ts'

const MIN_NAMES = 3
// Tables with three names need this many rows of three cells.
const MIN_ROWS_OF_THREE = 3
const MAX_NAME_WORDS = 4
// The minimum number of texts in a row, and of figures among them.
const MIN_CELLS = 3
const MIN_FIGURES = 2
const MIN_ROWS = 2
// More rows are not checked, because they do not change the result.
const MAX_CHECKED_ROWS = 20
// The maximum number of lines between two rows: further lines of a cell, or the title of a group.
const MAX_BETWEEN = 4

/** The boxes of lines of column names with rows of several figures below. The rest of each table is found when it is read. */
export const namedColumns = (lines: readonly Line[]): BBox[] =>
  placesBelowNames(lines, {
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
    ({ text, words }) => words.length <= MAX_NAME_WORDS && /\p{L}/u.test(text) && !isFigure(text),
  )

/** Whether each text is under a different name. */
function isUnderNames(names: Line, { segments }: Line): boolean {
  let next = 0
  return segments.every((segment) => {
    while (next < names.segments.length && (names.segments[next]?.bbox[2] ?? 0) <= segment.bbox[0]) next++
    const [name, other] = names.segments.slice(next, next + 2)
    next++
    return name !== undefined && isUnder(name, segment) && (other === undefined || !isUnder(other, segment))
  })
}

const figuresOf = ({ segments }: Line): Segment[] => segments.filter(({ text }) => isFigure(text))

const isRow = (line: Line): boolean =>
  line.segments.length >= MIN_CELLS && figuresOf(line).length >= MIN_FIGURES

/** Whether the figures under at least two names have a common edge. */
function sharesEdges(names: Line, rows: readonly Line[]): boolean {
  const figures = rows.slice(0, MAX_CHECKED_ROWS).flatMap(figuresOf)
  const aligned = names.segments.filter((name) => {
    const columnFigures = figures.filter((figure) => isUnder(name, figure))
    return columnFigures.length >= MIN_ROWS && [0, 2].some((side) => isOnEdge(columnFigures, side))
  })
  return aligned.length >= MIN_FIGURES
}

function isOnEdge(texts: readonly Segment[], side: number): boolean {
  const edges = texts.map(({ bbox }) => bbox[side] ?? 0)
  return sameFigureEdge(Math.max(...edges), Math.min(...edges), usualHeight(texts))
}

// Small tables that the layout pass treats as text: a figure under each name.

// A row has a label, or at least this many columns.
const MIN_COLUMNS = 3
// Two columns of figures need more rows, and no other line between the rows.
const MIN_ROWS_OF_TWO = 3
// Labels alone between two rows: titles of groups, and the first lines of labels that wrap.
const MAX_LABELS = 2
// Names are short, unlike a line of prose with wide gaps.
const MAX_FIGURE_NAME_WORDS = 5

/** The boxes of lines of column names with rows of figures below, each figure under its own name. */
export const namedRows = (lines: readonly Line[]): BBox[] =>
  placesBelowNames(lines, {
    isNames: areFigureNames,
    // Each figure is under its name, so a blank row may be between the rows.
    pitch: BLANK_ROW_PITCH,
    isRow: isRowOf,
    mayBeBetween: isLabelOf,
    maxBetween: MAX_LABELS,
    isTable: (_, [first, ...more]) =>
      first !== undefined &&
      (first.segments.length < MIN_COLUMNS
        ? more.length + 1 >= MIN_ROWS_OF_TWO &&
          more.every((row, i) => isNear(i ? more[i - 1] : first, row, LINE_PITCH))
        : more.length > 0 || first.segments.every(({ text }) => isFigure(text))),
  })

/** Whether a line is one text alone that ends before the second name. */
const isLabelOf = (names: Line, { segments: [only, second] }: Line): boolean =>
  only !== undefined && second === undefined && only.bbox[2] < (names.segments[1]?.bbox[0] ?? 0)

const areFigureNames = ({ segments }: Line): boolean =>
  segments.length >= MIN_COLUMNS - 1 &&
  segments.every(
    ({ text, words }) => words.length <= MAX_FIGURE_NAME_WORDS && (!isFigure(text) || YEAR.test(text)),
  )

const YEAR = /^(?:19|20)\d\d$/

/** Whether the line has a figure under each name. Its label may be under a name or not. */
function isRowOf(names: Line, { segments }: Line): boolean {
  const [label, ...figures] = segments
  if (label === undefined || figures.length === 0 || !figures.every(({ text }) => isFigure(text)))
    return false
  if (segments.length < MIN_COLUMNS)
    return isFigure(label.text) && names.segments.length === segments.length && areBetween(names, segments)
  const texts = segments.length === names.segments.length ? segments : figures
  return texts.length === names.segments.length && texts.every((cell, i) => isUnder(names.segments[i], cell))
}

/**
 * Whether each figure begins after the start of its name and ends before the next name. Names are at the left edge, figures at
 * the right.
 */
const areBetween = ({ segments: names }: Line, figures: readonly Segment[]): boolean =>
  figures.every(
    ({ bbox }, i) =>
      bbox[0] >= (names[i]?.bbox[0] ?? Number.POSITIVE_INFINITY) &&
      bbox[2] <= (names[i + 1]?.bbox[0] ?? Number.POSITIVE_INFINITY),
  )

// The common part of both kinds: the rows below a line of names.

interface NamedTable {
  isNames: (line: Line) => boolean
  /** In line heights: the maximum distance from one line of the table to the next. */
  pitch: number
  isRow: (names: Line, line: Line) => boolean
  /** Whether a line may be between two rows, and the maximum number of such lines. */
  mayBeBetween: (names: Line, line: Line) => boolean
  maxBetween: number
  isTable: (names: Line, rows: readonly Line[]) => boolean
}

/** The boxes of lines of names, each with the rows below it that `kind` describes. */
function placesBelowNames(lines: readonly Line[], kind: NamedTable): BBox[] {
  const places: BBox[] = []
  let next = 0
  lines.forEach((names, i) => {
    if (i < next || !kind.isNames(names)) return
    const { rows, end } = rowsBelow(names, lines, i + 1, kind)
    if (!kind.isTable(names, rows)) return
    next = end
    places.push(
      lines
        .slice(i, end)
        .map(({ bbox }) => bbox)
        .reduce(union),
    )
  })
  return places
}

/** The rows from line `from` on, and the line after the last one. */
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
