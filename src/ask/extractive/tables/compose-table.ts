// Writes the answer from tables: the result, the table that it is from, and the rows. Pure.

import type { Passage } from '../../../search/passage.ts'
import type { AnswerLanguage } from '../../answer-language.ts'
import type { PassageRow, SourceTable } from '../../tools/tools.ts'
import { sourceOf } from '../compose.ts'
import { escapeMarkdown, rowAsPairs } from '../quote.ts'
import type { Wording } from '../wording.ts'
import { headersOf, type TableReading } from './reading.ts'
import type { TableAnswer } from './table-qa.ts'

const MAX_ROWS = 8
const MAX_LISTED = 20

interface Writing {
  language: AnswerLanguage
  wording: Wording
  /** The number that a passage is cited by. */
  numberOf: (passage: Passage) => number
}

/** The result in one line with its table, then the rows it is from; or one line for each table that may be meant. */
export function composeTableAnswer(answer: TableAnswer, writing: Writing): string {
  const { wording } = writing
  if (answer.kind === 'unclear')
    return [
      `${wording.close} ${answer.rows.length > 0 ? wording.eitherRow : wording.unclearTables(answer.tables.length)}`,
      '',
      ...(answer.rows.length > 0
        ? answer.rows.map((row) => rowLine(row, [], writing))
        : answer.tables.map((table) => `- ${nameOf(table, table.rows[0], writing)}: ${columnsOf(table)}`)),
    ].join('\n')
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

/** The rows that an answer shows, which it cites. */
export function citedRows(answer: TableAnswer): PassageRow[] {
  if (answer.kind !== 'unclear')
    return answer.readings.flatMap((reading, i) =>
      answer.kind === 'several' || i > 0 ? reading.rows.slice(0, 1) : shownRows(reading),
    )
  return answer.rows.length > 0 ? answer.rows : answer.tables.flatMap(({ rows }) => rows.slice(0, 1))
}

const shownRows = ({ rows, operation }: TableReading): PassageRow[] =>
  rows.slice(0, operation === 'rows' ? MAX_LISTED : MAX_ROWS)

const MAX_COLUMNS = 12

/** The names of the columns, by which the question can be asked again. */
const columnsOf = (table: SourceTable): string =>
  headersOf(table).filter(Boolean).slice(0, MAX_COLUMNS).map(escapeMarkdown).join(' · ')

const tableOf = ({ table, rows }: TableReading, writing: Writing): string => nameOf(table, rows[0], writing)

/** The table by its document and the last heading above it, cited by a row. */
function nameOf(table: SourceTable, row: PassageRow | undefined, { wording, numberOf }: Writing): string {
  if (!row) return ''
  const title = sourceOf(row.passage, wording)
  const sheet = table.heading.split('\n')[0]?.split(' > ').at(-1)?.trim() ?? ''
  const named = sheet && !table.title.includes(sheet) ? `${title}, ${escapeMarkdown(sheet)}` : title
  return `${named} [${numberOf(row.passage)}]`
}

function headline(reading: TableReading, { wording, language }: Writing): string {
  const { operation, value, matching, all, isTotalsRow } = reading
  const subject = escapeMarkdown(reading.subject)
  const shown = escapeMarkdown(operation === 'sum' || operation === 'mean' ? grouped(value, language) : value)
  const names = reading.names.map(escapeMarkdown).join(', ')
  const conditions = reading.conditions.map(escapeMarkdown).join('; ')
  const scale = escapeMarkdown(reading.scale)
  const beside = (...texts: string[]): string => {
    const said = texts.filter(Boolean).join('; ')
    return said ? ` (${said})` : ''
  }
  switch (operation) {
    case 'count':
      return conditions
        ? `**${shown}** ${wording.ofAll(all)}${beside(subject, conditions)}`
        : `**${shown}**${beside(subject)}`
    case 'rows':
      if (names) return `**${names}**${beside(`${shown} ${wording.ofAll(all)}`, conditions)}`
      return `**${subject}: ${shown}**${conditions ? ` ${wording.ofAll(all)}` : ''}${beside(conditions)}`
    case 'value':
      return `**${shown || '–'}**${beside(subject, scale, conditions, shown ? '' : wording.emptyCell)}`
    case 'check':
      return `**${value === 'yes' ? wording.yes : wording.no}**${beside(`${subject}`, conditions)}`
    default: {
      const label = { sum: wording.sum, mean: wording.mean, min: wording.least, max: wording.most }[
        operation
      ](subject)
      const from = isTotalsRow ? wording.totalsRow : wording.ofRows(matching)
      return `**${label}: ${shown}**${names ? `, ${names}` : ''}${beside(scale, from, conditions)}`
    }
  }
}

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
  { wording, numberOf }: Writing,
): string => `- ${rowAsPairs(cells, columns)} — ${sourceOf(passage, wording)} [${numberOf(passage)}]`

function rowLines(reading: TableReading, writing: Writing): string[] {
  const rows = shownRows(reading)
  // A count of nothing cites the table by its first row, which says nothing of it.
  if (reading.operation === 'count' && reading.matching === 0) return []
  const lines = rows.map((row) => rowLine(row, reading.columns, writing))
  return [...new Set(lines), ...(rows.length < reading.rows.length ? ['- …'] : [])]
}
