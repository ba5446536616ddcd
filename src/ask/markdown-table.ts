// Parses Markdown tables into rows with column names. Pure.

import { placedIntervals } from '../language/intervals.ts'

export interface Cell {
  /** The column's name; empty when the table has none. */
  header: string
  text: string
}

export interface TableRow {
  /** The line verbatim. */
  line: string
  /** The cells that are not empty, in order; their text unescaped. */
  cells: Cell[]
}

const RULE = /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*\|?\s*$/

/** Whether the line is the delimiter row between column names and rows. */
export const isRule = (line: string): boolean => RULE.test(line)

/**
 * The rows of every table in the text, and the text with the tables blanked out (offsets are kept).
 * `precedingColumns` are the column names at the end of the passage before, for a table that was separated from them.
 */
export function tableRows(
  text: string,
  precedingColumns: readonly string[] = [],
): { rows: TableRow[]; textWithoutTables: string } {
  const lines = text.split('\n')
  const rows: TableRow[] = []
  const inTable = new Set<number>()
  lines.forEach((line, i) => {
    if (i === 0 || inTable.has(i) || !isRule(line)) return
    let end = i + 1
    while (lines[end]?.includes('|')) end++
    for (let r = i - 1; r < end; r++) inTable.add(r)
    rows.push(...tableOf([lines[i - 1] ?? '', ...lines.slice(i + 1, end)], precedingColumns))
  })
  const textWithoutTables = lines
    .map((line, i) => (inTable.has(i) ? ' '.repeat(line.length) : line))
    .join('\n')
  return { rows, textWithoutTables }
}

/** The rows with their column names, which may be in the first line, under a title, or missing. */
function tableOf(lines: string[], precedingColumns: readonly string[]): TableRow[] {
  const cells = lines.map(cellsOf)
  const [firstRow = [], secondRow = []] = cells
  const hasTitle = isTitle(firstRow, secondRow)
  const withoutHeader =
    isData(firstRow) || isDescription(firstRow)
      ? precedingColumns.length === firstRow.length
        ? precedingColumns
        : []
      : undefined
  const levels = hasTitle || withoutHeader !== undefined ? 1 : headerLevels(cells)
  const headers = hasTitle ? secondRow : (withoutHeader ?? columnNames(cells.slice(0, levels)))
  const from = hasTitle ? 2 : withoutHeader !== undefined ? 0 : headerOnlyRows(cells, levels)
  return cells
    .map((row, r) => ({
      line: lines[r] ?? '',
      cells: row.map((text, c) => ({ header: headers[c] ?? '', text })).filter((cell) => cell.text !== ''),
    }))
    .slice(from)
    .filter((row) => row.cells.length > 0)
}

/** The column names of a text that is only the head of a table, whose rows follow in the next passage. */
export function columnsWithoutRows(text: string): string[] {
  const lines = text.trimEnd().split('\n')
  const rule = lines.findIndex(isRule)
  if (rule < 1 || lines.length > rule + 2) return []
  const headerCells = cellsOf(lines[rule - 1] ?? '')
  const below = lines[rule + 1]
  if (below === undefined) return headerCells
  const cellsBelow = cellsOf(below)
  return isTitle(headerCells, cellsBelow) ? cellsBelow : []
}

// The deepest header seen so far has four rows: company, period, year, change.
const MAX_LEVELS = 4

/** How many rows form the header: a row under one with empty cells belongs to it, until figures begin. */
function headerLevels(rows: readonly string[][]): number {
  let levels = 1
  while (levels < MAX_LEVELS && levels < rows.length - 1) {
    const [above = [], row = []] = rows.slice(levels - 1)
    const [label = '', ...names] = row
    const isUnder = names.some((name, i) => name !== '' && (above[i + 1] ?? '') === '')
    const isBesideLabel = label === '' || (above[0] ?? '') === ''
    const isHeader = isUnder && isBesideLabel && !names.some(isValue) && names.some(Boolean)
    if (!isHeader && !areDates(row, above)) break
    levels++
  }
  return rows.slice(levels).some(([, ...cells]) => cells.some(isValue)) ? levels : 1
}

/** Whether a row dates the columns that the row above names, or does not: "As of | As of" above years. */
function areDates([label = '', ...names]: readonly string[], [, ...above]: readonly string[]): boolean {
  const isDate = (name: string): boolean => YEAR_NAME.test(name) || DAY_NAME.test(name)
  const [first, ...others] = above
  const isSame = others.length > 0 && others.every((name) => name === first)
  return (
    names.some(Boolean) &&
    names.every((name) => name === '' || isDate(name)) &&
    isSame &&
    (label === '' || first === '')
  )
}

/**
 * The number of header rows that are not data as well. A header row with a label of its own may be data ("Storage | small |
 * large").
 */
function headerOnlyRows(rows: readonly string[][], levels: number): number {
  const labelled = rows
    .slice(1, levels)
    .findIndex((row, i) => (row[0] ?? '') !== '' && !areDates(row, rows[i] ?? []))
  return labelled < 0 ? levels : labelled + 1
}

const isValue = (cell: string): boolean =>
  /^[^\p{L}]*\d[^\p{L}]*$/u.test(cell) && !/^\(?(?:19|20)\d\d\)?$/.test(cell)

/**
 * Each column by all names above it: a name followed by empty cells spans the columns below that have names of their
 * own.
 */
function columnNames(rows: readonly string[][]): string[] {
  const width = Math.max(0, ...rows.map((row) => row.length))
  return Array.from({ length: width }, (_, column) =>
    rows
      .map((row, level) => {
        const ownName = row[column] ?? ''
        const hasName = (at: number): boolean => rows.slice(level + 1).some((below) => below[at])
        if (ownName !== '' || column === 0 || !hasName(column)) return ownName
        const parent = row.findLastIndex((name, at) => at > 0 && at < column && name !== '')
        return parent > 0 && hasName(parent) ? (row[parent] ?? '') : ''
      })
      .filter(Boolean)
      .join(' '),
  )
}

/**
 * Whether the first row is a title above the column names: few cells are filled in it, and all cells below are words.
 */
const isTitle = (header: string[], below: string[]): boolean =>
  below.length > 2 &&
  header.filter(Boolean).length <= below.length / 2 &&
  below.every((cell) => cell !== '' && !/\d/.test(cell))

/**
 * Whether the first row is data because the table has no column names: most of it is figures (years may be names:
 * "Planned 2027"; and days beside an empty cell: "December 31, 2019").
 */
const isData = (header: string[]): boolean =>
  !areTimes(header) &&
  header.filter(
    (cell) => /\d/.test(cell) && !YEAR_NAME.test(cell) && !(isCorner(header) && DAY_NAME.test(cell)),
  ).length >
    header.length / 2

/** Columns beside a label that are called by their times: "Summer (1 Apr – 30 Sep)", "Mon 6 Jul". */
const areTimes = ([label = '', ...names]: string[]): boolean =>
  /^\D+$/.test(label) &&
  names.length > 1 &&
  names.every((name) => {
    const intervals = placedIntervals(name)
    const rest = intervals.reduceRight((open, { start, end }) => open.slice(0, start) + open.slice(end), name)
    return intervals.length > 0 && !/\d/.test(rest)
  })

const YEAR_NAME = /^\D{0,24}(?:19|20)\d\d\D{0,3}$/
const DAY_NAME = /^(?:\d{1,2}\.? )?\p{L}{3,}\.? (?:\d{1,2}, ?)?(?:19|20)\d\d(?!\d)/u
const isCorner = ([first = '']: string[]): boolean => first === '' || /^\(.*\)$/.test(first)

/**
 * Whether the first row is a name and a description ("Present | Ingrid Solheim (chair), Tomas …"), so that no row is
 * a header.
 */
const isDescription = ([name, description = '', ...more]: string[]): boolean =>
  name !== undefined &&
  more.length === 0 &&
  (description.length > MAX_COLUMN_NAME_LENGTH ||
    (/^[-±+£$€]?\d/.test(description) && !/^(?:19|20)\d\d\b/.test(description)))
const MAX_COLUMN_NAME_LENGTH = 40

// A pipe ends a cell unless an odd number of backslashes precedes it (as src/reader/shared/blocks/table.ts writes it).
const ESCAPED = String.raw`(?<!(?<!\\)(?:\\\\)*\\)`
const LAST_PIPE = new RegExp(String.raw`${ESCAPED}\|$`)
const PIPE = new RegExp(String.raw`${ESCAPED}\|`)

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(LAST_PIPE, '')
    .split(PIPE)
    .map((cell) => cell.trim().replace(/\\([\\|])/g, '$1'))

/** The number of cells in the rows of a table without column names; undefined for a table with column names. */
export const headerlessWidth = (rows: readonly TableRow[]): number | undefined =>
  rows.every(({ cells }) => cells.every(({ header }) => header === '')) ? rows[0]?.cells.length : undefined
