// Raises tables with a row that matches the question. A question for a figure names a document and a row of one of its tables
// ("Acme's net sales in the third quarter"). That row is one of fifty in a passage of a thousand numbers, while prose that only
// mentions the words is short, so BM25 ranks the prose first. Within the documents that a query names, such tables are raised.

import { contentTerms } from '../../language/analyse.ts'
import type { Queryable } from '../../ports/db/db.ts'
import { span } from '../../ports/trace/trace.ts'
import { inOrder, type Ranked } from '../fusion.ts'
import { type Hit, selectPassages } from '../passage.sql.ts'
import type { Passage } from '../passage.ts'
import { hasPart } from '../passage-query.ts'
import { isWholeWord, type WeighedTerm, weightOf } from '../query/query.ts'
import type { TargetDocuments } from '../subject.ts'
import { partsOfTable, termsOfRow } from '../table.ts'
import type { ParsedQuery } from './parse.ts'
import type { Order } from './passages.ts'

// Tables are considered among this many of the first passages.
const MAX_PASSAGES = 60
// If a table's row and header have the share s of the question's terms, its score is multiplied by 1 + s². Chosen on
// FinanceBench (32 questions, pages), where 1 and 2 leave pages@5 and @10 unchanged (.563, .688), nDCG@10 .498 -> .488, .482,
// and without the square or with 4 both fall. Judged on sec10q: search@10 has the answer, figures / words .417 / .683 -> .485 /
// .683 (2: .477 / .683).
const RAISE_FACTOR = 1

const FIGURE = /\|[\s$€£(]*\d/

type Text = Pick<Passage, 'type' | 'text' | 'heading' | 'document_title' | 'language'>

export async function raiseRows(
  db: Queryable,
  workspaceId: string,
  { request, terms, chunks, targets }: ParsedQuery,
  order: Order,
): Promise<Order> {
  if (!hasPart(request, 'rows') || targets.best.length === 0) return order
  return span('search: rows', {}, async () => {
    const first = order.ranked
      .slice(0, MAX_PASSAGES)
      .flatMap(({ chunk_id, document_id }) => (targets.best.includes(document_id) ? [chunk_id] : []))
    const hitById = new Map(order.hits.map((hit) => [hit.chunk_id, hit]))
    const missingIds = first.filter((id) => !hitById.has(id))
    if (missingIds.length)
      for (const hit of await selectPassages(db, workspaceId, missingIds, chunks))
        hitById.set(hit.chunk_id, hit)
    const texts = new Map(
      first.flatMap((id): [string, Hit][] => {
        const hit = hitById.get(id)
        return hit ? [[id, hit]] : []
      }),
    )
    return { ranked: withRows(order.ranked, texts, { ...targets, terms }), hits: [...hitById.values()] }
  })
}

/** `texts` are those of the first chunks. A row need not contain the terms that name its document. Pure. */
export function withRows<Item extends Ranked>(
  ranked: readonly Item[],
  texts: ReadonlyMap<string, Text>,
  { terms, best, names }: Omit<TargetDocuments, 'factors'> & { terms: readonly WeighedTerm[] },
): Item[] {
  // The period is stated by the document, or by a column under any name ("three months ended").
  const rowTermsSought = terms.filter(
    (term) => isWholeWord(term) && !names.has(term.hash) && !/\d/.test(term.term),
  )
  return inOrder(
    ranked.map((item) => {
      const text = texts.get(item.chunk_id)
      if (text?.type !== 'table' || !best.includes(item.document_id)) return item
      return { ...item, score: item.score * (1 + RAISE_FACTOR * rowShare(text, rowTermsSought) ** 2) }
    }),
  )
}

/** The share of the terms, by weight, that the best row has together with the column names and headings above it. */
function rowShare(
  { text, heading, document_title: title, language }: Text,
  terms: readonly WeighedTerm[],
): number {
  const titleTerms = new Set(contentTerms(title, language))
  const open = terms.filter(({ term }) => !titleTerms.has(term))
  const totalWeight = open.reduce((sum, term) => sum + weightOf(term), 0)
  const { lines, delimiterIndex: rule, rows } = partsOfTable(text)
  if (rule < 1 || totalWeight === 0) return 0
  const termsAbove = new Set(contentTerms(`${lines.slice(0, rule).join('\n')}\n${heading}`, language))
  const shareOf = (row: string): number => {
    if (!FIGURE.test(row)) return 0
    const rowTerms = termsOfRow(row, language)
    const matchingTerms = open.filter(({ term }) => rowTerms.has(term))
    if (matchingTerms.length === 0) return 0
    const statedTerms = open.filter(({ term }) => rowTerms.has(term) || termsAbove.has(term))
    return statedTerms.reduce((sum, term) => sum + weightOf(term), 0) / totalWeight
  }
  return Math.max(0, ...rows.map(shareOf))
}
