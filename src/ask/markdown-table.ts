// Parses Markdown tables into rows with column names. Pure.

import { placedIntervals } from '../language/intervals.ts'

export interface Cell {
  /** The column's name; empty if the table has no column names. */
  header: string
  text: string
}

export interface TableRow {
  /** The line verbatim. */
  line: string
  /** The cells that are not empty, in order; their text unescaped. */
  cells: Cell[]
}

// Matches `| --- | :-: |`.
const RULE = /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*\|?\s*$/

/** Whether the line is the delimiter row between column names and rows. */
export const isRule = (line: string): boolean => RULE.test(line)

/**
 * The rows of every table in the text, and the text with spaces in place of the tables, so that offsets stay the same.
 * `precedingColumns` are the column names at the end of the previous passage, for a table that was separated from them.
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
  // The column names if the first row is data: those of the previous passage, or none. Undefined otherwise, for example if it is a
  // header.
  const namesOfHeaderless =
    isData(firstRow) || isDescription(firstRow)
      ? precedingColumns.length === firstRow.length
        ? precedingColumns
        : []
      : undefined
  const levels = hasTitle || namesOfHeaderless !== undefined ? 1 : headerLevels(cells)
  const headers = hasTitle ? secondRow : (namesOfHeaderless ?? columnNames(cells.slice(0, levels)))
  const from = hasTitle ? 2 : namesOfHeaderless !== undefined ? 0 : headerOnlyRows(cells, levels)
  return cells
    .map((row, r) => ({
      line: lines[r] ?? '',
      cells: row.map((text, c) => ({ header: headers[c] ?? '', text })).filter((cell) => cell.text !== ''),
    }))
    .slice(from)
    .filter((row) => row.cells.length > 0)
}

/** The column names of a text that ends with the header of a table. Its rows follow in the next passage. Empty for other texts. */
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

// The deepest header among the test documents has four rows: company, period, year, change.
const MAX_LEVELS = 4

/** The number of rows of the header. A row with names below empty cells belongs to the header, as long as it has no figures. */
function headerLevels(rows: readonly string[][]): number {
  let levels = 1
  while (levels < MAX_LEVELS && levels < rows.length - 1) {
    const [above = [], row = []] = rows.slice(levels - 1)
    const [label = '', ...names] = row
    const isBelowEmptyCell = names.some((name, i) => name !== '' && (above[i + 1] ?? '') === '')
    const hasAtMostOneLabel = label === '' || (above[0] ?? '') === ''
    const hasNamesOnly = names.some(Boolean) && !names.some(isValue)
    const isHeader = isBelowEmptyCell && hasAtMostOneLabel && hasNamesOnly
    if (!isHeader && !areDates(row, above)) break
    levels++
  }
  return rows.slice(levels).some(([, ...cells]) => cells.some(isValue)) ? levels : 1
}

/** Whether a row has the dates of columns that the row above does not distinguish: years below "As of | As of". */
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
 * The number of rows at the top that are only header. From the second row on, a row with a label of its own is also data, unless it
 * has dates: "Storage | small | large".
 */
function headerOnlyRows(rows: readonly string[][], levels: number): number {
  const labelled = rows
    .slice(1, levels)
    .findIndex((row, i) => (row[0] ?? '') !== '' && !areDates(row, rows[i] ?? []))
  return labelled < 0 ? levels : labelled + 1
}

/** Whether a cell is a figure: a number without letters that is not a year. */
const isValue = (cell: string): boolean =>
  /^[^\p{L}]*\d[^\p{L}]*$/u.test(cell) && !/^\(?(?:19|20)\d\d\)?$/.test(cell)

/**
 * The name of each column: all names above it. A name followed by empty cells also counts for the columns below those cells, if
 * they have names of their own.
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
 * Whether the first row is a title above the column names: few of its cells are filled, and all cells below are words.
 */
const isTitle = (header: string[], below: string[]): boolean =>
  below.length > 2 &&
  header.filter(Boolean).length <= below.length / 2 &&
  below.every((cell) => cell !== '' && !/\d/.test(cell))

/**
 * Whether the first row is data because the table has no column names: most of its cells contain a digit. Years may be names
 * ("Planned 2027"), and so may days beside an empty cell ("December 31, 2019").
 */
const isData = (header: string[]): boolean =>
  !areTimes(header) &&
  header.filter(
    (cell) => /\d/.test(cell) && !YEAR_NAME.test(cell) && !(isCorner(header) && DAY_NAME.test(cell)),
  ).length >
    header.length / 2

/** Whether the columns beside a label are named by their times: "Summer (1 Apr – 30 Sep)", "Mon 6 Jul". */
const areTimes = ([label = '', ...names]: string[]): boolean =>
  /^\D+$/.test(label) &&
  names.length > 1 &&
  names.every((name) => {
    const intervals = placedIntervals(name)
    const rest = intervals.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), name)
    return intervals.length > 0 && !/\d/.test(rest)
  })

// Matches "Planned 2027".
const YEAR_NAME = /^\D{0,24}(?:19|20)\d\d\D{0,3}$/
// Matches "December 31, 2019" and "31. Dezember 2019".
const DAY_NAME = /^(?:\d{1,2}\.? )?\p{L}{3,}\.? (?:\d{1,2}, ?)?(?:19|20)\d\d(?!\d)/u
/** Whether the cell above the row names is empty or a remark: "(in thousands)". */
const isCorner = ([first = '']: string[]): boolean => first === '' || /^\(.*\)$/.test(first)

/**
 * Whether the first row is a name and its description or amount: "Present | Ingrid Solheim (chair), Tomas …", "Rent | $1,200". Then
 * no row is a header.
 */
const isDescription = ([name, description = '', ...more]: string[]): boolean =>
  name !== undefined &&
  more.length === 0 &&
  (description.length > MAX_COLUMN_NAME_LENGTH ||
    (/^[-±+£$€]?\d/.test(description) && !/^(?:19|20)\d\d\b/.test(description)))
const MAX_COLUMN_NAME_LENGTH = 40

// A pipe ends a cell unless an odd number of backslashes is before it (written so by src/reader/shared/blocks/table.ts).
const NOT_ESCAPED = String.raw`(?<!(?<!\\)(?:\\\\)*\\)`
const LAST_PIPE = new RegExp(String.raw`${NOT_ESCAPED}\|$`)
const PIPE = new RegExp(String.raw`${NOT_ESCAPED}\|`)

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(LAST_PIPE, '')
    .split(PIPE)
    .map((cell) => cell.trim().replace(/\\([\\|])/g, '$1'))

/** The number of cells of a row in a table without column names. Undefined for a table with column names. */
export const headerlessWidth = (rows: readonly TableRow[]): number | undefined =>
  rows.every(({ cells }) => cells.every(({ header }) => header === '')) ? rows[0]?.cells.length : undefined
