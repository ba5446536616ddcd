// Retrieval for the extractive agent: searches for the question, the sides of a comparison and quoted phrases, then for
// amendments.

import type { AnalysedText } from '../../language/analysed-text.ts'
import type { Language } from '../../language/language.ts'
import type { StepReport, Tools } from '../tools/tools.ts'
import { amends, beginningsOf, clauseNumber, namesClause } from './amendments.ts'
import { answerType, namesType } from './answer-type.ts'
import { evidenceIn, type FoundPassage } from './evidence.ts'
import type { Criteria } from './features.ts'
import { knownWords, questionKeywords, synonymsOfUnknownWords, type TermStatistics } from './keywords.ts'
import { partNamed } from './part-number.ts'
import { isCode, type Question, type SubQuestion } from './question.ts'
import { rankEvidence } from './ranking.ts'

/** Everything found so far for one question. */
export interface RetrievalState {
  /** What was asked, as it was analysed at the door; whatever is made of it is a part of it. */
  message: AnalysedText
  question: Question
  /** What the question refers to in earlier turns, and what its message tells around it. */
  topic: string
  /** Words of names of which the same is asked as of another in an earlier turn. */
  names: ReadonlySet<string>
  /** Synonyms, in any language, of question words that the workspace does not contain; parted by spaces. */
  synonyms: string
  statistics: TermStatistics
  found: Map<string, FoundPassage>
  /** The documents of which alone a follow-up is asked, with their amendments; empty: all. */
  documents: ReadonlySet<string>
}

/** Adds a passage; one found twice keeps its higher relevance. */
function addFound(state: RetrievalState, found: FoundPassage): void {
  const before = state.found.get(found.passage.chunk_id)
  if (!before) state.found.set(found.passage.chunk_id, found)
  else if (before.relevance < found.relevance)
    state.found.set(found.passage.chunk_id, { ...found, rank: Math.min(before.rank, found.rank) })
}

export function criteriaFor(
  { message, question, topic, names, statistics }: RetrievalState,
  subQuestion: SubQuestion,
): Criteria {
  const { text } = subQuestion
  // "And MF-204?" after "What does PX-7 cost?" also asks for a price.
  const type = subQuestion.type === 'any' ? answerType(topic) : subQuestion.type
  const keywords = questionKeywords(
    {
      text: message.part(text),
      language: question.language,
      topic: message.part(topic),
    },
    statistics,
  )
  const codes = subQuestion.side === undefined ? question.names.filter(isCode) : codesIn(subQuestion.side)
  return { type, keywords, codes, names, part: partNamed(text) }
}

/** The question as a whole. */
export const wholeOf = ({ text }: Question): SubQuestion => ({ text, type: answerType(text) })

const codesIn = (text: string): string[] => text.split(/\s+/).filter(isCode)

// The place of a passage that the search for the whole question did not find.
const FAR = 30
const MAIN_LIMIT = 20
const SIDE_LIMIT = 8
const QUOTE_LIMIT = 5
const MAX_QUOTES = 3
// Of a dozen synonyms of "costs" four find prices; more would find nothing but prices.
const MAX_TYPE_SYNONYMS = 4

/**
 * The terms of a message with their frequencies in the workspace, synonyms of the words of its question (`text`) that the workspace
 * does not contain, and the languages of the workspace that it is read in.
 */
export async function lookUpTerms(
  tools: Tools,
  { text, message }: { text: AnalysedText; message: AnalysedText },
): Promise<{ statistics: TermStatistics; synonyms: string; languages: readonly Language[] }> {
  const { languages, ...own } = await tools.termStatistics(message)
  const candidates = synonymsOfUnknownWords(text, own)
  if (candidates.length === 0) return { statistics: own, synonyms: '', languages }
  const { terms, chunks } = await tools.termStatistics(candidates.join(' '))
  const statistics = { ...own, terms: [...own.terms, ...terms], chunks }
  const type = answerType(text.text)
  const known = { terms, chunks }
  const ofSubject = knownWords(
    synonymsOfUnknownWords(text, own, (word) => !namesType(type, word)),
    known,
  )
  const ofType = knownWords(candidates, known).filter((word) => !ofSubject.includes(word))
  return { statistics, synonyms: [...ofSubject, ...ofType.slice(0, MAX_TYPE_SYNONYMS)].join(' '), languages }
}

/** What is searched for the whole question. */
export const mainQuery = ({ question, topic, synonyms }: RetrievalState): string =>
  joined(question.text, topic, synonyms)

export async function* searchQuestion(tools: Tools, state: RetrievalState): AsyncGenerator<StepReport> {
  const { question, topic, synonyms } = state
  const main = mainQuery(state)
  const whole = { query: main, shown: joined(question.text, topic) }
  yield* runSearch(tools, state, {
    label: 'Searching the documents',
    ...whole,
    limit: MAIN_LIMIT,
  })
  for (const side of question.sides) {
    if (tools.outOfTime()) return
    const part = { query: joined(side.text, topic, synonyms), shown: side.side ?? side.text }
    yield* runSearch(tools, state, {
      label: 'Searching for a side of the comparison',
      ...part,
      limit: SIDE_LIMIT,
    })
  }
  for (const quote of question.quotes.slice(0, MAX_QUOTES)) {
    if (tools.outOfTime()) return
    const phrase = { query: `"${quote}" ${main}`, shown: `"${quote}"` }
    yield* runSearch(tools, state, {
      label: 'Searching for the exact phrase',
      ...phrase,
      limit: QUOTE_LIMIT,
    })
  }
}

const joined = (...texts: string[]): string => texts.filter(Boolean).join(' ')

interface SearchStep {
  label: string
  query: string
  /** The query as readers see it: the question's own words without synonyms. */
  shown: string
  limit: number
}

async function* runSearch(
  tools: Tools,
  state: RetrievalState,
  { label, query, shown, limit }: SearchStep,
): AsyncGenerator<StepReport> {
  const passages = await tools.search(state.message.part(query), limit)
  const best = passages[0]?.score ?? 1
  const isMain = state.found.size === 0
  for (const [rank, passage] of passages.entries())
    addFound(state, { passage, relevance: passage.score / best, rank: isMain ? rank : FAR })
  yield { type: 'search', label, query: shown, result_count: passages.length }
}

const AMENDMENT_LIMIT = 5
const MAX_TITLE_LENGTH = 300
// An amendment is quoted because of the clause it changes, not for its own rank.
const AMENDMENT_RELEVANCE = 0.1

/**
 * Searches once for amendments of the best clause by the clause's number, since an amendment need not contain any
 * word of the question. Nothing else that this search finds is kept.
 */
export async function* searchAmendments(tools: Tools, state: RetrievalState): AsyncGenerator<StepReport> {
  if (tools.outOfTime()) return
  const pieces = evidenceIn([...state.found.values()])
  const best = rankEvidence(pieces, criteriaFor(state, wholeOf(state.question)))[0]?.evidence
  const number = best && clauseNumber(best)
  if (!best || number === undefined) return
  // The number is quoted so that search requires it: every passage of the contract contains the title.
  const title = best.found.passage.document_title.replace(/["“”«»„]/gu, ' ').slice(0, MAX_TITLE_LENGTH)
  const query = `"${number}" ${title}`
  const passages = await tools.search(query, AMENDMENT_LIMIT)
  const others = evidenceIn(
    passages.map((passage) => ({ passage, relevance: AMENDMENT_RELEVANCE, rank: FAR })),
  )
  const beginnings = beginningsOf([...pieces, ...others])
  for (const piece of others)
    if (namesClause(piece, best) && amends(piece, best, beginnings)) addFound(state, piece.found)
  yield {
    type: 'search',
    label: 'Looking for changes to the clause found',
    query,
    result_count: passages.length,
  }
}
