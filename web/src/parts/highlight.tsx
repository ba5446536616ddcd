// Marks: words of a query, or spans that the service named (UTF-16 units).

import type { ReactNode } from 'react'

export interface Span {
  start: number
  end: number
  /** The one that somebody is at. */
  current?: boolean
}

const WORD = /[\p{L}\p{N}]+/gu
/** Below this a word's beginning is no sign of its stem: "in" is not "interest". */
const LEAST_STEM = 4

/** Spans of the words of `query` in `text`, their other forms included ("lease", "leases"). */
export function querySpans(text: string, query: string): Span[] {
  const words = [...query.toLocaleLowerCase().matchAll(WORD)]
    .map(([word]) => word)
    .filter((word) => word.length > 2)
  if (words.length === 0) return []
  const stems = words.map((word) =>
    word.length > LEAST_STEM + 1 ? word.slice(0, Math.max(LEAST_STEM, word.length - 3)) : word,
  )
  return [...text.matchAll(WORD)].flatMap((match) => {
    const word = match[0].toLocaleLowerCase()
    const isHit = stems.some((stem, i) => (stem === words[i] ? word === stem : word.startsWith(stem)))
    return isHit ? [{ start: match.index, end: match.index + match[0].length }] : []
  })
}

const special = /[\\^$.*+?()[\]{}|]/g

/** Where `phrase` stands in `text` as it is written, in any case and with any white space between its words. */
export function phraseSpans(text: string, phrase: string): Span[] {
  const words = phrase.trim().split(/\s+/u).filter(Boolean)
  if (words.length === 0) return []
  const pattern = new RegExp(words.map((word) => word.replace(special, '\\$&')).join('\\s+'), 'giu')
  return [...text.matchAll(pattern)].map(({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }))
}

/** `text` with its spans marked; overlapping ones are joined. */
export function Marked({ text, spans }: { text: string; spans: readonly Span[] }): ReactNode {
  const parts: ReactNode[] = []
  let at = 0
  for (const { start, end, current } of [...spans].sort((a, b) => a.start - b.start)) {
    if (end <= at) continue
    const from = Math.max(at, start)
    parts.push(
      text.slice(at, from),
      <mark key={from} aria-current={current || undefined}>
        {text.slice(from, end)}
      </mark>,
    )
    at = end
  }
  parts.push(text.slice(at))
  return parts
}
