// Tries a question on the tables among the passages found, each read whole (tools.table), and writes what they give.

import { words } from '../../../language/words.ts'
import type { Passage } from '../../../search/passage.ts'
import { tableRows } from '../../markdown-table.ts'
import type { StepReport, TableRowOf, Tools } from '../../tools/tools.ts'
import { source } from '../compose.ts'
import type { Found } from '../evidence.ts'
import type { Part } from '../keywords.ts'
import { escapeMarkdown, rowAsPairs } from '../quote.ts'
import type { Wording } from '../wording.ts'
import { answerFromTable, type TableAnswer } from './answer.ts'
import { intentOf, type TableIntent } from './intent.ts'

const MOST_TABLES = 5

export interface TableSearch {
  question: string
  /** Words of other languages that mean the same. */
  translated: string
  found: readonly Found[]
  partsOf: (text: string) => Part[]
}

/**
 * The answer of the table that leaves least of the question open: among the passages found, else, for what only a table
 * can answer, among those a search for its columns brings.
 */
export async function* findInTables(
  tools: Pick<Tools, 'search' | 'table' | 'late'>,
  { question, translated, found, partsOf }: TableSearch,
): AsyncGenerator<StepReport, TableAnswer | undefined> {
  const intent = intentOf(question)
  if (!intent || tools.late()) return undefined
  const parts = partsOf(intent.rest)
  const near = found.toSorted((a, b) => b.strength - a.strength).map(({ passage }) => passage)
  let best = await bestOf(tools, near, parts, intent)
  const computes = intent.operation !== 'rows' || intent.bounds.length > 0 || intent.stock !== undefined
  if (!best && computes && [...words(question)].length <= MOST_WORDS && !tools.late()) {
    const asked = intent.rest.replace(/[?¿\s]+/g, ' ').trim()
    const query = [asked, translated, COLUMN_WORDS[intent.type] ?? ''].filter(Boolean).join(' ')
    const passages = await tools.search(query, MOST_PASSAGES)
    yield { type: 'search', label: 'Searching the tables', query: question, result_count: passages.length }
    best = await bestOf(tools, passages, parts, intent)
  }
  if (best) yield { type: 'read', label: 'Calculating from a table', result_count: best.all }
  return best
}

// A long table is one passage of many words, and shares few of them with a short question.
const MOST_PASSAGES = 60
// Who asks for more than a table's columns and cells hold asks no table.
const MOST_WORDS = 16
const COLUMN_WORDS: Partial<Record<TableIntent['type'], string>> = {
  money: 'price cost amount',
  duration: 'time days weeks months',
  date: 'date',
}

/** A passage's own part of a table tells whether the table is worth reading whole. */
async function bestOf(
  tools: Pick<Tools, 'table'>,
  passages: readonly Passage[],
  parts: readonly Part[],
  intent: TableIntent,
): Promise<TableAnswer | undefined> {
  let best: TableAnswer | undefined
  let tried = 0
  const read = new Set<string>()
  for (const passage of passages) {
    const own = tableRows(passage.text).rows.map((row) => ({ ...row, passage }))
    if (read.has(passage.chunk_id) || !answerFromTable(own, parts, intent)) continue
    if (tried++ === MOST_TABLES) break
    const rows = await tools.table(passage.chunk_id)
    for (const row of rows) read.add(row.passage.chunk_id)
    const answer = answerFromTable(rows, parts, intent)
    if (answer && (!best || leftBy(answer, intent) < leftBy(best, intent))) best = answer
  }
  return best
}

/** What it leaves open; of two that leave as much, a price goes before a budget or a total. */
const leftBy = ({ open, of }: TableAnswer, { type }: TableIntent): number =>
  open + (type === 'money' && !PRICE.test(of) ? 0.01 : 0)
const PRICE = /price|cost|preis|kosten|prix|coût|precio|coste/i

/** What was computed in one line, then the rows it rests on, each with its passage. */
export function composeTable(
  answer: TableAnswer,
  says: Wording,
  numberOf: (passage: Passage) => number,
): string {
  const [first] = answer.rows
  if (!first) return ''
  const marker = (row: TableRowOf): string => `${source(row.passage, says)} [${numberOf(row.passage)}]`
  const rows = answer.rows.map((row) => `- ${rowAsPairs(row.cells, answer.columns)} — ${marker(row)}`)
  const more = Number(answer.operation === 'rows' || answer.operation === 'count' ? answer.value : 0)
  const cut = more > answer.rows.length ? ['- …'] : []
  // One row is the answer itself: "Name: 1, in 1 of 5 rows" says nothing more.
  const isOne = answer.operation === 'rows' && answer.rows.length === 1
  const head = isOne ? says.found : `${headline(answer, says)} — ${marker(first)}`
  return [head, '', ...new Set(rows), ...cut].join('\n')
}

function headline({ operation, of, value, from, all }: TableAnswer, says: Wording): string {
  if (operation === 'rows') return says.listed(escapeMarkdown(of), value, from, all)
  const label = {
    count: says.count,
    min: says.least,
    max: says.most,
    sum: says.sum,
    mean: says.mean,
  }[operation](escapeMarkdown(of))
  return `**${label}: ${escapeMarkdown(value)}** (${says.ofRows(from)})`
}
