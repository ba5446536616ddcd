// Recognises text that a document repeats: disclaimers, notices, running headers that no parser recognised. It stays in the
// chunk as it was read, but only its first occurrences are indexed. Each document is judged by itself, so that document
// frequencies never depend on other documents and stay exact when those are deleted. Pure functions.

import { createHash } from 'node:crypto'

// A whole paragraph counts once. A short line may be an answer under several headings, while a running header occurs many
// times.
const LONG_WORDS = 25
const SHORT_WORDS = 4
const SHORT_OCCURRENCES = 3

/**
 * Returns a function that tells whether a block's text has occurred often enough before, ignoring letter case, punctuation and
 * spacing. Numbers count, because a paragraph that differs in one number says something else.
 */
export function repeatFinder(): (text: string) => boolean {
  const counts = new Map<string, number>()
  return (text) => {
    const { normal, words } = normalise(text)
    if (words < SHORT_WORDS) return false
    const key = normal.length <= 44 ? normal : createHash('sha256').update(normal).digest('base64')
    const before = counts.get(key) ?? 0
    counts.set(key, before + 1)
    return before >= (words >= LONG_WORDS ? 1 : SHORT_OCCURRENCES)
  }
}

function normalise(text: string): { normal: string; words: number } {
  const normal = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  let words = normal === '' ? 0 : 1
  for (let at = normal.indexOf(' '); at >= 0; at = normal.indexOf(' ', at + 1)) words++
  return { normal, words }
}
