// A question that a table answers by arithmetic: its words are column names, contents of cells, or what the table is about;
// the rows that match are counted or computed (compute/). Nothing is said when a word stays unexplained. Pure.

import { fold } from '../../../language/words.ts'
import { compute } from '../../compute/compute.ts'
import type { TableRowOf } from '../../tools/tools.ts'
import { isColumnOf, namesType } from '../answer-type.ts'
import { stockOf } from '../availability.ts'
import { holds, type Part, type Profile, profileOf } from '../keywords.ts'
import { isCode } from '../question.ts'
import { distinctBy, figureColumn, isFigures, isId, languageOf, spaced } from './columns.ts'
import type { TableIntent } from './intent.ts'
import { type Status, withStatus } from './status.ts'

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
// "The highest copper value": says of a column only that it holds figures.
const FIGURE_WORD =
  /^(?:values?|amounts?|figures?|readings?|werte?|beträge?|betrag|valeurs?|montants?|valor(?:es)?|importes?)$/iu

interface Reading {
  rows: readonly TableRowOf[]
  headers: string[]
  /** Columns that a word of the question names, those first that most of its words name. */
  named: string[]
  /** Of the columns named those that most words name. */
  best: string[]
  /** Rows that hold every word of the question found in cells. */
  matching: TableRowOf[]
  /** Words found in cells. */
  conditions: Part[]
  /** Whether a column said which rows are meant. */
  status: boolean
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
  const status = intent.status && statusOf(rows, headers, parts, intent.status)
  if (intent.status && !status) return undefined
  const cells = rows.map((row) => profileOf(row.cells.map(({ text }) => text).join('\n'), language))
  const around = profileOf(`${title}\n${heading}`, language)
  const namings = new Map<string, number>()
  const conditions: Part[] = []
  let [open, total] = [0, 0]
  for (const part of parts) {
    // "cost" is what a price column is about, whatever it is called.
    if (namesType(intent.type, part.word)) continue
    total += part.weight
    if (part === status?.part) continue
    const own = columns.filter(({ profile }) => names(profile, part))
    const held = cells.some((cell) => holds(cell, part))
    // "Reino Unido" is the United Kingdom of a cell before it is a `unit` price; so is any name.
    const isColumn = own.length > 0 && !(held && (part.also.size > 1 || /^\p{Lu}/u.test(part.word)))
    if (isColumn) for (const { header } of own) namings.set(header, (namings.get(header) ?? 0) + 1)
    else if (held) conditions.push(part)
    else if (!holds(around, part) && !FIGURE_WORD.test(part.word)) open += part.weight
  }
  // A code that is not there is not counted: zero of something unknown is no answer.
  if (parts.some((part) => isCode(part.word) && !conditions.includes(part) && !holds(around, part)))
    return undefined
  const named = [...namings.keys()].sort((a, b) => (namings.get(b) ?? 0) - (namings.get(a) ?? 0))
  const most = Math.max(0, ...namings.values())
  const best = named.filter((header) => namings.get(header) === most)
  const bounded = withinBounds(rows, headers, best, intent)
  if (!bounded) return undefined
  const { stock } = intent
  const matching = rows.filter(
    (row, i) =>
      bounded.includes(row) &&
      (!status || status.rows.includes(row)) &&
      (!stock || stockOf(row.line, row.cells) === stock) &&
      conditions.every((part) => holds(cells[i] ?? around, part)),
  )
  const shown = status ? [...named, status.column] : named
  return {
    rows,
    headers,
    named: shown,
    best,
    matching,
    conditions,
    status: status !== undefined,
    open: total ? open / total : 1,
  }
}

/** The rows of the status asked for, and the word of the question that says it. */
function statusOf(
  rows: readonly TableRowOf[],
  headers: readonly string[],
  parts: readonly Part[],
  { word, negated }: Status,
) {
  const part = parts.find((other) => other.word.toLowerCase() === word.toLowerCase())
  const found = part && withStatus(rows, headers, part, negated)
  return found && part ? { ...found, part } : undefined
}

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

function computed(reading: Reading, intent: TableIntent): TableAnswer | undefined {
  const { rows, headers, named, best, matching, open, conditions } = reading
  if (matching.length < 2) return undefined
  const column = figureColumn(rows, headers, best, intent.type)
  // The question names a row, and the row says the figure: nothing is to be computed. "The total planned for 2027" is all
  // of the one column that is called so.
  const isWhole = best.length === 1 && best[0] === column && open === 0
  if (intent.operation === 'sum' && conditions.length === 0 && !isWhole) return undefined
  if (!column) return undefined
  // "Last ordered in 2025" asks for those days, where a column is called so, and not for the last of them.
  if (conditions.length && fold(spaced(column)).split(/\s+/).includes(fold(intent.said)))
    return listed(reading, intent)
  const result = compute(matching, { operation: intent.operation, columns: [column] }, languageOf(rows))
  if (result.kind !== 'value' || !result.exact) return undefined
  // The table has said the total itself.
  if (intent.operation === 'sum' && conditions.length === 0 && result.totals.length > 0) return undefined
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
  // Rows are counted as what a column calls them; by the table's title only where that is nothing but the noun.
  if (!column) return isTitledBy(rows, noun) && open === 0 ? countedWhole(reading) : undefined
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

// A list of members is one of members; a report on the port is not one of ports.
const LIST_WORDS =
  /(?<![\p{L}])(?:lists?|register|overview|table|all|our|current|liste|verzeichnis|übersicht|registre|lista|registro)(?![\p{L}])|\d+/giu

/** Whether the table's title or its heading is the noun and nothing else, a year or "list of" aside. */
const isTitledBy = (rows: readonly TableRowOf[], noun: Part): boolean =>
  rows.slice(0, 1).some(({ passage: { document_title: title, heading, language } }) =>
    [title, heading.split(' > ').at(-1) ?? ''].some((text) => {
      const { terms } = profileOf(spaced(text).replace(LIST_WORDS, ' '), language)
      return terms.size === 1 && holds({ language, terms }, noun)
    }),
  )

/** The rows that match, totals aside, each a thing of its own. */
function countedWhole({ rows, headers, matching, open }: Reading): TableAnswer | undefined {
  const [of = ''] = headers
  const counted = compute(matching, { operation: 'count', columns: [of] }, languageOf(rows))
  if (counted.kind !== 'value' || distinctBy(counted.rows, of).length < counted.rows.length) return undefined
  return {
    operation: 'count',
    of: rows[0]?.passage.document_title ?? of,
    value: counted.value,
    from: counted.rows.length,
    rows: counted.rows.slice(0, SHOWN_ROWS),
    all: rows.length,
    columns: [of],
    open,
  }
}

/** All rows that match, where the question names what to list and a condition leaves some of them out. */
function listed(reading: Reading, { bounds, stock }: TableIntent): TableAnswer | undefined {
  const { rows, headers, named, matching, conditions, open, status } = reading
  if ((conditions.length + bounds.length === 0 && !stock && !status) || named.length === 0) return undefined
  if (matching.length === rows.length || conditions.some((part) => isCode(part.word))) return undefined
  const thing = status
    ? [...named.slice(0, -1), ...headers.filter((header) => isColumnOf('person', header)), ...headers].find(
        (header) => !isFigures(rows, header) || (named.includes(header) && isId(rows, header)),
      )
    : (named.find((header) => !isFigures(rows, header)) ?? named.find((header) => isId(rows, header)))
  if (!thing) return undefined
  const shown = distinctBy(matching, thing)
  // Rows without anything in that column are no things.
  if (shown.length === 0) return undefined
  return {
    operation: 'rows',
    of: thing,
    value: String(shown.length),
    from: matching.length,
    // Whoever owes two invoices owes both.
    rows: (status ? matching : shown).slice(0, SHOWN_ROWS),
    all: rows.length,
    columns: [thing, ...named],
    open,
  }
}
