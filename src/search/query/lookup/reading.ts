// In which languages a query is read, and what has to be looked up of its words. Pure.

import { queryWeights } from '../../../index/weights.ts'
import { likeliestLanguages } from '../../../language/guess.ts'
import { LANGUAGES, type Language } from '../../../language/language.ts'
import { EARLIER_WEIGHT, earlierSpellings } from '../earlier.ts'
import type { Spoken } from '../query.sql.ts'
import { type Compounds, readCompounds } from '../related.ts'
import { otherReadings } from './others.ts'

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
