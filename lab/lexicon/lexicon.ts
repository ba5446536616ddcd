// The mathematics of the lexicon: translation probabilities and paraphrases. Pure.

import type { Language } from '../../src/language/language.ts'

/** How often a stem is written in which form. */
export type Counts = Map<string, Map<string, number>>

export interface ParallelSentence {
  english: readonly string[]
  other: readonly string[]
}

export interface ListedPair {
  english: string
  other: string
  rank: number
}

type Table = Map<string, Map<string, number>>

export interface Translations {
  /** The probability that a word of the other language means an English one. */
  toEnglish: Table
  fromEnglish: Table
}

const ITERATIONS = 5
// A word that stands in fewer sentences is aligned by chance; only a dictionary tells what it means.
const MIN_SENTENCES = 3
const MIN_PROBABILITY = 0.05
// What a dictionary lists counts as much as so many sentences.
const LISTED_SENTENCES = 4

const increase = (table: Table, one: string, other: string, by: number): void => {
  const row = table.get(one) ?? new Map<string, number>()
  table.set(one, row)
  row.set(other, (row.get(other) ?? 0) + by)
}

const NULL_WORD = ''

/** IBM Model 1 by expectation maximization: how often each source word was aligned with each target word. */
function alignedCounts(
  sentences: readonly { source: readonly string[]; target: readonly string[] }[],
): Table {
  let probability: Table | undefined
  let counts: Table = new Map()
  for (let i = 0; i < ITERATIONS; i++) {
    counts = new Map()
    for (const { source, target } of sentences) {
      const sources = [NULL_WORD, ...source]
      for (const word of target) {
        const shares = sources.map((from) => probability?.get(from)?.get(word) ?? (probability ? 0 : 1))
        const total = shares.reduce((sum, share) => sum + share, 0)
        if (total === 0) continue
        for (const [j, from] of sources.entries()) {
          const share = (shares[j] ?? 0) / total
          if (share > 1e-4) increase(counts, from, word, share)
        }
      }
    }
    probability = normalized(counts)
  }
  return counts
}

const normalized = (counts: Table): Table =>
  new Map(
    [...counts].map(([word, row]) => {
      const total = [...row.values()].reduce((sum, count) => sum + count, 0)
      return [word, new Map([...row].map(([other, count]) => [other, count / total]))]
    }),
  )

export function translationsOf(
  parallel: readonly ParallelSentence[],
  listed: readonly ListedPair[],
): Translations {
  const forward = alignedCounts(parallel.map(({ english, other }) => ({ source: english, target: other })))
  const backward = alignedCounts(parallel.map(({ english, other }) => ({ source: other, target: english })))
  // Only what both directions align stands for a translation; each direction alone gives rare words all their neighbours.
  const both: Table = new Map()
  for (const [other, row] of backward)
    for (const [english, count] of row) {
      const mutual = Math.min(count, forward.get(english)?.get(other) ?? 0)
      if (other !== NULL_WORD && english !== NULL_WORD && mutual >= MIN_SENTENCES / 2)
        increase(both, other, english, mutual)
    }
  for (const { english, other, rank } of listed) increase(both, other, english, LISTED_SENTENCES / (1 + rank))
  const reversed: Table = new Map()
  for (const [other, row] of both)
    for (const [english, count] of row) increase(reversed, english, other, count)
  return { toEnglish: normalized(both), fromEnglish: normalized(reversed) }
}

// Two English words of which this much of the one is translated as the other, in the mean of the languages; more if only one language
// says so.
const MIN_PARAPHRASE = 0.06
const MIN_PARAPHRASE_OF_ONE = 0.12

/** English words that the other languages say by the same words. */
export function paraphrasesOf(languages: readonly Translations[]): Table {
  const sums: Table = new Map()
  const votes: Table = new Map()
  for (const { toEnglish, fromEnglish } of languages)
    for (const [word, translations] of fromEnglish) {
      const own = new Map<string, number>()
      for (const [pivot, p] of translations)
        for (const [other, q] of toEnglish.get(pivot) ?? [])
          if (other !== word) own.set(other, (own.get(other) ?? 0) + p * q)
      for (const [other, p] of own) {
        increase(sums, word, other, p / languages.length)
        increase(votes, word, other, 1)
      }
    }
  const paraphrases: Table = new Map()
  for (const [word, row] of sums)
    for (const [other, p] of row)
      if (p >= ((votes.get(word)?.get(other) ?? 0) > 1 ? MIN_PARAPHRASE : MIN_PARAPHRASE_OF_ONE))
        increase(paraphrases, word, other, p)
  return paraphrases
}

const MAX_WORDS = 8
// Less likely than this part of the likeliest is a chance of the sentences or another sense.
const MIN_OF_BEST = 0.15

const best = (row: ReadonlyMap<string, number>, least: number): string[] => {
  const sorted = [...row].sort((a, b) => b[1] - a[1]).slice(0, MAX_WORDS)
  const limit = Math.max(least, MIN_OF_BEST * (sorted[0]?.[1] ?? 0))
  return sorted.filter(([, p]) => p >= limit).map(([word]) => word)
}

/** The commonest written form of a stem. */
const formOf = (stem: string, counts: Counts): string =>
  [...(counts.get(stem) ?? [])].sort((a, b) => b[1] - a[1] || a[0].length - b[0].length)[0]?.[0] ?? stem

/** By language and stem of a word, the words that mean the same, by their language. */
type Entries = Map<string, Map<string, string[]>>

const addWords = (entries: Entries, key: string, language: Language, words: readonly string[]): void => {
  if (words.length === 0) return
  const entry = entries.get(key) ?? new Map<string, string[]>()
  entries.set(key, entry)
  entry.set(language, [...new Set([...(entry.get(language) ?? []), ...words])].slice(0, MAX_WORDS))
}

export interface Trained {
  byLanguage: ReadonlyMap<Language, { translations: Translations; forms: Counts }>
  english: Counts
  paraphrases: Table
  /** Words that mean the same, whatever the sentences say; they come first. */
  concepts: readonly (readonly { language: Language; stem: string; word: string }[])[]
}

/** Lines of the file: the language and stem of a word, then words in the languages that they are of. */
export function linesOf({ byLanguage, english, paraphrases, concepts }: Trained): string[] {
  const entries: Entries = new Map()
  for (const concept of concepts)
    for (const { language, stem } of concept)
      for (const other of concept)
        if (other.language !== language || other.stem !== stem)
          addWords(entries, `${language} ${stem}`, other.language, [other.word])
  for (const [stem, row] of paraphrases)
    addWords(
      entries,
      `en ${stem}`,
      'en',
      best(row, MIN_PARAPHRASE).map((word) => formOf(word, english)),
    )
  for (const [language, { translations, forms }] of byLanguage) {
    for (const [stem, row] of translations.fromEnglish)
      addWords(
        entries,
        `en ${stem}`,
        language,
        best(row, MIN_PROBABILITY).map((word) => formOf(word, forms)),
      )
    for (const [stem, row] of translations.toEnglish)
      addWords(
        entries,
        `${language} ${stem}`,
        'en',
        best(row, MIN_PROBABILITY).map((word) => formOf(word, english)),
      )
  }
  return [...entries]
    .map(([key, entry]) =>
      [key, ...[...entry].map(([language, words]) => `${language} ${words.join(' ')}`)].join('\t'),
    )
    .sort()
}
