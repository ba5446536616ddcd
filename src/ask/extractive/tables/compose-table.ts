// Writes the answer from tables: the result, its table, and the rows. Pure.

import type { Passage } from '../../../search/passage.ts'
import type { AnswerLanguage } from '../../answer-language.ts'
import type { PassageRow, SourceTable } from '../../tools/tools.ts'
import { sourceOf } from '../compose.ts'
import { escapeMarkdown, rowAsPairs } from '../quote.ts'
import type { Wording } from '../wording.ts'
import { headersOf, type PartialReading, type TableReading } from './result.ts'
import type { TableAnswer } from './table-qa.ts'

const MAX_ROWS = 8
const MAX_LISTED_ROWS = 20
// The rows of all tables of a partial answer together.
const MAX_ROWS_OF_PARTIALS = 10
const MAX_COLUMNS = 8

interface WritingContext {
  language: AnswerLanguage
  wording: Wording
  /** Returns the number by which a passage is cited. */
  citationNumberOf: (passage: Passage) => number
}

/** The result in one line with its table, then its rows. If the question may be about several tables, one line for each table. */
export function composeTableAnswer(answer: TableAnswer, writing: WritingContext): string {
  const { wording } = writing
  if (answer.kind === 'partial') {
    const { partials, readings } = answer
    const lines = readings.map(
      (reading) => `- ${headline(reading, writing)} — ${tableOf(reading, writing)}\n`,
    )
    const isSingleTable = partials.length + readings.length === 1
    return [
      isSingleTable ? wording.uncertain : wording.unclearTables,
      '',
      ...lines,
      ...partials.flatMap((partial) => partialLines(partial, shownRowsOf(partial, answer), writing)),
      ...(isSingleTable ? [wording.close] : []),
    ].join('\n')
  }
  if (answer.kind === 'several')
    return [
      wording.severalTables,
      '',
      ...answer.readings.map((reading) => `- ${headline(reading, writing)} — ${tableOf(reading, writing)}`),
    ].join('\n')
  const [best] = answer.readings
  if (!best) return ''
  const lines = rowLines(best, writing)
  const places = answer.readings.map((reading) => tableOf(reading, writing)).join('; ')
  return [`${headline(best, writing)} — ${places}`, ...(lines.length > 0 ? ['', ...lines] : [])].join('\n')
}

/** The rows that an answer shows and cites. */
export function citedRows(answer: TableAnswer): PassageRow[] {
  const citesFirstRowOnly = answer.kind !== 'stated'
  const rows = answer.readings.flatMap((reading, i) =>
    citesFirstRowOnly || i > 0 ? reading.rows.slice(0, 1) : shownRows(reading),
  )
  if (answer.kind !== 'partial') return rows
  const firstRows = answer.partials.flatMap(({ table }) => table.rows.slice(0, 1))
  return [...rows, ...firstRows, ...answer.partials.flatMap((partial) => shownRowsOf(partial, answer))]
}

const shownRowsOf = (
  { rows }: PartialReading,
  { partials }: { partials: readonly unknown[] },
): PassageRow[] => rows.slice(0, Math.ceil(MAX_ROWS_OF_PARTIALS / partials.length))

/** The words of the question that were not understood, the words that were understood, and the rows that meet them. */
function partialLines(
  { table, unplacedWords, subjects, conditions, rows, all, results }: PartialReading,
  shownRows: readonly PassageRow[],
  writing: WritingContext,
): string[] {
  const { wording, citationNumberOf } = writing
  const name = nameOf(table, shownRows[0] ?? table.rows[0], writing)
  const likely = results.map((result) => resultText(result, writing))
  const uncertainty =
    likely.length > 0 ? [wording.likely(likely)] : [wording.unplaced(unplacedWords.map(escapeMarkdown))]
  if (shownRows.length === 0) return [`**${name}** — ${[...uncertainty, columnsOf(table)].join(' ')}`, '']
  const understood = wording.understood(subjects.map(escapeMarkdown), conditions.map(escapeMarkdown))
  const count = wording.rows(shownRows.length, rows.length, all)
  const { headers, hidden } = headersShown(table, [...subjects, ...conditions])
  const cells = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`
  return [
    `**${name}** — ${[...uncertainty, understood, hidden > 0 ? wording.hiddenColumns(hidden) : '', count].filter(Boolean).join(' ')}`,
    '',
    cells([...headers.map(cellText), ' ']),
    cells([...headers, ''].map(() => '---')),
    ...shownRows.map((row) => {
      const textOf = (header: string) => row.cells.find((cell) => cell.header === header)?.text ?? ''
      return cells([
        ...headers.map((header) => cellText(textOf(header))),
        `[${citationNumberOf(row.passage)}]`,
      ])
    }),
    '',
  ]
}

const MAX_CELL_LENGTH = 80
const cellText = (text: string): string =>
  escapeMarkdown(text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH)} …` : text)
    .replace(/\s+/g, ' ')
    .replace(/(?<!\\)\|/g, '\\|')

/**
 * The columns that are shown: the first one, which names the rows, then those that the question names, then others up to
 * MAX_COLUMNS. `hidden` is the number of columns that are not shown.
 */
function headersShown(
  table: SourceTable,
  namedTexts: readonly string[],
): { headers: string[]; hidden: number } {
  const all = [...new Set(table.rows.flatMap(({ cells }) => cells.map(({ header }) => header)))]
  const isNamed = (header: string): boolean => namedTexts.some((text) => text.startsWith(header))
  const [first, ...others] = all
  const ordered = [
    ...(first === undefined ? [] : [first]),
    ...others.filter(isNamed),
    ...others.filter((header) => !isNamed(header)),
  ]
  return { headers: ordered.slice(0, MAX_COLUMNS), hidden: Math.max(0, all.length - MAX_COLUMNS) }
}

const shownRows = ({ rows, operation }: TableReading): PassageRow[] =>
  rows.slice(0, operation === 'rows' ? MAX_LISTED_ROWS : MAX_ROWS)

/** The names of the columns, which help the reader to ask again in other words. */
const columnsOf = (table: SourceTable): string =>
  headersOf(table).filter(Boolean).slice(0, MAX_LISTED_ROWS).map(escapeMarkdown).join(' · ')

const tableOf = ({ table, rows }: TableReading, writing: WritingContext): string =>
  nameOf(table, rows[0], writing)

/** The name of a table: its document, the last heading above it, and the citation of a row. */
function nameOf(
  table: SourceTable,
  row: PassageRow | undefined,
  { wording, citationNumberOf }: WritingContext,
): string {
  if (!row) return ''
  const title = sourceOf(row.passage, wording)
  const sheet = table.heading.split('\n')[0]?.split(' > ').at(-1)?.trim() ?? ''
  const nameWithSheet = sheet && !table.title.includes(sheet) ? `${title}, ${escapeMarkdown(sheet)}` : title
  return `${nameWithSheet} [${citationNumberOf(row.passage)}]`
}

function headline(reading: TableReading, { wording, language }: WritingContext): string {
  const { operation, value, matching, all, isTotalsRow } = reading
  const subject = escapeMarkdown(reading.subject)
  const valueText = escapeMarkdown(
    operation === 'sum' || operation === 'mean' ? grouped(value, language) : value,
  )
  const names = reading.names.map(escapeMarkdown).join(', ')
  const conditions = reading.conditions.map(escapeMarkdown).join('; ')
  const scale = escapeMarkdown(reading.scale)
  const inBrackets = (...texts: string[]): string => {
    const nonEmpty = texts.filter(Boolean).join('; ')
    return nonEmpty ? ` (${nonEmpty})` : ''
  }
  if (reading.cells) {
    const { results, formula } = reading.cells
    const values = results.map(({ of, text, isInPoints }) => {
      if (of === undefined) return isInPoints ? wording.percentagePoints(text) : text
      return `${of === 'sum' ? wording.sum(subject) : of === 'mean' ? wording.mean(subject) : of}: ${text}`
    })
    return `**${escapeMarkdown(values.join('; '))}**${inBrackets(formula ? `${subject}: ${escapeMarkdown(formula)}` : subject, scale)}`
  }
  switch (operation) {
    case 'count':
      return conditions
        ? `**${valueText}** ${wording.ofAll(all)}${inBrackets(subject, conditions)}`
        : `**${valueText}**${inBrackets(subject)}`
    case 'rows':
      if (names) return `**${names}**${inBrackets(`${valueText} ${wording.ofAll(all)}`, conditions)}`
      return `**${subject}: ${valueText}**${conditions ? ` ${wording.ofAll(all)}` : ''}${inBrackets(conditions)}`
    case 'value':
      return `**${valueText || '–'}**${inBrackets(subject, scale, conditions, valueText ? '' : wording.emptyCell)}`
    case 'check':
      return `**${value === 'yes' ? wording.yes : wording.no}**${inBrackets(`${subject}`, conditions)}`
    default: {
      const label = labelOf(operation, subject, wording)
      if (reading.isSumForCount)
        return `**${valueText}**${inBrackets(label, isTotalsRow ? wording.totalsRow : wording.ofRows(matching), conditions)}`
      const from = isTotalsRow ? wording.totalsRow : wording.ofRows(matching)
      return `**${label}: ${valueText}**${names ? `, ${names}` : ''}${inBrackets(scale, from, conditions)}`
    }
  }
}

/** "Sum of Rent: 1,908 €" */
function resultText(
  { operation, subject, value, matching }: PartialReading['results'][number],
  { wording, language }: WritingContext,
): string {
  const valueText = escapeMarkdown(
    operation === 'sum' || operation === 'mean' ? grouped(value, language) : value,
  )
  const name = escapeMarkdown(subject)
  if (operation === 'count') return wording.rowCount(matching)
  const label = operation === 'sum' || operation === 'mean' || operation === 'min' || operation === 'max'
  return label ? `${labelOf(operation, name, wording)}: ${valueText}` : valueText
}

const labelOf = (operation: 'sum' | 'mean' | 'min' | 'max', subject: string, wording: Wording): string =>
  ({ sum: wording.sum, mean: wording.mean, min: wording.least, max: wording.most })[operation](subject)

const MIN_GROUPED = 10_000

/** A calculated number as the language writes it: 1,219,000 €. */
const grouped = (value: string, language: AnswerLanguage): string =>
  value.replace(/^-?\d+(?:\.\d+)?/, (digits) =>
    new Intl.NumberFormat(language, {
      maximumFractionDigits: 20,
      useGrouping: Math.abs(Number(digits)) >= MIN_GROUPED,
    }).format(digits as Intl.StringNumericLiteral),
  )

const rowLine = (
  { cells, passage }: PassageRow,
  columns: readonly string[],
  { wording, citationNumberOf }: WritingContext,
): string => `- ${rowAsPairs(cells, columns)} — ${sourceOf(passage, wording)} [${citationNumberOf(passage)}]`

function rowLines(reading: TableReading, writing: WritingContext): string[] {
  const rows = shownRows(reading)
  // A count of 0 cites the table by its first row, which is not shown.
  if (reading.operation === 'count' && reading.matching === 0) return []
  const lines = rows.map((row) => rowLine(row, reading.columns, writing))
  return [...new Set(lines), ...(rows.length < reading.rows.length ? ['- …'] : [])]
}
