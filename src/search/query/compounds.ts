// German, Dutch and the Scandinavian languages write compounds as one word: Frist is to find Kündigungsfrist, and the
// other way round. The parts are words of the workspace itself (Koehn and Knight 2003), so no dictionary is needed. Pure.

import type { Language } from '../../language/language.ts'
import { isStopWord, stem } from '../../language/stem.ts'
import { fold, withoutAccents, words } from '../../language/words.ts'
import type { KnownWord } from './spelling.ts'

const COMPOUNDING: readonly Language[] = ['de', 'nl', 'sv', 'da', 'no']
// What may stand between the parts: Kündigung-s-frist, Daten-schutz, Kind-er-garten.
const LINKS = ['', 's', 'es', 'n', 'en', 'er', 'e']
const SHORTEST_FIRST = 3
const SHORTEST_HEAD = 4
const SHORTEST_WORD = 8
// Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz has 63 letters.
const LONGEST_WORD = 64
// A first part of so many letters needs no witness; "prak" of "praktisch" is no word.
const SURE_FIRST = 5
const MOST_WORDS = 8
const MOST_COMPOUNDS = 12

/** A word as a compound of two; both are terms. */
export interface Split {
  first: string
  head: string
}

/** The language whose compounds are to be looked at, if any. */
export const compounding = (languages: readonly Language[]): Language | undefined =>
  languages.find((language) => COMPOUNDING.includes(language))

/** The query's words that may be compounds or heads of some, folded, each once. */
export function compoundWords(query: string, language: Language): string[] {
  const found = [...words(query)]
    .map(({ raw }) => fold(raw))
    .filter(
      (word) => word.length >= SHORTEST_HEAD && /^[\p{L}\p{M}]+$/u.test(word) && !isStopWord(word, language),
    )
  return [...new Set(found)].slice(0, MOST_WORDS)
}

export const termOf = (word: string, language: Language): string => withoutAccents(stem(word, language))

/** Every way to read a folded word as two words that are no stop words. */
export function splitsOf(word: string, language: Language): Split[] {
  const found: Split[] = []
  if (word.length < SHORTEST_WORD || word.length > LONGEST_WORD) return found
  for (let at = SHORTEST_FIRST; at <= word.length - SHORTEST_HEAD; at++) {
    const head = word.slice(at)
    if (isStopWord(head, language)) continue
    for (const first of firsts(word.slice(0, at)))
      if (!isStopWord(first, language))
        found.push({ first: termOf(first, language), head: termOf(head, language) })
  }
  return found
}

const firsts = (start: string): string[] =>
  LINKS.filter((link) => start.endsWith(link))
    .map((link) => start.slice(0, start.length - link.length))
    .filter((first) => first.length >= SHORTEST_FIRST)

/** The split whose parts are the most frequent words of the workspace; undefined when one of them is none. */
export function likeliest(splits: readonly Split[], df: (term: string) => number): Split | undefined {
  const worth = ({ first, head }: Split): number => df(first) * df(head)
  const best = splits.reduce<Split | undefined>((a, b) => (a && worth(a) >= worth(b) ? a : b), undefined)
  return best && worth(best) > 0 ? best : undefined
}

/** A word of the workspace that ends with the head; where its first part is short, one of `witnesses` must be a word. */
export interface Compound {
  term: string
  witnesses: string[]
}

/** The compounds among words that end with the head's term. */
export function compoundsOn(head: string, ending: readonly KnownWord[], language: Language): Compound[] {
  const found = ending.flatMap(({ word }): Compound[] => {
    const start = word.slice(0, word.length - head.length)
    if (start.length < SHORTEST_FIRST || !/^[\p{L}\p{M}]+$/u.test(word)) return []
    const parts = firsts(start)
    if (parts.some((part) => isStopWord(part, language))) return []
    return [
      {
        term: word,
        witnesses: start.length >= SURE_FIRST ? [] : parts.map((part) => termOf(part, language)),
      },
    ]
  })
  return found.slice(0, MOST_COMPOUNDS)
}
