// What a document is about, by which questions name it: the words of its title and file name, the names it is full of, and the
// period it is for. A question for "Acme's sales in the third quarter" means some of the documents, although few of their
// passages say Acme or the quarter again. Pure; shared by indexing and search.

import { contentTerms } from '../language/analyse.ts'
import type { AnalysedText } from '../language/analysed-text.ts'
import { isWord } from '../language/dictionary.ts'
import type { Language } from '../language/language.ts'
import { endOf, narrowest, periodsIn } from '../language/periods.ts'
import { termHash } from './weights.ts'

export interface Subject {
  /** Numbers of its terms, each once, and parallel to them how much the document is about each, 0 to 1. */
  terms: number[]
  weights: number[]
  /** The last day of the period it is for, `2023-09-30`; null if neither name, title nor beginning says one. */
  dated: string | null
}

/** Gathers the subject of a document chunk by chunk. */
export interface SubjectSide {
  add(text: string, language: Language): void
  subject(): Subject
}

// The first lines of a document say its date, period and parties.
const BEGINNING = 2000
// A name's weight is its density in a thousand words, saturated: half at one in two thousand. Of 20 filings of five companies
// each names its own company .8 to 4 times in a thousand words, another one at most .1 times.
const HALF_DENSITY = 0.5
const MIN_WEIGHT = 0.15
// A name that is said less often is mentioned, and not what the document is about.
const MIN_COUNT = 3
// In words. A shorter text says its names in its passages, and its title is a part of them: preferring it by them once more
// cost scifact (abstracts) .031 of its nDCG@10. Only the periods of such a text are kept.
const LONG = 500
const MAX_NAMES = 40
// Counted names of a text of millions of words: more are forgotten, the rarest first.
const MAX_COUNTED = 20_000
// A date at the beginning may be another one than the document's own.
const BEGINNING_WEIGHT = 0.5

export function subjectSide(title: string, name = ''): SubjectSide {
  // As written: their terms are made once for each name at the end, not for each time that it is said.
  const counts = new Map<string, { count: number; language: Language }>()
  let length = 0
  let beginning = ''
  let own: Language = 'xx'
  return {
    add: (text, language) => {
      if (length === 0) own = language
      if (beginning.length < BEGINNING) beginning += `${text.slice(0, BEGINNING)}\n`
      for (const name of namesIn(text, language)) {
        const previousCount = counts.get(name)
        if (previousCount) previousCount.count++
        else counts.set(name, { count: 1, language })
      }
      length += text.length / CHARACTERS_A_WORD
      if (counts.size > MAX_COUNTED)
        for (const [name, { count }] of counts) if (count === 1) counts.delete(name)
    },
    subject: () => {
      const weights = new Map<string, number>()
      const titledName = `${title}\n${name}`
      if (length >= LONG) {
        for (const [term, weight] of heaviestNames(termsOf(counts), length)) weights.set(term, weight)
        for (const term of contentTerms(titledName, own)) weights.set(term, 1)
      }
      const periods = periodsIn(titledName)
      const first = periodsIn(beginning.slice(0, BEGINNING))
      for (const period of first) weights.set(periodTerm(period), BEGINNING_WEIGHT)
      for (const period of periods) weights.set(periodTerm(period), 1)
      const byNumber = new Map([...weights].map(([term, weight]) => [termHash(term), weight]))
      return {
        terms: [...byNumber.keys()],
        weights: [...byNumber.values()].map(Math.fround),
        dated: lastDay(periods) ?? lastDay(first) ?? null,
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

// A capitalised word behind a small one or a comma; at the beginning of a sentence or in a heading every word is capitalised.
// German writes all nouns so: there only titles and file names tell.
const NAME = /(?<=[\p{Ll},;] )\p{Lu}[\p{L}\p{N}’'&.-]*/gu

function namesIn(text: string, language: Language): string[] {
  if (language === 'de') return []
  return [...text.matchAll(NAME)].map(([name]) => name)
}

/** The term of a period; no word has this form. */
const periodTerm = (period: string): string => `@${period}`

/** What of a question may name documents: terms of its names and uncommon words, and the periods it says. */
export interface SubjectQuery {
  names: Set<number>
  /** Periods, the narrowest first, with those that contain them. */
  periods: { narrow: Set<number>; wide: Set<number> }
  /** It asks for the newest of several. */
  isLatest: boolean
}

const LATEST =
  /(?<!\p{L})(?:latest|most recent|newest|current|neueste[nrsm]?|aktuelle[nrsm]?|jüngste[nrsm]?|dernière?s?|plus récente?s?|último|última|más recientes?)(?!\p{L})/iu

/** "co-operative" and "long-term" are words too: written small they name no document. */
const isNoun = (raw: string, languages: readonly Language[]): boolean =>
  isWord(raw.replaceAll('-', ''), languages) || raw.split('-').every((part) => isWord(part, languages))

export function subjectQuery(query: AnalysedText, languages: readonly Language[]): SubjectQuery {
  const names = new Set<number>()
  // Who writes capitals writes names with them; scifact nDCG@10 .719, and .711 with words in small letters that are in no
  // dictionary, since such are technical terms oftener.
  const hasCapitals = query.text !== query.text.toLowerCase()
  for (const word of query.words) {
    const { raw } = word
    // Years are periods, and a code names a thing of which any document may say most.
    if (/\d/.test(raw)) continue
    if (raw === raw.toLowerCase() && (hasCapitals || isNoun(raw, languages))) continue
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
