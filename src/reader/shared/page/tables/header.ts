// The header of a table: its number of lines, and its cells, which may be over several columns and on several levels.

import type { BBox } from '../../../block.ts'
import { type Column, columnsOf, isNumericLine } from './columns.ts'
import { type GridCell, joinLines } from './grid.ts'
import { isNumeric, type Line, type Segment } from './lines.ts'
import type { Rule } from './rules.ts'

/** The first and the last column. */
type Span = [number, number]

/** A text of the header over the columns from `first` to `last`. */
interface HeaderText {
  first: number
  last: number
  top: number
  bottom: number
  left: number
  right: number
  lines: string[]
}

// In line heights: the maximum distance of a centred text from the middle of its columns.
const MAX_OFF_CENTRE = 1.2
const MIN_SLACK_POINTS = 10
// In points. If a text is centred over several spans with distances that differ by no more than this, the widest span is used.
const EQUALLY_CENTRED = 3

/** The cells of the header from row 0 on, and its number of rows. A text over several columns is the parent of those below it. */
export function headerCells(
  lines: readonly Line[],
  columns: readonly Column[],
  horizontal: readonly Rule[],
): { cells: GridCell[]; height: number } {
  const headerTexts = toHeaderTexts(lines, columns, horizontal)
  const levels = headerTexts.map(() => 0)
  headerTexts.forEach((headerText, i) => {
    headerTexts.forEach((other, k) => {
      if (k < i && overlaps(other, headerText) && other.bottom <= headerText.top + 3)
        levels[i] = Math.max(levels[i] ?? 0, (levels[k] ?? 0) + 1)
    })
  })
  const height = Math.max(0, ...levels) + 1
  const cells = headerTexts.map((headerText, i) => {
    const row = levels[i] ?? 0
    const below = headerTexts.flatMap((other, k) =>
      (levels[k] ?? 0) > row && overlaps(other, headerText) ? [levels[k] ?? 0] : [],
    )
    const end = below.length > 0 ? Math.min(...below) : height
    return {
      row,
      column: headerText.first,
      rows: end - row,
      columns: headerText.last - headerText.first + 1,
      text: joinLines(headerText.lines),
    }
  })
  return { cells: headerTexts.length === 0 ? [] : cells, height: headerTexts.length === 0 ? 0 : height }
}

const overlaps = (a: HeaderText, b: HeaderText): boolean => a.first <= b.last && b.first <= a.last

function toHeaderTexts(
  lines: readonly Line[],
  columns: readonly Column[],
  horizontal: readonly Rule[],
): HeaderText[] {
  const headerTexts: HeaderText[] = []
  for (const line of lines) {
    const spans = spansOf(line, columns, horizontal, headerTexts)
    line.segments.forEach((segment, i) => {
      const span = spans[i]
      if (span === undefined) return
      const above = headerTexts.findLast(
        (headerText) => headerText.first <= span[1] && span[0] <= headerText.last,
      )
      if (above !== undefined && continuesText(above, segment, { span, spans }, horizontal)) {
        above.lines.push(segment.text)
        above.first = Math.min(above.first, span[0])
        above.last = Math.max(above.last, span[1])
        above.bottom = segment.bbox[3]
        above.left = Math.min(above.left, segment.bbox[0])
        above.right = Math.max(above.right, segment.bbox[2])
        return
      }
      const [left, top, right, bottom] = segment.bbox
      headerTexts.push({ first: span[0], last: span[1], top, bottom, left, right, lines: [segment.text] })
    })
  }
  return headerTexts
}

/** Whether a segment is the next line of the text above it, and not a separate cell. */
function continuesText(
  above: HeaderText,
  { bbox }: Segment,
  { span, spans }: { span: Span; spans: readonly (Span | undefined)[] },
  horizontal: readonly Rule[],
): boolean {
  const height = bbox[3] - bbox[1]
  if (bbox[1] - above.bottom > height * 0.7 || bbox[1] < above.bottom - height * 0.7) return false
  const hasRuleBetween = horizontal.some(
    ({ at, from, to }) =>
      at > above.bottom - height / 3 && at < bbox[1] + height / 3 && from < bbox[2] && to > bbox[0],
  )
  if (hasRuleBetween) return false
  if (span[0] === above.first && span[1] === above.last) return true
  if (above.first === above.last) return span[0] >= above.first && span[1] <= above.last
  const isOnlyText =
    spans.filter((other) => other !== undefined && other[0] <= above.last && other[1] >= above.first)
      .length === 1
  const centreShift = Math.abs((bbox[0] + bbox[2]) / 2 - (above.left + above.right) / 2)
  return isOnlyText && centreShift < height
}

/**
 * The columns of each segment: those over the rule right under the segment. Without such a rule, those over which the segment is
 * centred and that no other text of its line uses.
 */
function spansOf(
  line: Line,
  columns: readonly Column[],
  horizontal: readonly Rule[],
  headerTexts: readonly HeaderText[],
): (Span | undefined)[] {
  const spans = line.segments.map((segment) => columnsOf(segment, columns))
  line.segments.forEach(({ bbox }, i) => {
    const span = spans[i]
    if (span === undefined) return
    const otherBoxes = line.segments.filter((_, k) => k !== i).map((other) => other.bbox)
    const isOccupied = (c: number): boolean =>
      spans.some((other, k) => k !== i && other !== undefined && other[0] <= c && other[1] >= c)
    const parents = headerTexts.filter((headerText) => headerText.last > headerText.first)
    const ruleSpan = ruledSpan(bbox, otherBoxes, columns, horizontal)
    spans[i] = ruleSpan ?? centredSpan(span, bbox, { columns, isOccupied }, parents)
  })
  return spans
}

/** The columns of a rule right under the text, if it is longer than the text and shorter than the table. */
function ruledSpan(
  box: BBox,
  otherBoxes: readonly BBox[],
  columns: readonly Column[],
  horizontal: readonly Rule[],
): Span | undefined {
  const height = box[3] - box[1]
  const [left, right] = [columns[0]?.[0] ?? 0, columns.at(-1)?.[1] ?? 0]
  const rule = horizontal.find(({ at, from, to }) => {
    const isUnderText = at > box[3] - height * 0.4 && at < box[3] + height * 0.8
    const coversText = from <= box[0] + 3 && to >= box[2] - 3
    const isShorterThanTable = from > left + 3 && to - from < (right - left) * 0.9
    const isUnderOthers = otherBoxes.some((other) => other[0] < to && other[2] > from)
    return isUnderText && coversText && isShorterThanTable && !isUnderOthers
  })
  if (rule === undefined) return undefined
  const coveredColumns = columns.flatMap(([from, to], c) =>
    (from + to) / 2 > rule.from && (from + to) / 2 < rule.to ? [c] : [],
  )
  const [first, last] = [coveredColumns[0], coveredColumns.at(-1)]
  return first === undefined || last === undefined ? undefined : [first, last]
}

/** Whether a span is only partly under a text above it, so that it cannot be its child. */
const straddles = ([first, last]: Span, headerText: HeaderText): boolean =>
  first <= headerText.last && headerText.first <= last && (first < headerText.first || last > headerText.last)

/** The columns over which a text is centred. A text that is not centred over its only column may be centred over several. */
function centredSpan(
  span: Span,
  box: BBox,
  { columns, isOccupied }: { columns: readonly Column[]; isOccupied: (column: number) => boolean },
  parents: readonly HeaderText[],
): Span {
  const centre = (box[0] + box[2]) / 2
  const slack = Math.max(MIN_SLACK_POINTS, (box[3] - box[1]) * MAX_OFF_CENTRE)
  const distanceFromCentre = ([from, to]: Span): number =>
    Math.abs(((columns[from]?.[0] ?? 0) + (columns[to]?.[1] ?? 0)) / 2 - centre)
  let [first, last] = span
  // A text that is centred over the numbers is never over the column of labels.
  while (first > 1 && !isOccupied(first - 1)) first--
  while (last + 1 < columns.length && !isOccupied(last + 1)) last++
  const widerSpans: Span[] = []
  for (let from = Math.min(first, span[0]); from <= span[0]; from++)
    for (let to = last; to >= span[1]; to--) widerSpans.push([from, to])
  const size = ([from, to]: Span): number => to - from
  const centredSpans = widerSpans.filter(
    (each) => distanceFromCentre(each) <= slack && !parents.some((headerText) => straddles(each, headerText)),
  )
  const minDistance = Math.min(...centredSpans.map(distanceFromCentre))
  if (span[0] === span[1] && distanceFromCentre(span) <= slack) return span
  const widestSpan = centredSpans
    .filter((each) => distanceFromCentre(each) <= minDistance + EQUALLY_CENTRED)
    .sort((a, b) => size(b) - size(a))[0]
  return widestSpan ?? span
}

const MAX_HEADER_LINES = 8

const middle = ({ bbox }: Line): number => (bbox[1] + bbox[3]) / 2

/** The number of header lines. `first` is the index of the first line that looks like the body; `tableRules` cross the table. */
export function headerLength(
  lines: readonly Line[],
  first: number,
  columns: readonly Column[],
  tableRules: readonly Rule[],
): number {
  const start = bodyStart(lines, first)
  return withoutLabels(lines, ruledHeader(lines, tableRules) ?? start, columns)
}

/** The number of lines above the first rule across the table. One of them may have numbers ("$10,000 | 14,999"). */
function ruledHeader(lines: readonly Line[], tableRules: readonly Rule[]): number | undefined {
  const headerEnd = lines.findIndex((line, i) => {
    const above = lines[i - 1]
    return above !== undefined && tableRules.some(({ at }) => at > middle(above) && at < middle(line))
  })
  if (headerEnd < 1 || headerEnd > MAX_HEADER_LINES) return undefined
  const numericLines = lines.slice(0, headerEnd).filter(isNumericLine)
  return numericLines.length <= 1 &&
    numericLines.every(({ segments }) => segments.slice(1).some(({ text }) => !isNumeric(text)))
    ? headerEnd
    : undefined
}

/** The number of header lines without labels below the column names, such as "Current assets:", which belong to the body. */
function withoutLabels(lines: readonly Line[], headerEnd: number, columns: readonly Column[]): number {
  let end = headerEnd
  while (end > 1 && isLabel(lines[end - 1], columns)) end--
  return end
}

// A title of rows has at least this many words, and may extend beyond the first column.
const MIN_TITLE_WORDS = 4

function isLabel(line: Line | undefined, columns: readonly Column[]): boolean {
  const [only, second] = line?.segments ?? []
  if (only === undefined || second !== undefined) return false
  const [first, last] = columnsOf(only, columns) ?? []
  return last === 0 || (first === 0 && only.words.length >= MIN_TITLE_WORDS)
}

/** The index of the first line of the body: `first`, or the next line if the table has only words, whose first line is a header. */
function bodyStart(lines: readonly Line[], first: number): number {
  const line = lines[first]
  if (line === undefined) return 0
  if (!isNumericLine(line)) return Math.min(first + 1, lines.length - 1)
  return first
}
