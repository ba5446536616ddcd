// Search inside a document: the exact phrase, or its words if the phrase does not occur.

import { useDeferredValue, useMemo, useState } from 'react'
import { phraseSpans, querySpans, type Span } from '../parts/spans.ts'
import type { Chunk } from '../queries.ts'

export interface Found {
  /** The hits by chunk, for chunks that have any. */
  spans: ReadonlyMap<string, readonly Span[]>
  count: number
  /** The number of the current hit, from 1. 0 before the first step. */
  at: number
  /** The chunk of that hit. */
  chunk: string | undefined
  /** Moves by this many hits, and continues at the other end. */
  step: (by: number) => void
}

interface Hits {
  spans: Map<string, Span[]>
  places: { chunk: string; span: number }[]
}

function hitsOf(chunks: readonly Chunk[], find: string): Hits {
  for (const spansOf of [phraseSpans, querySpans]) {
    const hits: Hits = { spans: new Map(), places: [] }
    for (const { id, text } of chunks) {
      const spans = find ? spansOf(text, find) : []
      if (spans.length === 0) continue
      hits.spans.set(id, spans)
      spans.forEach((_, span) => {
        hits.places.push({ chunk: id, span })
      })
    }
    if (hits.places.length > 0) return hits
  }
  return { spans: new Map(), places: [] }
}

export function useFind(chunks: readonly Chunk[], find: string | undefined): Found {
  // Typing has priority over marking.
  const searchText = useDeferredValue(find ?? '')
  const { spans, places } = useMemo(() => hitsOf(chunks, searchText), [chunks, searchText])
  const [position, setPosition] = useState({ find: searchText, at: 0 })
  const at = position.find === searchText ? position.at : 0
  const place = places[at - 1]
  const matches = useMemo(() => {
    const own = place && spans.get(place.chunk)
    if (!own) return spans
    const marked = own.map((span, i) => (i === place.span ? { ...span, current: true } : span))
    return new Map(spans).set(place.chunk, marked)
  }, [spans, place])
  const step = (by: number): void => {
    const count = places.length
    if (count === 0) return
    const from = at === 0 && by < 0 ? 1 : at
    setPosition({ find: searchText, at: ((((from - 1 + by) % count) + count) % count) + 1 })
  }
  return { spans: matches, count: places.length, at, chunk: place?.chunk, step }
}
