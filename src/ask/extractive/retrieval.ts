// Retrieval for the extractive agent: searches for the question, the sides of a comparison and quoted phrases, then for
// amendments.

import type { AnalysedText } from '../../language/analysed-text.ts'
import type { Language } from '../../language/language.ts'
import type { Passage } from '../../search/passage.ts'
import type { StepReport, Tools } from '../tools/tools.ts'
import { amends, beginningsOf, clauseNumber } from './amendments.ts'
import { answerType, isTypeWord } from './answer-type.ts'
import { evidenceIn, type FoundPassage } from './evidence.ts'
import type { Criteria } from './features.ts'
import { knownWords, questionKeywords, synonymsOfUnknownWords, type TermStatistics } from './keywords.ts'
import { partNamed } from './part-number.ts'
import { isCode, type Question, type SubQuestion } from './question.ts'
import { hasCode, rankEvidence } from './ranking.ts'
import { withoutNumber } from './text-structure.ts'

/** What was found for one question so far. */
export interface RetrievalState {
  /** The analysed message of the asker. Every text that is searched for is a part of it. */
  message: AnalysedText
  question: Question
  /** The words of earlier turns that the question refers to, and the rarest words around the question in its message. */
  topic: string
  /** Words of the names in a follow-up such as "And Ines?", which repeats the earlier question for another name. */
  names: ReadonlySet<string>
  /** Synonyms, in any language, of question words that the workspace does not contain. Separated by spaces. */
  synonyms: string
  statistics: TermStatistics
  foundPassages: Map<string, FoundPassage>
  /** Codes of the question that are in the documents, but in none of the passages found. */
  codesElsewhere: Set<string>
  /** The ids of the documents that a follow-up is about. Only they and their amendments may answer it. Empty: all documents may. */
  documents: ReadonlySet<string>
}

/** Adds a passage. One that was found before with a lower relevance gets the new relevance and the better of the two ranks. */
function addPassage(state: RetrievalState, foundPassage: FoundPassage): void {
  const existing = state.foundPassages.get(foundPassage.passage.chunk_id)
  if (!existing) state.foundPassages.set(foundPassage.passage.chunk_id, foundPassage)
  else if (existing.relevance < foundPassage.relevance)
    state.foundPassages.set(foundPassage.passage.chunk_id, {
      ...foundPassage,
      rank: Math.min(existing.rank, foundPassage.rank),
    })
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

export const wholeOf = ({ text }: Question): SubQuestion => ({ text, type: answerType(text) })

const codesIn = (text: string): string[] => text.split(/\s+/).filter(isCode)

// The rank of a passage that only a search for a part of the question found. It is higher than the rank in the main search can be.
const OTHER_SEARCH_RANK = 30
const MAX_MAIN_PASSAGES = 20
const MAX_SIDE_PASSAGES = 8
const MAX_PHRASE_PASSAGES = 5
const MAX_PHRASES = 3
// Synonyms of words for the type of answer. "Costs" has a dozen; with more than four of them the search would find only prices.
const MAX_TYPE_SYNONYMS = 4

/**
 * Looks up three things: the frequencies of the terms of a message in the workspace, synonyms for the words of its question
 * (`text`) that the workspace does not contain, and the languages of the workspace in which the message is analysed.
 */
export async function lookUpTerms(
  tools: Tools,
  { text, message }: { text: AnalysedText; message: AnalysedText },
): Promise<{ statistics: TermStatistics; synonyms: string; languages: readonly Language[] }> {
  const { languages, ...ownStatistics } = await tools.termStatistics(message)
  const candidates = synonymsOfUnknownWords(text, ownStatistics)
  if (candidates.length === 0) return { statistics: ownStatistics, synonyms: '', languages }
  const { terms, chunks } = await tools.termStatistics(candidates.join(' '))
  const statistics = { ...ownStatistics, terms: [...ownStatistics.terms, ...terms], chunks }
  const type = answerType(text.text)
  const synonymStatistics = { terms, chunks }
  const subjectSynonyms = knownWords(
    synonymsOfUnknownWords(text, ownStatistics, (word) => !isTypeWord(type, word)),
    synonymStatistics,
  )
  const typeSynonyms = knownWords(candidates, synonymStatistics).filter(
    (word) => !subjectSynonyms.includes(word),
  )
  return {
    statistics,
    synonyms: [...subjectSynonyms, ...typeSynonyms.slice(0, MAX_TYPE_SYNONYMS)].join(' '),
    languages,
  }
}

/** The query for the whole question. */
export const mainQuery = ({ question, topic, synonyms }: RetrievalState): string =>
  joinTexts(question.text, topic, synonyms)

export async function* searchQuestion(tools: Tools, state: RetrievalState): AsyncGenerator<StepReport> {
  const { question, topic, synonyms } = state
  const main = mainQuery(state)
  const wholeSearch = { query: main, displayedQuery: joinTexts(question.text, topic) }
  yield* runSearch(tools, state, {
    label: 'Searching the documents',
    ...wholeSearch,
    limit: MAX_MAIN_PASSAGES,
  })
  for (const side of question.sides) {
    if (tools.outOfTime()) return
    const sideSearch = {
      query: joinTexts(side.text, topic, synonyms),
      displayedQuery: side.side ?? side.text,
    }
    yield* runSearch(tools, state, {
      label: 'Searching for a side of the comparison',
      ...sideSearch,
      limit: MAX_SIDE_PASSAGES,
    })
  }
  // The search for the whole question may leave out a code that many documents have, such as the form "10-Q".
  const missingCodes = question.writtenNames.flatMap(codesIn).filter((code) => !isGathered(state, code))
  for (const quote of [...question.quotes, ...missingCodes].slice(0, MAX_PHRASES)) {
    if (tools.outOfTime()) return
    const phraseSearch = { query: `"${quote}" ${main}`, displayedQuery: `"${quote}"` }
    yield* runSearch(tools, state, {
      label: 'Searching for the exact phrase',
      ...phraseSearch,
      limit: MAX_PHRASE_PASSAGES,
    })
  }
  // If the question names a document, only that document was searched, but other documents may contain the code.
  for (const code of missingCodes.slice(0, MAX_PHRASES)) {
    if (tools.outOfTime()) return
    if (isGathered(state, code)) continue
    const [passage] = await tools.search(state.message.part(`"${code}"`), 1)
    if (passage && passageHasCode(passage, code)) state.codesElsewhere.add(code)
  }
}

/** Whether a document has the code: in a gathered passage, its heading or the title of its document, or elsewhere. */
export const isKnownCode = (state: RetrievalState, code: string): boolean =>
  state.codesElsewhere.has(code) || isGathered(state, code)

const isGathered = ({ foundPassages }: RetrievalState, code: string): boolean =>
  [...foundPassages.values()].some(({ passage }) => passageHasCode(passage, code))

const passageHasCode = ({ document_title, heading, text }: Passage, code: string): boolean =>
  hasCode(`${document_title}\n${heading}\n${text}`, code)

const joinTexts = (...texts: string[]): string => texts.filter(Boolean).join(' ')

interface SearchStep {
  label: string
  query: string
  /** The query as readers see it: the question's own words without synonyms. */
  displayedQuery: string
  limit: number
}

async function* runSearch(
  tools: Tools,
  state: RetrievalState,
  { label, query, displayedQuery, limit }: SearchStep,
): AsyncGenerator<StepReport> {
  const passages = await tools.search(state.message.part(query), limit)
  const bestScore = passages[0]?.score ?? 1
  const isMain = state.foundPassages.size === 0
  for (const [rank, passage] of passages.entries())
    addPassage(state, {
      passage,
      relevance: passage.score / bestScore,
      rank: isMain ? rank : OTHER_SEARCH_RANK,
    })
  yield { type: 'search', label, query: displayedQuery, result_count: passages.length }
}

const MAX_AMENDMENT_PASSAGES = 5
// Many, because the passages of the contract itself have its title too.
const MAX_SEARCHED = 40
const MAX_TITLE_LENGTH = 300
// Low, because an amendment is quoted for the clause that it changes and not for its own relevance.
const AMENDMENT_RELEVANCE = 0.1

// So many of the best pieces may be the clause of which amendments are looked for, since a summary above it may have its words too.
const MAX_CLAUSES = 5

/**
 * Searches for amendments of the best clause: by its number, because an amendment need not contain any word of the question, and by
 * the heading above it. Other passages that these searches find are dropped.
 */
export async function* searchAmendments(tools: Tools, state: RetrievalState): AsyncGenerator<StepReport> {
  if (tools.outOfTime()) return
  const pieces = evidenceIn([...state.foundPassages.values()])
  const best = rankEvidence(pieces, criteriaFor(state, wholeOf(state.question)))
    .slice(0, MAX_CLAUSES)
    .find(({ evidence }) => clauseNumber(evidence) !== undefined)?.evidence
  if (!best) return
  // The number is quoted so that search requires it: every passage of the contract contains the title.
  const title = best.foundPassage.passage.document_title.replace(/["“”«»„]/gu, ' ').slice(0, MAX_TITLE_LENGTH)
  const query = `"${clauseNumber(best)}" ${title}`
  const heading = withoutNumber(best.headingAbove.text).slice(0, MAX_TITLE_LENGTH)
  const searchOthers = async (query: string): Promise<Passage[]> =>
    (await tools.search(query, MAX_SEARCHED))
      .filter(({ document_id }) => document_id !== best.foundPassage.passage.document_id)
      .slice(0, MAX_AMENDMENT_PASSAGES)
  const passages = [...(await searchOthers(query)), ...(await searchOthers(`${heading} ${title}`))]
  const amendmentPieces = evidenceIn(
    passages.map((passage) => ({ passage, relevance: AMENDMENT_RELEVANCE, rank: OTHER_SEARCH_RANK })),
  )
  const beginnings = beginningsOf([...pieces, ...amendmentPieces])
  for (const piece of amendmentPieces)
    if (amends(piece, best, beginnings)) addPassage(state, piece.foundPassage)
  yield {
    type: 'search',
    label: 'Looking for changes to the clause found',
    query,
    result_count: passages.length,
  }
}
