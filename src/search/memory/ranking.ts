// Ranks the chunks of a workspace by words, in memory (docs/decisions/0022-search-speed.md). A ranking consists of segments of
// its current documents. Every chunk is scored, which takes a millisecond or two for 60,000. Pure.

import { addScores, type Entry, type Segment, scoreOf, type TermVector } from './segment.ts'

export interface Ranking {
  segments: readonly Segment[]
  /** Current versions of documents. Segments may contain other versions, which are left out. */
  live: ReadonlySet<string>
}

export interface Best {
  chunkId: string
  chunkNo: number
  versionId: string
  documentId: string
  score: number
  documentScore: number | null
}

/** Limits the ranking to these documents and, for the versions in `chunks`, to the chunks with these numbers. */
export interface Inside {
  documents?: readonly string[] | undefined
  chunks?: ReadonlyMap<string, ReadonlySet<number>> | undefined
}

export interface RankingRequest extends Inside {
  /** The query's terms, ascending. */
  query: TermVector
  limit: number
}

/** The best chunks by the total weight of the query's terms, best first; ties by id. */
export const selectBest = (ranking: Ranking, request: RankingRequest): Best[] =>
  rank(ranking, request).map((ranked) => described(ranked, request.query))

/** The same without ids and scores of documents, which take most of the time if many chunks are ranked. */
export function rank(
  { segments, live }: Ranking,
  { query, limit, documents, chunks }: RankingRequest,
): Ranked[] {
  const documentIds = documents && new Set(documents)
  const isIn = ({ versionId, documentId }: Entry): boolean =>
    live.has(versionId) && (documentIds === undefined || documentIds.has(documentId))
  const top = topOf(limit)
  for (const segment of segments) {
    const scores = new Float32Array(segment.chunks)
    for (const [i, term] of query.terms.entries()) addScores(segment, term, query.weights[i] ?? 0, scores)
    for (const entry of segment.documents) {
      const numbers = chunks?.get(entry.versionId)
      if (!isIn(entry) || (chunks && !numbers)) continue
      for (let chunk = entry.first; chunk < entry.first + entry.chunks; chunk++) {
        const score = scores[chunk] ?? 0
        if (score <= 0 || score < top.minScore()) continue
        if (numbers === undefined || numbers.has(segment.chunkNos[chunk] ?? 0))
          top.add({ segment, chunk, score })
      }
    }
  }
  return top.inOrder()
}

export interface Ranked {
  segment: Segment
  chunk: number
  score: number
}

interface Top {
  /** The lowest score among the best. */
  minScore(): number
  add(ranked: Ranked): void
  inOrder(): Ranked[]
}

/** The `limit` best, in a heap with the worst on top. */
function topOf(limit: number): Top {
  const heap: Ranked[] = []
  const swapIfWorse = (below: number, above: number): boolean => {
    const [a, b] = [heap[below], heap[above]]
    if (!a || !b || compare(a, b) <= 0) return false
    heap[below] = b
    heap[above] = a
    return true
  }
  const rise = (from: number): void => {
    for (let at = from; at > 0; ) {
      const above = (at - 1) >> 1
      if (!swapIfWorse(at, above)) return
      at = above
    }
  }
  const sink = (): void => {
    for (let at = 0; ; ) {
      const [a, b] = [heap[2 * at + 1], heap[2 * at + 2]]
      if (!a) return
      const worseIndex = b && compare(b, a) > 0 ? 2 * at + 2 : 2 * at + 1
      if (!swapIfWorse(worseIndex, at)) return
      at = worseIndex
    }
  }
  return {
    minScore: () => (heap.length < limit ? 0 : (heap[0]?.score ?? 0)),
    add: (ranked) => {
      if (heap.length < limit) {
        heap.push(ranked)
        rise(heap.length - 1)
      } else if (heap[0] && compare(ranked, heap[0]) < 0) {
        heap[0] = ranked
        sink()
      }
    },
    inOrder: () => [...heap].sort(compare),
  }
}

/** Negative if `a` comes first. */
function compare(a: Ranked, b: Ranked): number {
  if (a.score !== b.score) return b.score - a.score
  for (let i = 0; i < 16; i++) {
    const [x, y] = [a.segment.ids[a.chunk * 16 + i] ?? 0, b.segment.ids[b.chunk * 16 + i] ?? 0]
    if (x !== y) return x - y
  }
  return 0
}

export const placeOf = ({ segment, chunk }: Ranked): Pick<Best, 'versionId' | 'chunkNo'> => ({
  versionId: entryOf(segment, chunk).versionId,
  chunkNo: segment.chunkNos[chunk] ?? 0,
})

export function described(ranked: Ranked, query: TermVector): Best {
  const { segment, chunk, score } = ranked
  const document = entryOf(segment, chunk)
  return {
    chunkId: uuidOf(segment.ids.subarray(chunk * 16, chunk * 16 + 16)),
    ...placeOf(ranked),
    documentId: document.documentId,
    score,
    documentScore: document.documentVector && scoreOf(document.documentVector, query),
  }
}

function entryOf(segment: Segment, chunk: number): Entry {
  const document = segment.documents[segment.documentOf[chunk] ?? 0]
  if (!document) throw new Error('a chunk without a document')
  return document
}

function uuidOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
