// The agent that works without a language model: it decomposes the question, searches each part, follows names to a
// second hop, and quotes the best sentences and table rows, or says that nothing was found.

import { span, spanOfSteps } from '../../ports/trace/trace.ts'
import type { Passage } from '../../search/passage.ts'
import { answerLanguage } from '../answer-language.ts'
import { isTimeout, type Reply, type StepReport, type Tools } from '../tools/tools.ts'
import { partsOfMessage } from './asking-part.ts'
import { compose, quoteLines } from './compose.ts'
import { type Keyword, questionKeywords, topicOf } from './keywords.ts'
import { nearestPassages } from './nearest.ts'
import { analyseQuestion, plainQuestion } from './question.ts'
import { escapeMarkdown } from './quote.ts'
import { SHIPPED } from './ranker.ts'
import { lookUpTerms, type RetrievalState, searchAmendments, searchQuestion, secondHop } from './retrieval.ts'
import { decide, prepare } from './selection.ts'
import { smallTalkIn } from './small-talk.ts'
import { type Summary, summaryAsked, summaryOf } from './summary.ts'
import { citedRows, composeTableAnswer } from './tables/compose-table.ts'
import { answerFromTables, comesBefore, type TableAnswer } from './tables/table-qa.ts'
import { WORDING } from './wording.ts'

/** A question as a conversation gives it (threads/follow-up.ts). */
export interface ExtractionRequest {
  question: string
  /** What it refers to in earlier turns. */
  topic: string
  /** Names of which the same is asked as of another in an earlier turn. */
  names?: readonly string[]
}

/** Answers a question with quotations. */
export async function* answerByExtraction(
  tools: Tools,
  asked: ExtractionRequest,
): AsyncGenerator<StepReport, Reply> {
  const smallTalk = smallTalkIn(asked.question)
  if (smallTalk)
    return {
      markdown: WORDING[smallTalk.language][smallTalk.kind],
      passages: [],
      logFields: { verdict: 'small talk' },
    }
  const { state, summary, table, possible } = yield* spanOfSteps('ask: find', {}, () => gather(tools, asked))
  const reply = span('ask: write', {}, () =>
    table
      ? tableReply(state, table)
      : summary
        ? summaryReply(state, summary)
        : quotesReply(tools, state, possible),
  )
  yield { type: 'answer', label: 'Writing the answer from the passages found' }
  return reply
}

/** What was found for a question: the parts of a document, an answer from a table, or the passages to quote from. */
export interface Gathered {
  state: RetrievalState
  summary?: Summary
  table?: TableAnswer
  /** Tables that may be meant where no passage answers the question. */
  possible?: TableAnswer
}

/** All that is found for a question, before anything of it is judged (also what lab/ranker records). */
export async function* gather(
  tools: Tools,
  { question: message, topic: earlier, names = [] }: ExtractionRequest,
): AsyncGenerator<StepReport, Gathered> {
  const { question: text, context, restriction } = partsOfMessage(message)
  const whole = earlier ? `${text} (${earlier})` : text
  const named = await tools.linkEntities(whole)
  const { statistics, synonyms, languages } = await lookUpTerms(
    tools,
    `${plainQuestion(text)} ${earlier} ${plainQuestion(context)}`,
  )
  const topic = [earlier, topicOf(context, statistics)].filter(Boolean).join(' ')
  const question = analyseQuestion(
    text,
    named.map((entity) => entity.name),
    languages,
  )
  const state: RetrievalState = {
    question,
    topic,
    names: new Set(names.flatMap((name) => name.split(/\s+/))),
    synonyms,
    statistics,
    found: new Map(),
    top: [],
  }
  try {
    yield* searchQuestion(tools, state)
    const summary = yield* summaryOf(tools, state)
    if (summary) return { state, summary }
    yield* secondHop(tools, state, new Set(named.map((entity) => entity.id)))
    yield* searchAmendments(tools, state)
  } catch (error) {
    // Out of time: answer from what was found, unless that is nothing.
    if (!isTimeout(error) || state.found.size === 0) throw error
  }
  const table = yield* fromTables(tools, state, restriction)
  if (!table) return { state }
  return table.kind === 'partial' && table.isOnlyPossible ? { state, possible: table } : { state, table }
}

async function* fromTables(
  tools: Tools,
  state: RetrievalState,
  restriction: string,
): AsyncGenerator<StepReport, TableAnswer | undefined> {
  const { question, synonyms, statistics } = state
  const keywordsOf = (text: string): Keyword[] =>
    questionKeywords({ text, language: question.language }, statistics)
  // A comparison quotes both sides instead.
  if (question.isComparison) return undefined
  try {
    const found = [...state.found.values()]
    const { language } = question
    const text = [question.text, restriction].filter(Boolean).join(' ')
    return yield* answerFromTables(tools, { question: text, language, synonyms, found, keywordsOf })
  } catch (error) {
    if (!isTimeout(error)) throw error
    return undefined
  }
}

/**
 * Decides whether the question is answered, and quotes the best evidence; where none answers it, what comes nearest to it.
 * @param possible tables that may be meant instead
 */
async function quotesReply(
  tools: Tools,
  state: RetrievalState,
  possible: TableAnswer | undefined,
): Promise<Reply> {
  const prepared = prepare(state)
  const { verdict: byWords, selected, unknown, unknownNames } = decide(prepared, SHIPPED)
  const quotes = selected.flatMap((one) => one.quotes.map(({ evidence }) => evidence))
  if (possible && comesBefore(possible, byWords, quotes)) return tableReply(state, possible)
  const isOpen = byWords === 'absent' && !unknownNames
  const near = isOpen ? await nearestPassages(tools, state.question, prepared.whole) : undefined
  const verdict = near ? 'close' : byWords
  const passages = passagesOf(state)
  const markdown = compose({
    verdict,
    selected,
    ...(near && { near }),
    unknownWords: unknown,
    numberOf: (passage) => passages.indexOf(passage) + 1,
    wording: WORDING[answerLanguage(state.question.text)],
    asksForSummary: summaryAsked(state.question.text) !== undefined,
  })
  return { markdown, passages, logFields: { verdict, unknown: unknown.length } }
}

function summaryReply(state: RetrievalState, { title, statements }: Summary): Reply {
  const passages = passagesOf(state)
  const wording = WORDING[answerLanguage(state.question.text)]
  const numberOf = citationNumbers(
    passages,
    statements.map(({ found }) => found),
  )
  const lines = quoteLines(
    statements.map((evidence) => ({ evidence, matchesHeading: true })),
    [],
    { numberOf, wording },
  )
  const lead = `${wording.summary} ${wording.parts(escapeMarkdown(title))}`
  const markdown = [lead, '', ...lines].join('\n')
  return { markdown, passages, logFields: { verdict: 'found', lines: lines.length } }
}

function tableReply(state: RetrievalState, table: TableAnswer): Reply {
  const passages = passagesOf(state)
  const numberOf = citationNumbers(passages, citedRows(table))
  const language = answerLanguage(state.question.text)
  const markdown = composeTableAnswer(table, { language, wording: WORDING[language], numberOf })
  const tables = table.readings.length + (table.kind === 'partial' ? table.partials.length : 0)
  return { markdown, passages, logFields: { verdict: 'found', outcome: table.kind, tables } }
}

const passagesOf = (state: RetrievalState): Passage[] =>
  [...state.found.values()].map(({ passage }) => passage)

/** The number that a passage is cited by; quoted passages that were not found by search are appended to `passages`. */
function citationNumbers(
  passages: Passage[],
  quoted: readonly { passage: Passage }[],
): (passage: Passage) => number {
  for (const { passage } of quoted)
    if (!passages.some(({ chunk_id }) => chunk_id === passage.chunk_id)) passages.push(passage)
  return ({ chunk_id: id }) => passages.findIndex(({ chunk_id }) => chunk_id === id) + 1
}
