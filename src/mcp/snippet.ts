// The part of a passage that shows why it was found.

import { fold, words } from '../language/words.ts'

const CHARACTERS = 300
/** Of them so many before the first word of the query. */
const BEFORE = 80

/** About 300 characters around the longest word of the query that the text holds. */
export function snippet(text: string, query: string): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  if (plain.length <= CHARACTERS) return plain
  const folded = fold(plain)
  const queryWords = [...words(query)].map(({ raw }) => fold(raw)).sort((a, b) => b.length - a.length)
  const firstMatch = queryWords.find((word) => folded.includes(word))
  const at = firstMatch === undefined ? 0 : folded.indexOf(firstMatch)
  const from = at <= BEFORE ? 0 : plain.indexOf(' ', at - BEFORE) + 1
  const to = plain.lastIndexOf(' ', from + CHARACTERS)
  const end = to > from ? to : from + CHARACTERS
  return `${from > 0 ? '… ' : ''}${plain.slice(from, end).toWellFormed()}${end < plain.length ? ' …' : ''}`
}
