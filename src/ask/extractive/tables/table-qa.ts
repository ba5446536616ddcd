// Table QA: tries a question on the tables among the passages found, each read completely, and writes the answer.

import { words } from '../../../language/words.ts'
import type { Passage } from '../../../search/passage.ts'
import { tableRows } from '../../markdown-table.ts'
import type { PassageRow, StepReport, Tools } from '../../tools/tools.ts'
import { sourceOf } from '../compose.ts'
import type { FoundPassage } from '../evidence.ts'
import type { Keyword } from '../keywords.ts'
import { escapeMarkdown, rowAsPairs } from '../quote.ts'
import type { Wording } from '../wording.ts'
import { answerFromTable, type TableAnswer } from './answer.ts'
import { type TableIntent, tableIntent } from './intent.ts'

const MOST_TABLES = 5

export interface TableSearch {
  question: string
  /** Synonyms of the question's words in any language. */
  synonyms: string
  found: readonly FoundPassage[]
  keywordsOf: (text: string) => Keyword[]
}

/**
 * The answer of the table that explains most of the question: among the passages found, or else, for a question that
 * only a table can answer, among those found by a search for its columns.
 */
export async function* answerFromTables(
  tools: Pick<Tools, 'search' | 'readTable' | 'outOfTime'>,
  { question, synonyms: translated, found, keywordsOf: partsOf }: TableSearch,
): AsyncGenerator<StepReport, TableAnswer | undefined> {
  const intent = tableIntent(question)
  if (!intent || tools.outOfTime()) return undefined
  const keywords = partsOf(intent.rest)
  const byRelevance = found.toSorted((a, b) => b.relevance - a.relevance).map(({ passage }) => passage)
  let best = await bestOf(tools, byRelevance, keywords, intent)
  const computes = intent.operation !== 'rows' || intent.bounds.length > 0
  if (!best && computes && [...words(question)].length <= MOST_WORDS && !tools.outOfTime()) {
    const asked = intent.rest.replace(/[?¿\s]+/g, ' ').trim()
    const query = [asked, translated, COLUMN_WORDS[intent.type] ?? ''].filter(Boolean).join(' ')
    const passages = await tools.search(query, MOST_PASSAGES)
    yield { type: 'search', label: 'Searching the tables', query: question, result_count: passages.length }
    best = await bestOf(tools, passages, keywords, intent)
  }
  if (best) yield { type: 'read', label: 'Calculating from a table', result_count: best.tableRows }
  return best
}

// A long table is one passage of many words and ranks low for a short question.
const MOST_PASSAGES = 60
// A longer question asks for more than the columns and cells of a table.
const MOST_WORDS = 16
const COLUMN_WORDS: Partial<Record<TableIntent['type'], string>> = {
  money: 'price cost amount',
  duration: 'time days weeks months',
  date: 'date',
}

/** The rows in a passage decide whether its table is worth reading completely. */
async function bestOf(
  tools: Pick<Tools, 'readTable'>,
  passages: readonly Passage[],
  keywords: readonly Keyword[],
  intent: TableIntent,
): Promise<TableAnswer | undefined> {
  let best: TableAnswer | undefined
  let tried = 0
  const read = new Set<string>()
  for (const passage of passages) {
    const own = tableRows(passage.text).rows.map((row) => ({ ...row, passage }))
    if (read.has(passage.chunk_id) || !answerFromTable(own, keywords, intent)) continue
    if (tried++ === MOST_TABLES) break
    const rows = await tools.readTable(passage.chunk_id)
    for (const row of rows) read.add(row.passage.chunk_id)
    const answer = answerFromTable(rows, keywords, intent)
    if (answer && (!best || answer.unexplained < best.unexplained)) best = answer
  }
  return best
}

/** The result in one line, then the rows it was computed from, each with its source. */
export function composeTableAnswer(
  answer: TableAnswer,
  wording: Wording,
  numberOf: (passage: Passage) => number,
): string {
  const [first] = answer.rows
  if (!first) return ''
  const marker = (row: PassageRow): string => `${sourceOf(row.passage, wording)} [${numberOf(row.passage)}]`
  const rows = answer.rows.map((row) => `- ${rowAsPairs(row.cells, answer.columns)} — ${marker(row)}`)
  const more = Number(answer.operation === 'rows' || answer.operation === 'count' ? answer.value : 0)
  const cut = more > answer.rows.length ? ['- …'] : []
  // One row is the answer itself: "Name: 1, in 1 of 5 rows" adds nothing.
  const isOne = answer.operation === 'rows' && answer.rows.length === 1
  const head = isOne ? wording.found : `${headline(answer, wording)} — ${marker(first)}`
  return [head, '', ...new Set(rows), ...cut].join('\n')
}

function headline({ operation, subject, value, rowsUsed, tableRows }: TableAnswer, wording: Wording): string {
  if (operation === 'rows') return wording.listed(escapeMarkdown(subject), value, rowsUsed, tableRows)
  const label = {
    count: wording.count,
    min: wording.least,
    max: wording.most,
    sum: wording.sum,
    mean: wording.mean,
  }[operation](escapeMarkdown(subject))
  return `**${label}: ${escapeMarkdown(value)}** (${wording.ofRows(rowsUsed)})`
}
