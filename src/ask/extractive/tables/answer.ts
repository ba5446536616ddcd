// A question that a table answers by arithmetic: its words are column names, contents of cells, or what the table is about;
// the rows that match are counted or computed (compute/). Nothing is said when a word stays unexplained. Pure.

import { fold } from '../../../language/words.ts'
import { compute } from '../../compute/compute.ts'
import type { TableRowOf } from '../../tools/tools.ts'
import { isColumnOf, namesType } from '../answer-type.ts'
import { holds, type Part, type Profile, profileOf } from '../coverage.ts'
import { isCode } from '../question.ts'
import { stockOf } from '../speech/stock.ts'
import type { TableIntent } from './intent.ts'

export interface TableAnswer {
  operation: TableIntent['operation']
  /** What was computed of: a column, or what was counted. */
  of: string
  /** A figure with its unit; of `rows` how many match. */
  value: string
  /** What it was computed from, and what is worth showing of it. */
  from: number
  rows: TableRowOf[]
  /** Rows of the whole table. */
  all: number
  /** Columns that must be shown. */
  columns: string[]
  /** Weighted share of the question's words that stayed unexplained, 0 to 1. */
  open: number
}

// Of the question's words by weight: more left open means that the table is about something else.
const MOST_OPEN = 0.25
const SHOWN_ROWS = 8
const LEAST_STEM = 4

interface Reading {
  rows: readonly TableRowOf[]
  headers: string[]
  /** Columns that a word of the question names. */
  named: string[]
  /** Rows that hold every word of the question found in cells. */
  matching: TableRowOf[]
  /** Words found in cells. */
  conditions: Part[]
  open: number
}

/** @param parts the words of the question that the intent left; `rows` the whole table. */
export function answerFromTable(
  rows: readonly TableRowOf[],
  parts: readonly Part[],
  intent: TableIntent,
): TableAnswer | undefined {
  const reading = read(rows, parts, intent)
  if (!reading || reading.open > MOST_OPEN || reading.matching.length === 0) return undefined
  const { operation } = intent
  if (operation === 'count') return counted(reading, parts)
  return operation === 'rows' ? listed(reading, intent) : computed(reading, intent)
}

function read(rows: readonly TableRowOf[], parts: readonly Part[], intent: TableIntent): Reading | undefined {
  const [first] = rows
  if (!first || rows.length < 2) return undefined
  const { language, document_title: title, heading } = first.passage
  const headers = [...new Set(rows.flatMap((row) => row.cells.map((cell) => cell.header)))].filter(Boolean)
  if (headers.length < 2) return undefined
  const columns = headers.map((header) => ({ header, profile: profileOf(spaced(header), language) }))
  const cells = rows.map((row) => profileOf(row.cells.map(({ text }) => text).join('\n'), language))
  const around = profileOf(`${title}\n${heading}`, language)
  const named = new Set<string>()
  const conditions: Part[] = []
  let [open, total] = [0, 0]
  for (const part of parts) {
    // "cost" is what a price column is about, whatever it is called.
    if (namesType(intent.type, part.word)) continue
    total += part.weight
    const own = columns.filter(({ profile }) => names(profile, part))
    const held = cells.some((cell) => holds(cell, part))
    // "Reino Unido" is the United Kingdom of a cell before it is a `unit` price; so is any name.
    const isColumn = own.length > 0 && !(held && (part.also.size > 1 || /^\p{Lu}/u.test(part.word)))
    if (isColumn) for (const { header } of own) named.add(header)
    else if (held) conditions.push(part)
    else if (!holds(around, part)) open += part.weight
  }
  // A code that is not there is not counted: zero of something unknown is no answer.
  if (parts.some((part) => isCode(part.word) && !conditions.includes(part) && !holds(around, part)))
    return undefined
  const bounded = withinBounds(rows, headers, [...named], intent)
  if (!bounded) return undefined
  const { stock } = intent
  const matching = rows.filter(
    (row, i) =>
      bounded.includes(row) &&
      (!stock || stockOf(row.line, row.cells) === stock) &&
      conditions.every((part) => holds(cells[i] ?? around, part)),
  )
  return { rows, headers, named: [...named], matching, conditions, open: total ? open / total : 1 }
}

/** unit_price_eur and unitPrice are three words and two. */
const spaced = (header: string): string => header.replace(/_/g, ' ').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')

/** Column names are short: "supplies" names `supplier`. */
function names(header: Profile, part: Part): boolean {
  if (holds(header, part)) return true
  const form = part.forms.get(header.language)
  if (form === undefined || form.length < LEAST_STEM) return false
  for (const term of header.terms)
    if (term.length >= LEAST_STEM && (term.startsWith(form) || form.startsWith(term))) return true
  return false
}

/** The rows within every bound; undefined when no column is plainly meant. */
function withinBounds(
  rows: readonly TableRowOf[],
  headers: string[],
  named: string[],
  { bounds, type }: TableIntent,
): readonly TableRowOf[] | undefined {
  if (bounds.length === 0) return rows
  const column = figureColumn(rows, headers, named, type)
  if (!column) return undefined
  const where = bounds.map((bound) => ({ ...bound, column }))
  const found = compute(rows, { operation: 'rows', columns: [], where }, languageOf(rows))
  return found.kind === 'rows' ? found.rows : undefined
}

const languageOf = (rows: readonly TableRowOf[]) => rows[0]?.passage.language ?? 'en'

/** The column of figures that is meant: named in the question, else the one of the kind asked for. */
function figureColumn(
  rows: readonly TableRowOf[],
  headers: readonly string[],
  named: readonly string[],
  type: TableIntent['type'],
): string | undefined {
  const figures = headers.filter((header) => isFigures(rows, header) && !isId(rows, header))
  const asked = figures.filter((header) => named.includes(header))
  // Dates are told by the cells: a "lead time" is none, and an "order" may be one.
  const kind =
    type === 'date'
      ? figures.filter((header) => isDates(rows, header))
      : figures.filter((header) => isColumnOf(type, spaced(header)))
  const both = kind.filter((header) => asked.includes(header))
  for (const columns of [both, asked, kind]) if (columns.length === 1) return columns[0]
  // Of prices and amounts the price.
  const priced = kind.filter((header) => /price|preis|prix|precio/i.test(header))
  return priced.length === 1 ? priced[0] : undefined
}

function isFigures(rows: readonly TableRowOf[], header: string): boolean {
  const cells = rows.map((row) => textIn(row, header)).filter(Boolean)
  return cells.length > 0 && cells.filter((cell) => /\d/.test(cell)).length > cells.length / 2
}

function isDates(rows: readonly TableRowOf[], header: string): boolean {
  const earliest = compute(rows, { operation: 'min', columns: [header] }, languageOf(rows))
  return earliest.kind === 'value' && /^\d{4}-\d\d-\d\d$/.test(earliest.value)
}

const textIn = (row: TableRowOf, header: string): string =>
  row.cells.find((cell) => cell.header === header)?.text ?? ''

function computed(reading: Reading, intent: TableIntent): TableAnswer | undefined {
  const { rows, headers, named, matching, open, conditions } = reading
  // The question names a row, and the row says the figure: nothing is to be computed.
  if (intent.operation === 'sum' && (matching.length < 2 || conditions.length === 0)) return undefined
  if (matching.length < 2) return undefined
  const column = figureColumn(rows, headers, named, intent.type)
  if (!column) return undefined
  // "Last ordered in 2025" asks for those days, where a column is called so, and not for the last of them.
  if (conditions.length && fold(spaced(column)).split(/\s+/).includes(fold(intent.said)))
    return listed(reading, intent)
  const result = compute(matching, { operation: intent.operation, columns: [column] }, languageOf(rows))
  if (result.kind !== 'value' || !result.exact) return undefined
  const one = intent.operation === 'min' || intent.operation === 'max'
  return {
    operation: intent.operation,
    of: column,
    value: `${result.value}${result.unit ? ` ${result.unit}` : ''}`,
    from: one ? matching.length : result.rows.length,
    rows: result.rows.slice(0, SHOWN_ROWS),
    all: rows.length,
    columns: [column, ...named],
    open,
  }
}

/** Different things in the column that names what is counted. */
function counted(reading: Reading, parts: readonly Part[]): TableAnswer | undefined {
  const { rows, named, matching, conditions, open } = reading
  const [noun] = parts
  // "How many gauges were delivered": a row speaks of them, and says how many.
  if (!noun || conditions.includes(noun)) return undefined
  const columns = named.filter((header) => names(profileOf(spaced(header), languageOf(rows)), noun))
  const column = columns.find((header) => !isId(rows, header)) ?? columns[0]
  // Rows are counted as what a column calls them: what a table is of cannot be told by its title.
  if (!column) return undefined
  if (isFigures(rows, column) && !isId(rows, column)) return undefined
  const shown = distinctBy(matching, column)
  return {
    operation: 'count',
    of: column,
    value: String(shown.length),
    from: matching.length,
    rows: shown.slice(0, SHOWN_ROWS),
    all: rows.length,
    columns: [column],
    open,
  }
}

/** Codes with letters and digits stand for things: they are counted, not added. */
const isId = (rows: readonly TableRowOf[], header: string): boolean =>
  rows.filter((row) => isCode(textIn(row, header))).length > rows.length / 2

function distinctBy(rows: readonly TableRowOf[], header: string): TableRowOf[] {
  const seen = new Set<string>()
  return rows.filter((row) => {
    const text = textIn(row, header).toLowerCase()
    if (!text || seen.has(text)) return false
    seen.add(text)
    return true
  })
}

/** All rows that match, where the question names what to list and a condition leaves some of them out. */
function listed(reading: Reading, { bounds, stock }: TableIntent): TableAnswer | undefined {
  const { rows, named, matching, conditions, open } = reading
  if ((conditions.length + bounds.length === 0 && !stock) || named.length === 0) return undefined
  if (matching.length === rows.length || conditions.some((part) => isCode(part.word))) return undefined
  const thing = named.find((header) => !isFigures(rows, header)) ?? named.find((header) => isId(rows, header))
  if (!thing) return undefined
  const shown = distinctBy(matching, thing)
  return {
    operation: 'rows',
    of: thing,
    value: String(shown.length),
    from: matching.length,
    rows: shown.slice(0, SHOWN_ROWS),
    all: rows.length,
    columns: [thing, ...named],
    open,
  }
}
