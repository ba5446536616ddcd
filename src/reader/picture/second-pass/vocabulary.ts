// What words of a scan are known: the language's, the page's own, and the ends of addresses.

import type { Line } from 'tesseract.js'
import { isListed, isWord } from '../../../language/dictionary.ts'

/** Whether a run of letters and digits is a word: of the language, of the page, or of an address. */
export type Known = (part: string) => boolean

export const partsOf = (text: string): string[] => text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []

// Of 100: what a reading is sure of the page writes.
const SURE_CONFIDENCE = 90
const DOMAINS: ReadonlySet<string> = new Set(['com', 'org', 'net', 'edu', 'gov', 'mil', 'int'])
const LEAST_HALF = 3

/** Adds what a line surely says to what the page is known to say. */
export function remember(written: Set<string>, { words }: Line): void {
  for (const { text, confidence } of words)
    if (confidence >= SURE_CONFIDENCE) for (const part of partsOf(text)) written.add(part)
}

/** There is a list of English alone. */
export const knownTo =
  (written: ReadonlySet<string>): Known =>
  (part) =>
    written.has(part) || DOMAINS.has(part) || isListed(part) || isCompound(part)

/** Two common words in one, which no list has all of: "midline". */
function isCompound(part: string): boolean {
  if (!/^\p{Ll}+$/u.test(part)) return false
  for (let at = LEAST_HALF; at <= part.length - LEAST_HALF; at++)
    if (isWord(part.slice(0, at), ['en']) && isWord(part.slice(at), ['en'])) return true
  return false
}
