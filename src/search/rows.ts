// Tables with a row that says what is asked. A question for a figure names a document and a row of one of its tables ("Acme's net
// sales in the third quarter"). That row is one of fifty in a passage of a thousand numbers, while prose that only mentions the
// words is short: BM25 ranks the prose first. So within documents that are meant, such tables are raised. Pure.

import { contentTerms } from '../language/analyse.ts'
import { inOrder, type Ranked } from './fusion.ts'
import type { Passage } from './passage.ts'
import { isWholeWord, type WeighedTerm, weightOf } from './query/query.ts'
import { heldBy, partsOf } from './table.ts'

/** Tables are looked at among so many of the first. */
export const ROWS_AMONG = 60
// A table whose row and header say the share s of the question scores 1 + s² times as much. Chosen on FinanceBench (32 questions,
// pages), where 1 and 2 leave pages@5 and @10 as they are (.563, .688), nDCG@10 .498 -> .488, .482, and without the square or
// with 4 both fall; judged on sec10q: search@10 holds the answer, figures / words .417 / .683 -> .485 / .683 (2: .477 / .683).
const RAISED = 1

const FIGURE = /\|[\s$€£(]*\d/

/**
 * @param passages the texts of the first ones
 * @param meant documents that the query means, and the terms by which it means them: a row need not repeat those
 */
export function withRows<Item extends Ranked>(
  ranked: readonly Item[],
  passages: ReadonlyMap<string, Passage>,
  {
    terms,
    foremost,
    said: namedTerms,
  }: { terms: readonly WeighedTerm[]; foremost: readonly string[]; said: ReadonlySet<number> },
): Item[] {
  // Periods are said by the document, or by a column under any name ("three months ended").
  const open = terms.filter(
    (term) => isWholeWord(term) && !namedTerms.has(term.hash) && !/\d/.test(term.term),
  )
  return inOrder(
    ranked.map((item) => {
      const passage = passages.get(item.chunk_id)
      if (passage?.type !== 'table' || !foremost.includes(item.document_id)) return item
      return { ...item, score: item.score * (1 + RAISED * rowShare(passage, open) ** 2) }
    }),
  )
}

/** The share of the terms that the best row says, with the column names and headings above it. */
function rowShare(
  { text, heading, document_title: title, language }: Passage,
  terms: readonly WeighedTerm[],
): number {
  const titled = new Set(contentTerms(title, language))
  const open = terms.filter(({ term }) => !titled.has(term))
  const all = open.reduce((sum, term) => sum + weightOf(term), 0)
  const { lines, rule, rows } = partsOf(text)
  if (rule < 1 || all === 0) return 0
  const above = new Set(contentTerms(`${lines.slice(0, rule).join('\n')}\n${heading}`, language))
  const shareOf = (row: string): number => {
    if (!FIGURE.test(row)) return 0
    const rowTerms = heldBy(row, language)
    const own = open.filter(({ term }) => rowTerms.has(term))
    if (own.length === 0) return 0
    const statedTerms = open.filter(({ term }) => rowTerms.has(term) || above.has(term))
    return statedTerms.reduce((sum, term) => sum + weightOf(term), 0) / all
  }
  return Math.max(0, ...rows.map(shareOf))
}
