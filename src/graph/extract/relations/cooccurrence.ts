// `related_to`: names that share sentences in at least two chunks of a document, more often than by chance (NPMI >
// 0), at most ten for one entity. Low confidence, and only where no pattern states a relation (one shared sentence
// alone has P .26).

import type { RelationEvidence } from '../../extraction.ts'
import type { NamedSentence } from '../names/coreference.ts'

// A sentence with more names is a list.
const MOST_NAMES = 12
const LEAST_CHUNKS = 2
const MOST_RELATED = 10

interface Pair {
  head: string
  tail: string
  chunks: Set<number>
  places: { chunk_no: number; start: number; end: number }[]
}

/** Evidence for every sentence that a kept pair shares. The head is the key that sorts first. */
export function findCooccurrences(
  sentences: readonly NamedSentence[],
  said: readonly RelationEvidence[],
): RelationEvidence[] {
  const known = new Set(said.flatMap(({ head, tail }) => [`${head}\0${tail}`, `${tail}\0${head}`]))
  const chunksOf = new Map<string, Set<number>>()
  const pairs = new Map<string, Pair>()
  const all = new Set<number>()
  for (const { sentence, names } of sentences) {
    const { chunk_no, start, end } = sentence
    const keys = [...new Set(names.map(({ key }) => key))].sort()
    all.add(chunk_no)
    for (const key of keys) chunksOf.set(key, (chunksOf.get(key) ?? new Set()).add(chunk_no))
    if (keys.length > MOST_NAMES) continue
    for (const [i, head] of keys.entries()) {
      for (const tail of keys.slice(i + 1)) {
        const name = `${head}\0${tail}`
        if (known.has(name)) continue
        let pair = pairs.get(name)
        if (!pair) {
          pair = { head, tail, chunks: new Set(), places: [] }
          pairs.set(name, pair)
        }
        pair.chunks.add(chunk_no)
        pair.places.push({ chunk_no, start, end })
      }
    }
  }
  return choose([...pairs.values()], chunksOf, all.size).flatMap(({ head, tail, places }) =>
    places.map((place) => ({ ...place, head, type: 'related_to', tail })),
  )
}

function choose(pairs: Pair[], chunksOf: ReadonlyMap<string, ReadonlySet<number>>, chunks: number): Pair[] {
  const scored = pairs
    .filter((pair) => pair.chunks.size >= LEAST_CHUNKS)
    .map((pair) => ({ pair, score: npmi(pair, chunksOf, chunks) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score * b.pair.chunks.size - a.score * a.pair.chunks.size || order(a.pair, b.pair))
  const taken = new Map<string, number>()
  return scored.flatMap(({ pair }) => {
    const [ofHead, ofTail] = [taken.get(pair.head) ?? 0, taken.get(pair.tail) ?? 0]
    if (ofHead >= MOST_RELATED || ofTail >= MOST_RELATED) return []
    taken.set(pair.head, ofHead + 1)
    taken.set(pair.tail, ofTail + 1)
    return [pair]
  })
}

function npmi(pair: Pair, chunksOf: ReadonlyMap<string, ReadonlySet<number>>, chunks: number): number {
  const both = pair.chunks.size / chunks
  const head = (chunksOf.get(pair.head)?.size ?? 0) / chunks
  const tail = (chunksOf.get(pair.tail)?.size ?? 0) / chunks
  // Two names that are together in every chunk have the highest score.
  return both === 1 ? 1 : Math.log(both / (head * tail)) / -Math.log(both)
}

const order = (a: Pair, b: Pair): number => (`${a.head}\0${a.tail}` < `${b.head}\0${b.tail}` ? -1 : 1)
