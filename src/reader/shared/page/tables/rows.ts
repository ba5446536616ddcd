// Reads the body of a table: each line is a row, unless it continues the row above or belongs to the row below.

import { type Column, columnsOf, isNumericLine } from './columns.ts'
import { type GridCell, joinLines } from './grid.ts'
import { isNumeric, type Line } from './lines.ts'
import type { Rule } from './rules.ts'

/** The body lines as cells from row `start` on. `tableRules` are the rules across the table, which separate rows. */
export function bodyCells(
  lines: readonly Line[],
  columns: readonly Column[],
  tableRules: readonly Rule[],
  start: number,
): GridCell[] {
  const rows = groupRows(lines, columns, tableRules)
  return rows.flatMap((row, r) =>
    row.cells.flatMap((texts, column) =>
      texts.length === 0 ? [] : [{ row: start + r, column, rows: 1, columns: 1, text: joinLines(texts) }],
    ),
  )
}

function groupRows(lines: readonly Line[], columns: readonly Column[], tableRules: readonly Rule[]): Row[] {
  const hasNumericRows =
    lines.filter(isNumericLine).length * 3 >= lines.filter(({ segments }) => segments.length > 1).length
  const bands = ruledBands(lines, tableRules)
  if (bands !== undefined)
    return bands.map((band) => band.map((line) => toRow(line, columns)).reduce(joinRows))
  const rows = lines.map((line) => toRow(line, columns))
  return hasNumericRows ? numericRows(rows, columns) : textRows(rows, columns)
}

// In line heights: the maximum gap between lines of one row.
const MAX_BAND_GAP = 0.8

/**
 * The lines of each row, if rules or gaps divide the lines into at least three rows, with eight lines each at most on average.
 * Undefined otherwise, and if a row would have several lines of numbers.
 */
function ruledBands(lines: readonly Line[], tableRules: readonly Rule[]): Line[][] | undefined {
  const bands: Line[][] = []
  let ruleAbovePrevious = Number.NEGATIVE_INFINITY
  for (const line of lines) {
    const middle = (line.bbox[1] + line.bbox[3]) / 2
    const ruleAbove = Math.max(
      ...tableRules.filter(({ at }) => at <= middle).map(({ at }) => at),
      Number.NEGATIVE_INFINITY,
    )
    const last = bands.at(-1)?.at(-1)
    const isFar =
      last !== undefined && line.bbox[1] - last.bbox[3] > (line.bbox[3] - line.bbox[1]) * MAX_BAND_GAP
    if (last === undefined || ruleAbove > ruleAbovePrevious || isFar) bands.push([line])
    else bands.at(-1)?.push(line)
    ruleAbovePrevious = ruleAbove
  }
  if (bands.length < 3 || bands.length < lines.length / 8) return undefined
  return bands.some((band) => band.filter(isNumericLine).length > 1) ? undefined : bands
}

/** The rows of a table of numbers. Wrapped labels are joined to their row. */
function numericRows(rows: readonly Row[], columns: readonly Column[]): Row[] {
  const pitch = { usual: medianPitch(rows), closest: Math.min(...pitches(rows)) }
  const result: Row[] = []
  for (const row of rows) {
    const last = result.at(-1)
    if (
      last !== undefined &&
      (continuesRow(last, row, pitch, columns) || isLabelOfNextRow(last, row, pitch.usual))
    )
      result[result.length - 1] = joinRows(last, row)
    else result.push(row)
  }
  return result
}

/** Whether a row continues the row above: it is the rest of a label, or only words under cells of words. */
function continuesRow(last: Row, row: Row, pitch: Pitch, columns: readonly Column[]): boolean {
  const gap = row.bottom - last.bottom
  if (gap > pitch.usual * 1.15) return false
  if (isLabelOnly(row)) {
    const mayContinueLabel = label(last) !== '' && !label(last).endsWith(':')
    return mayContinueLabel && (isTight(last, row, pitch.usual) || beginsInMidLabel(row))
  }
  const hasWiderGap = gap > pitch.closest * SEPARATE_PITCH
  if ((row.cells[0]?.length ?? 0) > 0 || isSeparateEntry(last, row, columns, hasWiderGap ? 1 : 2))
    return false
  const continuesCell = (texts: readonly string[], column: number): boolean => {
    const textsAbove = last.cells[column] ?? []
    return !isNumeric(texts.join(' ')) && textsAbove.length > 0 && !isNumeric(textsAbove.join(' '))
  }
  return row.cells.every((texts, column) => texts.length === 0 || continuesCell(texts, column))
}

/** Whether the label of a row begins in lower case, with a bracket or with "&", as the rest of a label does. */
const beginsInMidLabel = (row: Row): boolean => /^[\p{Ll}(&]/u.test(label(row))

// Matches "Buildings," and "Cost of", after which a label continues.
const ENDS_IN_MID_LABEL = /[,\-–&]$|\b(?:of|and|the|for|to|in|or|by|from|with|on)$/

// As a multiple of the closest line distance of the table. A line at a larger distance is a row of its own if there was space
// for its first word on the line above.
const SEPARATE_PITCH = 1.2

// A line had space for the next word if both together fill less than this share of the column.
const FULL_LINE_SHARE = 0.9

/** Whether a row has text in at least `minCells` cells and, in one of them, the line above had space for its first word. */
function isSeparateEntry(last: Row, row: Row, columns: readonly Column[], minCells = 2): boolean {
  const filledCells = row.cells.filter((texts) => texts.length > 0).length
  return (
    filledCells >= minCells &&
    columns.some(([left, right], i) => {
      const [end, width] = [last.ends[i], row.firstWordWidths[i]]
      return end !== undefined && width !== undefined && end - left + width < (right - left) * FULL_LINE_SHARE
    })
  )
}

// As a share of the usual line distance. The lines of one label are closer than this in a table with much space.
const MAX_TIGHT_SHARE = 0.5

const isTight = (last: Row, row: Row, pitch: number): boolean =>
  row.bottom - last.bottom < pitch * MAX_TIGHT_SHARE

/** Whether a line with only a label belongs to the row below, whose numbers are next to the last line of the label. */
function isLabelOfNextRow(last: Row, row: Row, pitch: number): boolean {
  if (!isLabelOnly(last) || isLabelOnly(row) || label(last).endsWith(':')) return false
  if (row.bottom - last.bottom > pitch * 1.15) return false
  return isTight(last, row, pitch) || beginsInMidLabel(row) || ENDS_IN_MID_LABEL.test(label(last))
}

/** The rows of a table of words. A row begins at a wider gap or, without such gaps, where the first column has text. */
function textRows(rows: readonly Row[], columns: readonly Column[]): Row[] {
  const gaps = pitches(rows)
  const tightPitch = gaps[Math.floor(gaps.length / 4)] ?? 0
  const hasWideGap = gaps.some((gap) => gap > tightPitch * 1.2)
  const groups: Row[][] = []
  for (const row of rows) {
    const last = groups.at(-1)?.at(-1)
    const gap = last === undefined ? 0 : row.bottom - last.bottom
    const beginsRow = hasWideGap
      ? gap > tightPitch * 1.2
      : isFilled(row, 0) || row.cells.every((_, column) => isFilled(row, column))
    if (last === undefined || beginsRow) groups.push([row])
    else groups.at(-1)?.push(row)
  }
  const isSeparateFrom = (row: Row, above: Row | undefined): boolean =>
    above !== undefined && isSeparateEntry(above, row, columns)
  const mayBeRow = (row: Row, above: Row | undefined): boolean =>
    (isFilled(row, 0) && isFilled(row, 1)) || isSeparateFrom(row, above)
  // A group in which each line may be a row is split into its lines again if it has three or more. Two lines are split only if the
  // first had space for the first word of a text in the second.
  const areRows = (group: readonly Row[]): boolean =>
    group.every((row, i) => mayBeRow(row, group[i - 1])) &&
    (group.length > 2 || group.slice(1).every((row) => isSeparateFrom(row, group[0])))
  return groups.flatMap((group) => (areRows(group) ? group : [group.reduce(joinRows)]))
}

/** The distances of lines in a table. */
interface Pitch {
  usual: number
  closest: number
}

/** The distances between successive lines, ascending. */
const pitches = (rows: readonly Row[]): number[] =>
  rows
    .slice(1)
    .map((row, i) => row.bottom - (rows[i]?.bottom ?? 0))
    .sort((a, b) => a - b)

function medianPitch(rows: readonly Row[]): number {
  const gaps = pitches(rows)
  return gaps[Math.floor(gaps.length / 2)] ?? 0
}

/** One or several lines as a row of cells. */
export interface Row {
  /** The texts of each cell, one for each line. */
  cells: string[][]
  /** For each column the right edge of the text in the last line. */
  ends: (number | undefined)[]
  /** For each column the width of the first word. */
  firstWordWidths: (number | undefined)[]
  top: number
  bottom: number
}

export function toRow(line: Line, columns: readonly Column[]): Row {
  const cells: string[][] = columns.map(() => [])
  const ends: (number | undefined)[] = columns.map(() => undefined)
  const firstWordWidths: (number | undefined)[] = columns.map(() => undefined)
  for (const segment of line.segments) {
    const column = columnsOf(segment, columns)?.[0] ?? 0
    const cell = cells[column]
    if (cell === undefined) continue
    const [first] = segment.words
    ends[column] = segment.bbox[2]
    firstWordWidths[column] ??= first === undefined ? 0 : first.bbox[2] - first.bbox[0]
    if (cell.length === 0) cell.push(segment.text)
    else cell[0] = `${cell[0]} ${segment.text}`
  }
  return {
    cells,
    ends,
    firstWordWidths,
    top: line.bbox[1],
    bottom: line.bbox[3],
  }
}

export function joinRows(a: Row, b: Row): Row {
  return {
    cells: a.cells.map((texts, i) => [...texts, ...(b.cells[i] ?? [])]),
    ends: a.ends.map((end, i) => b.ends[i] ?? end),
    firstWordWidths: a.firstWordWidths,
    top: a.top,
    bottom: b.bottom,
  }
}

/** Whether only the first cell has text. */
const isLabelOnly = ({ cells }: Row): boolean => cells.every((texts, i) => (i === 0) === texts.length > 0)

/** The text of the first cell. */
export const label = ({ cells }: Row): string => cells[0]?.join(' ') ?? ''

export const isFilled = ({ cells }: Row, column: number): boolean => (cells[column]?.length ?? 0) > 0
