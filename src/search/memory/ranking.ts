// Ranks the chunks of a workspace by words, in memory (docs/decisions/0022-search-speed.md). A ranking consists of segments
// that contain the current documents. Every chunk is scored, which takes a millisecond or two for 60,000 chunks. Pure.

import { addScores, type Segment, type SegmentDocument, scoreOf, type TermVector } from './segment.ts'

export interface Ranking {
  segments: readonly Segment[]
  /** Current versions of documents. Segments may contain other versions, which are left out. */
  live: ReadonlySet<string>
}

export interface RankedChunk {
  chunkId: string
  chunkNo: number
  versionId: string
  documentId: string
  score: number
  documentScore: number | null
}

/** Limits the ranking to some documents and chunks. */
export interface RankingLimits {
  documents?: readonly string[] | undefined
  /** The numbers of the chunks, by version id. */
  chunks?: ReadonlyMap<string, ReadonlySet<number>> | undefined
}

export interface RankingRequest extends RankingLimits {
  /** The query's terms, ascending. */
  query: TermVector
  limit: number
}

/** The best chunks by the total weight of the query's terms, best first; ties by id. */
export const selectBest = (ranking: Ranking, request: RankingRequest): RankedChunk[] =>
  rank(ranking, request).map((ranked) => withIdsAndDocument(ranked, request.query))

/** As `selectBest`, without ids and scores of documents, which take most of the time if many chunks are ranked. */
export function rank(
  { segments, live }: Ranking,
  { query, limit, documents, chunks }: RankingRequest,
): ScoredChunk[] {
  const documentIds = documents && new Set(documents)
  const isIncluded = ({ versionId, documentId }: SegmentDocument): boolean =>
    live.has(versionId) && (documentIds === undefined || documentIds.has(documentId))
  const best = heapOfBest(limit)
  for (const segment of segments) {
    const scores = new Float32Array(segment.chunks)
    for (const [i, term] of query.terms.entries()) addScores(segment, term, query.weights[i] ?? 0, scores)
    for (const entry of segment.documents) {
      const chunkNos = chunks?.get(entry.versionId)
      if (!isIncluded(entry) || (chunks && !chunkNos)) continue
      for (let chunk = entry.firstChunk; chunk < entry.firstChunk + entry.chunks; chunk++) {
        const score = scores[chunk] ?? 0
        if (score <= 0 || score < best.minScore()) continue
        if (chunkNos === undefined || chunkNos.has(segment.chunkNos[chunk] ?? 0))
          best.add({ segment, chunk, score })
      }
    }
  }
  return best.inOrder()
}

interface ScoredChunk {
  segment: Segment
  chunk: number
  score: number
}

interface BestHeap {
  /** The lowest score among the best. 0 if there are fewer than `limit`. */
  minScore(): number
  add(ranked: ScoredChunk): void
  inOrder(): ScoredChunk[]
}

/** A heap of the `limit` best chunks, with the worst of them on top. */
function heapOfBest(limit: number): BestHeap {
  const heap: ScoredChunk[] = []
  const swapIfWorse = (child: number, parent: number): boolean => {
    const [a, b] = [heap[child], heap[parent]]
    if (!a || !b || compare(a, b) <= 0) return false
    heap[child] = b
    heap[parent] = a
    return true
  }
  const moveUp = (from: number): void => {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!swapIfWorse(at, parent)) return
      at = parent
    }
  }
  const moveTopDown = (): void => {
    for (let at = 0; ; ) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]]
      if (!left) return
      const worseIndex = right && compare(right, left) > 0 ? 2 * at + 2 : 2 * at + 1
      if (!swapIfWorse(worseIndex, at)) return
      at = worseIndex
    }
  }
  return {
    minScore: () => (heap.length < limit ? 0 : (heap[0]?.score ?? 0)),
    add: (ranked) => {
      if (heap.length < limit) {
        heap.push(ranked)
        moveUp(heap.length - 1)
      } else if (heap[0] && compare(ranked, heap[0]) < 0) {
        heap[0] = ranked
        moveTopDown()
      }
    },
    inOrder: () => [...heap].sort(compare),
  }
}

/** Negative if `a` comes first. */
function compare(a: ScoredChunk, b: ScoredChunk): number {
  if (a.score !== b.score) return b.score - a.score
  for (let i = 0; i < 16; i++) {
    const [x, y] = [a.segment.ids[a.chunk * 16 + i] ?? 0, b.segment.ids[b.chunk * 16 + i] ?? 0]
    if (x !== y) return x - y
  }
  return 0
}

export const chunkPositionOf = ({
  segment,
  chunk,
}: ScoredChunk): Pick<RankedChunk, 'versionId' | 'chunkNo'> => ({
  versionId: documentOf(segment, chunk).versionId,
  chunkNo: segment.chunkNos[chunk] ?? 0,
})

export function withIdsAndDocument(ranked: ScoredChunk, query: TermVector): RankedChunk {
  const { segment, chunk, score } = ranked
  const document = documentOf(segment, chunk)
  return {
    chunkId: uuidOf(segment.ids.subarray(chunk * 16, chunk * 16 + 16)),
    ...chunkPositionOf(ranked),
    documentId: document.documentId,
    score,
    documentScore: document.documentVector && scoreOf(document.documentVector, query),
  }
}

function documentOf(segment: Segment, chunk: number): SegmentDocument {
  const document = segment.documents[segment.documentOf[chunk] ?? 0]
  if (!document) throw new Error('a chunk without a document')
  return document
}

function uuidOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
