// Reads tables without vertical lines: finds columns, header and rows from the lines of text in a region.

import type { BBox } from '../../../block.ts'
import { union } from '../layout/boxes.ts'
import { isMark } from '../marks.ts'
import { heightOf, isSameEdge, LINE_PITCH, usualHeight } from '../tolerance.ts'
import {
  bodyLines,
  type Column,
  columnsOf,
  findColumns,
  isCaption,
  isNumericLine,
  proseLines,
} from './columns.ts'
import type { GridCell, PageTable } from './grid.ts'
import { headerCells, headerLength } from './header.ts'
import { CURRENCY, cutSegment, isNumeric, isTitle, type Line } from './lines.ts'
import { bodyCells } from './rows.ts'
import type { Rule } from './rules.ts'

/** The tables that the lines form. Prose separates them. Empty if all lines are prose. */
export function streamTables(lines: readonly Line[], horizontal: readonly Rule[]): PageTable[] {
  const columns = findColumns(lines)
  if (columns.length < 2) return []
  const groups: Line[][] = [[]]
  const lineHeight = usualHeight(lines)
  const splitLines = lines.map((line) => splitAtGutters(line, columns, Number.POSITIVE_INFINITY))
  const prose = proseLines(splitLines, columns)
  for (const [i, line] of lines.entries()) {
    const splitLine = splitLines[i]
    if (isTitle(line, lineHeight) || (splitLine !== undefined && prose.has(splitLine))) groups.push([])
    else groups.at(-1)?.push(line)
  }
  return groups.flatMap((group) => streamTable(group, horizontal) ?? [])
}

/** The table formed by the lines, from the first to the last row. */
function streamTable(lines: readonly Line[], horizontal: readonly Rule[]): PageTable | undefined {
  const columns = findColumns(lines)
  if (columns.length < 2) return undefined
  const multiCellLines = lines.filter(({ segments }) => segments.length > 1)
  if (multiCellLines.length < 2 || multiCellLines.length < lines.length * 0.3) return undefined
  const alignedLines = lines.map((line) => splitAtGutters(line, columns, Number.POSITIVE_INFINITY))
  const trimmedLines = withoutProse(alignedLines, columns).map((line) =>
    splitAtGutters(line, columns, MIN_CELL_GAP),
  )
  const body = new Set(bodyLines(trimmedLines))
  if (body.size < 2) return undefined
  if (isColumnsOfText(trimmedLines, columns)) return undefined
  const first = trimmedLines.findIndex((line) => body.has(line))
  const [left, right] = [tableLeft(columns), tableRight(columns)]
  // Rules of a table next to this one do not separate its rows.
  const tableRules = horizontal.filter(
    ({ from, to }) => Math.min(to, right) - Math.max(from, left) >= (right - left) * 0.7,
  )
  const headerEnd = headerLength(trimmedLines, first, columns, tableRules)
  const { cells, height } = headerCells(trimmedLines.slice(0, headerEnd), columns, horizontal)
  const rows = bodyCells(trimmedLines.slice(headerEnd), columns, tableRules, height)
  const all = [...cells, ...rows]
  if (isChart(all, columns.length) || isList(all, columns.length)) return undefined
  return {
    cells: all,
    bbox: trimmedLines.map(({ bbox }) => bbox).reduce((a, b) => union(a, b)),
    words: trimmedLines.flatMap(({ segments }) => segments.flatMap((segment) => segment.words)),
  }
}

// In line heights: a wider gap at a gutter separates two cells. A word space is .25.
const MIN_CELL_GAP = 0.36

/**
 * Splits a line at the gutters, because texts of a header are closer to each other than the numbers below them. It is split at
 * gaps wider than `maxGap` line heights, and at any gap between two texts that are aligned to their columns.
 */
function splitAtGutters(line: Line, columns: readonly Column[], maxGap: number): Line {
  const gutterIndex = (x: number, to: number): number =>
    columns.findIndex(
      ([, right], i) => right < to + 1 && (columns[i + 1]?.[0] ?? Number.NEGATIVE_INFINITY) > x - 1,
    )
  const segments = line.segments.flatMap((segment) =>
    cutSegment(segment, ({ text, bbox: left }, { bbox: right }) => {
      // A currency sign at the left edge of its column belongs to the number at the right edge.
      if (CURRENCY.test(text)) return false
      const at = gutterIndex(left[2], right[0])
      if (at < 0) return false
      const isWide = right[0] - left[2] > (right[3] - right[1]) * maxGap
      return (
        isWide ||
        (isSameEdge(columns[at]?.[1] ?? 0, left[2], heightOf(left)) && isAtColumnEdge(right, columns[at + 1]))
      )
    }),
  )
  return { ...line, segments }
}

const isAtColumnEdge = (box: BBox, column: Column | undefined): boolean =>
  column !== undefined &&
  (isSameEdge(box[0], column[0], heightOf(box)) || isSameEdge(box[2], column[1], heightOf(box)))

const tableLeft = (columns: readonly Column[]): number => columns[0]?.[0] ?? 0
const tableRight = (columns: readonly Column[]): number => columns.at(-1)?.[1] ?? 0

// The minimum average number of letters in a line of a column of running text. At least one column of a table has fewer.
const MIN_TEXT_LETTERS = 20

/** Whether the lines are columns of running text: without rows of numbers, and with long lines in every column. */
function isColumnsOfText(lines: readonly Line[], columns: readonly Column[]): boolean {
  if (lines.some(isNumericLine)) return false
  const letters = columns.map(() => 0)
  const counts = columns.map(() => 0)
  for (const segment of lines.flatMap(({ segments }) => segments)) {
    const [column = 0] = columnsOf(segment, columns) ?? []
    const wideLetters =
      segment.text.match(/[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/gu)
        ?.length ?? 0
    letters[column] = (letters[column] ?? 0) + segment.text.length + wideLetters
    counts[column] = (counts[column] ?? 0) + 1
  }
  return letters.every((sum, i) => sum >= (counts[i] ?? 0) * MIN_TEXT_LETTERS)
}

// The ticks and legends of a chart fill at most this share of the grid.
const MAX_CHART_FILLED_SHARE = 0.6
const MIN_TICKS = 4

/** Whether the cells are the axis of a chart: numbers in equal steps in one column, and little else. */
function isChart(cells: readonly GridCell[], width: number): boolean {
  const height = Math.max(...cells.map(({ row }) => row)) + 1
  if (cells.length > width * height * MAX_CHART_FILLED_SHARE) return false
  return [0, width - 1].some((column) => {
    const ticks = cells
      .filter((cell) => cell.column === column && cell.columns === 1)
      .map(({ text }) => toNumber(text))
    const steps = ticks.slice(1).map((value, i) => value - (ticks[i] ?? 0))
    const first = steps[0] ?? 0
    const equalSteps = steps.filter((step) => Math.abs(step - first) < Math.abs(first) / 1000).length
    const hasEqualSteps = equalSteps >= MIN_TICKS - 1 && equalSteps >= steps.length / 2
    return ticks.length >= MIN_TICKS && first !== 0 && hasEqualSteps
  })
}

/** Whether the cells are a list: two columns, of which the first has only marks ("(1)", "•", "b."), or always the same sign. */
function isList(cells: readonly GridCell[], width: number): boolean {
  const marks = cells.filter(({ column, text }) => column === 0 && text !== '').map(({ text }) => text)
  if (width !== 2 || marks.length === 0) return false
  const areSameSign = marks.length > 1 && new Set(marks).size === 1 && /^[^\p{L}\p{N}]$/u.test(marks[0] ?? '')
  return areSameSign || marks.every(isMark)
}

const toNumber = (text: string): number =>
  /^[-\u2212]?[\d.,]+%?$/.test(text) ? Number(text.replace(/[,%]/g, '').replace('\u2212', '-')) : Number.NaN

/** The lines without the prose and captions above and below the table, which cross the gutters. */
function withoutProse(lines: readonly Line[], columns: readonly Column[]): Line[] {
  const body = new Set(bodyLines(lines))
  const isRow = (line: Line): boolean => spansSeveralColumns(line, columns)
  const firstBody = lines.findIndex((line) => body.has(line) && isRow(line))
  const lastBody = lines.findLastIndex((line) => body.has(line) && isRow(line))
  const prose = proseLines(lines, columns)
  const above = lines.slice(0, Math.max(0, firstBody)).findLastIndex((line) => prose.has(line)) + 1
  const below = lines.findIndex((line, i) => i > lastBody && prose.has(line))
  const names = lines.findIndex(({ segments }) => segments.length > 1)
  const caption = lines.slice(0, names).findLastIndex((line) => isCaption(line, columns)) + 1
  const nearLines = lines.slice(Math.max(above, caption), below < 0 ? lines.length : below)
  const start = nearLines.findIndex((line) => isRow(line) || isSpanningHeader(line, columns))
  const end = nearLines.findLastIndex(isRow)
  return nearLines.slice(Math.max(0, start), end + 1 + wrappedLineCount(nearLines.slice(end), columns))
}

/** The number of lines below the last row that continue one of its cells, which has words and is not in the first column. */
function wrappedLineCount([row, ...below]: readonly Line[], columns: readonly Column[]): number {
  let last = row
  let cells = row?.segments ?? []
  const end = below.findIndex((line) => {
    const [only, second] = line.segments
    const above = cells.find(
      (cell) => only !== undefined && isSameEdge(only.bbox[0], cell.bbox[0], heightOf(cell.bbox)),
    )
    const height = line.bbox[3] - line.bbox[1]
    const isClose = last !== undefined && line.bbox[3] - last.bbox[3] < height * LINE_PITCH
    const isInLaterColumn = only !== undefined && (columnsOf(only, columns)?.[0] ?? 0) > 0
    const isUnderWords = above !== undefined && !isNumeric(above.text)
    last = line
    cells = line.segments
    return !(second === undefined && isClose && isInLaterColumn && isUnderWords)
  })
  return end < 0 ? below.length : end
}

/** Whether a line is a single text centred over the columns after the first. */
function isSpanningHeader({ segments }: Line, columns: readonly Column[]): boolean {
  const [only, second] = segments
  const secondColumn = columns[1]
  if (only === undefined || second !== undefined || secondColumn === undefined) return false
  if ((columnsOf(only, columns)?.[0] ?? 0) === 0) return false
  const centre = (only.bbox[0] + only.bbox[2]) / 2
  const right = tableRight(columns)
  const centreOfOthers = (secondColumn[0] + right) / 2
  return Math.abs(centre - centreOfOthers) < Math.abs(centre - (tableLeft(columns) + right) / 2)
}

/** Whether the texts of a line begin in at least two columns. */
const spansSeveralColumns = ({ segments }: Line, columns: readonly Column[]): boolean =>
  new Set(segments.map((segment) => columnsOf(segment, columns)?.[0])).size > 1

/** The lines in a box, without the segments whose middle is outside. */
export function linesIn(lines: readonly Line[], box: BBox): Line[] {
  return lines.flatMap((line) => {
    const y = (line.bbox[1] + line.bbox[3]) / 2
    if (y < box[1] || y > box[3]) return []
    const segments = line.segments.filter(({ bbox }) => {
      const x = (bbox[0] + bbox[2]) / 2
      return x >= box[0] && x <= box[2]
    })
    return segments.length === 0
      ? []
      : [{ segments, bbox: segments.map(({ bbox }) => bbox).reduce((a, b) => union(a, b)) }]
  })
}
