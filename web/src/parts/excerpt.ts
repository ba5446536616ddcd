// Chooses the part of a long passage that a result shows: the part with most of the searched words.

import type { Span } from './spans.ts'

// The letters of a result that a narrow window shows.
const EXCERPT_LENGTH = 300
// If the excerpt would leave out fewer letters than this, the passage is shown from its beginning.
const MIN_SKIPPED_LENGTH = 120

/** How many different words are marked in a part of the text. Forms of one word count once. */
const countWords = (text: string, spans: readonly Span[], from: number, to: number): number =>
  new Set(
    spans
      .filter(({ start, end }) => start >= from && end <= to)
      .map(({ start, end }) => text.slice(start, Math.min(end, start + 4)).toLocaleLowerCase()),
  ).size

/** Where paragraphs and sentences begin. */
const partStarts = (text: string): number[] => [
  0,
  ...[...text.matchAll(/\n+|[.!?…]["”’)]?\s+/gu)].map(({ index, 0: gap }) => index + gap.length),
]

/** Where the excerpt begins: at the sentence with the first of the words in the part with most of them. */
export function excerptStart(text: string, spans: readonly Span[]): number {
  const starts = partStarts(text)
  let best = { start: 0, words: countWords(text, spans, 0, EXCERPT_LENGTH) }
  for (const start of starts) {
    const words = countWords(text, spans, start, start + EXCERPT_LENGTH)
    if (words > best.words) best = { start, words }
  }
  if (best.start === 0) return 0
  const firstStart = Math.min(...spans.filter(({ start }) => start >= best.start).map(({ start }) => start))
  const start = starts.findLast((one) => one <= firstStart) ?? 0
  return start < MIN_SKIPPED_LENGTH ? 0 : start
}

/** The indexes of the `maxRows` rows with most words, in their order in the table. Of equal rows the first are taken. */
export function bestRows(
  text: string,
  rows: readonly { start: number; end: number }[],
  spans: readonly Span[],
  maxRows: number,
): number[] {
  const rowWords = rows.map(({ start, end }, row) => ({ row, words: countWords(text, spans, start, end) }))
  return rowWords
    .sort((a, b) => b.words - a.words || a.row - b.row)
    .slice(0, maxRows)
    .map(({ row }) => row)
    .sort((a, b) => a - b)
}
