// Answers a question from one table: its keywords are matched with column names, cells and the table's subject, and
// the matching rows are listed, counted or aggregated (compute/). There is no answer when too many keywords stay
// unexplained. Pure.

import { fold } from '../../../language/words.ts'
import { compute } from '../../compute/compute.ts'
import type { PassageRow } from '../../tools/tools.ts'
import { namesType } from '../answer-type.ts'
import { contains, type Keyword, type TextTerms, textTerms } from '../keywords.ts'
import { isCode } from '../question.ts'
import { distinctBy, figureColumn, isFigureColumn, isIdColumn, languageOf, splitHeader } from './columns.ts'
import type { TableIntent } from './intent.ts'

export interface TableAnswer {
  operation: TableIntent['operation']
  /** The aggregated column, or the thing counted. */
  subject: string
  /** The result with its unit; for `rows` how many match. */
  value: string
  /** How many rows it was computed from. */
  rowsUsed: number
  /** The rows worth showing. */
  rows: PassageRow[]
  /** How many rows the table has. */
  tableRows: number
  /** Columns that must be shown. */
  columns: string[]
  /** Weighted share of the keywords that matched nothing, 0 to 1. */
  unexplained: number
}

// A table with more unexplained than this is about something else.
const MOST_UNEXPLAINED = 0.25
const SHOWN_ROWS = 8
const LEAST_STEM = 4
// "value" in "the highest copper value" only says that the column has figures.
const FIGURE_WORD =
  /^(?:values?|amounts?|figures?|readings?|werte?|beträge?|betrag|valeurs?|montants?|valor(?:es)?|importes?)$/iu

interface TableMatch {
  rows: readonly PassageRow[]
  headers: string[]
  /** Columns named by keywords, the most often named first. */
  namedColumns: string[]
  /** The most often named columns. */
  bestColumns: string[]
  /** Rows that contain all conditions. */
  matchingRows: PassageRow[]
  /** Keywords found in cells. */
  conditions: Keyword[]
  unexplained: number
}

/** `rows` is the whole table; `keywords` are those that the intent left. */
export function answerFromTable(
  rows: readonly PassageRow[],
  keywords: readonly Keyword[],
  intent: TableIntent,
): TableAnswer | undefined {
  const match = matchQuestion(rows, keywords, intent)
  if (!match || match.unexplained > MOST_UNEXPLAINED || match.matchingRows.length === 0) return undefined
  const { operation } = intent
  if (operation === 'count') return countThings(match, keywords)
  return operation === 'rows' ? listRows(match, intent) : computeColumn(match, intent)
}

function matchQuestion(
  rows: readonly PassageRow[],
  keywords: readonly Keyword[],
  intent: TableIntent,
): TableMatch | undefined {
  const [first] = rows
  if (!first || rows.length < 2) return undefined
  const { language, document_title: title, heading } = first.passage
  const headers = [...new Set(rows.flatMap((row) => row.cells.map((cell) => cell.header)))].filter(Boolean)
  if (headers.length < 2) return undefined
  const columns = headers.map((header) => ({ header, name: textTerms(splitHeader(header), language) }))
  const cells = rows.map((row) => textTerms(row.cells.map(({ text }) => text).join('\n'), language))
  const around = textTerms(`${title}\n${heading}`, language)
  const timesNamed = new Map<string, number>()
  const conditions: Keyword[] = []
  let [unexplained, total] = [0, 0]
  for (const keyword of keywords) {
    // "cost" means the price column, whatever its name.
    if (namesType(intent.type, keyword.word)) continue
    total += keyword.weight
    const naming = columns.filter(({ name }) => namesColumn(name, keyword))
    const isInCell = cells.some((cell) => contains(cell, keyword))
    // A name in a cell goes before a similar column name: "Reino Unido" is the United Kingdom and no `unit` price.
    const isColumn =
      naming.length > 0 && !(isInCell && (keyword.synonyms.size > 1 || /^\p{Lu}/u.test(keyword.word)))
    if (isColumn) for (const { header } of naming) timesNamed.set(header, (timesNamed.get(header) ?? 0) + 1)
    else if (isInCell) conditions.push(keyword)
    else if (!contains(around, keyword) && !FIGURE_WORD.test(keyword.word)) unexplained += keyword.weight
  }
  // Without the code asked for there is no answer: zero of something unknown would be wrong.
  if (
    keywords.some(
      (keyword) => isCode(keyword.word) && !conditions.includes(keyword) && !contains(around, keyword),
    )
  )
    return undefined
  const namedColumns = [...timesNamed.keys()].sort(
    (a, b) => (timesNamed.get(b) ?? 0) - (timesNamed.get(a) ?? 0),
  )
  const most = Math.max(0, ...timesNamed.values())
  const bestColumns = namedColumns.filter((header) => timesNamed.get(header) === most)
  const withinAll = withinBounds(rows, headers, bestColumns, intent)
  if (!withinAll) return undefined
  const matchingRows = rows.filter(
    (row, i) =>
      withinAll.includes(row) && conditions.every((keyword) => contains(cells[i] ?? around, keyword)),
  )
  return {
    rows,
    headers,
    namedColumns,
    bestColumns,
    matchingRows,
    conditions,
    unexplained: total ? unexplained / total : 1,
  }
}

/** Column names are short, so a common stem is enough: "supplies" names `supplier`. */
function namesColumn(header: TextTerms, keyword: Keyword): boolean {
  if (contains(header, keyword)) return true
  const form = keyword.forms.get(header.language)
  if (form === undefined || form.length < LEAST_STEM) return false
  for (const term of header.terms)
    if (term.length >= LEAST_STEM && (term.startsWith(form) || form.startsWith(term))) return true
  return false
}

/** The rows within every bound; undefined when it is unclear which column is meant. */
function withinBounds(
  rows: readonly PassageRow[],
  headers: string[],
  namedColumns: string[],
  { bounds, type }: TableIntent,
): readonly PassageRow[] | undefined {
  if (bounds.length === 0) return rows
  const column = figureColumn(rows, headers, namedColumns, type)
  if (!column) return undefined
  const where = bounds.map((bound) => ({ ...bound, column }))
  const found = compute(rows, { operation: 'rows', columns: [], where }, languageOf(rows))
  return found.kind === 'rows' ? found.rows : undefined
}

function computeColumn(match: TableMatch, intent: TableIntent): TableAnswer | undefined {
  const { rows, headers, namedColumns, bestColumns, matchingRows, unexplained, conditions } = match
  // The extreme, sum or mean of something else is wrong, where a row that is quoted only misses the point.
  if (matchingRows.length < 2 || unexplained > 0) return undefined
  const column = figureColumn(rows, headers, bestColumns, intent.type)
  // A sum without conditions is only computed for the one column that the question names ("the total planned for
  // 2027"): otherwise a row gives the figure.
  const isWhole = bestColumns.length === 1 && bestColumns[0] === column && unexplained === 0
  if (intent.operation === 'sum' && conditions.length === 0 && !isWhole) return undefined
  if (!column) return undefined
  // "Last ordered in 2025" asks for rows when a column has that name, and not for the last date.
  if (conditions.length && fold(splitHeader(column)).split(/\s+/).includes(fold(intent.phrase)))
    return listRows(match, intent)
  const result = compute(matchingRows, { operation: intent.operation, columns: [column] }, languageOf(rows))
  if (result.kind !== 'value' || !result.exact) return undefined
  // The table gives the total itself.
  if (intent.operation === 'sum' && conditions.length === 0 && result.totals.length > 0) return undefined
  const isExtreme = intent.operation === 'min' || intent.operation === 'max'
  return {
    operation: intent.operation,
    subject: column,
    value: `${result.value}${result.unit ? ` ${result.unit}` : ''}`,
    rowsUsed: isExtreme ? matchingRows.length : result.rows.length,
    rows: result.rows.slice(0, SHOWN_ROWS),
    tableRows: rows.length,
    columns: [column, ...namedColumns],
    unexplained,
  }
}

/** Counts the distinct values of the column that names the thing. */
function countThings(match: TableMatch, keywords: readonly Keyword[]): TableAnswer | undefined {
  const { rows, namedColumns, matchingRows, conditions, unexplained } = match
  const [noun] = keywords
  // "How many gauges were delivered": a row about gauges gives the number.
  if (!noun || conditions.includes(noun)) return undefined
  const columns = namedColumns.filter((header) =>
    namesColumn(textTerms(splitHeader(header), languageOf(rows)), noun),
  )
  const column = columns.find((header) => !isIdColumn(rows, header)) ?? columns[0]
  if (!column) return undefined
  if (isFigureColumn(rows, column) && !isIdColumn(rows, column)) return undefined
  const shown = distinctBy(matchingRows, column)
  return {
    operation: 'count',
    subject: column,
    value: String(shown.length),
    rowsUsed: matchingRows.length,
    rows: shown.slice(0, SHOWN_ROWS),
    tableRows: rows.length,
    columns: [column],
    unexplained,
  }
}

/** Lists the matching rows, if the question names what to list and a condition leaves some rows out. */
function listRows(match: TableMatch, { bounds }: TableIntent): TableAnswer | undefined {
  const { rows, namedColumns, matchingRows, conditions, unexplained } = match
  if (conditions.length + bounds.length === 0) return undefined
  if (matchingRows.length === rows.length || conditions.some((keyword) => isCode(keyword.word)))
    return undefined
  const thing =
    namedColumns.find((header) => !isFigureColumn(rows, header)) ??
    namedColumns.find((header) => isIdColumn(rows, header))
  if (!thing) return undefined
  const shown = distinctBy(matchingRows, thing)
  // Rows with an empty cell in that column do not count.
  if (shown.length === 0) return undefined
  return {
    operation: 'rows',
    subject: thing,
    value: String(shown.length),
    rowsUsed: matchingRows.length,
    rows: shown.slice(0, SHOWN_ROWS),
    tableRows: rows.length,
    columns: [thing, ...namedColumns],
    unexplained,
  }
}
