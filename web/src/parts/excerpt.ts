// Chooses the part of a long passage that a result shows: the one with the most searched words.

import type { Span } from './spans.ts'

// The part of a result that a narrow window shows.
const WINDOW = 300
// With fewer letters before it, the passage is shown from its beginning.
const MIN_SKIPPED = 120

/** Different forms of a word count once. */
const wordsIn = (text: string, spans: readonly Span[], from: number, to: number): number =>
  new Set(
    spans
      .filter(({ start, end }) => start >= from && end <= to)
      .map(({ start, end }) => text.slice(start, Math.min(end, start + 4)).toLocaleLowerCase()),
  ).size

/** Where paragraphs and sentences begin. */
const beginnings = (text: string): number[] => [
  0,
  ...[...text.matchAll(/\n+|[.!?…]["”’)]?\s+/gu)].map(({ index, 0: gap }) => index + gap.length),
]

/** Where the excerpt of a text begins: at the sentence with the first of the words that occur together. */
export function excerptStart(text: string, spans: readonly Span[]): number {
  const starts = beginnings(text)
  let best = { start: 0, words: wordsIn(text, spans, 0, WINDOW) }
  for (const start of starts) {
    const words = wordsIn(text, spans, start, start + WINDOW)
    if (words > best.words) best = { start, words }
  }
  if (best.start === 0) return 0
  const first = Math.min(...spans.filter(({ start }) => start >= best.start).map(({ start }) => start))
  const start = starts.findLast((one) => one <= first) ?? 0
  return start < MIN_SKIPPED ? 0 : start
}

/** The numbers of the `most` rows with the most words, in their order. The first ones win ties. */
export function bestRows(
  text: string,
  rows: readonly { start: number; end: number }[],
  spans: readonly Span[],
  most: number,
): number[] {
  const rowWords = rows.map(({ start, end }, row) => ({ row, words: wordsIn(text, spans, start, end) }))
  return rowWords
    .sort((a, b) => b.words - a.words || a.row - b.row)
    .slice(0, most)
    .map(({ row }) => row)
    .sort((a, b) => a - b)
}
