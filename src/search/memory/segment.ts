// A segment: an immutable inverted index over some documents, in memory. For each term it has the chunks with the term and its
// weight in each. A posting has three bytes: the number of the chunk in the segment, and the index of the weight in the chunk's
// list of weights. A chunk has about a dozen distinct weights, because they depend only on how often its terms occur. Scores are
// equal to those of the database, to the last bit.

/** Term numbers, ascending, and their weights. */
export interface TermVector {
  terms: Int32Array
  weights: Float32Array
}

export interface IndexedChunk extends TermVector {
  chunkNo: number
  /** The UUID in sixteen bytes. */
  id: Uint8Array
}

export interface IndexedDocument {
  documentId: string
  versionId: string
  /** The terms of the whole document. Null for a document that is scored by its chunks alone. */
  documentVector: TermVector | null
  chunks: readonly IndexedChunk[]
}

/** A document and where its chunks are in the segment. */
export interface SegmentDocument {
  documentId: string
  versionId: string
  documentVector: TermVector | null
  firstChunk: number
  chunks: number
}

export interface Segment {
  documents: readonly SegmentDocument[]
  chunks: number
  chunkNos: Int32Array
  ids: Uint8Array
  /** For each chunk, the index of its document in `documents`. */
  documentOf: Uint16Array
  /** The distinct terms, ascending. The postings of `terms[i]` are at `starts[i]` up to, but not including, `starts[i + 1]`. */
  terms: Int32Array
  starts: Uint32Array
  chunkOf: Uint16Array
  weightIndexes: Uint8Array
  /** The weights of chunk `c` begin at `weightStarts[c]`. */
  weights: Float32Array
  weightStarts: Uint32Array
  bytes: number
}

/** Chunk numbers have two bytes. */
export const MAX_CHUNKS = 65_535
// The maximum number of distinct weights of a chunk, because their index has one byte. Further weights are merged with the last
// one, which only happens if words occur more than 255 times.
const MAX_WEIGHTS_PER_CHUNK = 256

// Building a segment yields after this many chunks or postings, which take a millisecond or two, because the same process answers
// requests.
const CHUNKS_PER_STEP = 100
const POSTINGS_PER_STEP = 50_000

/** Builds a segment, and yields regularly, so that other work can continue. */
export function* segmentOf(documents: readonly IndexedDocument[]): Generator<void, Segment> {
  const chunks = documents.flatMap((document) => document.chunks)
  if (chunks.length > MAX_CHUNKS) throw new Error(`a segment has at most ${MAX_CHUNKS} chunks`)
  const { weights, weightStarts, ...postings } = yield* postingsOf(chunks)
  const byTerm = yield* inTermOrder(postings)
  const documentOf = new Uint16Array(chunks.length)
  const entries: SegmentDocument[] = []
  let first = 0
  for (const [
    documentIndex,
    { documentId, versionId, documentVector, chunks: documentChunks },
  ] of documents.entries()) {
    entries.push({ documentId, versionId, documentVector, firstChunk: first, chunks: documentChunks.length })
    documentOf.fill(documentIndex, first, first + documentChunks.length)
    first += documentChunks.length
  }
  const ids = new Uint8Array(chunks.length * 16)
  for (const [chunkIndex, { id }] of chunks.entries()) ids.set(id, chunkIndex * 16)
  const segment = {
    documents: entries,
    chunks: chunks.length,
    chunkNos: Int32Array.from(chunks, ({ chunkNo }) => chunkNo),
    ids,
    documentOf,
    ...byTerm,
    weights: Float32Array.from(weights),
    weightStarts,
  }
  return { ...segment, bytes: bytesOf(segment) }
}

// Loops over postings are in plain functions, because V8 does not optimise a loop of a generator while it runs.

interface Postings {
  termOf: Int32Array
  chunkOf: Uint16Array
  weightIndexes: Uint8Array
}

/** The postings in the order of the chunks. */
function* postingsOf(
  chunks: readonly IndexedChunk[],
): Generator<void, Postings & { weights: number[]; weightStarts: Uint32Array }> {
  const postingCount = chunks.reduce((sum, { terms }) => sum + terms.length, 0)
  const termOf = new Int32Array(postingCount)
  const chunkOf = new Uint16Array(postingCount)
  const weightIndexes = new Uint8Array(postingCount)
  const weights: number[] = []
  const weightStarts = new Uint32Array(chunks.length)
  let at = 0
  for (const [chunkIndex, chunk] of chunks.entries()) {
    if (chunkIndex > 0 && chunkIndex % CHUNKS_PER_STEP === 0) yield
    const to = at + chunk.terms.length
    termOf.set(chunk.terms, at)
    chunkOf.fill(chunkIndex, at, to)
    weightStarts[chunkIndex] = weights.length
    addWeightIndexes(weightIndexes.subarray(at, to), chunk.weights, weights)
    at = to
  }
  return { termOf, chunkOf, weightIndexes, weights, weightStarts }
}

/** Adds a chunk's distinct weights to `weights`, and sets the index of each term's weight in `weightIndexes`. */
function addWeightIndexes(weightIndexes: Uint8Array, chunkWeights: Float32Array, weights: number[]): void {
  const start = weights.length
  for (let i = 0; i < weightIndexes.length; i++) {
    const weight = chunkWeights[i] ?? 0
    let at = start
    while (at < weights.length && weights[at] !== weight) at++
    if (at === weights.length && at - start < MAX_WEIGHTS_PER_CHUNK) weights.push(weight)
    weightIndexes[i] = Math.min(at - start, MAX_WEIGHTS_PER_CHUNK - 1)
  }
}

/** The postings ordered by term, and for each term by chunk, with the distinct terms and where the postings of each begin. */
function* inTermOrder({
  termOf,
  chunkOf,
  weightIndexes,
}: Postings): Generator<void, Pick<Segment, 'terms' | 'starts' | 'chunkOf' | 'weightIndexes'>> {
  const order = yield* ascendingPositions(termOf)
  const sorted = { chunkOf: new Uint16Array(order.length), weightIndexes: new Uint8Array(order.length) }
  const terms: number[] = []
  const starts: number[] = []
  const addPostings = (from: number, to: number): void => {
    for (let i = from; i < to; i++) {
      const posting = order[i] ?? 0
      const term = termOf[posting] ?? 0
      if (terms.at(-1) !== term) {
        terms.push(term)
        starts.push(i)
      }
      sorted.chunkOf[i] = chunkOf[posting] ?? 0
      sorted.weightIndexes[i] = weightIndexes[posting] ?? 0
    }
  }
  yield* inSteps(order.length, addPostings)
  return { ...sorted, terms: Int32Array.from(terms), starts: Uint32Array.from([...starts, order.length]) }
}

/** The positions of the keys in ascending order of the keys (LSD radix sort, stable). Keys must not be negative. */
function* ascendingPositions(keys: Int32Array): Generator<void, Uint32Array> {
  // The keys are moved together with their positions. Looking up each key by its position would be three times as slow, because
  // the key is often not in the processor's cache.
  let from = { keys: keys.slice(), positions: new Uint32Array(keys.length) }
  let to = { keys: new Int32Array(keys.length), positions: new Uint32Array(keys.length) }
  for (let i = 0; i < keys.length; i++) from.positions[i] = i
  for (let shift = 0; shift < 32; shift += 8) {
    const [source, target] = [from, to]
    const nextPositions = new Uint32Array(257)
    yield* inSteps(keys.length, (first, last) => {
      for (let i = first; i < last; i++) {
        const bucket = (((source.keys[i] ?? 0) >>> shift) & 255) + 1
        nextPositions[bucket] = (nextPositions[bucket] ?? 0) + 1
      }
    })
    for (let byte = 1; byte < nextPositions.length; byte++)
      nextPositions[byte] = (nextPositions[byte] ?? 0) + (nextPositions[byte - 1] ?? 0)
    yield* inSteps(keys.length, (first, last) => {
      for (let i = first; i < last; i++) {
        const key = source.keys[i] ?? 0
        const byte = (key >>> shift) & 255
        const at = nextPositions[byte] ?? 0
        nextPositions[byte] = at + 1
        target.keys[at] = key
        target.positions[at] = source.positions[i] ?? 0
      }
    })
    from = target
    to = source
  }
  return from.positions
}

function* inSteps(length: number, work: (from: number, to: number) => void): Generator<void, void> {
  for (let at = 0; at < length; at += POSTINGS_PER_STEP) {
    if (at > 0) yield
    work(at, Math.min(at + POSTINGS_PER_STEP, length))
  }
}

const bytesOf = ({ documents, ...arrays }: Omit<Segment, 'bytes'>): number =>
  Object.values(arrays).reduce<number>(
    (sum, value) => sum + (typeof value === 'number' ? 8 : value.byteLength),
    0,
  ) +
  documents.reduce(
    (sum, { documentVector }) => sum + 300 + (documentVector ? documentVector.terms.byteLength * 2 : 0),
    0,
  )

/** Adds the term's weight in each chunk, multiplied by `weight`, to the chunk's score. `weight` has single precision. */
export function addScores(segment: Segment, term: number, weight: number, scores: Float32Array): void {
  const index = indexOfTerm(segment.terms, term)
  if (index < 0) return
  const { starts, chunkOf, weightIndexes, weights, weightStarts } = segment
  const to = starts[index + 1] ?? 0
  for (let i = starts[index] ?? 0; i < to; i++) {
    const chunk = chunkOf[i] ?? 0
    const termWeight = weights[(weightStarts[chunk] ?? 0) + (weightIndexes[i] ?? 0)] ?? 0
    // Single precision throughout, as in the database.
    scores[chunk] = (scores[chunk] ?? 0) + Math.fround(termWeight * weight)
  }
}

/** The score of a whole document for the query's terms, which are in ascending order. */
export function scoreOf({ terms, weights }: TermVector, query: TermVector): number {
  let score = 0
  for (const [i, term] of query.terms.entries()) {
    const index = indexOfTerm(terms, term)
    if (index >= 0) score = Math.fround(score + Math.fround((weights[index] ?? 0) * (query.weights[i] ?? 0)))
  }
  return score
}

function indexOfTerm(terms: Int32Array, term: number): number {
  let [low, high] = [0, terms.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const middleTerm = terms[middle] ?? 0
    if (middleTerm === term) return middle
    if (middleTerm < term) low = middle + 1
    else high = middle - 1
  }
  return -1
}
