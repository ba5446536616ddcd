// BM25 as an inner product of two vectors: the saturated weights of a chunk's terms, and the idf of a query's terms (Robertson and
// Zaragoza 2009; idf as in Lucene). Pure functions, shared by indexing and search.

import { analyse, analyseWords, type TermKind } from '../language/analyse.ts'
import type { AnalysedText } from '../language/analysed-text.ts'
import { foreignSentences } from '../language/guess.ts'
import type { Language } from '../language/language.ts'
import { words } from '../language/words.ts'

const K1 = 1.2
const B = 0.75
/** The weight of a term in a chunk stays below this, however often it occurs. */
export const MAX_TERM_SCORE = K1 + 1
// A constant of the chunker (about 220 words, 120 of them content), not of the corpus: a stored corpus average gets stale
// and reorders results; a drift of 10 % changed 130 of 200 top tens. The constant costs .005 nDCG on scifact and .01 on
// MuSiQue.
const AVERAGE_LENGTH = 120
// Title and heading path count twice: with 1, 2, 3 nDCG@10 of scifact .703, .701, .695, R@5 of MuSiQue .532, .535, .543. A
// title that is also the first heading counts once: counted in both fields it cost scifact .013.
const HEADING_WEIGHT = 2
// Weights of a query's terms. Pairs 0, .25, .4: MultiHop-RAG nDCG@10 .738, .753, .760, scifact .692, .701, .694. Unstemmed
// names 1, .5, 0: MuSiQue R@5 .520, .531, .506. `bare` terms (Vietnamese without its marks) count nothing in a query that has
// the marks: the right one of 120 paragraphs was first for .930 of 600 questions, with a weight of .5 for .922.
const QUERY_WEIGHT: Record<TermKind, number> = { word: 1, exact: 0.5, pair: 0.3, bare: 0 }
// The average length of whole documents. From 600 to 1,045, its true average, MultiHop-RAG has the same figures.
const AVERAGE_DOCUMENT_LENGTH = 1000
// pgvector's sparsevec holds at most 16,000 non-zero elements.
const MAX_TERMS = 16_000
// The vector of a document has at most this many terms, those that help queries most. In a long document a term that occurs
// once says little about the document, and most such terms are pairs. With 16,000, 4,000, 2,000, 1,500, 1,000 terms, nDCG@10
// of MultiHop-RAG articles is .778, with the last .775, of FinanceBench pages .498, .498, .507, .507, .512. All terms of a document
// of 11,000 words took 92 kB in 46 TOAST pieces. To read those of 185 documents took longer than to read 1,200 chunks.
const MAX_DOCUMENT_TERMS = 2000
// If a document has more different terms, the rarest are dropped. 6 MB of made-up words have 1.9 million, which took 3.6 s at once.
// 8 MB of prose have 480,000. With a limit of 100,000 at least 1,999 of their 2,000 heaviest terms stayed, and the weights differed
// by .03 at most.
const MAX_COUNTED_TERMS = 200_000
export const SPARSE_DIMENSIONS = 1_000_000_000

// Nine tenths of all terms are pairs of neighbouring words, and nine of ten pairs occur in a single chunk. So only the pairs of one
// chunk in eight are counted, each as eight. nDCG@10 by words and documents, every pair counted / one chunk in 4, 8, 16, 32:
// MultiHop-RAG .7817 / .7815, .7838, .7845, .7832; MuSiQue .6296 / .6272, .6292, .6283, .6324; scifact .7151 / .7172, .7164,
// .7129, .7126; with frequencies made from those of the two words .773 to .776, .628 and .710 to .713
// (docs/decisions/0037-indexing.md).
export const PAIR_SAMPLE = 8

/**
 * The number of chunks for which a chunk with this text counts in the frequency of its pairs: `PAIR_SAMPLE`, or 0 if it is
 * not in the sample. The text decides, so that equal texts rank alike in all workspaces.
 */
const pairSample = (text: string): number => (termHash(text) % PAIR_SAMPLE === 0 ? PAIR_SAMPLE : 0)

/** Whether a term is a pair of neighbouring words. */
export const isPair = (term: string): boolean => term.includes(' ')

/**
 * The number of chunks with a pair, from the estimate by the sample. It is at least one, since a sample cannot show that there is
 * none, and at most the number of chunks with its rarer word.
 */
export const pairFrequency = (estimate: number, first: number, second: number): number =>
  Math.min(first, second, Math.max(1, estimate))

/** A term's number, 1 to 999,999,999: FNV-1a over UTF-16 units with a final mix, stable across engines. */
export function termHash(term: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return 1 + (((hash ^ (hash >>> 16)) >>> 0) % 999_999_999)
}

interface IndexedText {
  title: string
  /** The file's name. A document is also found by its file name if that differs from its title. */
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
  /**
   * The terms by which candidates are found and from which frequencies are counted. They include pairs only if the chunk is in
   * the sample.
   */
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

/** Terms with their (weighted) frequencies, and the number of words they come from. */
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
 * The terms of a text. A sentence in another language also has the terms of that language, once each; they do not count for the
 * length. The bags of texts that end with a whole sentence can be added up, but for the terms
 * of foreign sentences, which would count once for each.
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

/** Builds the vector of a whole document from its chunks. Its score is a part of the score of each of them. */
export interface DocumentVectorBuilder {
  add(body: Bag, language: Language): void
  /** The number of different terms so far. */
  termCount(): number
  /**
   * The title counts as in a chunk. Null for a document of one chunk: such a chunk ranked worse if it was measured by the length of
   * documents, too (R@5 of MuSiQue .528 instead of .545).
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

/** Drops the rarest terms until `maxTerms` are left. If a dropped term occurs again, its count starts at one (Misra and Gries 1982). */
function forgetRarest(counts: Map<string, number>, maxTerms: number): void {
  for (let rare = 1; counts.size > maxTerms; rare++)
    for (const [term, count] of counts) if (count <= rare) counts.delete(term)
}

/** BM25's weight of each term without its idf. */
function saturatedWeights({ counts, length }: Bag, averageLength: number): WeightedTerm[] {
  const norm = K1 * (1 - B + (B * length) / averageLength)
  const entries: WeightedTerm[] = []
  for (const [word, tf] of counts)
    entries.push({ word, term: termHash(word), weight: (tf * (K1 + 1)) / (tf + norm) })
  return entries
}

interface WeightedTerm {
  word: string
  term: number
  weight: number
}

// The weight that the term can have for a query. Pairs have smaller weights in queries.
const queryWeight = ({ word, weight }: WeightedTerm): number =>
  weight * (isPair(word) ? QUERY_WEIGHT.pair : 1)

/**
 * The entries that help queries most, at most `limit`, in ascending order of their numbers. Of two words with the same number,
 * the one with the larger weight stays.
 */
function heaviestUnique(entries: WeightedTerm[], limit = MAX_TERMS): WeightedTerm[] {
  entries.sort((a, b) => a.term - b.term || b.weight - a.weight)
  const unique = entries.filter(({ term }, i) => term !== entries[i - 1]?.term)
  if (unique.length <= limit) return unique
  unique.sort((a, b) => queryWeight(b) - queryWeight(a) || a.term - b.term)
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
 * The distinct terms of a query in all given languages (the language of most chunks first), with the weight of their kind. Stop
 * words of the query's own language are left out: among German texts, `the` would be a rare word with a large weight.
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
 * The idf of Lucene. While documents are being deleted, more chunks may seem to have a term than there are. The result is positive
 * even then: the power of 1.5 of a negative number is NaN, and the search would fail.
 */
export const idf = (df: number, chunks: number): number =>
  Math.log(1 + (Math.max(0, chunks - df) + 0.5) / (Math.max(0, df) + 0.5))

/** The vector of a query (weight times idf) in the text form of pgvector. */
export const queryVector = (terms: { term: number; weight: number }[]): string =>
  sparseText(sparse([...terms].sort((a, b) => a.term - b.term)))
