// Table QA: reads every table that may be meant for a question, and answers from the one that certainly is; where several
// may be, they are named with what each would give.

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
import { NUMERIC, type Operation } from './phrases.ts'
import { type TableQuestion, tableQuestion } from './question.ts'
import {
  headersOf,
  type PartialReading,
  readingOfCells,
  readTable,
  type TableReading,
  type TableResult,
} from './reading.ts'
import { partialTables, sourceTables } from './sources.ts'

/** What one table certainly says (or several that say the same), or what tables that may be meant say or show. */
export type TableAnswer =
  | { kind: 'stated'; readings: TableReading[] }
  /** Each would give another value. */
  | { kind: 'several'; readings: TableReading[] }
  /** Of one of them at least it is not certain what it says; the likeliest first. */
  | {
      kind: 'partial'
      readings: TableReading[]
      partials: PartialReading[]
      /** A passage that answers the question comes before them. */
      isOnlyPossible: boolean
      operation: Operation
    }

export interface TableSearch {
  question: string
  language: Language
  /** The day of the question, in days since 1970-01-01. */
  today?: number
  /** Of two things by their names, of which only a calculation is read from tables: else both sides are quoted. */
  isComparison: boolean
  /** Synonyms of the question's words in any language. */
  synonyms: string
  found: readonly FoundPassage[]
  keywordsOf: (text: string) => Keyword[]
}

// Documents whose tables are read for one question.
const MAX_DOCUMENTS = 16
// A long table is one passage of many words and ranks low for a short question.
const MAX_PASSAGES = 60
const COLUMN_WORDS: Partial<Record<TableQuestion['type'], string>> = {
  money: 'price cost amount',
  duration: 'time days weeks months',
  date: 'date',
}

/** What the tables say to a question; undefined where none certainly says it, and none may be meant. */
export async function* answerFromTables(
  tools: Pick<Tools, 'search' | 'readTables' | 'outOfTime'>,
  { question: text, language, today, isComparison, synonyms, found, keywordsOf }: TableSearch,
): AsyncGenerator<StepReport, TableAnswer | undefined> {
  if (tools.outOfTime()) return undefined
  const calculations = calculationsIn(text, language)
  const question = isComparison ? undefined : tableQuestion(text, language, { today })
  if (!question && calculations.length === 0) return undefined
  const passages = found.toSorted((a, b) => b.relevance - a.relevance).map(({ passage }) => passage)
  // Another table that may be meant is looked for, too: one alone seems certain.
  const rest = question?.rest.replace(/\s+/g, ' ').trim() ?? text
  const query = [rest, synonyms, (question && COLUMN_WORDS[question.type]) ?? '']
  const others = await tools.search(query.filter(Boolean).join(' ') || text, MAX_PASSAGES)
  const documents = new Set(
    [...passages, ...others].filter(mayBeOfTable).map(({ document_id }) => document_id),
  )
  const results: TableResult[] = []
  let rows = 0
  const read = (tables: readonly SourceTable[]): void => {
    for (const table of tables) {
      rows += table.rows.length
      const cells = table.isPartial ? undefined : readCells(table, calculations, language)
      const own = cells || !question ? undefined : tableQuestion(text, language, contextOf(table, today))
      const result = cells
        ? { reading: readingOfCells(table, cells) }
        : own && readTable(table, own, keywordsOf(own.rest), language)
      if (result) results.push(result)
    }
  }
  for (const document of [...documents].slice(0, MAX_DOCUMENTS)) {
    if (tools.outOfTime()) return undefined
    read(sourceTables(await tools.readTables(document)))
  }
  // Tables of more documents may be meant, too, although they are not read.
  for (const document of [...documents].slice(MAX_DOCUMENTS)) {
    const own = [...passages, ...others].filter(({ document_id }) => document_id === document)
    read(partialTables(own.filter(({ type }) => type === 'table')))
  }
  const answer = decided(results, question?.operation ?? 'value')
  if (answer) yield { type: 'read', label: 'Reading the tables', result_count: rows }
  return answer
}

const contextOf = (table: SourceTable, today: number | undefined) => ({
  headers: headersOf(table),
  rowNames: table.rows.map(({ cells: [first] }) => first?.text ?? ''),
  today,
})

const mayBeOfTable = ({ type, text, heading }: Passage): boolean =>
  type === 'table'
    ? tableRows(text).rows.length > 0
    : heading.includes(' > ') || attributesOf(text).length > 1

// A table that fits less well by so much is not meant.
const MARGIN = 0.5
const MAX_TABLES = 4

function decided(results: readonly TableResult[], operation: Operation): TableAnswer | undefined {
  const readings = results
    .flatMap((result) => ('reading' in result ? [result.reading] : []))
    .filter((reading) => !isDoubtfulNothing(reading))
  const partials = results
    .flatMap((result) => ('partial' in result ? [result.partial] : []))
    .sort((a, b) => b.fit - a.fit)
  const ordered = readings.toSorted((a, b) => b.fit - a.fit)
  const [best] = ordered
  if (!best) {
    const shown = partials.filter(({ isShown }) => isShown)
    const near = shown.filter(({ fit }) => fit > (shown[0]?.fit ?? 0) - MARGIN).slice(0, MAX_TABLES)
    return near.length > 0
      ? { kind: 'partial', readings: [], partials: near, isOnlyPossible: true, operation }
      : undefined
  }
  const near = ordered.filter(({ fit }) => fit > best.fit - MARGIN)
  const unclear = partials.filter(({ fit, hasAll }) => hasAll && fit > best.fit - MARGIN)
  // Lists and single cells of several tables are quoted, not listed side by side.
  if (unclear.length > 0)
    return best.operation === 'rows'
      ? undefined
      : {
          kind: 'partial',
          readings: near.slice(0, MAX_TABLES),
          partials: unclear.slice(0, MAX_TABLES),
          isOnlyPossible: false,
          operation,
        }
  // The same number of rows, or the same sum, of two different tables is not the same answer.
  const isSame =
    near.every(({ operation, value }) => operation === best.operation && value === best.value) &&
    (near.length === 1 || best.operation === 'value' || best.operation === 'check' || isCopy(near))
  if (isSame)
    return {
      kind: 'stated',
      readings: near.length > 1 && isCopy(near) ? [best] : near.slice(0, MAX_TABLES),
    }
  return best.operation === 'rows' ? undefined : { kind: 'several', readings: near.slice(0, MAX_TABLES) }
}

/**
 * Whether the rows of tables that may be meant are shown instead of quotes: where nothing is quoted that answers, or rows are of
 * which more would do. One row is no number of many.
 */
export function comesBefore(
  answer: TableAnswer,
  verdict: Verdict,
  quotes: readonly Pick<Evidence, 'cells'>[],
): boolean {
  if (answer.kind !== 'partial') return true
  const areRows = quotes.every(({ cells }) => cells !== undefined)
  const ofMany = answer.partials.filter(({ isOfMany }) => isOfMany)
  if (verdict === 'found') return areRows && ofMany.some(({ rows }) => rows.length > quotes.length)
  return NUMERIC.has(answer.operation) ? ofMany.length > 0 || quotes.length === 0 : areRows
}

/** None of the rows meets several conditions: likelier one of them was not meant ("pieces" is a unit, not a name) than none exists. */
const isDoubtfulNothing = ({ operation, matching, conditions }: TableReading): boolean =>
  operation === 'count' && matching === 0 && conditions.length > 1

const isCopy = (readings: readonly TableReading[]): boolean =>
  readings.every(({ table }) => linesOf(table) === linesOf(readings[0]?.table))

const linesOf = (table: SourceTable | undefined): string =>
  table?.rows.map(({ line }) => line).join('\n') ?? ''
