// The reading of a query: its languages, its terms, their spellings. Pure.

import { queryWeights } from '../../index/weights.ts'
import type { AnalysedText } from '../../language/analysed-text.ts'
import { LANGUAGES, type Language } from '../../language/language.ts'
import { type Compounds, readCompounds } from './compounds.ts'
import type { LanguageCount } from './query.sql.ts'

export const chunksOf = (languageCounts: readonly LanguageCount[]): number =>
  languageCounts.reduce((sum, { chunks }) => sum + chunks, 0)

// A language with less than a tenth of the chunks is used only for words that are unknown otherwise, unless the query itself is
// in it. Four of 1,890 documents, whose language was guessed as German, Dutch and French, cost MuSiQue .03 of its nDCG@10
// (.623, .653 without), because terms that only those languages produce are rare and have the highest weights.
const MAIN_SHARE = 0.1

/** The query's own language, those that its stop words suggest (`suggested`), and those in which to read it, most chunks first. */
export function languagesOf(
  query: AnalysedText,
  languageCounts: readonly LanguageCount[],
): { ownLanguage: Language; suggested: readonly Language[]; main: Language[]; rare: Language[] } {
  const chunks = chunksOf(languageCounts)
  const [mainLanguage = LANGUAGES[0]] = languageCounts.map((row) => row.language)
  const isSpoken = (row: LanguageCount): boolean => row.chunks >= chunks * MAIN_SHARE
  const guessedLanguages = query.languagesAmong([
    mainLanguage,
    ...languageCounts.filter(isSpoken).map((row) => row.language),
  ])
  // If the workspace's main language is as likely as others, it is taken.
  const likely =
    guessedLanguages.length === 0 || guessedLanguages.includes(mainLanguage)
      ? [guessedLanguages[0] ?? mainLanguage, mainLanguage]
      : guessedLanguages
  const isMain = (row: LanguageCount): boolean => likely.includes(row.language) || isSpoken(row)
  const main = languageCounts.filter(isMain).map((row) => row.language)
  return {
    ownLanguage: likely.includes(mainLanguage) ? mainLanguage : (likely[0] ?? mainLanguage),
    suggested: guessedLanguages,
    main: main.length ? main : [LANGUAGES[0]],
    rare: languageCounts.filter((row) => !isMain(row)).map((row) => row.language),
  }
}

/** A query as it is read in a workspace with certain languages. */
export interface QueryReading {
  main: Language[]
  rare: Language[]
  compounds: Compounds
  /** Terms that only languages other than the query's own produce, with the terms of its own language instead. */
  others: Map<string, readonly string[]>
  /** All terms to look up, with their weights. 0: only the frequency is needed. */
  weights: Map<string, number>
}

export function readIn(query: AnalysedText, languageCounts: readonly LanguageCount[]): QueryReading {
  const { ownLanguage, suggested, main, rare } = languagesOf(query, languageCounts)
  const compounds = readCompounds(query.words, [ownLanguage])
  const likely = main.filter((language) => suggested.includes(language))
  const weights = new Map([
    ...compounds.terms,
    ...queryWeights(query, main),
    // An unstemmed name gets the weight of a name, even if it is a word in another language. Not Vietnamese without its
    // diacritics, because chunks of other languages contain it in that form.
    ...[...queryWeights(query, likely)].filter(([, weight]) => weight > 0),
  ])
  // "War" is a German stop word. One German text beside a thousand English ones must not lower the weight of English terms.
  const isSpoken = languageCounts.some(
    (row) => likely.includes(row.language) && row.chunks >= chunksOf(languageCounts) * MAIN_SHARE,
  )
  const others = isSpoken ? otherReadings(query, likely, main) : new Map<string, readonly string[]>()
  return { main, rare, compounds, others, weights }
}

// The terms of each language have their own frequency, and a term that occurs in hardly any other text is rare and has the
// highest weight. If half of the chunks were in another language, English questions lost a twentieth. nDCG@10 by words alone,
// before and with .5, .3, .2, .1, 0: scifact beside German .681, .705, .716, .718, .718, .716 (English alone .719), beside
// German, French and Spanish .669, .703, .714, .717, .718, .716; MuSiQue beside German .597, .624, .626, .627, .626, .624
// (alone .624).
const OTHER_WEIGHT = 0.2

/**
 * Terms that only languages other than the query's own produce, each with the terms of its own language. None if its stop words
 * do not show its language.
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
    const instead = wordTermsIn(ownLanguages)
    for (const term of wordTermsIn(others)) if (readings.has(term)) readings.set(term, instead)
  }
  return readings
}

/**
 * Lowers the weight of such terms if the workspace has the word in the query's own language. Otherwise they are all that is
 * known.
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
