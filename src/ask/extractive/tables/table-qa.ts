// Table question answering: reads each table that a question may be about, and answers from the table that it is certainly about.
// If it may be about several tables, each of them is shown with its result.

import type { Language } from '../../../language/language.ts'
import type { Passage } from '../../../search/passage.ts'
import { tableRows } from '../../markdown-table.ts'
import type { SourceTable, StepReport, Tools } from '../../tools/tools.ts'
import type { Verdict } from '../compose.ts'
import type { Evidence, FoundPassage } from '../evidence.ts'
import type { Keyword } from '../keywords.ts'
import { attributesOf } from '../records.ts'
import { calculationsIn } from './calculation.ts'
import { readCells } from './grid.ts'
import { NUMERIC_OPERATIONS, type Operation } from './phrases.ts'
import { type TableQuestion, tableQuestion } from './question.ts'
import { readTable } from './reading.ts'
import {
  headersOf,
  type PartialReading,
  readingOfCells,
  type TableReading,
  type TableResult,
} from './result.ts'
import { partialTables, sourceTables } from './sources.ts'

export type TableAnswer =
  /** A certain answer from one table, or from several tables with the same value. */
  | { kind: 'stated'; readings: TableReading[] }
  /** The question may be about several tables, which give different values. */
  | { kind: 'several'; readings: TableReading[] }
  /** At least one of the tables that the question may be about cannot be read with certainty. The most likely table is first. */
  | {
      kind: 'partial'
      readings: TableReading[]
      partials: PartialReading[]
      /** Whether no table can be read with certainty. Then a passage that answers the question is preferred. */
      isOnlyPossible: boolean
      operation: Operation
    }

export interface TableSearch {
  question: string
  language: Language
  /** The day of the question, in days since 1970-01-01. */
  today?: number
  /**
   * Whether the question compares two things by their names. Then only calculations are read from tables, and else both sides are
   * quoted.
   */
  isComparison: boolean
  /** Synonyms of the question's words in any language. */
  synonyms: string
  foundPassages: readonly FoundPassage[]
  keywordsOf: (text: string) => Keyword[]
}

// The number of documents whose tables are read for one question.
const MAX_DOCUMENTS = 16
// High, because a long table is one passage of many words, which ranks low for a short question.
const MAX_PASSAGES = 60
// Words that are added to the query to find tables with columns of the requested type.
const COLUMN_WORDS: Partial<Record<TableQuestion['type'], string>> = {
  money: 'price cost amount',
  duration: 'time days weeks months',
  date: 'date',
}

/** The answer from the tables. Undefined if no table answers the question, or if quotations are the better answer. */
export async function* answerFromTables(
  tools: Pick<Tools, 'search' | 'readTables' | 'outOfTime'>,
  { question: text, language, today, isComparison, synonyms, foundPassages, keywordsOf }: TableSearch,
): AsyncGenerator<StepReport, TableAnswer | undefined> {
  if (tools.outOfTime()) return undefined
  const calculations = calculationsIn(text, language)
  const question = isComparison ? undefined : tableQuestion(text, language, { today })
  if (!question && calculations.length === 0) return undefined
  const passages = foundPassages.toSorted((a, b) => b.relevance - a.relevance).map(({ passage }) => passage)
  // Other tables that the question may be about are searched too, because a single table would always seem certain.
  const restOfQuestion = question?.rest.replace(/\s+/g, ' ').trim() ?? text
  const query = [restOfQuestion, synonyms, (question && COLUMN_WORDS[question.type]) ?? '']
  const others = await tools.search(query.filter(Boolean).join(' ') || text, MAX_PASSAGES)
  const documents = new Set(
    [...passages, ...others].filter(mayContainTable).map(({ document_id }) => document_id),
  )
  const results: TableResult[] = []
  let rows = 0
  const read = (tables: readonly SourceTable[]): void => {
    for (const table of tables) {
      rows += table.rows.length
      const cells = table.isPartial ? undefined : readCells(table, calculations, language)
      const tableOwnQuestion =
        cells || !question ? undefined : tableQuestion(text, language, contextOf(table, today))
      const result = cells
        ? { reading: readingOfCells(table, cells) }
        : tableOwnQuestion && readTable(table, tableOwnQuestion, keywordsOf(tableOwnQuestion.rest), language)
      if (result) results.push(result)
    }
  }
  for (const document of [...documents].slice(0, MAX_DOCUMENTS)) {
    if (tools.outOfTime()) return undefined
    read(sourceTables(await tools.readTables(document)))
  }
  // Of further documents only the passages found are read, because the question may be about their tables too.
  for (const document of [...documents].slice(MAX_DOCUMENTS)) {
    const passagesOfDocument = [...passages, ...others].filter(({ document_id }) => document_id === document)
    read(partialTables(passagesOfDocument.filter(({ type }) => type === 'table')))
  }
  const answer = decideAnswer(results, question?.operation ?? 'value')
  if (answer) yield { type: 'read', label: 'Reading the tables', result_count: rows }
  return answer
}

const contextOf = (table: SourceTable, today: number | undefined) => ({
  headers: headersOf(table),
  rowNames: table.rows.map(({ cells: [first] }) => first?.text ?? ''),
  today,
})

const mayContainTable = ({ type, text, heading }: Passage): boolean =>
  type === 'table'
    ? tableRows(text).rows.length > 0
    : heading.includes(' > ') || attributesOf(text).length > 1

// A table is ignored if its fit is lower than the best fit by this much.
const MAX_FIT_DIFFERENCE = 0.5
const MAX_TABLES = 4

function decideAnswer(results: readonly TableResult[], operation: Operation): TableAnswer | undefined {
  const readings = results
    .flatMap((result) => ('reading' in result ? [result.reading] : []))
    .filter((reading) => !isDoubtfulZero(reading))
  const partials = results
    .flatMap((result) => ('partial' in result ? [result.partial] : []))
    .sort((a, b) => b.fit - a.fit)
  const readingsByFit = readings.toSorted((a, b) => b.fit - a.fit)
  const [best] = readingsByFit
  if (!best) {
    const shownPartials = partials.filter(({ isShown }) => isShown)
    const nearPartials = shownPartials
      .filter(({ fit }) => fit > (shownPartials[0]?.fit ?? 0) - MAX_FIT_DIFFERENCE)
      .slice(0, MAX_TABLES)
    return nearPartials.length > 0
      ? { kind: 'partial', readings: [], partials: nearPartials, isOnlyPossible: true, operation }
      : undefined
  }
  const nearReadings = readingsByFit.filter(({ fit }) => fit > best.fit - MAX_FIT_DIFFERENCE)
  const unclearPartials = partials.filter(
    ({ fit, containsAllWords }) => containsAllWords && fit > best.fit - MAX_FIT_DIFFERENCE,
  )
  // Lists of rows of several tables are left to the quotes.
  if (unclearPartials.length > 0)
    return best.operation === 'rows'
      ? undefined
      : {
          kind: 'partial',
          readings: nearReadings.slice(0, MAX_TABLES),
          partials: unclearPartials.slice(0, MAX_TABLES),
          isOnlyPossible: false,
          operation,
        }
  // The same number of rows, or the same sum, of two different tables is not the same answer.
  const haveSameValue =
    nearReadings.every(({ operation, value }) => operation === best.operation && value === best.value) &&
    (nearReadings.length === 1 ||
      best.operation === 'value' ||
      best.operation === 'check' ||
      areCopies(nearReadings))
  if (haveSameValue)
    return {
      kind: 'stated',
      readings:
        nearReadings.length > 1 && areCopies(nearReadings) ? [best] : nearReadings.slice(0, MAX_TABLES),
    }
  return best.operation === 'rows'
    ? undefined
    : { kind: 'several', readings: nearReadings.slice(0, MAX_TABLES) }
}

/**
 * Whether the answer from tables is shown instead of quotes. A partial answer is shown if the quotes are rows too and fewer than
 * the table has, or if the question asks for a number that no quote can state.
 */
export function comesBefore(
  answer: TableAnswer,
  verdict: Verdict,
  quotes: readonly Pick<Evidence, 'cells'>[],
): boolean {
  if (answer.kind !== 'partial') return true
  const areAllRows = quotes.every(({ cells }) => cells !== undefined)
  const partialsOfManyRows = answer.partials.filter(({ asksForManyRows }) => asksForManyRows)
  if (verdict === 'found')
    return areAllRows && partialsOfManyRows.some(({ rows }) => rows.length > quotes.length)
  return NUMERIC_OPERATIONS.has(answer.operation)
    ? partialsOfManyRows.length > 0 || quotes.length === 0
    : areAllRows
}

/** Whether a count of 0 has several conditions. Then one of them was probably read wrongly: "pieces" is a unit and not a name. */
const isDoubtfulZero = ({ operation, matching, conditions }: TableReading): boolean =>
  operation === 'count' && matching === 0 && conditions.length > 1

const areCopies = (readings: readonly TableReading[]): boolean =>
  readings.every(({ table }) => linesOf(table) === linesOf(readings[0]?.table))

const linesOf = (table: SourceTable | undefined): string =>
  table?.rows.map(({ line }) => line).join('\n') ?? ''
