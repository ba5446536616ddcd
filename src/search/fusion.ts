// Turns scores into one order. Combines the scores of chunks with those of their documents, and words with meaning. Prefers
// several documents to many chunks of one, and drops near-duplicates. Pure.

/** A chunk with the score by which it is ordered. Higher is better, ties are broken by id. */
export interface Ranked {
  chunk_id: string
  document_id: string
  score: number
}

// The share of the document's score in the score of a chunk. With 0, .3, .4 and .5, nDCG@10 of MultiHop-RAG is .757, .769, .770
// and .772, and of FinanceBench .402, .399, .409 and .418.
export const DOCUMENT_SHARE = 0.4

/** The combined BM25 of the chunk and its whole document. If the document has no score, the chunk's score counts for both. */
export const withDocument = (chunk: number, document: number | null): number =>
  (1 - DOCUMENT_SHARE) * chunk + DOCUMENT_SHARE * (document ?? chunk)

/**
 * Adds meaning to the score by words, for chunks of one query. A chunk without a vector (just uploaded, or in another language)
 * gets the mean similarity of the other chunks, so that it neither gains nor loses.
 */
export function withMeaning<Item extends Ranked & { similarity: number | null }>(
  candidates: readonly Item[],
  factor: number,
): Item[] {
  const similarities = candidates.flatMap(({ similarity }) => (similarity === null ? [] : [similarity]))
  const mean = similarities.reduce((sum, value) => sum + value, 0) / Math.max(1, similarities.length)
  return inOrder(
    candidates.map((item) => ({
      ...item,
      score: item.score + factor * Math.max(0, item.similarity ?? mean),
    })),
  )
}

// The constant of Cormack, Clarke and Buettcher 2009.
const RECIPROCAL_K = 60

/** Merges rankings of equal weight by reciprocal rank. The scores are comparable only with each other. */
export function reciprocalRank(...rankings: readonly (readonly string[])[]): Map<string, number> {
  const scores = new Map<string, number>()
  for (const ranking of rankings) {
    for (const [rank, id] of ranking.entries()) {
      scores.set(id, (scores.get(id) ?? 0) + 1 / (RECIPROCAL_K + rank + 1))
    }
  }
  return new Map([...scores].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)))
}

// The score of the n-th further chunk of a document is multiplied by the n-th power of this factor. With 1, .95, .9 and .85,
// nDCG@10 is .727, .757, .764, .765 for MultiHop-RAG, whose long questions ask for several documents, and .514, .504, .478, .458
// for FinanceBench, where each answer is in one document.
const NEXT_CHUNK_FACTOR = 0.95
const NEXT_CHUNK_FACTOR_OF_LONG_QUERY = 0.9

/**
 * Lowers the scores of the further chunks of a document, so that chunks of other documents come between them. The chunks of
 * `exemptDocuments`, which the query names, keep their scores.
 */
export function diversify<Item extends Ranked>(
  items: readonly Item[],
  isLongQuery = false,
  exemptDocuments: readonly string[] = [],
): Item[] {
  const factor = isLongQuery ? NEXT_CHUNK_FACTOR_OF_LONG_QUERY : NEXT_CHUNK_FACTOR
  const chunkCounts = new Map<string, number>()
  return inOrder(
    items.map((item) => {
      if (exemptDocuments.includes(item.document_id)) return item
      const rank = chunkCounts.get(item.document_id) ?? 0
      chunkCounts.set(item.document_id, rank + 1)
      return { ...item, score: item.score * factor ** rank }
    }),
  )
}

/** Multiplies the scores of chunks by the factors of their documents (subject.ts). */
export const withPreference = <Item extends Ranked>(
  items: readonly Item[],
  factors: ReadonlyMap<string, number>,
): Item[] =>
  inOrder(items.map((item) => ({ ...item, score: item.score * (factors.get(item.document_id) ?? 1) })))

export const inOrder = <Item extends Ranked>(items: readonly Item[]): Item[] =>
  [...items].sort((a, b) => b.score - a.score || (a.chunk_id < b.chunk_id ? -1 : 1))

// Chunks that share this part of their terms are near-duplicates.
const DUPLICATE_SHARE = 0.9

/** Drops near-duplicates of better hits. Terms must be in ascending order. */
export function withoutNearDuplicates<Item extends { terms: Int32Array }>(hits: readonly Item[]): Item[] {
  const distinctItems: Item[] = []
  for (const hit of hits)
    if (!distinctItems.some(({ terms }) => isNearDuplicate(terms, hit.terms))) distinctItems.push(hit)
  return distinctItems
}

/**
 * Whether two ascending lists of terms share nine tenths of their union. Stops as soon as that is impossible, usually after a few
 * terms, because comparing whole lists took 2.7 ms for 15 passages.
 */
function isNearDuplicate(a: Int32Array, b: Int32Array): boolean {
  // Let u be the number of unshared terms. The union has (a + b + u) / 2 terms, and u may be at most (1 - share) of it.
  const maxDifferent = ((a.length + b.length) * (1 - DUPLICATE_SHARE)) / (1 + DUPLICATE_SHARE) + 1e-9
  if (Math.abs(a.length - b.length) > maxDifferent) return false
  let [unsharedCount, i, j] = [0, 0, 0]
  while (i < a.length && j < b.length && unsharedCount <= maxDifferent) {
    const [x, y] = [a[i] ?? 0, b[j] ?? 0]
    if (x !== y) unsharedCount++
    if (x <= y) i++
    if (y <= x) j++
  }
  unsharedCount += a.length - i + b.length - j
  return unsharedCount <= maxDifferent && a.length + b.length > 0
}
