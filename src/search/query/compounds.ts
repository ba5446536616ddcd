// Finds the parts of the compounds in a query, and compounds of the workspace that have one of its words as a part. German,
// Dutch and the Scandinavian languages write compounds as one word: Frist should find Kündigungsfrist, and the other way round.
// The parts are words of the workspace itself (Koehn and Knight 2003) or, of German, of the lexicon.

import { termHash } from '../../index/weights.ts'
import type { AnalysedText } from '../../language/analysed-text.ts'
import type { Language } from '../../language/language.ts'
import { isInLexicon } from '../../language/lexicon.ts'
import { isStopWord, stem } from '../../language/stem.ts'
import { fold, type Word, withoutAccents } from '../../language/words.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { WeightedQueryTerm } from '../passage.ts'
import { type LanguageCount, selectLanguagesOf, selectWordsWithParts } from './query.sql.ts'
import type { KnownWord } from './spelling.ts'

const COMPOUNDING: readonly Language[] = ['de', 'nl', 'sv', 'da', 'no']
// Letters that may be between the parts: Kündigung-s-frist, Kind-er-garten; none in Daten-schutz.
const LINKING_LETTERS = ['', 's', 'es', 'n', 'en', 'er', 'e']
const MIN_FIRST_LENGTH = 3
// A shorter word of the query is only sought at the beginning of compounds: "Öl" in "Ölwechsel".
const MIN_SHORT_WORD_LENGTH = 2
const MAX_SHORT_WORDS = 2
const MIN_HEAD_LENGTH = 4
const MIN_WORD_LENGTH = 8
// Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz has 63 letters.
const MAX_WORD_LENGTH = 64
// A first part with fewer letters must itself be a word of the workspace, because it may be no word: "prak" in "praktisch".
const MIN_SURE_FIRST_LENGTH = 5
// A head with fewer letters must also be a word of the workspace, because it may be an ending: "tion" in "contraction".
const MIN_SURE_HEAD_LENGTH = 6
// Endings that derive a word from another. Organisation is derived from Organ, and is no compound of it.
const DERIVATION = /^(?:al)?(?:is|ik|ifi[kz])?(?:ati|ier|ering)/
const MAX_WORDS = 8
const MAX_COMPOUNDS = 12

/** A compound that is split into two terms: its head and the part before it. */
interface Split {
  first: string
  head: string
}

/** The first of the languages that writes compounds as one word, if any. */
const compoundingLanguageOf = (languages: readonly Language[]): Language | undefined =>
  languages.find((language) => COMPOUNDING.includes(language))

/** The query's words that may be compounds or heads of compounds. They are folded, and each occurs once. */
export const compoundWords = (words: readonly Word[], language: Language): string[] =>
  foldedWords(words, language)
    .filter(({ length }) => length >= MIN_HEAD_LENGTH)
    .slice(0, MAX_WORDS)

/** The query's words that are too short for a head. */
const shortWords = (words: readonly Word[], language: Language): string[] =>
  foldedWords(words, language)
    .filter(({ length }) => length >= MIN_SHORT_WORD_LENGTH && length < MIN_HEAD_LENGTH)
    .slice(0, MAX_SHORT_WORDS)

const foldedWords = (words: readonly Word[], language: Language): string[] => [
  ...new Set(
    words
      .map(({ raw }) => fold(raw))
      .filter((word) => /^[\p{L}\p{M}]+$/u.test(word) && !isStopWord(word, language)),
  ),
]

const termOf = (word: string, language: Language): string => withoutAccents(stem(word, language))

/** All ways to split a folded word into two words that are not stop words. */
export function splitsOf(word: string, language: Language): Split[] {
  const splits: Split[] = []
  if (word.length < MIN_WORD_LENGTH || word.length > MAX_WORD_LENGTH) return splits
  for (let at = MIN_FIRST_LENGTH; at <= word.length - MIN_HEAD_LENGTH; at++) {
    const head = word.slice(at)
    if (isStopWord(head, language)) continue
    for (const first of firstPartsOf(word.slice(0, at)))
      if (!isStopWord(first, language))
        splits.push({ first: termOf(first, language), head: termOf(head, language) })
  }
  return splits
}

const firstPartsOf = (start: string): string[] =>
  LINKING_LETTERS.filter((link) => start.endsWith(link))
    .map((link) => start.slice(0, start.length - link.length))
    .filter((first) => first.length >= MIN_FIRST_LENGTH)

/** The split whose parts are the most frequent words of the workspace. Undefined if no split has two such words. */
export function likeliestSplit(splits: readonly Split[], df: (term: string) => number): Split | undefined {
  const frequencyProduct = ({ first, head }: Split): number => df(first) * df(head)
  const bestSplit = splits.reduce<Split | undefined>(
    (best, split) => (best && frequencyProduct(best) >= frequencyProduct(split) ? best : split),
    undefined,
  )
  return bestSplit && frequencyProduct(bestSplit) > 0 ? bestSplit : undefined
}

/** A word of the workspace that is probably a compound with the part. */
interface Compound {
  term: string
  /** The word counts as a compound only if the workspace also has one of these terms. Empty if it certainly is one. */
  witnesses: string[]
}

/**
 * The compounds among words that begin with the part: Kaffeemaschinenreinigung for Kaffeemaschine. A stemmer cuts off endings, but
 * not that of the first part. After a short part the head must be a word: Ölwechsel begins with Öl, Olympiade does not.
 */
export function compoundsAfter(
  first: string,
  wordsWithBeginning: readonly KnownWord[],
  language: Language,
): Compound[] {
  const compounds = wordsWithBeginning.flatMap(({ word }): Compound[] => {
    if (!/^[\p{L}\p{M}]+$/u.test(word)) return []
    const end = word.slice(first.length)
    if (DERIVATION.test(end)) return []
    // "Einkauf" is no compound of "Ei", although "Kauf" is a word.
    if (first.length < MIN_HEAD_LENGTH)
      return isInLexicon(end, language) && end.length >= MIN_HEAD_LENGTH
        ? [{ term: word, witnesses: [] }]
        : []
    const heads = headsOf(end)
    if (heads.length === 0 || heads.some((head) => isStopWord(head, language))) return []
    const isSure =
      first.length >= MIN_SURE_FIRST_LENGTH && heads.every((head) => head.length >= MIN_SURE_HEAD_LENGTH)
    return [{ term: word, witnesses: isSure ? [] : heads.map((head) => termOf(head, language)) }]
  })
  return compounds.slice(0, MAX_COMPOUNDS)
}

const headsOf = (end: string): string[] =>
  LINKING_LETTERS.filter((link) => end.startsWith(link))
    .map((link) => end.slice(link.length))
    .filter((head) => head.length >= MIN_HEAD_LENGTH)

/** The compounds among words that end with the head. */
export function compoundsOn(
  head: string,
  wordsWithEnding: readonly KnownWord[],
  language: Language,
): Compound[] {
  const compounds = wordsWithEnding.flatMap(({ word }): Compound[] => {
    const start = word.slice(0, word.length - head.length)
    if (start.length < MIN_FIRST_LENGTH || !/^[\p{L}\p{M}]+$/u.test(word)) return []
    const parts = firstPartsOf(start)
    if (parts.some((part) => isStopWord(part, language))) return []
    return [
      {
        term: word,
        witnesses: start.length >= MIN_SURE_FIRST_LENGTH ? [] : parts.map((part) => termOf(part, language)),
      },
    ]
  })
  return compounds.slice(0, MAX_COMPOUNDS)
}

// The weights of a compound's parts, and of compounds that end with a word of the query. The word itself has 1.
const PART_WEIGHT = 0.4
const COMPOUND_WEIGHT = 0.5

export interface Compounds {
  language: Language | undefined
  words: { word: string; term: string; splits: Split[] }[]
  /** The parts of the compounds, whose frequencies are needed. Their weight is 0. */
  terms: ReadonlyMap<string, number>
}

export const NO_COMPOUNDS: Compounds = { language: undefined, words: [], terms: new Map() }

/** Splits the words that may be compounds, if one of the languages writes compounds as one word. Pure. */
export function splitCompounds(query: readonly Word[], languages: readonly Language[]): Compounds {
  const language = compoundingLanguageOf(languages)
  if (!language) return NO_COMPOUNDS
  const words = [...compoundWords(query, language), ...shortWords(query, language)].map((word) => ({
    word,
    term: termOf(word, language),
    splits: splitsOf(word, language),
  }))
  const parts = words.flatMap(({ splits }) => splits.flatMap(({ first, head }) => [first, head]))
  return { language, words, terms: new Map(parts.map((term) => [term, 0])) }
}

// A query with more words has stop words that show its language, or is English.
const MAX_QUERY_WORDS = 3
const MIN_LANGUAGE_SHARE = 0.8

/**
 * The words of a query without stop words that belong to a language that writes compounds as one word: almost all chunks with
 * the word are in this language. In a mainly English workspace, "Frist" is German and "port" is not. Runs one statement, and
 * only if the workspace has such a language and a word is in no more chunks than the language has.
 */
export async function wordsOfCompounding(
  db: Queryable,
  workspaceId: string,
  query: AnalysedText,
  {
    languageCounts,
    share,
    df,
  }: { languageCounts: readonly LanguageCount[]; share: number; df: (term: string) => number },
): Promise<string[]> {
  const language = compoundingLanguageOf(languageCounts.map((row) => row.language))
  const main = languageCounts.slice(0, 1).map((row) => row.language)
  if (!language || query.languagesAmong(main).length > 0) return []
  const maxChunks =
    (languageCounts.find((row) => row.language === language)?.chunks ?? 0) / MIN_LANGUAGE_SHARE
  const isRare = (word: string): boolean =>
    languageCounts.every((row) => df(termOf(word, row.language)) <= maxChunks)
  const all = compoundWords(query.words, language)
  const uncertainWords = all.length <= MAX_QUERY_WORDS ? all.filter(isRare) : []
  if (uncertainWords.length === 0) return []
  const hashOf = (word: string): number => termHash(termOf(word, language))
  const chunks = languageCounts.reduce((sum, row) => sum + row.chunks, 0)
  const termLanguages = await selectLanguagesOf(db, workspaceId, uncertainWords.map(hashOf), {
    chunks,
    share,
  })
  const chunksOf = (word: string, isCounted: (language: Language) => boolean): number =>
    termLanguages
      .filter((row) => row.term === hashOf(word) && isCounted(row.language))
      .reduce((sum, { chunks }) => sum + chunks, 0)
  return uncertainWords.filter((word) => {
    const chunkCount = chunksOf(word, () => true)
    return (
      chunkCount > 0 &&
      chunksOf(word, (chunkLanguage) => chunkLanguage === language) >= MIN_LANGUAGE_SHARE * chunkCount
    )
  })
}

/**
 * The forms in which a head may end an indexed compound. The stemmer may remove more letters from the compound (Maschinenreinigung:
 * maschinenrein) than from the head alone (Reinigung: reinig). But a noun is also indexed as it is written.
 */
const formsOf = ({ word, term }: { word: string; term: string }): string[] => [
  ...new Set([term, withoutAccents(word)]),
]

export interface Related {
  /** Terms with their weights. Those with weight 0 are looked up only as witnesses. */
  terms: ReadonlyMap<string, number>
  /** The word of the query, folded, for which each term was added. */
  addedFor: ReadonlyMap<string, string>
  /** Words that are not typos, because the workspace has their parts or compounds of them. */
  explained: ReadonlySet<string>
  /**
   * Drops compounds without a witness, and limits the idf of each compound to that of the word that it replaces. Call it
   * when the frequencies have been looked up.
   */
  settle<Term extends WeightedQueryTerm>(terms: readonly Term[]): Term[]
}

export const NO_RELATED: Related = {
  terms: new Map(),
  addedFor: new Map(),
  explained: new Set(),
  settle: (terms) => [...terms],
}

/**
 * The parts of compounds and the compounds that are added to the query. It runs one statement, and only if the query has such
 * words.
 */
export async function relatedCompounds(
  db: Queryable,
  workspaceId: string,
  { language, words }: Compounds,
  weighed: readonly WeightedQueryTerm[],
): Promise<Related> {
  if (!language || words.length === 0) return NO_RELATED
  const weighedByTerm = new Map(weighed.map((term) => [term.term, term]))
  const df = (term: string): number => weighedByTerm.get(term)?.df ?? 0
  // A word that the workspace does not have is also sought at the beginning of compounds. It is less about those.
  const isHead = ({ word }: { word: string }): boolean => word.length >= MIN_HEAD_LENGTH
  const firsts = words.map(({ term }) => term).filter((term) => df(term) === 0)
  const isShort = (term: string): boolean => term.length < MIN_HEAD_LENGTH
  const wordsWithPart = await selectWordsWithParts(db, workspaceId, {
    heads: words.filter(isHead).flatMap(formsOf),
    firsts: firsts.filter((term) => !isShort(term)),
    shortFirsts: firsts.filter(isShort),
    minHeadLength: MIN_HEAD_LENGTH,
  })
  const ofPart = (part: string, isAtBeginning: boolean): KnownWord[] =>
    wordsWithPart.filter((row) => row.part === part && row.isFirst === isAtBeginning)
  const terms = new Map<string, number>()
  const addedFor = new Map<string, string>()
  const explained = new Set<string>()
  const compounds = new Map<string, { witnesses: string[]; idf: number }>()
  for (const { word, term, splits } of words) {
    const split = likeliestSplit(splits, df)
    const [onHead = []] = formsOf({ word, term })
      .map((form) => compoundsOn(form, ofPart(form, false), language))
      .filter(({ length }) => length > 0)
    if (split || onHead.length) explained.add(word)
    const related = [...onHead, ...compoundsAfter(term, ofPart(term, true), language)]
    for (const part of split ? [split.first, split.head] : []) {
      terms.set(part, PART_WEIGHT)
      addedFor.set(part, word)
    }
    for (const { term: compound, witnesses } of related) {
      terms.set(compound, COMPOUND_WEIGHT)
      addedFor.set(compound, word)
      for (const witness of witnesses) if (!terms.has(witness)) terms.set(witness, 0)
      compounds.set(compound, { witnesses, idf: df(term) ? (weighedByTerm.get(term)?.idf ?? 0) : Infinity })
    }
  }
  return { terms, addedFor, explained, settle: (more) => settledTerms(more, compounds, df) }
}

function settledTerms<Term extends WeightedQueryTerm>(
  more: readonly Term[],
  compounds: ReadonlyMap<string, { witnesses: string[]; idf: number }>,
  dfInQuery: (term: string) => number,
): Term[] {
  const dfByTerm = new Map(more.map(({ term, df }) => [term, df]))
  const isWord = (term: string): boolean => dfInQuery(term) > 0 || (dfByTerm.get(term) ?? 0) > 0
  return more.flatMap((term) => {
    if (term.weight === 0) return []
    const compound = compounds.get(term.term)
    if (!compound) return [term]
    if (compound.witnesses.length && !compound.witnesses.some(isWord)) return []
    return [{ ...term, idf: Math.min(term.idf, compound.idf) }]
  })
}
