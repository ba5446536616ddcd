// Finds the columns of a table without vertical lines. They are separated by gutters: vertical strips without text.

import { heightOf, isSameNumberEdge } from '../tolerance.ts'
import { isNumeric, type Line, type Segment } from './lines.ts'

/** The left and right edge of the text of a column. */
export type Column = [number, number]

// The share of rows that may cross a gutter, because a long label sometimes extends into the next column.
const MAX_CROSSING_SHARE = 0.04
// Columns with a narrower gap are one column.
const MIN_GUTTER_POINTS = 2.5

/** The lines of the body: those with numbers next to a label or, in a table of words, those with at least two cells. */
export function bodyLines(lines: readonly Line[]): Line[] {
  const multiCellLines = lines.filter(({ segments }) => segments.length >= 2)
  const numericLines = multiCellLines.filter(isNumericLine)
  return numericLines.length >= Math.max(2, multiCellLines.length * 0.3) ? numericLines : multiCellLines
}

/** Whether at least half of the cells next to the label are numbers. A year does not count, because a line of years is a header. */
export function isNumericLine({ segments }: Line): boolean {
  let numbers = 0
  for (let i = 1; i < segments.length; i++) {
    const text = segments[i]?.text ?? ''
    if (isNumeric(text) && !isYear(text)) numbers++
  }
  return numbers > 0 && numbers * 2 >= segments.length - 1
}

/** "2022", "(2022)", "2021-22" and "2021/2022". */
const isYear = (text: string): boolean => /^\(?(?:19|20)\d\d(?:[-–/]\d\d(?:\d\d)?)?\)?$/.test(text.trim())

// The lines below are left out only if at least this many rows remain, and most of these have the same number of cells, at least
// MIN_CELLS. Such rows are enough to find the gutters.
const MIN_ALIKE_ROWS = 3
const MIN_CELLS = 5

/**
 * The lines without the last ones, if these have at most half as many cells as the rows above. Such lines are totals, whose
 * labels extend over several columns.
 */
function withoutTotals(lines: readonly Line[]): readonly Line[] {
  const maxCells = Math.max(0, ...lines.map(({ segments }) => segments.length))
  const end = lines.findLastIndex(({ segments }) => segments.length * 2 > maxCells) + 1
  const rows = lines.slice(0, end)
  const fullRows = rows.filter(({ segments }) => segments.length === maxCells).length
  const areAlike = rows.length >= MIN_ALIKE_ROWS && fullRows * 2 > rows.length
  return areAlike && maxCells >= MIN_CELLS ? rows : lines
}

/**
 * The columns from left to right. A sweep over all edges of texts counts how many texts are open at each position: a column is
 * where more are open than may cross a gutter.
 */
export function findColumns(lines: readonly Line[]): Column[] {
  const body = withoutTotals(bodyLines(lines))
  const starts = edges(body, 0)
  const ends = edges(body, 2)
  const maxCrossings = Math.floor(body.length * MAX_CROSSING_SHARE)
  const columns: Column[] = []
  let openTexts = 0
  let start = 0
  let nextStart = 0
  for (const end of ends) {
    // A text that begins at the position at which another one ends is opened after that one is closed.
    for (let from = starts[nextStart]; from !== undefined && from < end; from = starts[nextStart]) {
      nextStart++
      if (++openTexts === maxCrossings + 1) start = from
    }
    if (openTexts-- !== maxCrossings + 1) continue
    const last = columns.at(-1)
    if (last !== undefined && start - last[1] < MIN_GUTTER_POINTS) last[1] = end
    else columns.push([start, end])
  }
  return columns
}

/** Left (0) or right (2) edges of the lines' segments, ascending. */
function edges(lines: readonly Line[], side: 0 | 2): Float64Array {
  const positions: number[] = []
  for (const { segments } of lines) for (const { bbox } of segments) positions.push(bbox[side])
  return Float64Array.from(positions).sort()
}

/** The first and last column into which a segment extends, or else the nearest column. Touching a column is not enough. */
export function columnsOf({ bbox }: Segment, columns: readonly Column[]): [number, number] | undefined {
  const minOverlap = Math.min(3, (bbox[2] - bbox[0]) / 3)
  let first: number | undefined
  let last: number | undefined
  for (let i = 0; i < columns.length; i++) {
    const left = columns[i]?.[0] ?? 0
    const right = columns[i]?.[1] ?? 0
    const overlap = Math.min(bbox[2], right) - Math.max(bbox[0], left)
    if (overlap >= Math.min(minOverlap, (right - left) / 2)) {
      first ??= i
      last = i
    }
  }
  if (first !== undefined && last !== undefined) return [first, last]
  const nearest = nearestColumn((bbox[0] + bbox[2]) / 2, columns)
  return nearest === undefined ? undefined : [nearest, nearest]
}

function nearestColumn(x: number, columns: readonly Column[]): number | undefined {
  let best: { i: number; distance: number } | undefined
  columns.forEach(([left, right], i) => {
    const distance = Math.max(left - x, x - right, 0)
    if (best === undefined || distance < best.distance) best = { i, distance }
  })
  return best?.i
}

/** Whether a line is a note such as "(in millions, except per share amounts)". It belongs to the header, however long it is. */
const isUnitNote = ({ segments: [only, second] }: Line, columns: readonly Column[]): boolean =>
  only !== undefined &&
  second === undefined &&
  /^\([^()]*\)$/.test(only.text) &&
  only.bbox[0] > (columns[0]?.[1] ?? 0)

// In points: the maximum difference of the centres, or of the left edges, of a table and its caption.
const MAX_CAPTION_OFFSET = 12
const SENTENCE = /^(?:\S+ ){6,}.*[.:]$/

/** Whether a line is a caption: a single text centred over the table, or a sentence at its left edge. */
export function isCaption({ segments: [only, second] }: Line, columns: readonly Column[]): boolean {
  if (only === undefined || second !== undefined || columnsOf(only, columns)?.[0] !== 0) return false
  const [left, right] = [columns[0]?.[0] ?? 0, columns.at(-1)?.[1] ?? 0]
  const centreDistance = Math.abs(only.bbox[0] + only.bbox[2] - left - right) / 2
  return (
    centreDistance < MAX_CAPTION_OFFSET ||
    (only.bbox[0] - left < MAX_CAPTION_OFFSET && SENTENCE.test(only.text))
  )
}

/** Whether a line ends with two numbers at the right edges of the last two columns. Then the text before them is a label. */
export const hasNumbersAtEnd = ({ segments }: Line, columns: readonly Column[]): boolean =>
  [-2, -1].every((at) => {
    const segment = segments.at(at)
    const right = columns.at(at)?.[1] ?? 0
    return (
      segment !== undefined &&
      isNumeric(segment.text) &&
      isSameNumberEdge(segment.bbox[2], right, heightOf(segment.bbox))
    )
  })

const MIN_PROSE_WORDS = 7
// The minimum share of its width that a line of prose fills. Not all, because justified lines have wide gaps.
const MIN_PROSE_COVER = 0.8

/** Whether a line is prose: many words over its width and across a gutter. */
export function isProse(line: Line, columns: readonly Column[]): boolean {
  const { segments, bbox } = line
  if (isUnitNote(line, columns) || hasNumbersAtEnd(line, columns)) return false
  const words = segments.reduce((sum, segment) => sum + segment.words.length, 0)
  const cover = segments.reduce((sum, segment) => sum + segment.bbox[2] - segment.bbox[0], 0)
  if (words < MIN_PROSE_WORDS || cover < (bbox[2] - bbox[0]) * MIN_PROSE_COVER) return false
  return segments.some((segment) => {
    const coveredColumns = columnsOf(segment, columns)
    return coveredColumns !== undefined && coveredColumns[0] < coveredColumns[1] && segment.words.length > 2
  })
}

// A line shows the columns if at least this share of them, and at least MIN_SHOWN_COLUMNS, have a text that is in no other column.
const MIN_SHOWN_SHARE = 0.6
const MIN_SHOWN_COLUMNS = 3

/** Whether a line shows the columns, as their names or as a row: most columns have a text of their own in it. */
export function showsColumns({ segments }: Line, columns: readonly Column[]): boolean {
  const spans = segments.map((segment) => columnsOf(segment, columns))
  const ownColumns = new Set(
    spans.flatMap((span) => (span !== undefined && span[0] === span[1] ? [span[0]] : [])),
  )
  return (
    ownColumns.size === segments.length &&
    ownColumns.size >= Math.max(MIN_SHOWN_COLUMNS, columns.length * MIN_SHOWN_SHARE)
  )
}

/**
 * The lines of prose. A line directly between two lines that show the columns is left out, because it is the title of the rows
 * below it.
 */
export function proseLines(lines: readonly Line[], columns: readonly Column[]): Set<Line> {
  const isColumnLine = (line: Line | undefined): boolean => line !== undefined && showsColumns(line, columns)
  return new Set(
    lines.filter(
      (line, i) => isProse(line, columns) && !(isColumnLine(lines[i - 1]) && isColumnLine(lines[i + 1])),
    ),
  )
}
