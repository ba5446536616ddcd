// Tries a question on the tables among the passages found, each read whole (tools.table), and writes what they give.

import type { Passage } from '../../../search/passage.ts'
import type { StepReport, TableRowOf, Tools } from '../../tools/tools.ts'
import { source } from '../compose.ts'
import type { Part } from '../coverage.ts'
import type { Found } from '../pieces/evidence.ts'
import { escapeMarkdown, rowAsPairs } from '../quote.ts'
import type { Wording } from '../speech/wording.ts'
import { tableRows } from '../table-rows.ts'
import { answerFromTable, type TableAnswer } from './answer.ts'
import { intentOf } from './intent.ts'

// The best passage with a table is nearly always of the right one.
const MOST_TABLES = 3

/** The answer of the table that leaves least of the question open; a step is told before tables are read. */
export async function* findInTables(
  tools: Pick<Tools, 'table' | 'late'>,
  question: string,
  found: readonly Found[],
  partsOf: (text: string) => Part[],
): AsyncGenerator<StepReport, TableAnswer | undefined> {
  const intent = intentOf(question)
  const tables = found
    .filter(({ passage }) => tableRows(passage.text).rows.length > 0)
    .sort((a, b) => b.strength - a.strength)
    .slice(0, MOST_TABLES)
  if (!intent || tables.length === 0 || tools.late()) return undefined
  const parts = partsOf(intent.rest)
  let best: TableAnswer | undefined
  const read = new Set<string>()
  for (const { passage } of tables) {
    if (read.has(passage.chunk_id)) continue
    const rows = await tools.table(passage.chunk_id)
    for (const row of rows) read.add(row.passage.chunk_id)
    const answer = answerFromTable(rows, parts, intent)
    if (answer && (!best || answer.open < best.open)) best = answer
  }
  if (best) yield { type: 'read', label: 'Calculating from a table', result_count: best.all }
  return best
}

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
  return [`${headline(answer, says)} — ${marker(first)}`, '', ...new Set(rows), ...cut].join('\n')
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
