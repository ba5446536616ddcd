// Weights the terms of a query by their exact idf in the workspace. Corrects typos and adds compounds.

import type { TermOrigin } from '../../contract/inspection.ts'
import type { Space } from '../../embed/spaces.sql.ts'
import { idf, isPair, pairFrequency, queryVector, queryWeights, termHash } from '../../index/weights.ts'
import { type AnalysedText, analysedText } from '../../language/analysed-text.ts'
import type { Language } from '../../language/language.ts'
import { fold, words } from '../../language/words.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { QueryTerm } from '../passage.ts'
import type { SubjectRow } from '../subject.sql.ts'
import { termsOfSubjects } from '../subject.ts'
import {
  NO_COMPOUNDS,
  NO_RELATED,
  relatedCompounds,
  splitCompounds,
  wordsOfCompounding,
} from './compounds.ts'
import { emphasisIn } from './emphasis.ts'
import { lookUp, lookUpMore, type TermFrequencies } from './lookup.ts'
import { NO_CORRECTIONS, readMistyped, unknownWords } from './mistyped.ts'
import { type QueryReading, withOthers } from './reading.ts'
import { isCorrectable } from './spelling.ts'

/** `emphasis`: a factor of the term's weight, 1 if not set (emphasis.ts). */
export type WeighedTerm = QueryTerm & { hash: number; weight: number; emphasis?: number }

/** How a query was read, for the inspector. */
export interface QueryExplanation {
  corrections: { typed: string; terms: string[] }[]
  originOf: (term: string) => TermOrigin
  /** The word of the query for which a term was added: a compound of it, a part, or its correction. */
  typedWordFor: (term: string) => string | undefined
}

export interface WeighedQuery {
  explain: () => QueryExplanation
  terms: WeighedTerm[]
  /** The languages in which the query is analysed, those with most chunks first. */
  languages: Language[]
  /** How often the workspace's documents have changed. */
  changes: string
  /** Live chunks and documents of the workspace. */
  chunks: number
  documents: number
  /** The workspace's share of the chunks of all workspaces. */
  share: number
  /** The vector space for the search by meaning. Null if there is none. */
  space: Space | null
  /** The documents that are about the terms by which the query may name documents. Undefined if they have not been read yet. */
  subjects: readonly SubjectRow[] | undefined
}

export interface WeighOptions {
  scope?: string | undefined
  isCorrecting: boolean
  /** Whether words are weighted by their emphasis. False if only their frequencies are needed. */
  isEmphasized?: boolean
  /**
   * Whether the query may name documents. If so, the documents about its terms are read in the same round trip, if possible.
   */
  mayNameDocuments?: boolean
}

/**
 * The query's terms with their exact frequencies in the workspace. Undefined if there is no such scope. Does not check access.
 */
export async function weighQuery(
  db: Queryable,
  workspaceId: string,
  query: AnalysedText,
  { scope, isCorrecting, isEmphasized, mayNameDocuments }: WeighOptions,
): Promise<WeighedQuery | undefined> {
  // A long question names no document (stages/parse.ts). Whether it is long is known exactly only after the words of the
  // workspace are known.
  const subjectTermsOf = ({ main, weights }: QueryReading): readonly number[] | undefined =>
    mayNameDocuments && [...weights.values()].filter(isCertain).length <= MAX_SHORT_QUERY_WORDS
      ? termsOfSubjects(query, main)
      : undefined
  const { context, reading, termFrequencies, subjects } = await lookUp(db, workspaceId, {
    query,
    scope,
    subjectTermsOf,
  })
  const { spoken: languageCounts, space, is_scope, changes, all_chunks } = context
  if (!is_scope) return undefined
  const { chunks } = termFrequencies
  const { main, rare, compounds } = reading
  const weighed = withOthers(await weigh(db, workspaceId, reading.weights, termFrequencies), reading.others)
  const terms = weighed.filter(({ weight }) => weight > 0)
  const unknown = chunks > 0 ? unknownWords(query, main, terms) : []
  const misspelt = unknown.filter(isCorrectable)
  // In a language other than the query's, only words that do not belong to the query's language may be compounds or heads.
  // Otherwise the English "port", read as German, would be the head of support and transport.
  const df = (term: string): number => termFrequencies.frequencies.get(termHash(term)) ?? 0
  const workspaceShare = chunks / Math.max(1, chunks, all_chunks)
  const compoundingWords = compounds.language
    ? []
    : await wordsOfCompounding(db, workspaceId, query, { languageCounts, share: workspaceShare, df })
  const compoundingLanguage = compounds.language
    ? NO_COMPOUNDS
    : splitCompounds([...words([...misspelt, ...compoundingWords].join(' '))], [...main, ...rare])
  const termsWithParts = [
    ...weighed,
    ...(await weigh(db, workspaceId, compoundingLanguage.terms, termFrequencies)),
  ]
  const usedCompounds = compounds.language ? compounds : compoundingLanguage
  const related =
    chunks > 0 ? await relatedCompounds(db, workspaceId, usedCompounds, termsWithParts) : NO_RELATED
  const isUnknown = (raw: string): boolean =>
    usedCompounds === compoundingLanguage || !related.explained.has(fold(raw))
  const mistyped = isCorrecting
    ? await readMistyped(db, workspaceId, {
        unknown: unknown.filter(isUnknown),
        terms,
        languages: main,
      })
    : NO_CORRECTIONS
  const added = new Map([
    ...mistyped.terms,
    ...related.terms,
    ...termsInLanguages(misspelt.filter(isUnknown), rare),
  ])
  for (const { term } of terms) added.delete(term)
  const addedTerms = await weigh(db, workspaceId, added, termFrequencies)
  const moreTerms = related.settle(mistyped.settle(addedTerms)).filter(({ weight }) => weight > 0)
  const emphasis = isEmphasized ? emphasisIn(query, main) : new Map<string, number>()
  const emphasized = [...terms, ...moreTerms].map((term) => {
    const factor = emphasis.get(term.term)
    return factor === undefined ? term : { ...term, emphasis: factor }
  })
  const originOf = (term: string): TermOrigin => {
    if (reading.weights.has(term)) return 'typed'
    if (mistyped.terms.has(term)) return 'correction'
    return related.terms.has(term) ? 'compound' : 'other_language'
  }
  const explain = (): QueryExplanation => {
    const corrections = mistyped.choices(addedTerms)
    const typedWordFor = (term: string): string | undefined => {
      const folded = related.addedFor.get(term)
      return folded === undefined
        ? corrections.find((correction) => correction.terms.includes(term))?.typed
        : query.words.find(({ raw }) => fold(raw) === folded)?.raw
    }
    return { corrections, originOf, typedWordFor }
  }
  return {
    explain,
    terms: emphasized,
    languages: main,
    changes,
    chunks,
    documents: languageCounts.reduce((sum, row) => sum + row.documents, 0),
    share: workspaceShare,
    space,
    subjects,
  }
}

// The weight of the likeliest correction in another language: an English word with a typo may look like a Dutch stem.
const FOREIGN_WEIGHT = 0.8

/** The unknown words as terms of these languages. */
function termsInLanguages(unknown: readonly string[], languages: readonly Language[]): Map<string, number> {
  if (languages.length === 0) return new Map()
  const weights = queryWeights(analysedText(unknown.join(' ')), languages)
  return new Map([...weights].map(([term, weight]) => [term, FOREIGN_WEIGHT * weight]))
}

// Typed words have the weight 1, the likeliest correction has .8. If that correction is also certain, MuSiQue with typos has
// nDCG@10 .617, otherwise .602.
const MIN_CERTAIN_WEIGHT = 0.8

/** The number of words of the query that the workspace has. It distinguishes long questions from short ones. */
export const knownWords = (terms: readonly WeighedTerm[]): number => terms.filter(isWholeWord).length

/** Whether a term is a known whole word: not a pair, not a name beside its stem, not a doubtful correction. */
export const isWholeWord = ({ weight, df }: WeighedTerm): boolean => isCertain(weight) && df > 0

const isCertain = (weight: number): boolean => weight >= MIN_CERTAIN_WEIGHT

// A question with more words asks for several things at once and names them all. It needs no second hop, and passages of
// several documents are preferred more strongly. nDCG@10 of MultiHop-RAG (16 to 35 words) is .748 with a second hop and .758
// without. MuSiQue (4 to 13 words) has the same figures with 12, 14 and 20 here.
const MAX_SHORT_QUERY_WORDS = 14

export const isLong = (terms: readonly WeighedTerm[]): boolean => knownWords(terms) > MAX_SHORT_QUERY_WORDS

// The idf is raised to this power. A rare word is worth more than its idf, because the many common words of a question add up.
// Powers 1, 1.4, 1.5, 1.6, 2: MuSiQue R@5 .662, .679, .682, .705, .709; scifact nDCG@10 .705, .707, .706, .703, .690;
// MultiHop-RAG articles .765, .777 (1.4), .780 (1.6); FinanceBench pages .504, .502, .500, .502, .508.
const IDF_POWER = 1.5

/** A term's weight in the query vector. */
export const weightOf = ({
  weight,
  idf: termIdf,
  emphasis = 1,
}: Pick<WeighedTerm, 'weight' | 'idf' | 'emphasis'>): number => emphasis * weight * termIdf ** IDF_POWER

/**
 * The sum of the weights of all terms, which is a measure of the highest possible score by words. Terms that no chunk has are
 * included.
 */
export const maxScoreOf = (terms: readonly WeighedTerm[]): number =>
  [...new Map(terms.map((term) => [term.hash, term])).values()].reduce((sum, term) => sum + weightOf(term), 0)

/** The query vector, without terms that no chunk has. */
export const queryVectorOf = (terms: readonly WeighedTerm[]): string => queryVector(weightsOf(terms))

/** The query vector as arrays, ascending by term, with the same precision as in the database. */
export function float32Query(terms: readonly WeighedTerm[]): { terms: Int32Array; weights: Float32Array } {
  const weights = weightsOf(terms).sort((a, b) => a.term - b.term)
  return {
    terms: Int32Array.from(weights, ({ term }) => term),
    weights: Float32Array.from(weights, ({ weight }) => weight),
  }
}

const weightsOf = (terms: readonly WeighedTerm[]): { term: number; weight: number }[] =>
  [...new Map(terms.filter(({ df }) => df > 0).map((term) => [term.hash, term])).values()].map((term) => ({
    term: term.hash,
    weight: weightOf(term),
  }))

async function weigh(
  db: Queryable,
  workspaceId: string,
  weights: ReadonlyMap<string, number>,
  termFrequencies: TermFrequencies,
): Promise<WeighedTerm[]> {
  await lookUpMore(db, workspaceId, weights.keys(), termFrequencies)
  return [...weights].map(([term, weight]) => {
    const hash = termHash(term)
    const df = frequencyOf(term, termFrequencies)
    return { term, hash, weight, df, idf: idf(df, termFrequencies.chunks) }
  })
}

/** How many chunks have the term. For a pair this is an estimate. */
function frequencyOf(term: string, { frequencies, chunks }: TermFrequencies): number {
  const frequency = (part: string): number | undefined => frequencies.get(termHash(part))
  const df = Math.max(0, frequency(term) ?? 0)
  if (!isPair(term)) return df
  const [first = '', second = ''] = term.split(' ')
  return pairFrequency(df, frequency(first) ?? chunks, frequency(second) ?? chunks)
}
