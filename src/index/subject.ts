// The subject of a document, which questions may name: the words of its title and file name, the names that occur often in it,
// and the period that it covers. A question about "Acme's sales in the third quarter" means certain documents, although few of
// their passages repeat "Acme" or the quarter. Shared by indexing and search. Pure.

import { contentTerms } from '../language/analyse.ts'
import type { AnalysedText } from '../language/analysed-text.ts'
import { isWord } from '../language/dictionary.ts'
import type { Language } from '../language/language.ts'
import { endOf, narrowest, periodsIn } from '../language/periods.ts'
import { termHash } from './weights.ts'

export interface Subject {
  /** The numbers of the terms, each once. */
  terms: number[]
  /** For each of the terms, how much the document is about it, 0 to 1. */
  weights: number[]
  /** The last day of the period that the document covers, as `2023-09-30`. Null if title, file name and beginning state none. */
  dated: string | null
}

/** Builds the subject of a document from its chunks. */
interface SubjectBuilder {
  add(text: string, language: Language): void
  subject(): Subject
}

// The first lines of a document state its date, period and parties.
const MAX_BEGINNING_CHARACTERS = 2000
// A name that occurs d times in a thousand words has the weight d / (d + .5). In 20 filings of five companies, the name of the
// filing company occurs .8 to 4 times in a thousand words (weight .6 to .9), the name of another company at most .1 times (.17).
const HALF_WEIGHT_DENSITY = 0.5
const MIN_WEIGHT = 0.15
// A name that occurs less often is only mentioned, and the document is not about it.
const MIN_NAME_COUNT = 3
// The subject of a shorter text has only its periods, because its few passages contain its names anyway. With names, nDCG@10 of
// scifact (abstracts) was .031 lower.
const MIN_WORDS_FOR_NAMES = 500
const MAX_NAMES = 40
// A limit for texts of millions of words. If there are more names, those that occurred once are dropped.
const MAX_COUNTED_NAMES = 20_000
// The weight of a period at the beginning of the text, which need not be the period of the document.
const BEGINNING_WEIGHT = 0.5

export function subjectBuilder(title: string, name = ''): SubjectBuilder {
  // The names as they are written. At the end they are analysed once each.
  const nameCounts = new Map<string, { count: number; language: Language }>()
  let wordCount = 0
  let beginningText = ''
  let firstLanguage: Language = 'xx'
  return {
    add: (text, language) => {
      if (wordCount === 0) firstLanguage = language
      if (beginningText.length < MAX_BEGINNING_CHARACTERS)
        beginningText += `${text.slice(0, MAX_BEGINNING_CHARACTERS)}\n`
      for (const name of namesIn(text, language)) {
        const previousCount = nameCounts.get(name)
        if (previousCount) previousCount.count++
        else nameCounts.set(name, { count: 1, language })
      }
      wordCount += text.length / CHARACTERS_PER_WORD
      if (nameCounts.size > MAX_COUNTED_NAMES)
        for (const [name, { count }] of nameCounts) if (count === 1) nameCounts.delete(name)
    },
    subject: () => {
      const weights = new Map<string, number>()
      const titleAndName = `${title}\n${name}`
      if (wordCount >= MIN_WORDS_FOR_NAMES) {
        for (const [term, weight] of heaviestTerms(termsOf(nameCounts), wordCount)) weights.set(term, weight)
        for (const term of contentTerms(titleAndName, firstLanguage)) weights.set(term, 1)
      }
      const periods = periodsIn(titleAndName)
      const firstPeriods = periodsIn(beginningText.slice(0, MAX_BEGINNING_CHARACTERS))
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

const CHARACTERS_PER_WORD = 6

function termsOf(names: ReadonlyMap<string, { count: number; language: Language }>): Map<string, number> {
  const terms = new Map<string, number>()
  for (const [name, { count, language }] of names)
    for (const term of contentTerms(name, language)) terms.set(term, (terms.get(term) ?? 0) + count)
  return terms
}

function heaviestTerms(counts: ReadonlyMap<string, number>, wordCount: number): [string, number][] {
  return [...counts]
    .filter(([, count]) => count >= MIN_NAME_COUNT)
    .map(([term, count]): [string, number] => {
      const density = (count * 1000) / wordCount
      return [term, density / (density + HALF_WEIGHT_DENSITY)]
    })
    .filter(([, weight]) => weight >= MIN_WEIGHT)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MAX_NAMES)
}

/** The last day of the narrowest periods. */
const lastDay = (periods: readonly string[]): string | undefined =>
  narrowest(periods).map(endOf).sort().at(-1)

// Matches a capitalised word after a lower-case word or a comma: "Acme" in "sales of Acme". At the beginning of a sentence and in a
// heading, any word may be capitalised. German capitalises all nouns, so it has no such names.
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
  /** `exact`: the shortest periods that the query names; `containing`: longer periods that contain them. */
  periods: { exact: Set<number>; containing: Set<number> }
  /** Whether the question asks for the newest of several documents. */
  isLatest: boolean
}

const LATEST =
  /(?<!\p{L})(?:latest|most recent|newest|current|neueste[nrsm]?|aktuelle[nrsm]?|jüngste[nrsm]?|dernière?s?|plus récente?s?|último|última|más recientes?)(?!\p{L})/iu

/** Whether the word is in a dictionary without its hyphens ("co-operative") or in parts ("long-term"). */
const isCommonWord = (raw: string, languages: readonly Language[]): boolean =>
  isWord(raw.replaceAll('-', ''), languages) || raw.split('-').every((part) => isWord(part, languages))

export function subjectQuery(query: AnalysedText, languages: readonly Language[]): SubjectQuery {
  const names = new Set<number>()
  // If a query has capitals, its names are capitalised, and its other words are no names, even if they are in no dictionary. They
  // are mostly technical terms: with these as names, nDCG@10 of scifact is .711 instead of .719.
  const hasCapitals = query.text !== query.text.toLowerCase()
  for (const word of query.words) {
    const { raw } = word
    // Words with digits are skipped: a year is a period, and a code does not show which document is about it.
    if (/\d/.test(raw)) continue
    if (raw === raw.toLowerCase() && (hasCapitals || isCommonWord(raw, languages))) continue
    for (const language of languages)
      for (const { term, kind } of query.termsOf(word, language))
        if (kind === 'word') names.add(termHash(term))
  }
  const periods = periodsIn(query.text)
  const exact = new Set(narrowest(periods))
  const termNumbers = (periodNames: readonly string[]): Set<number> =>
    new Set(periodNames.map((period) => termHash(periodTerm(period))))
  return {
    names,
    periods: {
      exact: termNumbers([...exact]),
      containing: termNumbers(periods.filter((period) => !exact.has(period))),
    },
    isLatest: LATEST.test(query.text),
  }
}
