// Weights the terms of a query by their exact idf in the workspace. Corrects typos and adds compounds.

import type { TermOrigin } from '../../contract/inspection.ts'
import type { Space } from '../../embed/spaces.sql.ts'
import {
  idf,
  isPair,
  MAX_TERM_SCORE,
  pairFrequency,
  queryVector,
  queryWeights,
  termHash,
} from '../../index/weights.ts'
import { type AnalysedText, analysedText } from '../../language/analysed-text.ts'
import type { Language } from '../../language/language.ts'
import { fold, words } from '../../language/words.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { WeightedQueryTerm } from '../passage.ts'
import type { SubjectRow } from '../subject.sql.ts'
import { termsOfSubjects } from '../subject.ts'
import {
  NO_COMPOUNDS,
  NO_RELATED,
  relatedCompounds,
  splitCompounds,
  wordsOfCompounding,
} from './compounds.ts'
import { emphasisOf } from './emphasis.ts'
import { findJoinedWords, type JoinedWord, joinableWords, partsOfJoined, termsByPart } from './joined.ts'
import { lookUpMissing, lookUpQuery, type TermFrequencies } from './lookup.ts'
import { findCorrections, NO_CORRECTIONS, unknownWords } from './mistyped.ts'
import { type QueryReading, withForeignTermsLowered } from './reading.ts'
import { isCorrectable } from './spelling.ts'

export interface WeightedTerm extends WeightedQueryTerm {
  hash: number
  /** A factor of the term's weight, 1 if not set (emphasis.ts). */
  emphasis?: number
}

/** How a query was read, for the inspector. */
export interface QueryExplanation {
  corrections: { typed: string; terms: string[] }[]
  originOf: (term: string) => TermOrigin
  /** The word of the query for which a term was added: a compound of it, a part, or its correction. */
  typedWordFor: (term: string) => string | undefined
  /** The terms of words that the documents write as one with their neighbour, by each of the two words, folded. */
  joinedTerms: ReadonlyMap<string, readonly string[]>
}

export interface WeightedQuery {
  explain: () => QueryExplanation
  terms: WeightedTerm[]
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

interface WeighOptions {
  scope?: string | undefined
  isCorrecting: boolean
  /** Whether words get an emphasis. False if only their frequencies are needed. */
  usesEmphasis?: boolean
  /** Whether the query may name documents. If so, the documents about its terms are read in the same round trip if possible. */
  mayNameDocuments?: boolean
}

/**
 * The query's terms with their exact frequencies in the workspace. Undefined if there is no such scope. Does not check access.
 */
export async function weighQuery(
  db: Queryable,
  workspaceId: string,
  query: AnalysedText,
  { scope, isCorrecting, usesEmphasis, mayNameDocuments }: WeighOptions,
): Promise<WeightedQuery | undefined> {
  // No documents are read for a long question, because it names none (stages/parse.ts). This is an estimate: exactly, only
  // words that the workspace has count, and these have not been looked up yet.
  const subjectTermsOf = ({ mainLanguages, weights }: QueryReading): readonly number[] | undefined =>
    mayNameDocuments && [...weights.values()].filter(isCertain).length <= MAX_SHORT_QUERY_WORDS
      ? termsOfSubjects(query, mainLanguages)
      : undefined
  const { context, reading, termFrequencies, subjects } = await lookUpQuery(db, workspaceId, {
    query,
    scope,
    subjectTermsOf,
  })
  const { spoken: languageCounts, space, is_scope, changes, all_chunks } = context
  if (!is_scope) return undefined
  const { chunks } = termFrequencies
  const { mainLanguages, rareLanguages, compounds } = reading
  const weightedTerms = withForeignTermsLowered(
    await weightTerms(db, workspaceId, reading.weights, termFrequencies),
    reading.foreignTerms,
  )
  const terms = weightedTerms.filter(({ weight }) => weight > 0)
  const joined =
    chunks > 0
      ? await findJoinedWords(db, workspaceId, joinableWords(query, mainLanguages, terms), termFrequencies)
      : []
  const joinedParts = partsOfJoined(joined)
  const unknown = (chunks > 0 ? unknownWords(query, mainLanguages, terms) : []).filter(
    (raw) => !joinedParts.has(fold(raw)),
  )
  const misspelt = unknown.filter(isCorrectable)
  // In a language that is not the query's, only words that do not belong to the query's language may be parts of compounds.
  // Otherwise the English "port", read as German, would be the head of "support" and "transport".
  const df = (term: string): number => termFrequencies.frequencies.get(termHash(term)) ?? 0
  const workspaceShare = chunks / Math.max(1, chunks, all_chunks)
  const otherLanguageWords = compounds.language
    ? []
    : await wordsOfCompounding(db, workspaceId, query, { languageCounts, share: workspaceShare, df })
  const otherLanguageCompounds = compounds.language
    ? NO_COMPOUNDS
    : splitCompounds(
        [...words([...misspelt, ...otherLanguageWords].join(' '))],
        [...mainLanguages, ...rareLanguages],
      )
  const termsWithParts = [
    ...weightedTerms,
    ...(await weightTerms(db, workspaceId, otherLanguageCompounds.terms, termFrequencies)),
  ]
  const usedCompounds = compounds.language ? compounds : otherLanguageCompounds
  const related =
    chunks > 0 ? await relatedCompounds(db, workspaceId, usedCompounds, termsWithParts) : NO_RELATED
  const isUnknown = (raw: string): boolean =>
    usedCompounds === otherLanguageCompounds || !related.explained.has(fold(raw))
  const mistyped = isCorrecting
    ? await findCorrections(db, workspaceId, {
        unknown: unknown.filter(isUnknown),
        terms,
        languages: mainLanguages,
      })
    : NO_CORRECTIONS
  const added = new Map([
    ...mistyped.terms,
    ...joined.flatMap((word) => word.terms.map((term) => [term, 1] as const)),
    ...related.terms,
    ...termsInLanguages(misspelt.filter(isUnknown), rareLanguages),
  ])
  for (const { term } of terms) added.delete(term)
  const addedTerms = await weightTerms(db, workspaceId, added, termFrequencies)
  const correctedAndRelated = related.settle(mistyped.settle(addedTerms)).filter(({ weight }) => weight > 0)
  const emphasis = usesEmphasis ? emphasisOf(query, mainLanguages) : new Map<string, number>()
  const emphasized = [...terms, ...correctedAndRelated].map((term) => {
    const factor = emphasis.get(term.term)
    return factor === undefined ? term : { ...term, emphasis: factor }
  })
  const joinedWordOf = (term: string): JoinedWord | undefined =>
    joined.find(({ terms: joinedTerms }) => joinedTerms.includes(term))
  const originOf = (term: string): TermOrigin => {
    if (reading.weights.has(term)) return 'typed'
    if (mistyped.terms.has(term)) return 'correction'
    return related.terms.has(term) || joinedWordOf(term) ? 'compound' : 'other_language'
  }
  const explain = (): QueryExplanation => {
    const corrections = mistyped.choices(addedTerms)
    const typedWordFor = (term: string): string | undefined => {
      const joinedWord = joinedWordOf(term)
      if (joinedWord) return joinedWord.words.join(' ')
      const folded = related.addedFor.get(term)
      return folded === undefined
        ? corrections.find((correction) => correction.terms.includes(term))?.typed
        : query.words.find(({ raw }) => fold(raw) === folded)?.raw
    }
    return { corrections, originOf, typedWordFor, joinedTerms: termsByPart(joined) }
  }
  return {
    explain,
    terms: emphasized,
    languages: mainLanguages,
    changes,
    chunks,
    documents: languageCounts.reduce((sum, row) => sum + row.documents, 0),
    share: workspaceShare,
    space,
    subjects,
  }
}

// The weight of an unknown word that is read as a term of a rare language. It is that of a likely correction, because the word
// may be mistyped: an English word with a typo may look like a Dutch stem.
const RARE_LANGUAGE_WEIGHT = 0.8

/** The unknown words as terms of these languages. */
function termsInLanguages(unknown: readonly string[], languages: readonly Language[]): Map<string, number> {
  if (languages.length === 0) return new Map()
  const weights = queryWeights(analysedText(unknown.join(' ')), languages)
  return new Map([...weights].map(([term, weight]) => [term, RARE_LANGUAGE_WEIGHT * weight]))
}

// A typed word has the weight 1, and the likeliest of several corrections has .8, which counts as certain: nDCG@10 of MuSiQue
// with typos is then .617, otherwise .602.
const MIN_CERTAIN_WEIGHT = 0.8

/** The number of words of the query that the workspace has. It distinguishes long questions from short ones. */
export const countKnownWords = (terms: readonly WeightedTerm[]): number => terms.filter(isWholeWord).length

/** Whether a term is a known whole word: not a pair, not a name beside its stem, not a doubtful correction. */
export const isWholeWord = ({ weight, df }: WeightedTerm): boolean => isCertain(weight) && df > 0

const isCertain = (weight: number): boolean => weight >= MIN_CERTAIN_WEIGHT

// A question with more words asks for several things at once and names them all. It needs no second hop, and passages of
// several documents are preferred more strongly. A second hop lowers nDCG@10 of MultiHop-RAG (16 to 35 words) from .758 to .748.
// For MuSiQue (4 to 13 words) a limit of 12, 14 or 20 makes no difference.
const MAX_SHORT_QUERY_WORDS = 14

export const isLong = (terms: readonly WeightedTerm[]): boolean =>
  countKnownWords(terms) > MAX_SHORT_QUERY_WORDS

// The idf is raised to this power, because the many common words of a question together must not outweigh one rare word.
// With the powers 1, 1.4, 1.5, 1.6 and 2, MuSiQue R@5 is .662, .679, .682, .705, .709, and scifact nDCG@10 .705, .707, .706,
// .703, .690. 1.5 is a compromise between the two.
const IDF_POWER = 1.5

/** A term's weight in the query vector. */
export const weightOf = ({
  weight,
  idf: termIdf,
  emphasis = 1,
}: Pick<WeightedTerm, 'weight' | 'idf' | 'emphasis'>): number => emphasis * weight * termIdf ** IDF_POWER

/** The sum of the weights of all terms, also of those that no chunk has. A passage with each term about once has this score. */
export const totalWeightOf = (terms: readonly WeightedTerm[]): number =>
  [...new Map(terms.map((term) => [term.hash, term])).values()].reduce((sum, term) => sum + weightOf(term), 0)

/** The score by words that no passage and no document reaches, however often they have the terms. */
export const maxScoreOf = (terms: readonly WeightedTerm[]): number => MAX_TERM_SCORE * totalWeightOf(terms)

/** The query vector, without terms that no chunk has. */
export const queryVectorOf = (terms: readonly WeightedTerm[]): string => queryVector(weightsOf(terms))

/** The query vector as arrays, ascending by term, in single precision as in the database. */
export function float32Query(terms: readonly WeightedTerm[]): { terms: Int32Array; weights: Float32Array } {
  const weights = weightsOf(terms).sort((a, b) => a.term - b.term)
  return {
    terms: Int32Array.from(weights, ({ term }) => term),
    weights: Float32Array.from(weights, ({ weight }) => weight),
  }
}

const weightsOf = (terms: readonly WeightedTerm[]): { term: number; weight: number }[] =>
  [...new Map(terms.filter(({ df }) => df > 0).map((term) => [term.hash, term])).values()].map((term) => ({
    term: term.hash,
    weight: weightOf(term),
  }))

async function weightTerms(
  db: Queryable,
  workspaceId: string,
  weights: ReadonlyMap<string, number>,
  termFrequencies: TermFrequencies,
): Promise<WeightedTerm[]> {
  await lookUpMissing(db, workspaceId, weights.keys(), termFrequencies)
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
