// Two neighbouring words of a query that the documents write as one: "Wolfgang Schulz" is "WolfgangSchulz" in a chat, "health care"
// is "healthcare". Pure, except for `findJoinedWords`.

import { isPair, termHash } from '../../index/weights.ts'
import { analyse, contentTerms } from '../../language/analyse.ts'
import type { AnalysedText } from '../../language/analysed-text.ts'
import type { Language } from '../../language/language.ts'
import { fold } from '../../language/words.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { WeightedQueryTerm } from '../passage.ts'
import { lookUpMissing, type TermFrequencies } from './lookup.ts'
import { unquotedWords } from './phrases.ts'

// Limits the work for a query that has only unknown words.
const MAX_PAIRS = 16
// A number, or a single letter, is a code with the word beside it, which is another thing: A4.
const MIN_LETTERS = /^\p{L}{2}/u

/** Two words of a query, as typed, and the terms of the word that they form together. */
export interface JoinedWord {
  words: readonly [string, string]
  terms: readonly string[]
}

/**
 * The neighbouring words, with nothing but a space between them, of which at least one is in no chunk. They are those that the
 * documents may write as one word. Stop words are not joined: "in direct" is not "indirect", and "a typical" is not "atypical".
 */
export function joinableWords(
  query: AnalysedText,
  languages: readonly Language[],
  queryTerms: readonly WeightedQueryTerm[],
): JoinedWord[] {
  const frequencies = new Map(queryTerms.map(({ term, df }) => [term, df]))
  const termsOf = (raw: string): string[] => [
    ...new Set(languages.flatMap((language) => analyse(raw, language).map(({ term }) => term))),
  ]
  const isUnknown = (raw: string): boolean => {
    const searched = termsOf(raw).filter((term) => frequencies.has(term))
    return searched.length > 0 && searched.every((term) => frequencies.get(term) === 0)
  }
  const isJoinable = (raw: string): boolean =>
    MIN_LETTERS.test(raw) && languages.every((language) => contentTerms(raw, language).length > 0)
  const words = unquotedWords(query)
  const joined: JoinedWord[] = []
  for (const [index, first] of words.entries()) {
    const second = words[index + 1]
    if (!second || query.text.slice(first.end, second.start) !== ' ') continue
    if (!isJoinable(first.raw) || !isJoinable(second.raw)) continue
    if (!isUnknown(first.raw) && !isUnknown(second.raw)) continue
    // A code has the terms of its parts too.
    const ownTerms = new Set([...termsOf(first.raw), ...termsOf(second.raw)])
    const terms = termsOf(first.raw + second.raw).filter((term) => !isPair(term) && !ownTerms.has(term))
    if (terms.length > 0) joined.push({ words: [first.raw, second.raw], terms })
    if (joined.length === MAX_PAIRS) break
  }
  return joined
}

/** The words that some chunk has as one word, each with the terms that a chunk has. Their frequencies are looked up. */
export async function findJoinedWords(
  db: Queryable,
  workspaceId: string,
  joinable: readonly JoinedWord[],
  termFrequencies: TermFrequencies,
): Promise<JoinedWord[]> {
  if (joinable.length === 0) return []
  const allTerms = joinable.flatMap(({ terms }) => terms)
  await lookUpMissing(db, workspaceId, allTerms, termFrequencies)
  const isKnown = (term: string): boolean => (termFrequencies.frequencies.get(termHash(term)) ?? 0) > 0
  return joinable.flatMap(({ words, terms }) => {
    const knownTerms = terms.filter(isKnown)
    return knownTerms.length > 0 ? [{ words, terms: knownTerms }] : []
  })
}

/** The words of a query that need no correction, because they are in the documents as a part of a joined word. Folded. */
export const partsOfJoined = (joined: readonly JoinedWord[]): ReadonlySet<string> =>
  new Set(joined.flatMap(({ words }) => words.map(fold)))

/** For each of the two words, folded, the terms of the words that it forms with its neighbours. */
export function termsByPart(joined: readonly JoinedWord[]): ReadonlyMap<string, readonly string[]> {
  const termsOf = new Map<string, string[]>()
  for (const { words, terms } of joined)
    for (const word of words.map(fold)) termsOf.set(word, [...(termsOf.get(word) ?? []), ...terms])
  return termsOf
}
