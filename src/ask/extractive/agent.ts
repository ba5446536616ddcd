// The agent that works without a language model. It splits the question into parts, searches for each, and quotes the best sentences
// and table rows, or says that nothing was found.

import { contentTerms } from '../../language/analyse.ts'
import { type AnalysedText, analysedText } from '../../language/analysed-text.ts'
import { isEveryday } from '../../language/dictionary.ts'
import { fold } from '../../language/words.ts'
import { span, spanOfSteps } from '../../ports/trace/trace.ts'
import type { Passage } from '../../search/passage.ts'
import { type AnswerLanguage, answerLanguage } from '../answer-language.ts'
import { isTimeout, type Reply, type StepReport, type Tools } from '../tools/tools.ts'
import { partsOfMessage } from './asking-part.ts'
import { changeLines, compose, earlierLine, quoteLines, type SelectedEvidence } from './compose.ts'
import { type Changes, changesOf } from './editions/changes.ts'
import { type EarlierStatement, earlierStatement } from './editions/earlier.ts'
import { chooseEditions, type EditionSelection, withoutDocuments } from './editions/editions.ts'
import { withoutSpans } from './editions/request.ts'
import { evidenceIn, type FoundPassage } from './evidence.ts'
import { type Keyword, questionKeywords, topicOf } from './keywords.ts'
import { nearestPassages } from './nearest.ts'
import { analyseQuestion, plainQuestion, type Question, withSingularCodes } from './question.ts'
import { escapeMarkdown } from './quote.ts'
import { SHIPPED } from './ranker.ts'
import { lookUpTerms, mainQuery, type RetrievalState, searchAmendments, searchQuestion } from './retrieval.ts'
import { decide, prepare } from './selection.ts'
import { smallTalkIn } from './small-talk.ts'
import { statedValue } from './stated-value.ts'
import { type Summary, summaryAsked, summaryOf } from './summary.ts'
import { citedRows, composeTableAnswer } from './tables/compose-table.ts'
import { answerFromTables, comesBefore, type TableAnswer } from './tables/table-qa.ts'
import { truecased } from './truecase.ts'
import { WORDING } from './wording.ts'

/** A question, with what a follow-up takes from earlier turns (threads/follow-up.ts). */
export interface ExtractionRequest {
  question: string | AnalysedText
  /** The words of earlier turns that the question refers to. */
  topic: string
  /** The names in a follow-up such as "And Ines?", which repeats an earlier question for another name. */
  names?: readonly string[]
  /** The ids of the documents that a follow-up is about, which are searched first. */
  documents?: readonly string[]
}

export async function* answerByExtraction(
  tools: Tools,
  request: ExtractionRequest,
): AsyncGenerator<StepReport, Reply> {
  const smallTalk = smallTalkIn(analysedText(request.question).text)
  if (smallTalk)
    return {
      markdown: WORDING[smallTalk.language][smallTalk.kind],
      passages: [],
      logFields: { verdict: 'small talk' },
    }
  // A follow-up is answered from the documents of the conversation, and from all documents only if those do not answer it.
  const conversationReply = request.documents?.length ? yield* replyFromDocuments(tools, request) : undefined
  const reply =
    conversationReply && statesAnswer(conversationReply)
      ? conversationReply
      : yield* replyFromDocuments(tools, { ...request, documents: [] })
  yield { type: 'answer', label: 'Writing the answer from the passages found' }
  return reply
}

/** Whether the reply states an answer, rather than passages or tables that may answer. */
export const statesAnswer = ({ logFields: { verdict, outcome } }: Reply): boolean =>
  verdict === 'found' && (outcome === undefined || outcome === 'stated')

/** Answers from the documents of the request if it names any, else from all documents. */
async function* replyFromDocuments(
  tools: Tools,
  request: ExtractionRequest,
): AsyncGenerator<StepReport, Reply> {
  const gathered = yield* spanOfSteps('ask: find', {}, () => gather(tools, request))
  const { state, summary, changes, table } = gathered
  return await span('ask: write', {}, () =>
    table
      ? tableReply(gathered, table)
      : summary
        ? summaryReply(state, summary)
        : changes
          ? changesReply(state, changes)
          : quotesReply(tools, gathered),
  )
}

/**
 * The result of retrieval: passages to quote from, and, if the question asks for them, a summary, changes or an answer from a
 * table.
 */
export interface GatheredEvidence {
  state: RetrievalState
  summary?: Summary
  changes?: Changes
  table?: TableAnswer
  /** A table that may have the answer, used if no passage answers the question. */
  possibleTable?: TableAnswer
  /** The question, including the words that ask for an edition. */
  questionText: string
  /** The editions that the question asks for. */
  editions?: EditionSelection
}

/** Collects everything that may answer the question; what answers it is decided later. lab/ranker records the result. */
export async function* gather(
  tools: Tools,
  { question: wholeText, topic: earlierTopic, names = [], documents = [] }: ExtractionRequest,
): AsyncGenerator<StepReport, GatheredEvidence> {
  const originalMessage = analysedText(wholeText)
  const singularText = withSingularCodes(originalMessage.text)
  const message = singularText === originalMessage.text ? originalMessage : analysedText(singularText)
  const { question: text, context, restriction } = partsOfMessage(message.text)
  const questionWithTopic = earlierTopic ? `${text} (${earlierTopic})` : text
  const entities = await tools.linkEntities(message.part(questionWithTopic))
  const questionText = [plainQuestion(text), earlierTopic].filter(Boolean).join(' ')
  const { statistics, synonyms, languages } = await lookUpTerms(tools, {
    text: message.part(questionText),
    message: message.part([questionText, plainQuestion(context)].filter(Boolean).join(' ')),
  })
  const topic = [earlierTopic, topicOf(context, statistics)].filter(Boolean).join(' ')
  const entityNames = entities.map((entity) => entity.name)
  const analyse = (part: string): Question => analyseQuestion(message.part(part), entityNames, languages)
  const state: RetrievalState = {
    message,
    question: analyse(text),
    topic,
    names: new Set(names.flatMap((name) => name.split(/\s+/).map(fold))),
    synonyms,
    statistics,
    foundPassages: new Map(),
    codesElsewhere: new Set(),
    documents: new Set(documents),
  }
  let wholeQuestion = state.question
  let editions: EditionSelection | undefined
  let editionTools = tools
  try {
    // All documents are searched too, because amendments and later statements are in other documents.
    if (documents.length > 0) yield* searchQuestion(withinDocuments(tools, documents), state)
    yield* searchQuestion(tools, state)
    wholeQuestion = withCapitals(state, analyse)
    state.question = wholeQuestion
    editions = yield* chooseEditions(tools, state, { query: mainQuery(state), today: today() })
    const changes = yield* changesOf(tools, state, editions)
    if (changes) return { state, changes, questionText: wholeQuestion.text }
    editionTools = withoutDocuments(tools, editions.excludedDocuments)
    state.question = withoutEdition(wholeQuestion, editions, analyse)
    const summary = yield* summaryOf(editionTools, state)
    if (summary) return { state, summary, questionText: wholeQuestion.text }
    yield* searchAmendments(editionTools, state)
  } catch (error) {
    // If the time is up, the question is answered from what was found so far.
    if (!isTimeout(error) || state.foundPassages.size === 0) throw error
  }
  const isInConversation = ([, { passage }]: [string, FoundPassage]): boolean =>
    documents.includes(passage.document_id)
  const table =
    documents.length === 0
      ? yield* tableAnswerOf(editionTools, state, restriction)
      : yield* tableAnswerOf(
          withinDocuments(editionTools, documents),
          { ...state, foundPassages: new Map([...state.foundPassages].filter(isInConversation)) },
          restriction,
        )
  const gathered: GatheredEvidence = {
    state,
    questionText: wholeQuestion.text,
    ...(editions && { editions }),
  }
  if (!table) return gathered
  if (table.kind === 'partial' && table.isOnlyPossible) return { ...gathered, possibleTable: table }
  return { ...gathered, table }
}

/** The tools, with a search that is limited to the documents. */
const withinDocuments = (tools: Tools, documents: readonly string[]): Tools => ({
  ...tools,
  search: (query, limit, filter) => tools.search(query, limit, { ...filter, documents }),
})

/** The question with the capitals that the passages give to its words. */
function withCapitals(state: RetrievalState, analyse: (text: string) => Question): Question {
  const { question } = state
  const text = truecased(state.message.part(question.text), question.language, passagesOf(state))
  return text === question.text ? question : { ...analyse(text), language: question.language }
}

const DAY_MS = 86_400_000

/** `2026-11-29` */
const today = (): string => new Date().toISOString().slice(0, 10)

/** The question without the words that ask for an edition; the question as it is if it has no other content words. */
function withoutEdition(
  question: Question,
  { spans }: EditionSelection,
  analyse: (text: string) => Question,
): Question {
  if (spans.length === 0) return question
  const rest = analyse(withoutSpans(question.text, spans))
  return contentTerms(rest.text, rest.language).length > 0
    ? { ...rest, language: question.language }
    : question
}

// A longer question asks for more than the columns and cells of a table.
const MAX_TABLE_WORDS = 24

async function* tableAnswerOf(
  tools: Tools,
  state: RetrievalState,
  restriction: string,
): AsyncGenerator<StepReport, TableAnswer | undefined> {
  const { message, question, synonyms, statistics } = state
  const keywordsOf = (text: string): Keyword[] =>
    questionKeywords({ text: message.part(text), language: question.language }, statistics)
  const text = [question.text, restriction].filter(Boolean).join(' ')
  if (message.part(text).words.length > MAX_TABLE_WORDS) return undefined
  try {
    const foundPassages = [...state.foundPassages.values()]
    const { language, isComparison } = question
    return yield* answerFromTables(tools, {
      question: text,
      language,
      today: Date.parse(today()) / DAY_MS,
      isComparison,
      synonyms,
      foundPassages,
      keywordsOf,
    })
  } catch (error) {
    if (!isTimeout(error)) throw error
    return undefined
  }
}

/**
 * Quotes the best evidence, or the nearest passages if no evidence answers the question. If the only answer is in an edition that
 * the question does not ask for, the reply says so.
 */
async function quotesReply(tools: Tools, gathered: GatheredEvidence): Promise<Reply> {
  const { state, questionText, possibleTable, editions } = gathered
  const prepared = prepare(state)
  const decision = decide(prepared, SHIPPED)
  const { verdict: firstVerdict, selected, unknownWords } = decision
  if (firstVerdict !== 'found' && editions) {
    const withOlderReports = restoreReports(state, editions)
    if (withOlderReports) return quotesReply(tools, { ...gathered, ...withOlderReports })
    const reply = otherEditionReply(state, editions)
    if (reply) return reply
  }
  const evidence = selected.flatMap(({ quotes }) => quotes.map((quote) => quote.evidence))
  if (possibleTable && comesBefore(possibleTable, firstVerdict, evidence))
    return tableReply(gathered, possibleTable)
  const nearPassages =
    firstVerdict === 'absent' && !decision.hasUnknownCode
      ? await nearestPassages(
          tools,
          { ...state.question, text: questionText },
          {
            ...prepared.whole,
            chunks: state.statistics.chunks,
            hasUnknownName: decision.hasUnknownName,
          },
        )
      : undefined
  const verdict = nearPassages ? 'close' : firstVerdict
  const earlier = verdict === 'found' ? earlierStatementOf(selected, editions) : undefined
  const passages = passagesOf(state)
  const citationNumberOf = citationNumbers(passages, [
    ...(nearPassages ?? []).map(({ foundPassage }) => foundPassage),
    ...(earlier ? [earlier.evidence.foundPassage] : []),
  ])
  const markdown = compose({
    verdict,
    selected,
    ...(nearPassages && { nearPassages }),
    ...(earlier && { earlierStatement: earlier }),
    // An everyday word that no document contains is only named if nothing was found, because there may be nothing else to say.
    unknownWords:
      verdict === 'absent'
        ? unknownWords
        : unknownWords.filter((word) => !isEveryday(word, state.question.language)),
    citationNumberOf,
    wording: WORDING[answerLanguageOf(state)],
    asksForSummary: summaryAsked(state.question.text) !== undefined,
  })
  const [answer, ...others] = selected
  const value =
    verdict === 'found' && answer && others.length === 0
      ? statedValue(answer.quotes, questionText, answer.criteria)
      : undefined
  return {
    markdown,
    passages,
    ...(value && { value }),
    logFields: { verdict, unknown: unknownWords.length },
  }
}

/** Adds the older reports that were set aside, because a report stays true for its period. Undefined if there are none. */
function restoreReports(
  state: RetrievalState,
  editions: EditionSelection,
): Pick<GatheredEvidence, 'state' | 'editions'> | undefined {
  const reports = new Set(
    editions.choices
      .filter(({ series }) => series.kind === 'reports')
      .flatMap(({ series }) => series.editions.map(({ documentId }) => documentId)),
  )
  const isReport = ({ passage }: FoundPassage): boolean => reports.has(passage.document_id)
  const setAside = [...editions.passagesSetAside]
  if (!setAside.some(([, foundPassage]) => isReport(foundPassage))) return undefined
  return {
    state: {
      ...state,
      foundPassages: new Map([
        ...state.foundPassages,
        ...setAside.filter(([, foundPassage]) => isReport(foundPassage)),
      ]),
    },
    editions: {
      ...editions,
      passagesSetAside: new Map(setAside.filter(([, foundPassage]) => !isReport(foundPassage))),
    },
  }
}

/** The answer from an edition that the question does not ask for, with a note that says so. Undefined if no edition answers. */
function otherEditionReply(
  { question, ...state }: RetrievalState,
  { passagesSetAside, choices }: EditionSelection,
): Reply | undefined {
  if (passagesSetAside.size === 0) return undefined
  const all = { ...state, question, foundPassages: new Map([...state.foundPassages, ...passagesSetAside]) }
  const { verdict, selected } = decide(prepare(all), SHIPPED)
  const quotes = selected.flatMap((part) => part.quotes)
  const documents = new Set(quotes.map(({ evidence }) => evidence.foundPassage.passage.document_id))
  const edition = choices.find(({ series: { editions } }) =>
    editions.some(({ documentId }) => documentId === quotes[0]?.evidence.foundPassage.passage.document_id),
  )
  const quotesOtherEdition = [...passagesSetAside.values()].some(({ passage }) =>
    documents.has(passage.document_id),
  )
  if (verdict !== 'found' || !edition || !quotesOtherEdition) return undefined
  const passages = passagesOf(all)
  const markdown = compose({
    verdict,
    selected,
    requestedEditions: {
      titles: edition.choice.editions.map(({ title }) => title),
      isInForce: edition.choice.isDefault,
    },
    unknownWords: [],
    citationNumberOf: (passage) => passages.indexOf(passage) + 1,
    wording: WORDING[answerLanguageOf(all)],
  })
  return { markdown, passages, logFields: { verdict: 'other edition' } }
}

/** What the previous edition says in place of the first quote. */
function earlierStatementOf(
  selected: readonly SelectedEvidence[],
  editions: EditionSelection | undefined,
): EarlierStatement | undefined {
  const [best] = selected.flatMap(({ quotes }) => quotes)
  if (!best || !editions) return undefined
  const pieces = evidenceIn([...editions.passagesSetAside.values()])
  return earlierStatement(best.evidence, editions.choices, pieces)
}

function summaryReply(state: RetrievalState, { title, statements }: Summary): Reply {
  const passages = passagesOf(state)
  const wording = WORDING[answerLanguageOf(state)]
  const citationNumberOf = citationNumbers(
    passages,
    statements.map(({ foundPassage }) => foundPassage),
  )
  const lines = quoteLines(
    statements.map((evidence) => ({ evidence, matchesHeading: true })),
    [],
    { citationNumberOf, wording },
  )
  const lead = `${wording.summary} ${wording.parts(escapeMarkdown(title))}`
  const markdown = [lead, '', ...lines].join('\n')
  return { markdown, passages, logFields: { verdict: 'found', lines: lines.length } }
}

function changesReply(state: RetrievalState, { titles, pairs }: Changes): Reply {
  const passages = passagesOf(state)
  const wording = WORDING[answerLanguageOf(state)]
  const citationNumberOf = citationNumbers(
    passages,
    pairs.flatMap(({ current, previous }) =>
      [current, previous].flatMap((piece) => piece?.foundPassage ?? []),
    ),
  )
  const lead = wording.changes(titles.map(escapeMarkdown))
  const markdown = [lead, '', ...changeLines(pairs, { citationNumberOf, wording })].join('\n')
  return { markdown, passages, logFields: { verdict: 'found', lines: pairs.length } }
}

function tableReply({ state, editions }: GatheredEvidence, table: TableAnswer): Reply {
  const passages = passagesOf(state)
  const earlier = earlierRow(table, editions)
  const citationNumberOf = citationNumbers(passages, [
    ...citedRows(table),
    ...(earlier ? [earlier.evidence.foundPassage] : []),
  ])
  const language = answerLanguageOf(state)
  const wording = WORDING[language]
  const answer = composeTableAnswer(table, { language, wording, citationNumberOf })
  const markdown = earlier ? `${answer}\n${earlierLine(earlier, { citationNumberOf, wording })}` : answer
  const tables = table.readings.length + (table.kind === 'partial' ? table.partials.length : 0)
  return { markdown, passages, logFields: { verdict: 'found', outcome: table.kind, tables } }
}

/** What the previous edition says in place of the row, if a single row answers the question. */
function earlierRow(
  table: TableAnswer,
  editions: EditionSelection | undefined,
): EarlierStatement | undefined {
  const [row, ...others] = citedRows(table)
  if (table.kind !== 'stated' || !editions || !row || others.length > 0) return undefined
  const { passage, line } = row
  const quoted = evidenceIn([{ passage, relevance: 1, rank: 0 }]).find(
    ({ cells, text }) => cells && text === line,
  )
  const pieces = evidenceIn([...editions.passagesSetAside.values()])
  return quoted && earlierStatement(quoted, editions.choices, pieces)
}

const answerLanguageOf = ({ message, question }: RetrievalState): AnswerLanguage =>
  answerLanguage(message.part(question.text))

const passagesOf = (state: RetrievalState): Passage[] =>
  [...state.foundPassages.values()].map(({ passage }) => passage)

/** Returns the number by which a passage is cited. Quoted passages that search did not find are appended to `passages`. */
function citationNumbers(
  passages: Passage[],
  quoted: readonly { passage: Passage }[],
): (passage: Passage) => number {
  for (const { passage } of quoted)
    if (!passages.some(({ chunk_id }) => chunk_id === passage.chunk_id)) passages.push(passage)
  return ({ chunk_id: id }) => passages.findIndex(({ chunk_id }) => chunk_id === id) + 1
}
