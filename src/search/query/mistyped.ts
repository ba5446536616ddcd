// Corrects words of a query that occur in no chunk, using the words beside them.

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
  type Guess,
  guesses,
  isAcronym,
  isCorrectable,
  isInflectionOf,
  likeliest,
  likeliestAcronym,
} from './spelling.ts'

type Known = QueryTerm & { weight: number }

// Limits the work for a query of unknown words only.
const MAX_CORRECTED = 16
// Each word may have five guesses, so two neighbours make 25 pairs. 2,000 characters of unknown words requested 4,650 pairs.
// 700 questions of MuSiQue and MultiHop-RAG with typos in 30 % of the words request at most 80.
const MAX_PAIRS = 300

/** Words outside quotation marks that occur in no chunk, in any language in which they are read. */
export function unknownWords(
  query: AnalysedText,
  languages: readonly Language[],
  terms: readonly Known[],
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
  return [...unknown].slice(0, MAX_CORRECTED)
}

export interface Corrections {
  /** The terms to look up in order to choose between guesses: the guesses and the pairs that they would form. Their weight is 0. */
  terms: ReadonlyMap<string, number>
  /** After the frequencies are known: the corrections of each mistyped word, for the inspector. */
  choices(terms: readonly Known[]): { typed: string; terms: string[] }[]
  /** After the frequencies are known: sets the weights of the likeliest guesses and of their pairs. */
  settle<Term extends Known>(terms: readonly Term[]): Term[]
}

export const NO_CORRECTIONS: Corrections = {
  terms: new Map(),
  choices: () => [],
  settle: (terms) => [...terms],
}

/** One more statement, only if words are unknown. The frequencies of the guesses are read together with others. */
export async function readMistyped(
  db: Queryable,
  workspaceId: string,
  {
    unknown,
    terms,
    languages,
  }: { unknown: readonly string[]; terms: readonly Known[]; languages: readonly Language[] },
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
  /** The terms it was read as. */
  stems: readonly string[]
  guesses: readonly Guess[]
}

/** Two neighbouring words of the query, as terms. */
type Neighbours = readonly [string, string]

/** Pure. */
function correctionsOf(
  mistyped: readonly Mistyped[],
  queryTerms: readonly Known[],
  language: Language,
): Corrections {
  if (mistyped.length === 0) return NO_CORRECTIONS
  const byStem = new Map(mistyped.flatMap((word) => word.stems.map((stem) => [stem, word] as const)))
  const pairs = queryTerms.flatMap(({ term, weight }): Pair[] => {
    const [first, second] = term.split(' ')
    if (first === undefined || second === undefined) return []
    return byStem.has(first) || byStem.has(second) ? [{ parts: [first, second], weight }] : []
  })
  const mayBe = (stem: string): readonly string[] =>
    byStem.get(stem)?.guesses.flatMap((guess) => formsOf(guess, language)) ?? [stem]
  const joinedPairs = pairs.flatMap(({ parts }) => joined(parts, mayBe)).slice(0, MAX_PAIRS)
  const terms = new Set([
    ...mistyped.flatMap(({ raw, guesses }) => guesses.flatMap((guess) => termsOfGuess(raw, guess, language))),
    ...joinedPairs,
  ])
  const choose = (frequencies: readonly Known[]): Map<string, { raw: string; corrections: Correction[] }> => {
    const df = new Map([...queryTerms, ...frequencies].map((term) => [term.term, term.df]))
    return new Map(
      mistyped.flatMap((word) => {
        const corrections = likeliestOf(word, supportIn(word, pairs, mayBe, df))
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
/** The terms that a stem of the query may mean. The stem itself if the workspace has it. */
type Readings = (stem: string) => readonly string[]

// A pair that is in no chunk of the sample has the frequency 1, which is no support.
const supportOf = (df = 0): number => (df > 1 ? df : 0)

/** How many chunks have a term beside a possible meaning of the word's neighbours. */
const supportIn =
  ({ stems }: Mistyped, pairs: readonly Pair[], mayBe: Readings, df: ReadonlyMap<string, number>) =>
  (term: string): number => {
    const maxSupport = (terms: readonly string[]): number =>
      Math.max(0, ...terms.map((pair) => supportOf(df.get(pair))))
    const neighboursBefore = pairs
      .filter(({ parts }) => stems.includes(parts[1]))
      .flatMap(({ parts }) => mayBe(parts[0]))
    const followingPairs = pairs
      .filter(({ parts }) => stems.includes(parts[0]))
      .flatMap(({ parts }) => mayBe(parts[1]))
    return (
      maxSupport(neighboursBefore.map((other) => `${other} ${term}`)) +
      maxSupport(followingPairs.map((other) => `${term} ${other}`))
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
  const likeliestFor: Readings = (stem) => {
    const [first] = corrected.get(stem)?.corrections ?? []
    return first ? formsOf(first, language) : [stem]
  }
  for (const { parts, weight } of pairs) for (const pair of joined(parts, likeliestFor)) add(pair, weight)
  return weights
}

const joined = ([first, second]: Neighbours, meaningsOf: Readings): string[] =>
  meaningsOf(first).flatMap((firstMeaning) => meaningsOf(second).map((other) => `${firstMeaning} ${other}`))

/** A term, and its stem if it is an unstemmed name. */
const formsOf = ({ term }: Guess, language: Language): string[] => [
  ...new Set([term, ...stemsOf(term, language)]),
]

/** The terms to search for a guess. A capitalised word is also searched unstemmed, as names are. */
const termsOfGuess = (raw: string, guess: Guess, language: Language): string[] => [
  ...formsOf(guess, language),
  ...(guess.exact && /^\p{Lu}/u.test(raw) ? [guess.exact] : []),
]

const stemsOf = (word: string, language: Language): string[] =>
  analyse(word, language).flatMap(({ term, kind }) => (kind === 'word' ? [term] : []))
