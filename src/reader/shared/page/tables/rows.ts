// The body of a table: each line is a row, unless it continues the row above or belongs to the row below.

import { type Column, columnsOf, isNumericLine } from './columns.ts'
import { type GridCell, joinLines } from './grid.ts'
import { isFigure, type Line } from './lines.ts'
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
  const isNumeric =
    lines.filter(isNumericLine).length * 3 >= lines.filter(({ segments }) => segments.length > 1).length
  const bands = ruledBands(lines, tableRules)
  if (bands !== undefined)
    return bands.map((band) => band.map((line) => toRow(line, columns)).reduce(joinRows))
  const rows = lines.map((line) => toRow(line, columns))
  return isNumeric ? numericRows(rows, columns) : textRows(rows, columns)
}

// In line heights: the maximum gap between lines of one row.
const MAX_BAND_GAP = 0.8

/** The lines between two rules as one row, if rules separate nearly all rows and none of these contains rows of figures. */
function ruledBands(lines: readonly Line[], tableRules: readonly Rule[]): Line[][] | undefined {
  const bands: Line[][] = []
  let edge = Number.NEGATIVE_INFINITY
  for (const line of lines) {
    const middle = (line.bbox[1] + line.bbox[3]) / 2
    const above = Math.max(
      ...tableRules.filter(({ at }) => at <= middle).map(({ at }) => at),
      Number.NEGATIVE_INFINITY,
    )
    const last = bands.at(-1)?.at(-1)
    const isFar =
      last !== undefined && line.bbox[1] - last.bbox[3] > (line.bbox[3] - line.bbox[1]) * MAX_BAND_GAP
    if (last === undefined || above > edge || isFar) bands.push([line])
    else bands.at(-1)?.push(line)
    edge = above
  }
  if (bands.length < 3 || bands.length < lines.length / 8) return undefined
  return bands.some((band) => band.filter(isNumericLine).length > 1) ? undefined : bands
}

/** Rows of figures: wrapped labels are joined to their row. */
function numericRows(rows: readonly Row[], columns: readonly Column[]): Row[] {
  const pitch = { usual: typicalPitch(rows), closest: Math.min(...pitches(rows)) }
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

/** Whether a row continues the row above: a label in lower case, or words only under cells of words. */
function continuesRow(last: Row, row: Row, pitch: Pitch, columns: readonly Column[]): boolean {
  const gap = row.bottom - last.bottom
  if (gap > pitch.usual * 1.15) return false
  if (isLabelOnly(row))
    return (
      (isTight(last, row, pitch.usual) || /^[\p{Ll}(&]/u.test(label(row))) &&
      label(last) !== '' &&
      !label(last).endsWith(':')
    )
  const isSeparate = gap > pitch.closest * SEPARATE_PITCH
  if ((row.cells[0]?.length ?? 0) > 0 || isSeparateEntry(last, row, columns, isSeparate ? 1 : 2)) return false
  return row.cells.every(
    (texts, i) =>
      texts.length === 0 ||
      (!isFigure(texts.join(' ')) &&
        (last.cells[i]?.length ?? 0) > 0 &&
        !isFigure(last.cells[i]?.join(' ') ?? '')),
  )
}

// Multiple of the closest line distance of its table. A line at a larger distance is a row of its own if its first word would
// have had room on the line above.
const SEPARATE_PITCH = 1.2

// A line had room for the next word if the line and that word together fill less than this share of the column.
const FULL_LINE_SHARE = 0.9

/**
 * Whether the row fills several cells and, in one of them, the line above had room for its first word. Then it is a separate
 * entry.
 */
function isSeparateEntry(last: Row, row: Row, columns: readonly Column[], minCells = 2): boolean {
  const filledCells = row.cells.filter((texts) => texts.length > 0).length
  return (
    filledCells >= minCells &&
    columns.some(([left, right], i) => {
      const [end, word] = [last.ends[i], row.begins[i]]
      return end !== undefined && word !== undefined && end - left + word < (right - left) * FULL_LINE_SHARE
    })
  )
}

// Share of the typical line distance: lines of one label are closer than this. The rows of a table with much space are not.
const MAX_TIGHT_SHARE = 0.5

const isTight = (last: Row, row: Row, pitch: number): boolean =>
  row.bottom - last.bottom < pitch * MAX_TIGHT_SHARE

/** Whether a line with only a label belongs to the row below, because the figures are next to the label's last line. */
function isLabelOfNextRow(last: Row, row: Row, pitch: number): boolean {
  if (!isLabelOnly(last) || isLabelOnly(row) || label(last).endsWith(':')) return false
  if (row.bottom - last.bottom > pitch * 1.15) return false
  return (
    isTight(last, row, pitch) ||
    /^[\p{Ll}(&]/u.test(label(row)) ||
    /[,\-–&]$|\b(?:of|and|the|for|to|in|or|by|from|with|on)$/.test(label(last))
  )
}

/** Rows of words: a wider gap or a new entry in the first column begins a row. */
function textRows(rows: readonly Row[], columns: readonly Column[]): Row[] {
  const gaps = pitches(rows)
  const tightPitch = gaps[Math.floor(gaps.length / 4)] ?? 0
  const hasLooseGap = gaps.some((gap) => gap > tightPitch * 1.2)
  const groups: Row[][] = []
  for (const row of rows) {
    const last = groups.at(-1)?.at(-1)
    const gap = last === undefined ? 0 : row.bottom - last.bottom
    const beginsRow = hasLooseGap
      ? gap > tightPitch * 1.2
      : isFilled(row, 0) || row.cells.every((_, column) => isFilled(row, column))
    if (last === undefined || beginsRow) groups.push([row])
    else groups.at(-1)?.push(row)
  }
  const isSeparateFrom = (row: Row, above: Row | undefined): boolean =>
    above !== undefined && isSeparateEntry(above, row, columns)
  const isEntry = (row: Row, above: Row | undefined): boolean =>
    (isFilled(row, 0) && isFilled(row, 1)) || isSeparateFrom(row, above)
  // Three or more lines with a name each are rows, however close they are. Two are rows if a word of the second had room in the
  // first.
  const areRows = (group: readonly Row[]): boolean =>
    group.every((row, i) => isEntry(row, group[i - 1])) &&
    (group.length > 2 || group.slice(1).every((row) => isSeparateFrom(row, group[0])))
  return groups.flatMap((group) => (areRows(group) ? group : [group.reduce(joinRows)]))
}

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

function typicalPitch(rows: readonly Row[]): number {
  const gaps = pitches(rows)
  return gaps[Math.floor(gaps.length / 2)] ?? 0
}

// One line as a row of cells.

export interface Row {
  cells: string[][]
  /** By column: the right edge of the last line's text, and the width of its first word. */
  ends: (number | undefined)[]
  begins: (number | undefined)[]
  /** Whether a text over several columns is a sentence and not a label. */
  isWide: boolean
  top: number
  bottom: number
}

export function toRow(line: Line, columns: readonly Column[]): Row {
  const cells: string[][] = columns.map(() => [])
  const ends: (number | undefined)[] = columns.map(() => undefined)
  const begins: (number | undefined)[] = columns.map(() => undefined)
  for (const segment of line.segments) {
    const column = columnsOf(segment, columns)?.[0] ?? 0
    const cell = cells[column]
    if (cell === undefined) continue
    const [first] = segment.words
    ends[column] = segment.bbox[2]
    begins[column] ??= first === undefined ? 0 : first.bbox[2] - first.bbox[0]
    if (cell.length === 0) cell.push(segment.text)
    else cell[0] = `${cell[0]} ${segment.text}`
  }
  return { cells, ends, begins, isWide: isWide(line, columns), top: line.bbox[1], bottom: line.bbox[3] }
}

const isWide = ({ segments }: Line, columns: readonly Column[]): boolean =>
  segments.some((segment) => {
    const [first, last] = columnsOf(segment, columns) ?? [0, 0]
    return first < last && segment.words.length > 3
  })

export function joinRows(a: Row, b: Row): Row {
  return {
    cells: a.cells.map((texts, i) => [...texts, ...(b.cells[i] ?? [])]),
    ends: a.ends.map((end, i) => b.ends[i] ?? end),
    begins: a.begins,
    isWide: a.isWide || b.isWide,
    top: a.top,
    bottom: b.bottom,
  }
}

const isLabelOnly = ({ cells }: Row): boolean => cells.every((texts, i) => (i === 0) === texts.length > 0)
export const label = ({ cells }: Row): string => cells[0]?.join(' ') ?? ''

export const isFilled = ({ cells }: Row, column: number): boolean => (cells[column]?.length ?? 0) > 0
