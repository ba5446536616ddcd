// The subject of a document, by which questions name it: the words of its title and file name, the names that occur often in it,
// and the period that it covers. A question for "Acme's sales in the third quarter" means certain documents, although few of their
// passages repeat Acme or the quarter. Pure functions, shared by indexing and search.

import { contentTerms } from '../language/analyse.ts'
import type { AnalysedText } from '../language/analysed-text.ts'
import { isWord } from '../language/dictionary.ts'
import type { Language } from '../language/language.ts'
import { endOf, narrowest, periodsIn } from '../language/periods.ts'
import { termHash } from './weights.ts'

export interface Subject {
  /** The numbers of the terms, each once. `weights` says for each of them how much the document is about it, 0 to 1. */
  terms: number[]
  weights: number[]
  /** The last day of the period that the document covers, such as `2023-09-30`. Null if name, title and beginning state none. */
  dated: string | null
}

/** Builds the subject of a document from its chunks. */
interface SubjectBuilder {
  add(text: string, language: Language): void
  subject(): Subject
}

// The first lines of a document state its date, period and parties.
const BEGINNING_CHARACTERS = 2000
// With d occurrences in a thousand words the weight of a name is d / (d + .5): a half if it occurs once in two thousand words. Each of 20 filings of five
// companies names its own company .8 to 4 times in a thousand words, and another company at most .1 times.
const HALF_DENSITY = 0.5
const MIN_WEIGHT = 0.15
// A name that occurs less often is only mentioned, and the document is not about it.
const MIN_COUNT = 3
// The passages of a shorter text contain its names and its title anyway. Weighting those once more lowered nDCG@10 of SciFact
// (abstracts) by .031. So the subject of such a text has only its periods.
const MIN_LONG_WORDS = 500
const MAX_NAMES = 40
// A limit for texts of millions of words. If there are more names, those that occurred once are dropped.
const MAX_COUNTED_NAMES = 20_000
// A period at the beginning may be another one than the document's own.
const BEGINNING_WEIGHT = 0.5

export function subjectBuilder(title: string, name = ''): SubjectBuilder {
  // The names as they are written. Their terms are made once for each name at the end, not for each occurrence.
  const counts = new Map<string, { count: number; language: Language }>()
  let length = 0
  let beginning = ''
  let firstLanguage: Language = 'xx'
  return {
    add: (text, language) => {
      if (length === 0) firstLanguage = language
      if (beginning.length < BEGINNING_CHARACTERS) beginning += `${text.slice(0, BEGINNING_CHARACTERS)}\n`
      for (const name of namesIn(text, language)) {
        const previousCount = counts.get(name)
        if (previousCount) previousCount.count++
        else counts.set(name, { count: 1, language })
      }
      length += text.length / CHARACTERS_A_WORD
      if (counts.size > MAX_COUNTED_NAMES)
        for (const [name, { count }] of counts) if (count === 1) counts.delete(name)
    },
    subject: () => {
      const weights = new Map<string, number>()
      const titleAndName = `${title}\n${name}`
      if (length >= MIN_LONG_WORDS) {
        for (const [term, weight] of heaviestNames(termsOf(counts), length)) weights.set(term, weight)
        for (const term of contentTerms(titleAndName, firstLanguage)) weights.set(term, 1)
      }
      const periods = periodsIn(titleAndName)
      const firstPeriods = periodsIn(beginning.slice(0, BEGINNING_CHARACTERS))
      for (const period of firstPeriods) weights.set(periodTerm(period), BEGINNING_WEIGHT)
      for (const period of periods) weights.set(periodTerm(period), 1)
      const byNumber = new Map([...weights].map(([term, weight]) => [termHash(term), weight]))
      return {
        terms: [...byNumber.keys()],
        weights: [...byNumber.values()].map(Math.fround),
        dated: lastDay(periods) ?? lastDay(firstPeriods) ?? null,
      }
    },
  }
}

const CHARACTERS_A_WORD = 6

function termsOf(names: ReadonlyMap<string, { count: number; language: Language }>): Map<string, number> {
  const terms = new Map<string, number>()
  for (const [name, { count, language }] of names)
    for (const term of contentTerms(name, language)) terms.set(term, (terms.get(term) ?? 0) + count)
  return terms
}

function heaviestNames(counts: ReadonlyMap<string, number>, length: number): [string, number][] {
  return [...counts]
    .filter(([, count]) => count >= MIN_COUNT)
    .map(([term, count]): [string, number] => {
      const density = (count * 1000) / length
      return [term, density / (density + HALF_DENSITY)]
    })
    .filter(([, weight]) => weight >= MIN_WEIGHT)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MAX_NAMES)
}

const lastDay = (periods: readonly string[]): string | undefined =>
  narrowest(periods).map(endOf).sort().at(-1)

// A capitalised word after a word in small letters or a comma. At the beginning of a sentence and in a heading any word may be
// capitalised. German capitalises all nouns, so that only titles and file names can be used there.
const NAME_PATTERN = /(?<=[\p{Ll},;] )\p{Lu}[\p{L}\p{N}’'&.-]*/gu

function namesIn(text: string, language: Language): string[] {
  if (language === 'de') return []
  return [...text.matchAll(NAME_PATTERN)].map(([name]) => name)
}

/** The term for a period. No word has this form. */
const periodTerm = (period: string): string => `@${period}`

/** The parts of a question that may name documents: the terms of its names and uncommon words, and its periods. */
interface SubjectQuery {
  names: Set<number>
  /** `narrow`: the narrowest periods that are named; `wide`: those that contain them. */
  periods: { narrow: Set<number>; wide: Set<number> }
  /** Whether it asks for the newest of several documents. */
  isLatest: boolean
}

const LATEST =
  /(?<!\p{L})(?:latest|most recent|newest|current|neueste[nrsm]?|aktuelle[nrsm]?|jüngste[nrsm]?|dernière?s?|plus récente?s?|último|última|más recientes?)(?!\p{L})/iu

/** Whether the word is in a dictionary, as "co-operative" and "long-term" are by their parts. In small letters such a word is no name. */
const isCommonWord = (raw: string, languages: readonly Language[]): boolean =>
  isWord(raw.replaceAll('-', ''), languages) || raw.split('-').every((part) => isWord(part, languages))

export function subjectQuery(query: AnalysedText, languages: readonly Language[]): SubjectQuery {
  const names = new Set<number>()
  // A person who uses capitals at all uses them for names. The words in small letters that are in no dictionary are then more often
  // technical terms: with them, nDCG@10 of scifact is .711 instead of .719.
  const hasCapitals = query.text !== query.text.toLowerCase()
  for (const word of query.words) {
    const { raw } = word
    // Words with digits are skipped: years are periods, and what a code names may be described in any document.
    if (/\d/.test(raw)) continue
    if (raw === raw.toLowerCase() && (hasCapitals || isCommonWord(raw, languages))) continue
    for (const language of languages)
      for (const { term, kind } of query.termsOf(word, language))
        if (kind === 'word') names.add(termHash(term))
  }
  const periods = periodsIn(query.text)
  const narrow = new Set(narrowest(periods))
  const numbers = (surfaces: readonly string[]): Set<number> =>
    new Set(surfaces.map((period) => termHash(periodTerm(period))))
  return {
    names,
    periods: {
      narrow: numbers([...narrow]),
      wide: numbers(periods.filter((period) => !narrow.has(period))),
    },
    isLatest: LATEST.test(query.text),
  }
}
