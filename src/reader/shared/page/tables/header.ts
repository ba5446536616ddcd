// A table's header: its number of lines, and its levels as cells over one or several columns.

import type { BBox } from '../../../block.ts'
import { type Column, columnsOf, isNumericLine } from './columns.ts'
import { type GridCell, joinLines } from './grid.ts'
import { isFigure, type Line, type Segment } from './lines.ts'
import type { Rule } from './rules.ts'

type Span = [number, number]

interface Blob {
  first: number
  last: number
  top: number
  bottom: number
  left: number
  right: number
  lines: string[]
}

// In line heights: the maximum distance of a centred text from the middle of its columns.
const CENTRED = 1.2
const MIN_SLACK = 10
// Points: of spans whose middles differ by no more than this, the widest is used.
const EQUALLY_CENTRED = 3

/** The header's cells from row 0 on, and its number of rows. Blobs over several columns are parents of those below. */
export function headerCells(
  lines: readonly Line[],
  columns: readonly Column[],
  horizontal: readonly Rule[],
): { cells: GridCell[]; height: number } {
  const blobs = toBlobs(lines, columns, horizontal)
  const levels = blobs.map(() => 0)
  blobs.forEach((blob, i) => {
    blobs.forEach((other, k) => {
      if (k < i && overlaps(other, blob) && other.bottom <= blob.top + 3)
        levels[i] = Math.max(levels[i] ?? 0, (levels[k] ?? 0) + 1)
    })
  })
  const height = Math.max(0, ...levels) + 1
  const cells = blobs.map((blob, i) => {
    const row = levels[i] ?? 0
    const below = blobs.flatMap((other, k) =>
      (levels[k] ?? 0) > row && overlaps(other, blob) ? [levels[k] ?? 0] : [],
    )
    const end = below.length > 0 ? Math.min(...below) : height
    return {
      row,
      column: blob.first,
      rows: end - row,
      columns: blob.last - blob.first + 1,
      text: joinLines(blob.lines),
    }
  })
  return { cells: blobs.length === 0 ? [] : cells, height: blobs.length === 0 ? 0 : height }
}

const overlaps = (a: Blob, b: Blob): boolean => a.first <= b.last && b.first <= a.last

function toBlobs(lines: readonly Line[], columns: readonly Column[], horizontal: readonly Rule[]): Blob[] {
  const blobs: Blob[] = []
  for (const line of lines) {
    const spans = widened(line, columns, horizontal, blobs)
    line.segments.forEach((segment, i) => {
      const span = spans[i]
      if (span === undefined) return
      const above = blobs.findLast((blob) => blob.first <= span[1] && span[0] <= blob.last)
      if (above !== undefined && continuesText(above, segment, span, spans, horizontal)) {
        above.lines.push(segment.text)
        above.first = Math.min(above.first, span[0])
        above.last = Math.max(above.last, span[1])
        above.bottom = segment.bbox[3]
        above.left = Math.min(above.left, segment.bbox[0])
        above.right = Math.max(above.right, segment.bbox[2])
        return
      }
      const [left, top, right, bottom] = segment.bbox
      blobs.push({ first: span[0], last: span[1], top, bottom, left, right, lines: [segment.text] })
    })
  }
  return blobs
}

/** Whether a segment is the next line of the text above it, and not a separate cell. */
function continuesText(
  above: Blob,
  { bbox }: Segment,
  span: Span,
  spans: readonly (Span | undefined)[],
  horizontal: readonly Rule[],
): boolean {
  const height = bbox[3] - bbox[1]
  if (bbox[1] - above.bottom > height * 0.7 || bbox[1] < above.bottom - height * 0.7) return false
  if (
    horizontal.some(
      ({ at, from, to }) =>
        at > above.bottom - height / 3 && at < bbox[1] + height / 3 && from < bbox[2] && to > bbox[0],
    )
  )
    return false
  if (span[0] === above.first && span[1] === above.last) return true
  if (above.first === above.last) return span[0] >= above.first && span[1] <= above.last
  const alone =
    spans.filter((other) => other !== undefined && other[0] <= above.last && other[1] >= above.first)
      .length === 1
  const shift = Math.abs((bbox[0] + bbox[2]) / 2 - (above.left + above.right) / 2)
  return alone && shift < height
}

/**
 * The columns of each segment: those of the rule under it, or those over which it is centred and that no other text of its line
 * uses.
 */
function widened(
  line: Line,
  columns: readonly Column[],
  horizontal: readonly Rule[],
  blobs: readonly Blob[],
): (Span | undefined)[] {
  const spans = line.segments.map((segment) => columnsOf(segment, columns))
  line.segments.forEach(({ bbox }, i) => {
    const span = spans[i]
    if (span === undefined) return
    const others = line.segments.filter((_, k) => k !== i).map((other) => other.bbox)
    const isOccupied = (c: number): boolean =>
      spans.some((other, k) => k !== i && other !== undefined && other[0] <= c && other[1] >= c)
    const parents = blobs.filter((blob) => blob.last > blob.first)
    const ruled = ruledSpan(bbox, others, columns, horizontal)
    spans[i] = ruled ?? centredSpan(span, bbox, columns, isOccupied, parents)
  })
  return spans
}

/** The columns of a rule right under the text, if it is longer than the text and shorter than the table. */
function ruledSpan(
  box: BBox,
  others: readonly BBox[],
  columns: readonly Column[],
  horizontal: readonly Rule[],
): Span | undefined {
  const height = box[3] - box[1]
  const [left, right] = [columns[0]?.[0] ?? 0, columns.at(-1)?.[1] ?? 0]
  const rule = horizontal.find(
    ({ at, from, to }) =>
      at > box[3] - height * 0.4 &&
      at < box[3] + height * 0.8 &&
      from <= box[0] + 3 &&
      to >= box[2] - 3 &&
      from > left + 3 &&
      to - from < (right - left) * 0.9 &&
      !others.some((other) => other[0] < to && other[2] > from),
  )
  if (rule === undefined) return undefined
  const coveredColumns = columns.flatMap(([from, to], c) =>
    (from + to) / 2 > rule.from && (from + to) / 2 < rule.to ? [c] : [],
  )
  const [first, last] = [coveredColumns[0], coveredColumns.at(-1)]
  return first === undefined || last === undefined ? undefined : [first, last]
}

/** Whether a span is only partly under a text above it, and therefore not its child. */
const straddles = ([first, last]: Span, blob: Blob): boolean =>
  first <= blob.last && blob.first <= last && (first < blob.first || last > blob.last)

/** The columns over which a text is centred. A text off the middle of its only column is over the two nearest. */
function centredSpan(
  span: Span,
  box: BBox,
  columns: readonly Column[],
  isOccupied: (column: number) => boolean,
  parents: readonly Blob[],
): Span {
  const centre = (box[0] + box[2]) / 2
  const slack = Math.max(MIN_SLACK, (box[3] - box[1]) * CENTRED)
  const distanceFromCentre = ([from, to]: Span): number =>
    Math.abs(((columns[from]?.[0] ?? 0) + (columns[to]?.[1] ?? 0)) / 2 - centre)
  let [first, last] = span
  // The label column is never under a text centred over the figures.
  while (first > 1 && !isOccupied(first - 1)) first--
  while (last + 1 < columns.length && !isOccupied(last + 1)) last++
  const wider: Span[] = []
  for (let from = Math.min(first, span[0]); from <= span[0]; from++)
    for (let to = last; to >= span[1]; to--) wider.push([from, to])
  const size = ([from, to]: Span): number => to - from
  const centred = wider.filter(
    (each) => distanceFromCentre(each) <= slack && !parents.some((blob) => straddles(each, blob)),
  )
  const minDistance = Math.min(...centred.map(distanceFromCentre))
  if (span[0] === span[1] && distanceFromCentre(span) <= slack) return span
  const widestSpan = centred
    .filter((each) => distanceFromCentre(each) <= minDistance + EQUALLY_CENTRED)
    .sort((a, b) => size(b) - size(a))[0]
  return widestSpan ?? span
}

const MAX_HEADER_LINES = 8

const middle = ({ bbox }: Line): number => (bbox[1] + bbox[3]) / 2

/** The number of header lines; `first` is the first line of the body, `wide` are rules across the table. */
export function headerLength(
  lines: readonly Line[],
  first: number,
  columns: readonly Column[],
  tableRules: readonly Rule[],
): number {
  const start = bodyStart(lines, first)
  return withoutLabels(lines, ruledHeader(lines, tableRules) ?? start, columns)
}

/** The lines above the first rule across the table; one of them may look like figures ("$10,000 | 14,999"). */
function ruledHeader(lines: readonly Line[], tableRules: readonly Rule[]): number | undefined {
  const head = lines.findIndex((line, i) => {
    const above = lines[i - 1]
    return above !== undefined && tableRules.some(({ at }) => at > middle(above) && at < middle(line))
  })
  if (head < 1 || head > MAX_HEADER_LINES) return undefined
  const figures = lines.slice(0, head).filter(isNumericLine)
  return figures.length <= 1 &&
    figures.every(({ segments }) => segments.slice(1).some(({ text }) => !isFigure(text)))
    ? head
    : undefined
}

/** Labels alone under the column names belong to the body: "Current assets:". */
function withoutLabels(lines: readonly Line[], head: number, columns: readonly Column[]): number {
  let end = head
  while (end > 1 && isLabel(lines[end - 1], columns)) end--
  return end
}

// A title of rows has more words than fit into the first column.
const MIN_TITLE_WORDS = 4

function isLabel(line: Line | undefined, columns: readonly Column[]): boolean {
  const [only, second] = line?.segments ?? []
  if (only === undefined || second !== undefined) return false
  const [first, last] = columnsOf(only, columns) ?? []
  return last === 0 || (first === 0 && only.words.length >= MIN_TITLE_WORDS)
}

/** The first line of the body: the first line of figures, or the label alone above it. */
function bodyStart(lines: readonly Line[], first: number): number {
  const line = lines[first]
  if (line === undefined) return 0
  if (!isNumericLine(line)) return Math.min(first + 1, lines.length - 1)
  return first
}
