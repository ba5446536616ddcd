// Search inside a document: the exact phrase, or its words if the phrase does not occur.

import { useDeferredValue, useMemo, useState } from 'react'
import { phraseSpans, querySpans, type Span } from '../parts/spans.ts'
import type { Chunk } from '../queries.ts'

export interface FindResult {
  /** The hits by chunk, for chunks that have any. */
  spans: ReadonlyMap<string, readonly Span[]>
  count: number
  /** The number of the current hit, from 1. 0 before the first step. */
  hitNumber: number
  /** The chunk of that hit. */
  chunk: string | undefined
  /** Goes this many hits forward or back. After the last hit the first one follows. */
  move: (distance: number) => void
}

interface Hits {
  spans: Map<string, Span[]>
  hits: { chunk: string; span: number }[]
}

function hitsOf(chunks: readonly Chunk[], find: string): Hits {
  for (const spansOf of [phraseSpans, querySpans]) {
    const hits: Hits = { spans: new Map(), hits: [] }
    for (const { id, text } of chunks) {
      const spans = find ? spansOf(text, find) : []
      if (spans.length === 0) continue
      hits.spans.set(id, spans)
      spans.forEach((_, span) => {
        hits.hits.push({ chunk: id, span })
      })
    }
    if (hits.hits.length > 0) return hits
  }
  return { spans: new Map(), hits: [] }
}

export function useFind(chunks: readonly Chunk[], find: string | undefined): FindResult {
  // Hits are marked only when typing pauses, so that typing stays fast.
  const searchText = useDeferredValue(find ?? '')
  const { spans, hits } = useMemo(() => hitsOf(chunks, searchText), [chunks, searchText])
  const [position, setPosition] = useState({ find: searchText, hitNumber: 0 })
  const hitNumber = position.find === searchText ? position.hitNumber : 0
  const hit = hits[hitNumber - 1]
  const matches = useMemo(() => {
    const chunkSpans = hit && spans.get(hit.chunk)
    if (!chunkSpans) return spans
    const markedSpans = chunkSpans.map((span, i) => (i === hit.span ? { ...span, current: true } : span))
    return new Map(spans).set(hit.chunk, markedSpans)
  }, [spans, hit])
  const step = (distance: number): void => {
    const count = hits.length
    if (count === 0) return
    const from = hitNumber === 0 && distance < 0 ? 1 : hitNumber
    setPosition({ find: searchText, hitNumber: ((((from - 1 + distance) % count) + count) % count) + 1 })
  }
  return { spans: matches, count: hits.length, hitNumber, chunk: hit?.chunk, move: step }
}
