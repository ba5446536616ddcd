// What languages other than the query's own read in it, where a workspace speaks several. Pure.

import { analyse } from '../../../language/analyse.ts'
import { queryLanguage } from '../../../language/guess.ts'
import type { Language } from '../../../language/language.ts'
import { words } from '../../../language/words.ts'

// Each reading of a word has a frequency of its own, and what is read as hardly another text is read is rare and weighs
// most: half of the chunks in another language cost English questions a twentieth. nDCG@10 on the words' leg before, with
// .5, .3, .2, .1, 0: scifact beside German .681, .705, .716, .718, .718, .716 (English alone .719), beside German, French
// and Spanish .669, .703, .714, .717, .718, .716; MuSiQue beside German .597, .624, .626, .627, .626, .624 (alone .624).
const OTHER_WEIGHT = 0.2

/**
 * Terms that the query's own languages do not read in it, each with what they read instead; none where its stop words do
 * not tell its language.
 */
export function otherReadings(
  query: string,
  own: readonly Language[],
  languages: readonly Language[],
): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  if (own.length === 0) return found
  const others = languages.filter((language) => !own.includes(language))
  const spoken = queryLanguage(query, languages)
  const readBy = (text: string, by: readonly Language[]): string[] =>
    by.flatMap((language) => analyse(text, language, spoken).map(({ term }) => term))
  const owned = new Set(readBy(query, own))
  for (const term of readBy(query, others)) if (!owned.has(term)) found.set(term, [])
  for (const { raw } of words(query)) {
    const instead = readBy(raw, own)
    for (const term of readBy(raw, others)) if (found.has(term)) found.set(term, instead)
  }
  return found
}

/** They count little where the word is known as its own language reads it; of others they are all that is known. */
export function withOthers<Term extends { term: string; df: number; weight: number }>(
  weighed: readonly Term[],
  others: ReadonlyMap<string, readonly string[]>,
): Term[] {
  if (others.size === 0) return [...weighed]
  const frequency = new Map(weighed.map(({ term, df }) => [term, df]))
  const isKnown = (part: string): boolean =>
    (others.get(part) ?? [part]).some((own) => (frequency.get(own) ?? 0) > 0)
  return weighed.map((term) =>
    others.has(term.term) && term.term.split(' ').every(isKnown)
      ? { ...term, weight: OTHER_WEIGHT * term.weight }
      : term,
  )
}
