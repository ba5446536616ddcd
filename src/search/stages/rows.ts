// Raises the scores of tables with a row that matches the question. "Acme's net sales in the third quarter" asks for a row of a
// table in a certain document. BM25 ranks short prose with the same words before the long table. So within the documents that
// the query names, such tables get a higher score.

import { contentTerms } from '../../language/analyse.ts'
import type { Queryable } from '../../ports/db/db.ts'
import { span } from '../../ports/trace/trace.ts'
import { inOrder, type Ranked } from '../fusion.ts'
import { type Hit, selectPassages } from '../passage.sql.ts'
import type { Passage } from '../passage.ts'
import { hasPart } from '../passage-query.ts'
import { isWholeWord, type WeightedTerm, weightOf } from '../query/query.ts'
import type { TargetDocuments } from '../subject.ts'
import { partsOfTable, termsOfRow } from '../table.ts'
import type { ParsedQuery } from './parse.ts'
import type { Order } from './passages.ts'

// Tables are considered among this many of the first passages.
const MAX_PASSAGES = 60
// If a table's row and header have the share s of the question's terms, the table's score is multiplied by 1 + s². On sec10q the
// first ten passages then have the answer to .485 of the questions for a figure (without this .417, with a factor of 2 .477).
const RAISE_FACTOR = 1

// Matches a row with a figure at the beginning of a cell: `| Sales | $ 12 |`.
const ROW_WITH_FIGURE = /\|[\s$€£(]*\d/

type PassageText = Pick<Passage, 'type' | 'text' | 'heading' | 'document_title' | 'language'>

export async function raiseTables(
  db: Queryable,
  workspaceId: string,
  { request, terms, chunks, targets }: ParsedQuery,
  order: Order,
): Promise<Order> {
  if (!hasPart(request, 'rows') || targets.best.length === 0) return order
  return span('search: rows', {}, async () => {
    const targetChunkIds = order.ranked
      .slice(0, MAX_PASSAGES)
      .flatMap(({ chunk_id, document_id }) => (targets.best.includes(document_id) ? [chunk_id] : []))
    const hitById = new Map(order.hits.map((hit) => [hit.chunk_id, hit]))
    const missingIds = targetChunkIds.filter((id) => !hitById.has(id))
    if (missingIds.length)
      for (const hit of await selectPassages(db, workspaceId, missingIds, chunks))
        hitById.set(hit.chunk_id, hit)
    const texts = new Map(
      targetChunkIds.flatMap((id): [string, Hit][] => {
        const hit = hitById.get(id)
        return hit ? [[id, hit]] : []
      }),
    )
    return {
      ranked: withTablesRaised(order.ranked, texts, { ...targets, terms }),
      hits: [...hitById.values()],
    }
  })
}

/** @param texts the passages of the first chunks, by chunk id. A row need not contain the terms that name its document. Pure. */
export function withTablesRaised<Item extends Ranked>(
  ranked: readonly Item[],
  texts: ReadonlyMap<string, PassageText>,
  { terms, best, names }: Omit<TargetDocuments, 'factors'> & { terms: readonly WeightedTerm[] },
): Item[] {
  // Terms with digits are left out. They mostly state a period, which the row does not repeat: the document or a column title has
  // it, perhaps in other words ("three months ended").
  const soughtTerms = terms.filter(
    (term) => isWholeWord(term) && !names.has(term.hash) && !/\d/.test(term.term),
  )
  return inOrder(
    ranked.map((item) => {
      const text = texts.get(item.chunk_id)
      if (text?.type !== 'table' || !best.includes(item.document_id)) return item
      return { ...item, score: item.score * (1 + RAISE_FACTOR * rowShare(text, soughtTerms) ** 2) }
    }),
  )
}

/** The share of the terms, by weight, that the best row has together with the column titles and headings above it. */
function rowShare(
  { text, heading, document_title: title, language }: PassageText,
  terms: readonly WeightedTerm[],
): number {
  const titleTerms = new Set(contentTerms(title, language))
  const soughtTerms = terms.filter(({ term }) => !titleTerms.has(term))
  const totalWeight = soughtTerms.reduce((sum, term) => sum + weightOf(term), 0)
  const { lines, delimiterIndex, rows } = partsOfTable(text)
  if (delimiterIndex < 1 || totalWeight === 0) return 0
  const header = lines.slice(0, delimiterIndex).join('\n')
  const termsAbove = new Set(contentTerms(`${header}\n${heading}`, language))
  const shareOf = (row: string): number => {
    if (!ROW_WITH_FIGURE.test(row)) return 0
    const rowTerms = termsOfRow(row, language)
    const matchingTerms = soughtTerms.filter(({ term }) => rowTerms.has(term))
    if (matchingTerms.length === 0) return 0
    const statedTerms = soughtTerms.filter(({ term }) => rowTerms.has(term) || termsAbove.has(term))
    return statedTerms.reduce((sum, term) => sum + weightOf(term), 0) / totalWeight
  }
  return Math.max(0, ...rows.map(shareOf))
}
