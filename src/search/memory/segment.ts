// An inverted index over some documents, in memory and never changed: which chunks have a term, with its weight. Three bytes for a
// term of a chunk: its chunk among those of the segment, and which of the chunk's weights it is (a chunk has a dozen different
// ones, since they follow from how often its terms occur). Scores are those that the database computes, to the last bit.

/** Term numbers, ascending, and their weights. */
export interface Side {
  terms: Int32Array
  weights: Float32Array
}

export interface IndexedChunk extends Side {
  chunkNo: number
  /** Sixteen bytes. */
  id: Uint8Array
}

export interface IndexedDocument {
  documentId: string
  versionId: string
  /** Of the whole document; null for one that is scored by its chunks alone. */
  side: Side | null
  chunks: readonly IndexedChunk[]
}

/** A document and where its chunks are in the segment. */
export interface Entry {
  documentId: string
  versionId: string
  side: Side | null
  first: number
  chunks: number
}

export interface Segment {
  documents: readonly Entry[]
  chunks: number
  chunkNos: Int32Array
  ids: Uint8Array
  /** Of each chunk its entry in `documents`. */
  documentOf: Uint16Array
  /** Different terms, ascending; those of `terms[i]` are from `starts[i]` up to `starts[i + 1]`. */
  terms: Int32Array
  starts: Uint32Array
  chunkOf: Uint16Array
  code: Uint8Array
  /** The weights of chunk `c` begin at `weightStarts[c]`. */
  weights: Float32Array
  weightStarts: Uint32Array
  bytes: number
}

/** Chunks have numbers of two bytes. */
export const MOST_CHUNKS = 65_535
// Of a chunk's different weights more than this are merged with the last one: a chunk would need a word 255 times.
const MOST_WEIGHTS = 256

// A pause after so many chunks: each stretch takes two milliseconds of the process that answers requests.
const CHUNKS_A_STRETCH = 100

/** Makes a segment, and yields now and then, so that others can go on. */
export function* segmentOf(documents: readonly IndexedDocument[]): Generator<void, Segment> {
  const chunks = documents.flatMap((document) => document.chunks)
  if (chunks.length > MOST_CHUNKS) throw new Error(`a segment has at most ${MOST_CHUNKS} chunks`)
  const terms = yield* termsOf(chunks)
  const placeOfTerm = new Map<number, number>()
  for (const [place, term] of terms.numbers.entries()) placeOfTerm.set(term, place)
  const postings = terms.starts.at(-1) ?? 0
  const chunkOf = new Uint16Array(postings)
  const code = new Uint8Array(postings)
  const next = terms.starts.slice()
  const weights: number[] = []
  const weightStarts = new Uint32Array(chunks.length)
  for (const [place, chunk] of chunks.entries()) {
    if (place % CHUNKS_A_STRETCH === 0) yield
    const start = weights.length
    weightStarts[place] = start
    const codes = new Map<number, number>()
    for (const [i, term] of chunk.terms.entries()) {
      const weight = chunk.weights[i] ?? 0
      const known = codes.get(weight) ?? Math.min(codes.size, MOST_WEIGHTS - 1)
      if (!codes.has(weight)) {
        codes.set(weight, known)
        if (start + known === weights.length) weights.push(weight)
      }
      const at = placeOfTerm.get(term) ?? 0
      const posting = next[at] ?? 0
      next[at] = posting + 1
      chunkOf[posting] = place
      code[posting] = known
    }
  }
  const documentOf = new Uint16Array(chunks.length)
  const entries: Entry[] = []
  let first = 0
  for (const [place, { documentId, versionId, side, chunks: own }] of documents.entries()) {
    entries.push({ documentId, versionId, side, first, chunks: own.length })
    documentOf.fill(place, first, first + own.length)
    first += own.length
  }
  const ids = new Uint8Array(chunks.length * 16)
  for (const [place, { id }] of chunks.entries()) ids.set(id, place * 16)
  const segment = {
    documents: entries,
    chunks: chunks.length,
    chunkNos: Int32Array.from(chunks, ({ chunkNo }) => chunkNo),
    ids,
    documentOf,
    terms: terms.numbers,
    starts: terms.starts,
    chunkOf,
    code,
    weights: Float32Array.from(weights),
    weightStarts,
  }
  return { ...segment, bytes: bytesOf(segment) }
}

/** The different terms, ascending, and where the postings of each begin and those of the last end. */
function* termsOf(
  chunks: readonly IndexedChunk[],
): Generator<void, { numbers: Int32Array; starts: Uint32Array }> {
  const counts = new Map<number, number>()
  for (const [place, { terms }] of chunks.entries()) {
    if (place % CHUNKS_A_STRETCH === 0) yield
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  const numbers = Int32Array.from(counts.keys()).sort()
  const starts = new Uint32Array(numbers.length + 1)
  for (const [place, term] of numbers.entries())
    starts[place + 1] = (starts[place] ?? 0) + (counts.get(term) ?? 0)
  return { numbers, starts }
}

const bytesOf = ({ documents, ...arrays }: Omit<Segment, 'bytes'>): number =>
  Object.values(arrays).reduce<number>(
    (sum, value) => sum + (typeof value === 'number' ? 8 : value.byteLength),
    0,
  ) + documents.reduce((sum, { side }) => sum + 300 + (side ? side.terms.byteLength * 2 : 0), 0)

/** Adds the weight of each chunk that has the term, times `weight`, to its score. `weight` is of single precision. */
export function addScores(segment: Segment, term: number, weight: number, scores: Float32Array): void {
  const place = placeOf(segment.terms, term)
  if (place < 0) return
  const { starts, chunkOf, code, weights, weightStarts } = segment
  const to = starts[place + 1] ?? 0
  for (let i = starts[place] ?? 0; i < to; i++) {
    const chunk = chunkOf[i] ?? 0
    const own = weights[(weightStarts[chunk] ?? 0) + (code[i] ?? 0)] ?? 0
    // Single precision throughout, as in the database.
    scores[chunk] = (scores[chunk] ?? 0) + Math.fround(own * weight)
  }
}

/** The score of a whole document for the query's terms, which ascend. */
export function scoreOf({ terms, weights }: Side, query: Side): number {
  let score = 0
  for (const [i, term] of query.terms.entries()) {
    const place = placeOf(terms, term)
    if (place >= 0) score = Math.fround(score + Math.fround((weights[place] ?? 0) * (query.weights[i] ?? 0)))
  }
  return score
}

function placeOf(terms: Int32Array, term: number): number {
  let [low, high] = [0, terms.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = terms[middle] ?? 0
    if (found === term) return middle
    if (found < term) low = middle + 1
    else high = middle - 1
  }
  return -1
}
