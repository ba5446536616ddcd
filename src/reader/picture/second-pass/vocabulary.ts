// Which words are known: those of the language, those the page has elsewhere, and the ends of web addresses.

import { isEnglishWord } from '../../../language/dictionary.ts'
import type { Line } from '../ocr/recognised.ts'

/** Whether a run of letters and digits is a known word. */
export type Vocabulary = (token: string) => boolean

export const tokensOf = (text: string): string[] => text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []

// Of 100: such words are taken as right for the whole page.
const MIN_CONFIDENCE = 90
const DOMAINS: ReadonlySet<string> = new Set(['com', 'org', 'net', 'edu', 'gov', 'mil', 'int'])

/** Adds the confident words of a line to those of the page. */
export function addWords(pageWords: Set<string>, { words }: Line): void {
  for (const { text, confidence } of words)
    if (confidence >= MIN_CONFIDENCE) for (const token of tokensOf(text)) pageWords.add(token)
}

/** The only word list is English. */
export const vocabularyOf =
  (pageWords: ReadonlySet<string>): Vocabulary =>
  (token) =>
    pageWords.has(token) || DOMAINS.has(token) || isEnglishWord(token)
