// Recognises text that a document repeats: disclaimers, notices, running headers. The text stays in the chunk, but only its first
// occurrences are indexed. Other documents are not considered, so that document frequencies stay exact when one is deleted. Pure.

import { createHash } from 'node:crypto'

// A long paragraph is a repetition from its second occurrence on. A short line is one only from its fourth occurrence on, because
// it may be the answer under several headings.
const MIN_PARAGRAPH_WORDS = 25
const MIN_LINE_WORDS = 4
const MAX_LINE_OCCURRENCES = 3

/**
 * Returns a function that tells whether a block's text is a repetition. Letter case, punctuation and spaces are ignored, but not
 * numbers.
 */
export function repeatFinder(): (text: string) => boolean {
  const counts = new Map<string, number>()
  return (text) => {
    const { normalizedText, wordCount } = normalise(text)
    if (wordCount < MIN_LINE_WORDS) return false
    const key =
      normalizedText.length <= 44
        ? normalizedText
        : createHash('sha256').update(normalizedText).digest('base64')
    const occurrences = counts.get(key) ?? 0
    counts.set(key, occurrences + 1)
    return occurrences >= (wordCount >= MIN_PARAGRAPH_WORDS ? 1 : MAX_LINE_OCCURRENCES)
  }
}

function normalise(text: string): { normalizedText: string; wordCount: number } {
  const normalizedText = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  let wordCount = normalizedText === '' ? 0 : 1
  for (let at = normalizedText.indexOf(' '); at >= 0; at = normalizedText.indexOf(' ', at + 1)) wordCount++
  return { normalizedText, wordCount }
}
