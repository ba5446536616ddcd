// Turns scores into one order. Combines the scores of chunks with those of their documents, and words with meaning. Prefers
// several documents to many chunks of one, and drops near-duplicates. Pure. The comment of each constant has its measurements.

/** A chunk with the score by which it is ordered. Higher is better, ties are broken by id. */
export interface Ranked {
  chunk_id: string
  document_id: string
  score: number
}

// A chunk is scored with its document. With 0, .3, .4, .5 as the document's share: MultiHop-RAG articles nDCG@10 .757, .769,
// .770, .772, facts@20 .743, .762, .760, .757; FinanceBench pages .402, .399, .409, .418.
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

/** Merges equally good rankings by reciprocal rank. The scores are comparable only with each other. */
export function reciprocalRank(...legs: readonly (readonly string[])[]): Map<string, number> {
  const scores = new Map<string, number>()
  for (const leg of legs) {
    for (const [rank, id] of leg.entries()) {
      scores.set(id, (scores.get(id) ?? 0) + 1 / (RECIPROCAL_K + rank + 1))
    }
  }
  return new Map([...scores].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)))
}

// The score of each further chunk of a document is multiplied by .95 once more, or by .9 if the question asks for several
// things. MultiHop-RAG articles nDCG@10 and facts@10 with 1, .95, .9, .85: .727 / .604, .757 / .643, .764 / .659, .765 / .650.
// FinanceBench, where each answer is in one document: .514, .504, .478, .458.
const NEXT_CHUNK_FACTOR = 0.95
const NEXT_CHUNK_FACTOR_OF_LONG_QUERY = 0.9

/**
 * Moves chunks of other documents between many chunks of one document. The chunks of `exemptDocuments`, which the query names,
 * keep their scores: sec10q search@10 has the answer, figures / words, .464 / .719 with this exemption, .435 / .719 without it.
 */
export function spread<Item extends Ranked>(
  items: readonly Item[],
  asksForMany = false,
  exemptDocuments: readonly string[] = [],
): Item[] {
  const next = asksForMany ? NEXT_CHUNK_FACTOR_OF_LONG_QUERY : NEXT_CHUNK_FACTOR
  const chunkCounts = new Map<string, number>()
  return inOrder(
    items.map((item) => {
      if (exemptDocuments.includes(item.document_id)) return item
      const rank = chunkCounts.get(item.document_id) ?? 0
      chunkCounts.set(item.document_id, rank + 1)
      return { ...item, score: item.score * next ** rank }
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

// If chunks share this part of their terms, only the best one is kept.
const SAME_SHARE = 0.9

/** Drops near-duplicates of better hits. Terms must be in ascending order. */
export function distinct<Item extends { terms: Int32Array }>(hits: readonly Item[]): Item[] {
  const distinctItems: Item[] = []
  for (const hit of hits)
    if (!distinctItems.some(({ terms }) => isAlike(terms, hit.terms))) distinctItems.push(hit)
  return distinctItems
}

/**
 * Whether two ascending sets share nine tenths of their union. Stops as soon as that is impossible, usually after a few terms:
 * comparing whole sets took 2.7 ms for 15 passages of 340 terms.
 */
function isAlike(a: Int32Array, b: Int32Array): boolean {
  // The elements in only one set may be (1 - share) of the union. The union is the sum of both sets minus the shared elements.
  const maxDifferent = ((a.length + b.length) * (1 - SAME_SHARE)) / (1 + SAME_SHARE) + 1e-9
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
