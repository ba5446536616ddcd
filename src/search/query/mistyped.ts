// Corrects the words of a query that are in no chunk. The words beside them decide between several corrections.

import { analyse } from '../../language/analyse.ts'
import type { AnalysedText } from '../../language/analysed-text.ts'
import { isWord } from '../../language/dictionary.ts'
import type { Language } from '../../language/language.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { WeightedQueryTerm } from '../passage.ts'
import { unquotedWords } from './phrases.ts'
import { selectSimilarWords } from './query.sql.ts'
import {
  boundsOf,
  type Correction,
  isAcronym,
  isCorrectable,
  isInflectionOf,
  likeliest,
  likeliestAcronym,
  type SpellingGuess,
  spellingGuesses,
} from './spelling.ts'

// Limits the work for a query that has only unknown words.
const MAX_CORRECTED_WORDS = 16
// The maximum number of pairs that are looked up. Two neighbours with five guesses each make 25 pairs. 2,000 characters that repeat
// 16 unknown words in ever new orders may have 186 different neighbours, which make 4,650 pairs. Of 700 questions of MuSiQue and
// MultiHop-RAG with typos in 30 % of the words, none makes more than 80.
const MAX_PAIRS = 300

/** The words outside quotation marks that are in no chunk, whichever of the languages they are analysed in. */
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
    const wordTerms = languages.flatMap((language) => [...analyse(raw, language)].map(({ term }) => term))
    // Stop words are not searched, so they are not unknown.
    const isSearched = wordTerms.some((term) => queryTerms.has(term))
    if (isSearched && !wordTerms.some((term) => knownTerms.has(term))) unknown.add(raw)
  }
  return [...unknown].slice(0, MAX_CORRECTED_WORDS)
}

interface Corrections {
  /**
   * The terms whose frequencies decide between guesses, with weight 0: the guesses, and the pairs that they form with their
   * neighbours.
   */
  terms: ReadonlyMap<string, number>
  /** The corrections of each mistyped word, for the inspector. Call it when the frequencies have been looked up. */
  choices(termsWithDf: readonly WeightedQueryTerm[]): { typed: string; terms: string[] }[]
  /** The terms with the weights of the likeliest guesses and of their pairs. Call it when the frequencies have been looked up. */
  settle<Term extends WeightedQueryTerm>(termsWithDf: readonly Term[]): Term[]
}

export const NO_CORRECTIONS: Corrections = {
  terms: new Map(),
  choices: () => [],
  settle: (terms) => [...terms],
}

/**
 * Finds the possible corrections of unknown words. Runs one statement, and only if words are unknown. The caller looks up the
 * frequencies of the guesses together with those of other terms.
 */
export async function findCorrections(
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
  const mistyped = unknown.flatMap((raw, place): MistypedWord[] => {
    const similarTerms = similar.filter(({ at }) => at === place)
    const nearWords = spellingGuesses(raw, language, similarTerms)
    const guesses = isWord(raw, languages)
      ? nearWords.filter(({ term }) => isInflectionOf(raw, term))
      : nearWords
    return guesses.length ? [{ raw, stems: stemsOf(raw, language), guesses }] : []
  })
  return correctionsOf(mistyped, terms, language)
}

interface MistypedWord {
  raw: string
  /** The terms of the word as it was typed. */
  stems: readonly string[]
  guesses: readonly SpellingGuess[]
}

/** Two neighbouring words of the query, as terms. */
type Neighbours = readonly [string, string]

function correctionsOf(
  mistyped: readonly MistypedWord[],
  queryTerms: readonly WeightedQueryTerm[],
  language: Language,
): Corrections {
  if (mistyped.length === 0) return NO_CORRECTIONS
  const mistypedByStem = new Map(mistyped.flatMap((word) => word.stems.map((stem) => [stem, word] as const)))
  const pairs = queryTerms.flatMap(({ term, weight }): Pair[] => {
    const [first, second] = term.split(' ')
    if (first === undefined || second === undefined) return []
    return mistypedByStem.has(first) || mistypedByStem.has(second) ? [{ parts: [first, second], weight }] : []
  })
  const possibleTermsOf = (stem: string): readonly string[] =>
    mistypedByStem.get(stem)?.guesses.flatMap((guess) => formsOf(guess, language)) ?? [stem]
  const correctedPairs = pairs.flatMap(({ parts }) => pairsOf(parts, possibleTermsOf)).slice(0, MAX_PAIRS)
  const terms = new Set([
    ...mistyped.flatMap(({ raw, guesses }) => guesses.flatMap((guess) => termsOfGuess(raw, guess, language))),
    ...correctedPairs,
  ])
  const choose = (
    termsWithDf: readonly WeightedQueryTerm[],
  ): Map<string, { raw: string; corrections: Correction[] }> => {
    const df = new Map([...queryTerms, ...termsWithDf].map((term) => [term.term, term.df]))
    return new Map(
      mistyped.flatMap((word) => {
        const corrections = likeliestOf(word, supportIn(word, pairs, possibleTermsOf, df))
        return word.stems.map((stem) => [stem, { raw: word.raw, corrections }] as const)
      }),
    )
  }
  return {
    terms: new Map([...terms].map((term) => [term, 0])),
    choices: (termsWithDf) =>
      [...new Map([...choose(termsWithDf).values()].map((word) => [word.raw, word.corrections]))].map(
        ([typed, corrections]) => ({ typed, terms: corrections.map(({ term }) => term) }),
      ),
    settle: (termsWithDf) => {
      const weights = weightsOf(choose(termsWithDf), pairs, language)
      return termsWithDf.map((term) => ({
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
/** Returns the terms that may have been meant by a stem of the query: its guesses if it is mistyped, otherwise the stem itself. */
type PossibleTermsOf = (stem: string) => readonly string[]

// A pair that no chunk of the sample has gets the frequency 1 (pairFrequency), which is no evidence for it.
const supportOf = (df = 0): number => (df > 1 ? df : 0)

/**
 * Returns a function that counts the chunks that have a term beside a neighbour of the mistyped word. If the neighbour is also
 * mistyped, its guesses are tried.
 */
const supportIn =
  (
    { stems }: MistypedWord,
    pairs: readonly Pair[],
    possibleTermsOf: PossibleTermsOf,
    df: ReadonlyMap<string, number>,
  ) =>
  (term: string): number => {
    const maxSupport = (terms: readonly string[]): number =>
      Math.max(0, ...terms.map((pair) => supportOf(df.get(pair))))
    const precedingNeighbours = pairs
      .filter(({ parts }) => stems.includes(parts[1]))
      .flatMap(({ parts }) => possibleTermsOf(parts[0]))
    const followingNeighbours = pairs
      .filter(({ parts }) => stems.includes(parts[0]))
      .flatMap(({ parts }) => possibleTermsOf(parts[1]))
    return (
      maxSupport(precedingNeighbours.map((other) => `${other} ${term}`)) +
      maxSupport(followingNeighbours.map((other) => `${term} ${other}`))
    )
  }

const likeliestOf = ({ raw, guesses }: MistypedWord, support: (term: string) => number): Correction[] =>
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
  const likeliestFor: PossibleTermsOf = (stem) => {
    const [first] = corrected.get(stem)?.corrections ?? []
    return first ? formsOf(first, language) : [stem]
  }
  for (const { parts, weight } of pairs) for (const pair of pairsOf(parts, likeliestFor)) add(pair, weight)
  return weights
}

const pairsOf = ([first, second]: Neighbours, possibleTermsOf: PossibleTermsOf): string[] =>
  possibleTermsOf(first).flatMap((firstTerm) =>
    possibleTermsOf(second).map((other) => `${firstTerm} ${other}`),
  )

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
