// A page's own text and what was recognised on it: which of them the page says.

import type { Block } from '../../block.ts'

// Of the words of one that the other has, too: as many are read twice.
const SAME_SHARE = 0.6
// What is recognised beside a text that stands: fewer letters more are labels of a drawing, or the same read worse.
const SAYS_MORE = 1.5
// Recognised text that is much shorter than a garbled one has missed most of the page.
const LEAST_SHARE = 0.5

interface Page {
  blocks: Block[]
  /** Its own letters make no words. */
  garbled: boolean
}

/**
 * Own text stands where the drawn page says the same. What is recognised beyond it comes with it; letters that nobody
 * sees on the page are replaced.
 */
export function together({ blocks: own, garbled }: Page, recognised: Block[]): Block[] {
  if (recognised.length === 0) return own
  if (own.length === 0) return recognised
  const [ownText, seen] = [wordsOf(own), wordsOf(recognised)]
  if (garbled && shareIn(ownText, seen) < SAME_SHARE)
    return lengthOf(seen) < lengthOf(ownText) * LEAST_SHARE ? own : recognised
  if (lengthOf(seen) < lengthOf(ownText) * SAYS_MORE) return own
  return [...recognised, ...own.filter((block) => shareIn(wordsOf([block]), seen) < SAME_SHARE)]
}

const wordsOf = (blocks: readonly Block[]): string[] =>
  blocks.flatMap(({ text }) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])

const lengthOf = (words: readonly string[]): number => words.reduce((sum, word) => sum + word.length, 0)

/** 0 to 1, by length. */
function shareIn(words: readonly string[], others: readonly string[]): number {
  const known = new Set(others)
  const all = lengthOf(words)
  return all === 0 ? 1 : lengthOf(words.filter((word) => known.has(word))) / all
}
