// Decides in which languages a query is analysed, and derives its terms. Pure.

import { queryWeights } from '../../index/weights.ts'
import type { AnalysedText } from '../../language/analysed-text.ts'
import { LANGUAGES, type Language } from '../../language/language.ts'
import { type Compounds, splitCompounds } from './compounds.ts'
import type { LanguageCount } from './query.sql.ts'

export const chunksOf = (languageCounts: readonly LanguageCount[]): number =>
  languageCounts.reduce((sum, { chunks }) => sum + chunks, 0)

// A language with less than this share of the chunks is used only for words that are otherwise unknown, unless the query itself
// is in this language. Four of 1,890 documents, whose language was guessed as German, Dutch and French, cost MuSiQue .03 of its
// nDCG@10 (.623, .653 without), because terms that only those languages produce are rare and have the highest weights.
const MAIN_SHARE = 0.1

/**
 * The query's own language, the languages that its stop words suggest (`suggested`), and the languages in which it is analysed,
 * those with most chunks first: `main` for all words, `rare` only for words that are otherwise unknown.
 */
export function languagesOf(
  query: AnalysedText,
  languageCounts: readonly LanguageCount[],
): { ownLanguage: Language; suggested: readonly Language[]; main: Language[]; rare: Language[] } {
  const chunks = chunksOf(languageCounts)
  const [mainLanguage = LANGUAGES[0]] = languageCounts.map((row) => row.language)
  const isMainLanguage = (row: LanguageCount): boolean => row.chunks >= chunks * MAIN_SHARE
  const guessedLanguages = query.languagesAmong([
    mainLanguage,
    ...languageCounts.filter(isMainLanguage).map((row) => row.language),
  ])
  // If the workspace's main language is as likely as other languages, it is taken.
  const likely =
    guessedLanguages.length === 0 || guessedLanguages.includes(mainLanguage)
      ? [guessedLanguages[0] ?? mainLanguage, mainLanguage]
      : guessedLanguages
  const isMain = (row: LanguageCount): boolean => likely.includes(row.language) || isMainLanguage(row)
  const main = languageCounts.filter(isMain).map((row) => row.language)
  return {
    ownLanguage: likely.includes(mainLanguage) ? mainLanguage : (likely[0] ?? mainLanguage),
    suggested: guessedLanguages,
    main: main.length ? main : [LANGUAGES[0]],
    rare: languageCounts.filter((row) => !isMain(row)).map((row) => row.language),
  }
}

/** The reading of a query: its languages and terms in a workspace with certain languages. */
export interface QueryReading {
  main: Language[]
  rare: Language[]
  compounds: Compounds
  /**
   * Terms that only languages other than the query's own produce. The value is the terms of the same word in the query's own
   * language.
   */
  others: Map<string, readonly string[]>
  /** All terms to look up, with their weights. The weight 0 means that only the frequency is needed. */
  weights: Map<string, number>
}

export function readIn(query: AnalysedText, languageCounts: readonly LanguageCount[]): QueryReading {
  const { ownLanguage, suggested, main, rare } = languagesOf(query, languageCounts)
  const compounds = splitCompounds(query.words, [ownLanguage])
  const likely = main.filter((language) => suggested.includes(language))
  const weights = new Map([
    ...compounds.terms,
    ...queryWeights(query, main),
    // An unstemmed name gets the weight of a name, even if it is a word in another language. Vietnamese without its diacritics
    // is left out (weight 0), because chunks of other languages contain it in that form.
    ...[...queryWeights(query, likely)].filter(([, weight]) => weight > 0),
  ])
  // "War" is a German stop word. One German text beside a thousand English ones must not lower the weight of English terms.
  const hasMainLanguage = languageCounts.some(
    (row) => likely.includes(row.language) && row.chunks >= chunksOf(languageCounts) * MAIN_SHARE,
  )
  const others = hasMainLanguage ? otherReadings(query, likely, main) : new Map<string, readonly string[]>()
  return { main, rare, compounds, others, weights }
}

// The terms of each language have their own frequency, and a term that occurs in hardly any other text is rare and has the
// highest weight. If half of the chunks were in another language, English questions lost a twentieth. nDCG@10 by words alone,
// before and with .5, .3, .2, .1, 0: scifact beside German .681, .705, .716, .718, .718, .716 (English alone .719), beside
// German, French and Spanish .669, .703, .714, .717, .718, .716; MuSiQue beside German .597, .624, .626, .627, .626, .624
// (alone .624).
const OTHER_WEIGHT = 0.2

/**
 * Terms that only languages other than the query's own produce. The value is the terms of the same word in the query's own
 * language. Empty if the query's stop words do not show its language.
 */
function otherReadings(
  query: AnalysedText,
  ownLanguages: readonly Language[],
  languages: readonly Language[],
): Map<string, readonly string[]> {
  const readings = new Map<string, readonly string[]>()
  if (ownLanguages.length === 0) return readings
  const others = languages.filter((language) => !ownLanguages.includes(language))
  const textLanguage = query.languageAmong(languages)
  const termsIn = (someLanguages: readonly Language[]): string[] =>
    someLanguages.flatMap((language) => query.terms(language, textLanguage).map(({ term }) => term))
  const ownTerms = new Set(termsIn(ownLanguages))
  for (const term of termsIn(others)) if (!ownTerms.has(term)) readings.set(term, [])
  for (const word of query.words) {
    const wordTermsIn = (someLanguages: readonly Language[]): string[] =>
      someLanguages.flatMap((language) => query.termsOf(word, language, textLanguage).map(({ term }) => term))
    const termsInOwnLanguages = wordTermsIn(ownLanguages)
    for (const term of wordTermsIn(others)) if (readings.has(term)) readings.set(term, termsInOwnLanguages)
  }
  return readings
}

/**
 * Lowers the weight of terms of other languages if the workspace also has the word in the query's own language. If it does not,
 * these terms are all that is known of the word.
 */
export function withOthers<Term extends { term: string; df: number; weight: number }>(
  weighed: readonly Term[],
  others: ReadonlyMap<string, readonly string[]>,
): Term[] {
  if (others.size === 0) return [...weighed]
  const frequency = new Map(weighed.map(({ term, df }) => [term, df]))
  const isKnown = (part: string): boolean =>
    (others.get(part) ?? [part]).some((ownTerm) => (frequency.get(ownTerm) ?? 0) > 0)
  return weighed.map((term) =>
    others.has(term.term) && term.term.split(' ').every(isKnown)
      ? { ...term, weight: OTHER_WEIGHT * term.weight }
      : term,
  )
}
