// The part of a passage that shows why it was found.

import { fold, words } from '../language/words.ts'

const MAX_CHARACTERS = 250
/** Before the first word of the query. */
const MAX_LEAD_CHARACTERS = 80

/** About 250 characters around the longest word of the query that the text holds. */
export function snippet(text: string, query: string): string {
  const oneLine = text.replace(/\s+/g, ' ').trim()
  if (oneLine.length <= MAX_CHARACTERS) return oneLine
  const foldedLine = fold(oneLine)
  const queryWords = [...words(query)].map(({ raw }) => fold(raw)).sort((a, b) => b.length - a.length)
  const firstMatch = queryWords.find((word) => foldedLine.includes(word))
  const matchStart = firstMatch === undefined ? 0 : foldedLine.indexOf(firstMatch)
  const from =
    matchStart <= MAX_LEAD_CHARACTERS ? 0 : oneLine.indexOf(' ', matchStart - MAX_LEAD_CHARACTERS) + 1
  const to = oneLine.lastIndexOf(' ', from + MAX_CHARACTERS)
  const end = to > from ? to : from + MAX_CHARACTERS
  return `${from > 0 ? '… ' : ''}${oneLine.slice(from, end).toWellFormed()}${end < oneLine.length ? ' …' : ''}`
}
