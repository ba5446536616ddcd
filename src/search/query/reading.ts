// In which languages a query is read, and what has to be looked up of its words. Pure.

import { queryWeights } from '../../index/weights.ts'
import { analyse } from '../../language/analyse.ts'
import { likeliestLanguages, queryLanguage } from '../../language/guess.ts'
import { LANGUAGES, type Language } from '../../language/language.ts'
import type { Spelling } from '../../language/stem.ts'
import { words } from '../../language/words.ts'
import { type Compounds, readCompounds } from './compounds.ts'
import type { Spoken } from './query.sql.ts'

export const chunksOf = (spoken: readonly Spoken[]): number =>
  spoken.reduce((sum, { chunks }) => sum + chunks, 0)

// A language that fewer chunks are in than one in ten is asked only for words that nobody else knows, unless the query
// is in it: four of 1,890 documents, taken for German, Dutch and French, cost MuSiQue .03 of its nDCG@10 (.623, .653
// without), since what is read as no other document is read is rare and weighs most.
const MAIN_SHARE = 0.1

/** The query's own language, those its stop words speak for, and those to read it in, most chunks first. */
export function languagesOf(
  query: string,
  spoken: readonly Spoken[],
): { own: Language; told: Language[]; main: Language[]; rare: Language[] } {
  const chunks = chunksOf(spoken)
  const [most = LANGUAGES[0]] = spoken.map((row) => row.language)
  const isSpoken = (row: Spoken): boolean => row.chunks >= chunks * MAIN_SHARE
  const guessed = likeliestLanguages(query, [most, ...spoken.filter(isSpoken).map((row) => row.language)])
  // Where as much speaks for the workspace's own language, it is that one.
  const likely = guessed.length === 0 || guessed.includes(most) ? [guessed[0] ?? most, most] : guessed
  const isMain = (row: Spoken): boolean => likely.includes(row.language) || isSpoken(row)
  const main = spoken.filter(isMain).map((row) => row.language)
  return {
    own: likely.includes(most) ? most : (likely[0] ?? most),
    told: guessed,
    main: main.length ? main : [LANGUAGES[0]],
    rare: spoken.filter((row) => !isMain(row)).map((row) => row.language),
  }
}

/** A query as it is read where certain languages are spoken. */
export interface QueryReading {
  main: Language[]
  rare: Language[]
  compounds: Compounds
  /** Words as they were indexed earlier, with the terms they are now. */
  earlier: Map<string, readonly string[]>
  /** What only other languages than its own read, with what those read instead. */
  others: Map<string, readonly string[]>
  /** All terms that are to be looked up, with what they weigh; 0: their frequency is wanted alone. */
  weights: Map<string, number>
}

export function readIn(query: string, spoken: readonly Spoken[]): QueryReading {
  const { own, told, main, rare } = languagesOf(query, spoken)
  const compounds = readCompounds(query, [own])
  const mine = main.filter((language) => told.includes(language))
  const asked = new Map([
    ...compounds.terms,
    ...queryWeights(query, main),
    // An unstemmed name counts as such, though it is a word in another language.
    ...queryWeights(query, mine),
  ])
  const earlier = earlierSpellings(query, main, asked)
  const weights = new Map([...asked, ...[...earlier.keys()].map((term) => [term, EARLIER_WEIGHT] as const)])
  // War is a German stop word: one text in German beside a thousand in English is no reason to hold English readings lower.
  const isSpoken = spoken.some(
    (row) => mine.includes(row.language) && row.chunks >= chunksOf(spoken) * MAIN_SHARE,
  )
  const others = isSpoken ? otherReadings(query, mine, main) : new Map<string, readonly string[]>()
  return { main, rare, compounds, earlier, others, weights }
}

// Each reading of a word has a frequency of its own, and what is read as hardly another text is read is rare and weighs
// most: half of the chunks in another language cost English questions a twentieth. nDCG@10 on the words' leg before, with
// .5, .3, .2, .1, 0: scifact beside German .681, .705, .716, .718, .718, .716 (English alone .719), beside German, French
// and Spanish .669, .703, .714, .717, .718, .716; MuSiQue beside German .597, .624, .626, .627, .626, .624 (alone .624).
const OTHER_WEIGHT = 0.2

/**
 * Terms that the query's own languages do not read in it, each with what they read instead; none where its stop words do
 * not tell its language.
 */
function otherReadings(
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

/** As good as the word itself, and told from what was typed (weight 1). */
const EARLIER_WEIGHT = 0.9

/** The query's words as they were indexed earlier, where that is another term, each with the terms it is now. */
function earlierSpellings(
  query: string,
  languages: readonly Language[],
  asked: ReadonlyMap<string, number>,
): Map<string, readonly string[]> {
  const spoken = queryLanguage(query, languages)
  const found = new Map<string, readonly string[]>()
  for (const { raw } of words(query)) {
    for (const language of languages) {
      const wordsOf = (spelling: Spelling): string[] =>
        analyse(raw, language, spoken, spelling).flatMap(({ term, kind }) => (kind === 'word' ? [term] : []))
      for (const term of wordsOf('written')) if (!asked.has(term)) found.set(term, wordsOf('one'))
    }
  }
  return found
}

/**
 * Earlier spellings count only where they stand in more chunks than what they are now: among documents read since, they
 * never do, since a word's unstemmed form stands nowhere without its stem. A quotation is held against the text itself:
 * there they all may bring it.
 */
export function withEarlier<Term extends { term: string; df: number }>(
  weighed: readonly Term[],
  earlier: ReadonlyMap<string, readonly string[]>,
  isQuoted: boolean,
): Term[] {
  const frequency = new Map(weighed.map(({ term, df }) => [term, df]))
  return weighed.filter(({ term, df }) => {
    const now = earlier.get(term)
    return (
      now === undefined || (isQuoted && df > 0) || df > Math.min(...now.map((one) => frequency.get(one) ?? 0))
    )
  })
}
