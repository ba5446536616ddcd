// BM25 as an inner product of two vectors: the saturated weights of a chunk's terms, and the idf of a query's terms (Robertson and
// Zaragoza 2009; idf as in Lucene). Shared by indexing and search. Pure.

import { analyse, analyseWords, type TermKind } from '../language/analyse.ts'
import type { AnalysedText } from '../language/analysed-text.ts'
import { foreignSentences } from '../language/guess.ts'
import type { Language } from '../language/language.ts'
import { words } from '../language/words.ts'

const K1 = 1.2
const B = 0.75
/** The weight of a term in a chunk stays below this, however often the term occurs. */
export const MAX_TERM_SCORE = K1 + 1
// The average length of a chunk in words that are not stop words. It is a constant and not the average of the workspace, because a
// changing average reorders results: a change of 10 % changed the first ten results of 130 of 200 queries. The constant costs
// .005 of nDCG@10 on scifact.
const AVERAGE_LENGTH = 120
// A term of the title or the heading path counts as two terms of the text. With 1, 2 and 3, nDCG@10 of scifact is .703, .701 and
// .695, and R@5 of MuSiQue .532, .535 and .543.
const HEADING_WEIGHT = 2
// The weights of a query's terms by kind. With weights of 0, .25 and .4 for pairs, nDCG@10 of scifact is .692, .701 and .694.
// With weights of 1, .5 and 0 for unstemmed names (`exact`), R@5 of MuSiQue is .520, .531 and .506. Vietnamese words without
// their diacritics (`bare`) do not count in a query that has diacritics: with .5, fewer first results were right.
const QUERY_WEIGHT: Record<TermKind, number> = { word: 1, exact: 0.5, pair: 0.3, bare: 0 }
// The average length of a whole document in words that are not stop words. Any value from 600 to 1,045 (the true average) gives
// the same quality on MultiHop-RAG.
const AVERAGE_DOCUMENT_LENGTH = 1000
// pgvector's sparsevec holds at most 16,000 non-zero elements.
const MAX_TERMS = 16_000
// The vector of a document has at most this many terms, those that help queries most. A term that occurs once in a long document
// says little about it. Long vectors are slow to read, and do not help: with 16,000, 2,000 and 1,000 terms, nDCG@10 of
// MultiHop-RAG is .778, .778 and .775, and of FinanceBench .498, .507 and .512.
const MAX_DOCUMENT_TERMS = 2000
// If a document has more distinct terms, the rarest are dropped, because sorting 1.9 million terms (6 MB of random words) took 3.6
// s at once. 8 MB of prose have 480,000 terms; even with a limit of 100,000, nearly all of the heaviest 2,000 were the same.
const MAX_COUNTED_TERMS = 200_000
export const SPARSE_DIMENSIONS = 1_000_000_000

// Nine tenths of all terms are pairs of neighbouring words, and most pairs occur in a single chunk. To save space and time, only
// the pairs of one chunk in eight are counted, each as eight. The quality is the same as if every pair is counted
// (docs/decisions/0037-indexing.md).
export const PAIR_SAMPLE = 8

/**
 * How often a chunk with this text is counted in the frequencies of its pairs: `PAIR_SAMPLE` times, or 0 times if it is not in
 * the sample. The text alone decides, so that equal texts rank alike in all workspaces.
 */
const pairSample = (text: string): number => (termHash(text) % PAIR_SAMPLE === 0 ? PAIR_SAMPLE : 0)

/** Whether a term is a pair of neighbouring words. */
export const isPair = (term: string): boolean => term.includes(' ')

/**
 * The number of chunks with a pair, by the estimate from the sample: at least one, because a sample cannot show that there is none,
 * and at most the number of chunks with the rarer of its words (`first`, `second`).
 */
export const pairFrequency = (estimate: number, first: number, second: number): number =>
  Math.min(first, second, Math.max(1, estimate))

/** A term's number, 1 to 999,999,999: FNV-1a over UTF-16 units with a final mix. The same on all platforms. */
export function termHash(term: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return 1 + (((hash ^ (hash >>> 16)) >>> 0) % 999_999_999)
}

interface IndexedText {
  title: string
  /** The file's name, by which the document is also found. */
  name?: string
  heading: string
  text: string
  language: Language
}

/** A sparse vector: term numbers in ascending order, and for each its weight in single precision. */
export interface Sparse {
  terms: number[]
  weights: number[]
}

interface LexicalVector extends Sparse {
  /** The terms by which candidates are found and that are counted. They include pairs only if the chunk is in the sample. */
  indexed: IndexedTerms
  /** The result of `pairSample` for the chunk. */
  pairs: number
  /** The number of terms that were left out because a sparse vector cannot hold so many. */
  dropped: number
  /** The terms of the text without title and heading, for the vector of its document. */
  body: Bag
}

/** Term numbers in ascending order, and for each the term itself. */
export interface IndexedTerms {
  terms: number[]
  words: string[]
}

/** A bag of words: terms with their (weighted) frequencies, and the number of words from which they come. */
export interface Bag {
  counts: ReadonlyMap<string, number>
  length: number
}

/** The vector of one chunk. @param body the terms of its text, if the caller has them */
export function toLexicalVector(chunk: IndexedText, body = bagOf(chunk.text, chunk.language)): LexicalVector {
  const counts = new Map(body.counts)
  let { length } = body
  for (const titleOrHeading of [chunk.title, headingWithoutTitle(chunk)]) {
    for (const { term, kind } of analyse(titleOrHeading, chunk.language)) {
      counts.set(term, (counts.get(term) ?? 0) + HEADING_WEIGHT)
      if (kind === 'word') length += HEADING_WEIGHT
    }
  }
  addName(counts, chunk.name, chunk.language)
  const weights = saturatedWeights({ counts, length }, AVERAGE_LENGTH)
  const heaviestTerms = heaviestUnique(weights)
  const pairs = pairSample(chunk.text)
  const indexedTerms = pairs > 0 ? heaviestTerms : heaviestTerms.filter(({ word }) => !isPair(word))
  return {
    ...sparse(heaviestTerms),
    indexed: { terms: indexedTerms.map(({ term }) => term), words: indexedTerms.map(({ word }) => word) },
    pairs,
    dropped: weights.length - heaviestTerms.length,
    body,
  }
}

/**
 * The terms of a text. For a sentence in another language, the terms of that language are added, each once and without counting
 * for the length.
 */
export function bagOf(text: string, language: Language): Bag {
  const counts = new Map<string, number>()
  let length = 0
  const worded = { text, words: [...words(text)] }
  for (const { term, kind } of analyseWords(worded, language)) {
    counts.set(term, (counts.get(term) ?? 0) + 1)
    if (kind === 'word') length++
  }
  for (const sentence of foreignSentences(worded, language))
    for (const { term } of analyse(sentence.text, sentence.language))
      if (!counts.has(term)) counts.set(term, 1)
  return { counts, length }
}

/** Adds the words of the file's name, each once, if they occur nowhere else. They do not count for the length. */
function addName(counts: Map<string, number>, name: string | undefined, language: Language): void {
  for (const { term } of analyse(name ?? '', language)) if (!counts.has(term)) counts.set(term, 1)
}

const headingWithoutTitle = ({ heading, title }: IndexedText): string => {
  const [topHeading = '', ...rest] = heading.split(' > ')
  return topHeading.trim() === title.trim() ? rest.join(' > ') : heading
}

/** Builds the vector of a whole document from its chunks. The document's score is a part of the score of each of its chunks. */
export interface DocumentVectorBuilder {
  add(body: Bag, language: Language): void
  /** The number of distinct terms so far. */
  termCount(): number
  /**
   * Null for a document of one chunk, which is scored by its chunk alone: with a vector of its own, R@5 of MuSiQue was .528
   * instead of .545.
   */
  vector(): Sparse | null
}

export function documentVectorBuilder(
  title: string,
  name?: string,
  maxCounted = MAX_COUNTED_TERMS,
): DocumentVectorBuilder {
  const counts = new Map<string, number>()
  let length = 0
  let chunks = 0
  const add = (bag: Bag, times: number): void => {
    for (const [term, count] of bag.counts) counts.set(term, (counts.get(term) ?? 0) + count * times)
    length += bag.length * times
    if (counts.size > maxCounted) forgetRarest(counts, maxCounted / 2)
  }
  return {
    add: (body, language) => {
      // The title is in the language of the first chunk.
      if (chunks++ === 0) {
        add(bagOf(title, language), HEADING_WEIGHT)
        addName(counts, name, language)
      }
      add(body, 1)
    },
    termCount: () => counts.size,
    vector: () => {
      if (chunks < 2) return null
      return sparse(
        heaviestUnique(saturatedWeights({ counts, length }, AVERAGE_DOCUMENT_LENGTH), MAX_DOCUMENT_TERMS),
      )
    },
  }
}

/**
 * Drops the rarest terms until at most `maxTerms` are left. A dropped term that occurs again is counted from one (Misra and Gries
 * 1982).
 */
function forgetRarest(counts: Map<string, number>, maxTerms: number): void {
  for (let rare = 1; counts.size > maxTerms; rare++)
    for (const [term, count] of counts) if (count <= rare) counts.delete(term)
}

/** BM25's weight of each term without its idf. */
function saturatedWeights({ counts, length }: Bag, averageLength: number): WeightedWord[] {
  const norm = K1 * (1 - B + (B * length) / averageLength)
  const entries: WeightedWord[] = []
  for (const [word, tf] of counts)
    entries.push({ word, term: termHash(word), weight: (tf * (K1 + 1)) / (tf + norm) })
  return entries
}

interface WeightedWord {
  word: string
  term: number
  weight: number
}

// The term's weight in the chunk times its weight in a query, which is smaller for pairs.
const weightForQueries = ({ word, weight }: WeightedWord): number =>
  weight * (isPair(word) ? QUERY_WEIGHT.pair : 1)

/**
 * The terms that help queries most, at most `limit`, in ascending order of their numbers. Of two terms with the same number, the
 * heavier one stays.
 */
function heaviestUnique(entries: WeightedWord[], limit = MAX_TERMS): WeightedWord[] {
  entries.sort((a, b) => a.term - b.term || b.weight - a.weight)
  const unique = entries.filter(({ term }, i) => term !== entries[i - 1]?.term)
  if (unique.length <= limit) return unique
  unique.sort((a, b) => weightForQueries(b) - weightForQueries(a) || a.term - b.term)
  return unique.slice(0, limit).sort((a, b) => a.term - b.term)
}

const sparse = (entries: { term: number; weight: number }[]): Sparse => ({
  terms: entries.map(({ term }) => term),
  weights: entries.map(({ weight }) => Math.fround(weight)),
})

/** The text form of pgvector. Nine digits represent a number of single precision exactly. */
export const sparseText = ({ terms, weights }: Sparse): string =>
  `{${terms.map((term, i) => `${term}:${weights[i]?.toPrecision(9)}`).join(',')}}/${SPARSE_DIMENSIONS}`

/**
 * The distinct terms of a query in all given languages, with the weight of their kind. Stop words of the query's own language are
 * left out in all languages: among German texts, `the` would be a rare word with a large weight.
 * @param languages those with most chunks first
 */
export function queryWeights(query: AnalysedText, languages: readonly Language[]): Map<string, number> {
  const textLanguage = query.languageAmong(languages)
  const weights = new Map<string, number>()
  for (const language of languages) {
    for (const { term, kind } of query.terms(language, textLanguage)) {
      weights.set(term, Math.max(weights.get(term) ?? 0, QUERY_WEIGHT[kind]))
    }
  }
  return weights
}

/**
 * The idf of Lucene. While documents are being deleted, `df` may be larger than `chunks`. The result must be positive even then,
 * because search raises it to a power, which is NaN for a negative number.
 */
export const idf = (df: number, chunks: number): number =>
  Math.log(1 + (Math.max(0, chunks - df) + 0.5) / (Math.max(0, df) + 0.5))

/** The vector of a query (weight times idf) in the text form of pgvector. */
export const queryVector = (terms: { term: number; weight: number }[]): string =>
  sparseText(sparse([...terms].sort((a, b) => a.term - b.term)))
