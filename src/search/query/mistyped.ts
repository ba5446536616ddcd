// Corrects the words of a query that are in no chunk. The words beside them decide between several corrections.

import { analyse } from '../../language/analyse.ts'
import type { AnalysedText } from '../../language/analysed-text.ts'
import { isWord } from '../../language/dictionary.ts'
import type { Language } from '../../language/language.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { QueryTerm } from '../passage.ts'
import { unquotedWords } from './phrases.ts'
import { selectSimilarWords } from './query.sql.ts'
import {
  boundsOf,
  type Correction,
  guesses,
  isAcronym,
  isCorrectable,
  isInflectionOf,
  likeliest,
  likeliestAcronym,
  type SpellingGuess,
} from './spelling.ts'

type WeightedQueryTerm = QueryTerm & { weight: number }

// Limits the work for a query that has only unknown words.
const MAX_CORRECTED_WORDS = 16
// The maximum number of pairs that are looked up. Each word may have five guesses, so two neighbours make 25 pairs. 2,000
// characters of unknown words gave 4,650 pairs. 700 questions of MuSiQue and MultiHop-RAG with typos in 30 % of the words give
// at most 80.
const MAX_PAIRS = 300

/** The words outside quotation marks that are in no chunk, in whichever of the languages they are analysed. */
export function unknownWords(
  query: AnalysedText,
  languages: readonly Language[],
  terms: readonly WeightedQueryTerm[],
): string[] {
  const knownTerms = new Set(terms.filter(({ df }) => df > 0).map(({ term }) => term))
  const queryTerms = new Set(terms.map(({ term }) => term))
  const unknown = new Set<string>()
  // Words joined by a hyphen are checked one by one ("fast-twithc").
  for (const raw of unquotedWords(query).flatMap(({ raw }) => raw.replace(/['’]s$/, '').split(/[-‐/]/))) {
    if (!isCorrectable(raw) && !(isAcronym(raw) && knownTerms.size > 0)) continue
    const read = languages.flatMap((language) => [...analyse(raw, language)].map(({ term }) => term))
    // Stop words are not searched, so they are not unknown.
    if (read.some((term) => queryTerms.has(term)) && !read.some((term) => knownTerms.has(term)))
      unknown.add(raw)
  }
  return [...unknown].slice(0, MAX_CORRECTED_WORDS)
}

export interface Corrections {
  /**
   * The terms whose frequencies decide between guesses: the guesses and the pairs that they would form with their neighbours.
   * Their weight is 0.
   */
  terms: ReadonlyMap<string, number>
  /** The corrections of each mistyped word, for the inspector. Call it after the frequencies are known. */
  choices(terms: readonly WeightedQueryTerm[]): { typed: string; terms: string[] }[]
  /** Sets the weights of the likeliest guesses and of their pairs. Call it after the frequencies are known. */
  settle<Term extends WeightedQueryTerm>(terms: readonly Term[]): Term[]
}

export const NO_CORRECTIONS: Corrections = {
  terms: new Map(),
  choices: () => [],
  settle: (terms) => [...terms],
}

/**
 * Finds the possible corrections of unknown words. It runs one statement, and only if words are unknown. The frequencies of the
 * guesses are read later, together with others.
 */
export async function readMistyped(
  db: Queryable,
  workspaceId: string,
  {
    unknown,
    terms,
    languages,
  }: { unknown: readonly string[]; terms: readonly WeightedQueryTerm[]; languages: readonly Language[] },
): Promise<Corrections> {
  if (unknown.length === 0) return NO_CORRECTIONS
  const [language = 'xx'] = languages
  const bounds = unknown.map((raw) => boundsOf(raw, language))
  const similar = await selectSimilarWords(db, workspaceId, bounds)
  const mistyped = unknown.flatMap((raw, place): Mistyped[] => {
    const similarTerms = similar.filter(({ at }) => at === place)
    const nearWords = guesses(raw, language, similarTerms)
    const corrections = isWord(raw, languages)
      ? nearWords.filter(({ term }) => isInflectionOf(raw, term))
      : nearWords
    return corrections.length ? [{ raw, stems: stemsOf(raw, language), guesses: corrections }] : []
  })
  return correctionsOf(mistyped, terms, language)
}

interface Mistyped {
  raw: string
  /** The terms of the typed word. */
  stems: readonly string[]
  guesses: readonly SpellingGuess[]
}

/** Two neighbouring words of the query, as terms. */
type Neighbours = readonly [string, string]

/** Pure. */
function correctionsOf(
  mistyped: readonly Mistyped[],
  queryTerms: readonly WeightedQueryTerm[],
  language: Language,
): Corrections {
  if (mistyped.length === 0) return NO_CORRECTIONS
  const byStem = new Map(mistyped.flatMap((word) => word.stems.map((stem) => [stem, word] as const)))
  const pairs = queryTerms.flatMap(({ term, weight }): Pair[] => {
    const [first, second] = term.split(' ')
    if (first === undefined || second === undefined) return []
    return byStem.has(first) || byStem.has(second) ? [{ parts: [first, second], weight }] : []
  })
  const meaningsOfStem = (stem: string): readonly string[] =>
    byStem.get(stem)?.guesses.flatMap((guess) => formsOf(guess, language)) ?? [stem]
  const joinedPairs = pairs.flatMap(({ parts }) => pairsOf(parts, meaningsOfStem)).slice(0, MAX_PAIRS)
  const terms = new Set([
    ...mistyped.flatMap(({ raw, guesses }) => guesses.flatMap((guess) => termsOfGuess(raw, guess, language))),
    ...joinedPairs,
  ])
  const choose = (
    frequencies: readonly WeightedQueryTerm[],
  ): Map<string, { raw: string; corrections: Correction[] }> => {
    const df = new Map([...queryTerms, ...frequencies].map((term) => [term.term, term.df]))
    return new Map(
      mistyped.flatMap((word) => {
        const corrections = likeliestOf(word, supportIn(word, pairs, meaningsOfStem, df))
        return word.stems.map((stem) => [stem, { raw: word.raw, corrections }] as const)
      }),
    )
  }
  return {
    terms: new Map([...terms].map((term) => [term, 0])),
    choices: (frequencies) =>
      [...new Map([...choose(frequencies).values()].map((word) => [word.raw, word.corrections]))].map(
        ([typed, corrections]) => ({ typed, terms: corrections.map(({ term }) => term) }),
      ),
    settle: (frequencies) => {
      const weights = weightsOf(choose(frequencies), pairs, language)
      return frequencies.map((term) => ({
        ...term,
        weight: Math.max(term.weight, weights.get(term.term) ?? 0),
      }))
    },
  }
}

interface Pair {
  parts: Neighbours
  weight: number
}
/** Returns the terms that a stem of the query may mean: its guesses if it is mistyped, otherwise the stem itself. */
type MeaningsOf = (stem: string) => readonly string[]

// A pair that is in no chunk of the sample has the frequency 1, which is no support.
const supportOf = (df = 0): number => (df > 1 ? df : 0)

/**
 * Returns a function that gives, for a term in place of the mistyped word, how many chunks have it beside one of the word's
 * neighbours. If a neighbour is mistyped, too, its guesses are tried.
 */
const supportIn =
  ({ stems }: Mistyped, pairs: readonly Pair[], mayBe: MeaningsOf, df: ReadonlyMap<string, number>) =>
  (term: string): number => {
    const maxSupport = (terms: readonly string[]): number =>
      Math.max(0, ...terms.map((pair) => supportOf(df.get(pair))))
    const precedingNeighbours = pairs
      .filter(({ parts }) => stems.includes(parts[1]))
      .flatMap(({ parts }) => mayBe(parts[0]))
    const followingNeighbours = pairs
      .filter(({ parts }) => stems.includes(parts[0]))
      .flatMap(({ parts }) => mayBe(parts[1]))
    return (
      maxSupport(precedingNeighbours.map((other) => `${other} ${term}`)) +
      maxSupport(followingNeighbours.map((other) => `${term} ${other}`))
    )
  }

const likeliestOf = ({ raw, guesses }: Mistyped, support: (term: string) => number): Correction[] =>
  isAcronym(raw) ? likeliestAcronym(guesses, support) : likeliest(guesses, support)

/** The weights of the corrections, and of the pairs that the likeliest ones form. */
function weightsOf(
  corrected: ReadonlyMap<string, { raw: string; corrections: readonly Correction[] }>,
  pairs: readonly Pair[],
  language: Language,
): Map<string, number> {
  const weights = new Map<string, number>()
  const add = (term: string, weight: number): void => {
    weights.set(term, Math.max(weights.get(term) ?? 0, weight))
  }
  for (const { raw, corrections } of corrected.values())
    for (const correction of corrections)
      for (const form of termsOfGuess(raw, correction, language)) add(form, correction.weight)
  const likeliestFor: MeaningsOf = (stem) => {
    const [first] = corrected.get(stem)?.corrections ?? []
    return first ? formsOf(first, language) : [stem]
  }
  for (const { parts, weight } of pairs) for (const pair of pairsOf(parts, likeliestFor)) add(pair, weight)
  return weights
}

const pairsOf = ([first, second]: Neighbours, meaningsOf: MeaningsOf): string[] =>
  meaningsOf(first).flatMap((firstMeaning) => meaningsOf(second).map((other) => `${firstMeaning} ${other}`))

/** The term of a guess, and its stem if the term is an unstemmed name. */
const formsOf = ({ term }: SpellingGuess, language: Language): string[] => [
  ...new Set([term, ...stemsOf(term, language)]),
]

/** The terms to search for a guess. A capitalised word is also searched unstemmed, as names are. */
const termsOfGuess = (raw: string, guess: SpellingGuess, language: Language): string[] => [
  ...formsOf(guess, language),
  ...(guess.exact && /^\p{Lu}/u.test(raw) ? [guess.exact] : []),
]

const stemsOf = (word: string, language: Language): string[] =>
  analyse(word, language).flatMap(({ term, kind }) => (kind === 'word' ? [term] : []))
