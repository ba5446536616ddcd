// BM25 as an inner product: the saturated weights of a chunk's terms on one side, the idf of a query's terms on the other
// (Robertson and Zaragoza 2009; idf as in Lucene). Pure; shared by indexing and search.

import { analyse, type TermKind } from '../language/analyse.ts'
import type { AnalysedText } from '../language/analysed-text.ts'
import type { Language } from '../language/language.ts'

const K1 = 1.2
const B = 0.75
/** The weight of a term in a chunk stays below this, however often it occurs. */
export const MAX_SATURATED = K1 + 1
// A constant of the chunker (about 220 words, 120 of them content), not of the corpus: a stored corpus average gets stale
// and reorders results; a drift of 10 % changed 130 of 200 top tens. Costs .005 nDCG on scifact, .01 on MuSiQue.
const AVERAGE_LENGTH = 120
// Title and heading path count twice: with 1, 2, 3 nDCG@10 of scifact .703, .701, .695, R@5 of MuSiQue .532, .535, .543. A
// title that is also the first heading counts once: counted in both fields it cost scifact .013.
const HEAD_WEIGHT = 2
// Weights of a query's terms. Pairs 0, .25, .4: MultiHop-RAG nDCG@10 .738, .753, .760, scifact .692, .701, .694.
// Unstemmed names at .5 (1: MuSiQue R@5 .520, .5: .531, 0: .506).
// Vietnamese typed with its marks asks for no other: at .5 the right one of 120 paragraphs first for .922 of 600 questions, .930 so.
const QUERY_WEIGHT: Record<TermKind, number> = { word: 1, exact: 0.5, pair: 0.3, bare: 0 }
// The same for whole documents; MultiHop-RAG has the same figures from 600 to 1,045, its average.
const AVERAGE_DOCUMENT = 1000
// pgvector's sparsevec holds at most 16,000 non-zero elements.
const MAX_TERMS = 16_000
// Terms kept of a whole document, those that queries gain most from: in a long one a term that occurs once says nothing
// about the whole, and most such terms are pairs. With 16,000, 4,000, 2,000, 1,500, 1,000: MultiHop-RAG articles nDCG@10 .778
// throughout but .775 at the last, FinanceBench pages .498, .498, .507, .507, .512. A document of 11,000 words had 92 kB of
// them in 46 TOAST pieces: reading those of 185 documents took more time than 1,200 chunks.
const MAX_OF_DOCUMENT = 2000
// Beyond so many different terms the rarest are forgotten: 6 MB of made-up words have 1.9 million, which took 3.6 s in one
// go. 8 MB of prose have 480,000; counting no more than 100,000 kept at least 1,999 of their 2,000 terms, with weights off by
// .03 at most.
const MAX_COUNTED = 200_000
export const SPARSE_DIMENSIONS = 1_000_000_000

// Nine tenths of all terms are pairs of neighbouring words, and nine of ten pairs are in one chunk alone. So the pairs of one
// chunk in eight are counted, for eight. nDCG@10 by words and documents, every pair counted / one chunk in 4, 8, 16, 32:
// MultiHop-RAG .7817 / .7815, .7838, .7845, .7832; MuSiQue .6296 / .6272, .6292, .6283, .6324; scifact .7151 / .7172, .7164,
// .7129, .7126; with frequencies made from those of the two words .773 to .776, .628 and .710 to .713
// (docs/decisions/0037-indexing.md).
export const PAIR_SAMPLE = 8

/** For how many chunks the pairs of a chunk with this text are counted. By its text, so that equal texts rank alike everywhere. */
export const pairSample = (text: string): number => (termHash(text) % PAIR_SAMPLE === 0 ? PAIR_SAMPLE : 0)

/** Whether a term is a pair of neighbouring words. */
export const isPair = (term: string): boolean => term.includes(' ')

/**
 * In how many chunks a pair is, from the estimate by the sample: in one at least, since no sample tells that it is in none, and
 * in no more than its rarer word.
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

export interface IndexedText {
  title: string
  /** The file's name: the document is found by it whatever its title is. */
  name?: string
  heading: string
  text: string
  language: Language
}

/** A sparse vector: term numbers, ascending, and parallel to them the weights in single precision. */
export interface Sparse {
  terms: number[]
  weights: number[]
}

export interface LexicalSide extends Sparse {
  /** What candidates are found by and frequencies are counted from: its terms, but pairs only if it is in the sample. */
  indexed: IndexedTerms
  /** For how many chunks its pairs are counted: `PAIR_SAMPLE` if it is in the sample, else 0. */
  pairs: number
  /** Terms left out because the chunk had more than a sparse vector can hold. */
  dropped: number
  /** What the text adds to its document: how often each term occurs in it, and its length. */
  body: Bag
}

/** Term numbers, ascending, and parallel to them the terms themselves. */
export interface IndexedTerms {
  terms: number[]
  words: string[]
}

/** Terms with their (weighted) frequencies, and the number of words they come from. */
export interface Bag {
  counts: ReadonlyMap<string, number>
  length: number
}

/** The document side of BM25 for one chunk. @param body the terms of its text, if they are known */
export function lexicalSide(chunk: IndexedText, body = bagOf(chunk.text, chunk.language)): LexicalSide {
  const counts = new Map(body.counts)
  let { length } = body
  for (const head of [chunk.title, headingWithoutTitle(chunk)]) {
    for (const { term, kind } of analyse(head, chunk.language)) {
      counts.set(term, (counts.get(term) ?? 0) + HEAD_WEIGHT)
      if (kind === 'word') length += HEAD_WEIGHT
    }
  }
  addName(counts, chunk.name, chunk.language)
  const all = saturated({ counts, length }, AVERAGE_LENGTH)
  const heaviestTerms = heaviest(all)
  const pairs = pairSample(chunk.text)
  const indexed = pairs > 0 ? heaviestTerms : heaviestTerms.filter(({ word }) => !isPair(word))
  return {
    ...sparse(heaviestTerms),
    indexed: { terms: indexed.map(({ term }) => term), words: indexed.map(({ word }) => word) },
    pairs,
    dropped: all.length - heaviestTerms.length,
    body,
  }
}

/** The terms of a text. Bags of texts that end with a sentence can be added up. */
export function bagOf(text: string, language: Language): Bag {
  const counts = new Map<string, number>()
  let length = 0
  for (const { term, kind } of analyse(text, language)) {
    counts.set(term, (counts.get(term) ?? 0) + 1)
    if (kind === 'word') length++
  }
  return { counts, length }
}

/** Words of the file's name count once, if they occur nowhere else; they do not add to the length. */
function addName(counts: Map<string, number>, name: string | undefined, language: Language): void {
  for (const { term } of analyse(name ?? '', language)) if (!counts.has(term)) counts.set(term, 1)
}

const headingWithoutTitle = ({ heading, title }: IndexedText): string => {
  const [first = '', ...rest] = heading.split(' > ')
  return first.trim() === title.trim() ? rest.join(' > ') : heading
}

/** Gathers the terms of a whole document chunk by chunk, for ranking its chunks together with it. */
export interface DocumentSide {
  add(body: Bag, language: Language): void
  /** How many different terms it has. */
  counted(): number
  /**
   * The document side of BM25 for the whole document, its title counted as in a chunk. Null for a document of one chunk:
   * measured by the length of documents it ranked worse (MuSiQue R@5 .528, without .545).
   */
  lex(): Sparse | null
}

export function documentSide(title: string, name?: string, mostCounted = MAX_COUNTED): DocumentSide {
  const counts = new Map<string, number>()
  let length = 0
  let chunks = 0
  const add = (bag: Bag, times: number): void => {
    for (const [term, count] of bag.counts) counts.set(term, (counts.get(term) ?? 0) + count * times)
    length += bag.length * times
    if (counts.size > mostCounted) forgetRarest(counts, mostCounted / 2)
  }
  return {
    add: (body, language) => {
      // The title is in the language of the first chunk.
      if (chunks++ === 0) {
        add(bagOf(title, language), HEAD_WEIGHT)
        addName(counts, name, language)
      }
      add(body, 1)
    },
    counted: () => counts.size,
    lex: () => {
      if (chunks < 2) return null
      return sparse(heaviest(saturated({ counts, length }, AVERAGE_DOCUMENT), MAX_OF_DOCUMENT))
    },
  }
}

/** Drops the rarest terms until `most` are left; one that comes again is counted from then on (Misra and Gries 1982). */
function forgetRarest(counts: Map<string, number>, most: number): void {
  for (let rare = 1; counts.size > most; rare++)
    for (const [term, count] of counts) if (count <= rare) counts.delete(term)
}

/** BM25's weight of each term without its idf. */
function saturated({ counts, length }: Bag, averageLength: number): Weighted[] {
  const norm = K1 * (1 - B + (B * length) / averageLength)
  const entries: Weighted[] = []
  for (const [word, tf] of counts)
    entries.push({ word, term: termHash(word), weight: (tf * (K1 + 1)) / (tf + norm) })
  return entries
}

interface Weighted {
  word: string
  term: number
  weight: number
}

// What a query can gain from the term: pairs weigh less in queries.
const worth = ({ word, weight }: Weighted): number => weight * (isPair(word) ? QUERY_WEIGHT.pair : 1)

/** At most `most` entries, those of most worth, ordered by number. Of two words with one number the heavier stays. */
function heaviest(entries: Weighted[], most = MAX_TERMS): Weighted[] {
  entries.sort((a, b) => a.term - b.term || b.weight - a.weight)
  const unique = entries.filter(({ term }, i) => term !== entries[i - 1]?.term)
  if (unique.length <= most) return unique
  unique.sort((a, b) => worth(b) - worth(a) || a.term - b.term)
  return unique.slice(0, most).sort((a, b) => a.term - b.term)
}

const sparse = (entries: { term: number; weight: number }[]): Sparse => ({
  terms: entries.map(({ term }) => term),
  weights: entries.map(({ weight }) => Math.fround(weight)),
})

/** pgvector's text form; nine digits give a single precision number exactly. */
export const sparseText = ({ terms, weights }: Sparse): string =>
  `{${terms.map((term, i) => `${term}:${weights[i]?.toPrecision(9)}`).join(',')}}/${SPARSE_DIMENSIONS}`

/**
 * A query's distinct terms with the weight of their kind, read in all given languages (most chunks first). Stop words of
 * the query's own language never count: read as German, `the` would be a rare and heavy word.
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
 * Lucene's idf. Positive even when documents are deleted while they are counted, so that more chunks seem to have a term than
 * there are: its power of 1.5 was NaN then, and the search failed.
 */
export const idf = (df: number, chunks: number): number =>
  Math.log(1 + (Math.max(0, chunks - df) + 0.5) / (Math.max(0, df) + 0.5))

/** The query side, weight times idf, in pgvector's text form. */
export const querySide = (terms: { term: number; weight: number }[]): string =>
  sparseText(sparse([...terms].sort((a, b) => a.term - b.term)))
