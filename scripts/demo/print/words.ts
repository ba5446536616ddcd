// Finds the words of a query in a text, to mark them.

import type { Terminal } from './terminal.ts'

// Codes such as TG-40/10 are one word.
export const WORD = /[\p{L}\p{N}]+(?:[-/.][\p{L}\p{N}]+)*/gu

const stopWords = new Set(
  (
    'a an and are as at be by did do does for from had has have how in is it its many much not of on or say says that ' +
    'the their there they this to was were what when where which who whom whose why will with'
  ).split(' '),
)

/** The words of a query that are marked, in lower case. */
export const wordsOf = (query: string): string[] => [
  ...new Set((query.toLowerCase().match(WORD) ?? []).filter((word) => !stopWords.has(word))),
]

/** The words of the query that are in the text, as they are written there. */
export function matchedWords(text: string, words: string[]): string[] {
  const found = (text.match(WORD) ?? []).filter((word) => isMatch(word, words))
  return [...new Map(found.map((word) => [word.toLowerCase(), word])).values()]
}

export const mark = (terminal: Terminal, text: string, words: string[]): string =>
  text.replace(WORD, (word) => (isMatch(word, words) ? terminal.style('match', word) : word))

/** Equal, or alike except for the ending (month, months; calibrate, calibration); codes must be equal. */
export function isMatch(word: string, words: string[]): boolean {
  const lower = word.toLowerCase()
  return words.some((other) => {
    if (lower === other) return true
    if (/\d/.test(lower + other)) return false
    const short = Math.min(lower.length, other.length)
    if (short < 4 || Math.abs(lower.length - other.length) > 3) return false
    return lower.slice(0, short - 1) === other.slice(0, short - 1)
  })
}
