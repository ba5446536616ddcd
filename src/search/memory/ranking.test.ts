import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RankedChunk, selectBest } from './ranking.ts'
import { type IndexedDocument, type Segment, segmentOf, type TermVector } from './segment.ts'

// Few different weights and terms, so that scores are equal and terms shared; the terms differ in each of their bytes.
const TERMS = [1, 2, 3, 255, 256, 511, 65_535, 65_536, 16_777_216, 50_331_648, 2_147_418_112, 2_147_483_647]
const side: fc.Arbitrary<TermVector> = fc
  .dictionary(fc.constantFrom(...TERMS).map(String), fc.integer({ min: 1, max: 4 }), { maxKeys: 8 })
  .map((weights) => {
    const terms = Object.keys(weights)
      .map(Number)
      .sort((a, b) => a - b)
    return {
      terms: Int32Array.from(terms),
      weights: Float32Array.from(terms, (term) => (weights[term] ?? 0) / 3),
    }
  })
const documents = fc.array(
  fc.record({ side: fc.option(side), chunks: fc.array(side, { maxLength: 5 }), isLive: fc.boolean() }),
  { maxLength: 12 },
)

function makeSegment(documents: readonly IndexedDocument[]): Segment {
  const work = segmentOf(documents)
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

const uuid = (number: number): string => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
const bytes = (id: string): Uint8Array => Buffer.from(id.replaceAll('-', ''), 'hex')

/** Chunks get ids against their order, so that ties are not in the order of reading. */
const indexed = (all: readonly { side: TermVector | null; chunks: TermVector[] }[]): IndexedDocument[] =>
  all.map((document, d) => ({
    documentId: uuid(d),
    versionId: uuid(1000 + d),
    documentVector: document.side,
    chunks: document.chunks.map((chunk, c) => ({ ...chunk, chunkNo: c, id: bytes(uuid(9999 - d * 10 - c)) })),
  }))

/** The same by the definition: a sum in single precision over ascending terms. */
function scoreOf(one: TermVector, query: TermVector): number {
  let score = 0
  for (const [i, term] of query.terms.entries()) {
    const at = one.terms.indexOf(term)
    if (at >= 0) score = Math.fround(score + Math.fround((one.weights[at] ?? 0) * (query.weights[i] ?? 0)))
  }
  return score
}

test('the best chunks of all live documents, ties by id, over any number of segments', () => {
  fc.assert(
    fc.property(
      documents,
      side,
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      fc.boolean(),
      (all, query, limit, segments, isFiltered, isOfChunks) => {
        const made = indexed(all)
        const live = new Set(made.filter((_, d) => all[d]?.isLive).map(({ versionId }) => versionId))
        const within = isFiltered ? [uuid(0), uuid(2), uuid(5)] : undefined
        // Of every third version the chunks 1 and 3.
        const numbers = new Set([1, 3])
        const ofChunks = isOfChunks
          ? new Map(made.flatMap(({ versionId }, d) => (d % 3 === 0 ? [[versionId, numbers]] : [])))
          : undefined
        const expected = made
          .filter(
            ({ versionId, documentId }) => live.has(versionId) && (within?.includes(documentId) ?? true),
          )
          .flatMap((document) =>
            document.chunks.map(
              (chunk): RankedChunk => ({
                chunkId: uuid(Number.parseInt(Buffer.from(chunk.id).toString('hex').slice(20), 16)),
                chunkNo: chunk.chunkNo,
                versionId: document.versionId,
                documentId: document.documentId,
                score: scoreOf(chunk, query),
                documentScore: document.documentVector && scoreOf(document.documentVector, query),
              }),
            ),
          )
          .filter(({ score }) => score > 0)
          .filter(({ versionId, chunkNo }) => ofChunks?.get(versionId)?.has(chunkNo) ?? !ofChunks)
          .sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1))
          .slice(0, limit)
        const parts = Array.from({ length: segments }, (_, part) =>
          makeSegment(made.filter((_, d) => d % segments === part)),
        )
        const wanted = { query, limit, documents: within, chunks: ofChunks }
        expect(selectBest({ segments: parts, live }, wanted)).toEqual(expected)
      },
    ),
  )
})

test('a chunk may have more than 256 different weights: the least of them are taken for one another', () => {
  const terms = Int32Array.from({ length: 300 }, (_, i) => i + 1)
  const weights = Float32Array.from(terms, (term) => 2 - term / 1000)
  const [document] = indexed([{ side: null, chunks: [{ terms, weights }] }])
  const segment = makeSegment(document ? [document] : [])
  const asked = (term: number): number | undefined =>
    selectBest(
      { segments: [segment], live: new Set([uuid(1000)]) },
      { query: { terms: Int32Array.of(term), weights: Float32Array.of(1) }, limit: 1 },
    )[0]?.score
  expect(asked(1)).toBe(weights[0])
  expect(asked(256)).toBe(weights[255])
  expect(asked(300)).toBe(weights[255])
})

test('more postings than are sorted in one stretch', () => {
  const chunks = Array.from({ length: 400 }, (_, c): TermVector => {
    const terms = [
      ...new Set(Array.from({ length: 200 }, (_, t) => 1 + ((c * t * 104_729) % 9_973) * 200_003)),
    ]
    return { terms: Int32Array.from(terms).sort(), weights: new Float32Array(terms.length).fill(1 + (c % 3)) }
  })
  const [document] = indexed([{ side: null, chunks }])
  const segment = makeSegment(document ? [document] : [])
  expect(segment.chunkOf.length).toBeGreaterThan(50_000)
  expect([...segment.terms]).toEqual(
    [...new Set(chunks.flatMap(({ terms }) => [...terms]))].sort((a, b) => a - b),
  )
  for (const [place, term] of segment.terms.entries()) {
    const holding = [...segment.chunkOf.subarray(segment.starts[place], segment.starts[place + 1])]
    if (place % 97 === 0)
      expect(holding).toEqual(chunks.flatMap(({ terms }, c) => (terms.includes(term) ? [c] : [])))
  }
})
