// Which part of a long passage a result shows: that with the most of the words that were looked for.

import type { Span } from './spans.ts'

// What a narrow window shows of a result.
const WINDOW = 300
// With fewer letters before it, the passage is shown from its beginning.
const MIN_SKIPPED = 120

/** Forms of a word count once. */
const wordsIn = (text: string, spans: readonly Span[], from: number, to: number): number =>
  new Set(
    spans
      .filter(({ start, end }) => start >= from && end <= to)
      .map(({ start, end }) => text.slice(start, Math.min(end, start + 4)).toLocaleLowerCase()),
  ).size

/** Where a paragraph or a sentence begins. */
const beginnings = (text: string): number[] => [
  0,
  ...[...text.matchAll(/\n+|[.!?…]["”’)]?\s+/gu)].map(({ index, 0: gap }) => index + gap.length),
]

/** Where the excerpt of a text begins: with the sentence of the first of the words that stand together. */
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

/** The `most` rows with the most of the words, the first of equals; by their numbers, in their order. */
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
