// Decides in which languages a query is analysed, and derives its terms. Pure.

import { queryWeights } from '../../index/weights.ts'
import type { AnalysedText } from '../../language/analysed-text.ts'
import { LANGUAGES, type Language } from '../../language/language.ts'
import { type Compounds, splitCompounds } from './compounds.ts'
import type { LanguageCount } from './query.sql.ts'

export const chunksOf = (languageCounts: readonly LanguageCount[]): number =>
  languageCounts.reduce((sum, { chunks }) => sum + chunks, 0)

// A language with a smaller share of the chunks is used only for words that are otherwise unknown, unless the query itself is
// in this language. Its terms are rare and have the highest weights: four of 1,890 documents of MuSiQue whose language was
// guessed as German, Dutch and French lowered nDCG@10 from .653 to .623.
const MIN_MAIN_LANGUAGE_SHARE = 0.1

interface QueryLanguages {
  /** The language of the query itself. */
  ownLanguage: Language
  /** The languages that the stop words of the query suggest. */
  suggestedLanguages: readonly Language[]
  /** The languages in which all words are analysed, those with most chunks first. */
  mainLanguages: Language[]
  /** The languages in which only words that are otherwise unknown are analysed, those with most chunks first. */
  rareLanguages: Language[]
}

export function languagesOf(query: AnalysedText, languageCounts: readonly LanguageCount[]): QueryLanguages {
  const chunks = chunksOf(languageCounts)
  const [mainLanguage = LANGUAGES[0]] = languageCounts.map((row) => row.language)
  const isFrequent = (row: LanguageCount): boolean => row.chunks >= chunks * MIN_MAIN_LANGUAGE_SHARE
  const suggestedLanguages = query.languagesAmong([
    mainLanguage,
    ...languageCounts.filter(isFrequent).map((row) => row.language),
  ])
  // If several languages are equally likely and the workspace's main language is among them, it is taken.
  const likely =
    suggestedLanguages.length === 0 || suggestedLanguages.includes(mainLanguage)
      ? [suggestedLanguages[0] ?? mainLanguage, mainLanguage]
      : suggestedLanguages
  const isMain = (row: LanguageCount): boolean => likely.includes(row.language) || isFrequent(row)
  const mainLanguages = languageCounts.filter(isMain).map((row) => row.language)
  return {
    ownLanguage: likely.includes(mainLanguage) ? mainLanguage : (likely[0] ?? mainLanguage),
    suggestedLanguages,
    mainLanguages: mainLanguages.length ? mainLanguages : [LANGUAGES[0]],
    rareLanguages: languageCounts.filter((row) => !isMain(row)).map((row) => row.language),
  }
}

/** The languages and terms of a query in a workspace with certain languages. */
export interface QueryReading {
  mainLanguages: Language[]
  rareLanguages: Language[]
  compounds: Compounds
  /**
   * Terms that only languages other than the query's own produce. The value is the terms of the same word in the query's own
   * language.
   */
  foreignTerms: Map<string, readonly string[]>
  /** All terms to look up, with their weights. The weight 0 means that only the frequency is needed. */
  weights: Map<string, number>
}

export function readQuery(query: AnalysedText, languageCounts: readonly LanguageCount[]): QueryReading {
  const { ownLanguage, suggestedLanguages, mainLanguages, rareLanguages } = languagesOf(query, languageCounts)
  const compounds = splitCompounds(query.words, [ownLanguage])
  const likelyLanguages = mainLanguages.filter((language) => suggestedLanguages.includes(language))
  const weights = new Map([
    ...compounds.terms,
    ...queryWeights(query, mainLanguages),
    // The weights in the query's own language replace those in other languages: an unstemmed name may be a word there. Terms of
    // weight 0 (Vietnamese without its diacritics) keep the weight of the other language.
    ...[...queryWeights(query, likelyLanguages)].filter(([, weight]) => weight > 0),
  ])
  // A rare language must not lower the weight of the terms of the others: the query "war" looks German, because "war" is a German
  // stop word, but the workspace may have one German text beside a thousand English ones.
  const hasMainLanguage = languageCounts.some(
    (row) =>
      likelyLanguages.includes(row.language) &&
      row.chunks >= chunksOf(languageCounts) * MIN_MAIN_LANGUAGE_SHARE,
  )
  const foreignTerms = hasMainLanguage
    ? foreignTermsOf(query, likelyLanguages, mainLanguages)
    : new Map<string, readonly string[]>()
  return { mainLanguages, rareLanguages, compounds, foreignTerms, weights }
}

// The factor of foreign terms. A word of an English question, read as German, is a rare term and would have the highest weight.
// If half of the chunks are German, nDCG@10 of scifact by words alone is .681 without a factor, .705, .716, .718, .718 and .716
// with .5, .3, .2, .1 and 0 (without German chunks .719). MuSiQue: .597 without a factor, .627 with .2.
const FOREIGN_TERM_FACTOR = 0.2

/** The foreign terms (`QueryReading`). Empty if the query's stop words do not show its language. */
function foreignTermsOf(
  query: AnalysedText,
  ownLanguages: readonly Language[],
  languages: readonly Language[],
): Map<string, readonly string[]> {
  const readings = new Map<string, readonly string[]>()
  if (ownLanguages.length === 0) return readings
  const otherLanguages = languages.filter((language) => !ownLanguages.includes(language))
  const textLanguage = query.languageAmong(languages)
  const termsIn = (someLanguages: readonly Language[]): string[] =>
    someLanguages.flatMap((language) => query.terms(language, textLanguage).map(({ term }) => term))
  const ownTerms = new Set(termsIn(ownLanguages))
  for (const term of termsIn(otherLanguages)) if (!ownTerms.has(term)) readings.set(term, [])
  for (const word of query.words) {
    const wordTermsIn = (someLanguages: readonly Language[]): string[] =>
      someLanguages.flatMap((language) => query.termsOf(word, language, textLanguage).map(({ term }) => term))
    const termsInOwnLanguages = wordTermsIn(ownLanguages)
    for (const term of wordTermsIn(otherLanguages))
      if (readings.has(term)) readings.set(term, termsInOwnLanguages)
  }
  return readings
}

/**
 * Lowers the weight of a foreign term if the workspace also has the word in the query's own language. Otherwise the foreign term
 * is the only one by which the word can be found.
 */
export function withForeignTermsLowered<Term extends { term: string; df: number; weight: number }>(
  terms: readonly Term[],
  foreignTerms: ReadonlyMap<string, readonly string[]>,
): Term[] {
  if (foreignTerms.size === 0) return [...terms]
  const frequency = new Map(terms.map(({ term, df }) => [term, df]))
  const isKnown = (part: string): boolean =>
    (foreignTerms.get(part) ?? [part]).some((ownTerm) => (frequency.get(ownTerm) ?? 0) > 0)
  return terms.map((term) =>
    foreignTerms.has(term.term) && term.term.split(' ').every(isKnown)
      ? { ...term, weight: FOREIGN_TERM_FACTOR * term.weight }
      : term,
  )
}
