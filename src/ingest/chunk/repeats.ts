// Recognises text that a document repeats: disclaimers, notices, running headers that no parser has recognised. The text stays in
// the chunk, but only its first occurrences are indexed. Each document is examined by itself, so that document frequencies do not
// depend on other documents and stay exact when others are deleted. Pure functions.

import { createHash } from 'node:crypto'

// A long paragraph is a repetition from its second occurrence on, a short line only from its fourth: it may be an answer under
// several headings, while a running header occurs many times.
const MIN_PARAGRAPH_WORDS = 25
const MIN_LINE_WORDS = 4
const MAX_LINE_OCCURRENCES = 3

/**
 * Returns a function that says whether a block's text is a repetition. Letter case, punctuation and spaces are ignored, but not
 * numbers, because a paragraph that differs in one number says something else.
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
