// How well a name matches the typed text. The letters in the right order are enough, and whole words count more.

import { plain } from '../parts/plain.ts'

/**
 * 0: no match; 1: the letters in order; 2: the text inside the name, or all its words at the beginning of words; 3: the text at the
 * beginning of a word; 4: at that of the name.
 */
export function likeness(name: string, input: string): number {
  const [text, typedText] = [plain(name), plain(input).trim()]
  if (typedText === '') return 1
  if (text.startsWith(typedText)) return 4
  const matchStart = text.indexOf(typedText)
  if (matchStart > 0) return /[\p{L}\p{N}]/u.test(text[matchStart - 1] ?? '') ? 2 : 3
  if (beginsWords(text, typedText)) return 2
  // A single letter, or letters far apart, match nearly everything.
  if (typedText.length < 3) return 0
  let from = 0
  let firstMatch = -1
  for (const letter of typedText.replace(/\s+/g, '')) {
    const next = text.indexOf(letter, from)
    if (next < 0) return 0
    if (firstMatch < 0) firstMatch = next
    from = next + 1
  }
  return from - firstMatch <= 3 * typedText.length ? 1 : 0
}

/** Whether each typed word begins a word of the name, in whatever order. */
function beginsWords(text: string, typedText: string): boolean {
  const words = text.match(WORD) ?? []
  const typedWords = typedText.match(WORD) ?? []
  return typedWords.length > 0 && typedWords.every((input) => words.some((word) => word.startsWith(input)))
}

const WORD = /[\p{L}\p{N}]+/gu

/** The items that match in any way, the best first. Equal matches keep their order. */
export const fuzzyMatches = <T>(items: readonly T[], input: string, nameOf: (item: T) => string): T[] =>
  bestMatches(items, input, nameOf, 1)

/** The items whose names have the typed words. Among many names, some contain any few letters in order by chance. */
export const wordMatches = <T>(items: readonly T[], input: string, nameOf: (item: T) => string): T[] =>
  bestMatches(items, input, nameOf, 2)

const bestMatches = <T>(
  items: readonly T[],
  input: string,
  nameOf: (item: T) => string,
  minScore: number,
): T[] =>
  items
    .map((item) => ({ item, score: likeness(nameOf(item), input) }))
    .filter(({ score }) => score >= minScore)
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item)
