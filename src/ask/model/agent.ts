// The agent that drives a language model: a first search, then tools as the model calls them, until it answers, finds
// nothing new or runs out of time. Its answer is made safe and verified sentence by sentence while it is written (writing.ts).

import type { AnalysedText } from '../../language/analysed-text.ts'
import { sentences } from '../../language/sentences.ts'
import { type ContextWindow, mayFillContext, wasReadWhole } from '../../ports/llm/context-window.ts'
import type { Message, ModelTurn, PromptSize, ToolCall } from '../../ports/llm/conversation.ts'
import type { ChatModel } from '../../ports/llm/llm.ts'
import { refusalOf } from '../../ports/llm/refusal.ts'
import type { Passage } from '../../search/passage.ts'
import type { Verified } from '../citations/verify.ts'
import type { EarlierTurn } from '../threads/threads.ts'
import { type Reply, type StepReport, type Tools, unlessAborted } from '../tools/tools.ts'
import { without } from './context.ts'
import { ANSWER_NOW, GO_ON, openingMessages, repairRequest, repeatsSystemPrompt, SHORTER } from './prompt.ts'
import { MIN_RESULT, openingRoom, type Room, roomIn, tokensOf } from './room.ts'
import type { AgentRun } from './run.ts'
import { MAX_CHARACTERS } from './safe-markdown.ts'
import { documentThatFits, shortDocument } from './short-document.ts'
import { givesFacts, parseArguments, runToolCall } from './tool-calls.ts'
import { beginWriting, finishWriting, whileWriting, withdrawText } from './writing.ts'

const FIRST_PASSAGES = 8
const MAX_STEPS = 8
const MAX_CALLS_AT_ONCE = 6
// After this many calls in a row that find nothing new, the model must answer.
const MAX_IDLE = 2
// In UTF-16 units: text of the model beside its tool calls is shortened to this length.
const MAX_REMARK = 2_000
const NO_TEXT = '(no answer)'
const MAX_RESULT = 20_000
// A prompt that exceeded the context is made again for this share of the context.
const EXCEEDED_SHARE = 3 / 4
// In tokens: a context is never taken to be shorter.
const MIN_LIMIT = 2_048
// A high ratio, because blanks and ruled lines have many characters in a token.
const MAX_CHARACTERS_PER_TOKEN = 4

export interface ModelQuestion {
  question: string
  /** The question rewritten to include what it refers to in earlier turns. */
  standalone: AnalysedText
  turns: readonly EarlierTurn[]
}

/** Thrown if the model gave no answer that can be shown. */
export class UnusableAnswer extends Error {
  constructor(why: string) {
    super(`the model's answer cannot be used: ${why}`)
    this.name = 'UnusableAnswer'
  }
}

interface Agent {
  llm: ChatModel
  tools: Tools
  run: AgentRun
  signal: AbortSignal
}

/**
 * Yields steps as they happen and returns the reply. Stops when the signal aborts, whatever the model does.
 * @throws OutboundFailed, UnusableAnswer, what tools throw, or the signal's reason
 */
export async function* answerByModel(
  agent: Agent,
  question: ModelQuestion,
): AsyncGenerator<StepReport, Reply> {
  const { llm, tools, run, signal } = agent
  const firstPassages = await unlessAborted(signal, () => tools.search(question.standalone, FIRST_PASSAGES))
  const label = 'Searching the documents'
  yield {
    type: 'search',
    label,
    query: question.standalone.text.slice(0, 200),
    result_count: firstPassages.length,
  }
  const document = await unlessAborted(signal, () => shortDocument(tools, firstPassages))
  run.otherSources.push(question.question, question.standalone.text)
  const search: SearchState = { question: question.standalone, idle: 0, seenResults: new Set() }
  let window = await llm.context.window(signal)
  let prompt = openPrompt(run, question, { passages: firstPassages, document }, window)
  // Whether the prompt was made again for a shorter context.
  let isFitted = false
  // Whether the model was asked to write its answer again.
  let isRepaired = false
  // The whole sentences of an answer that ended at the model's limit, which the model continues.
  let beginning: string | undefined
  for (let step = 0; ; step++) {
    yield { type: 'think', label: step === 0 ? 'Thinking about what was found' : 'Thinking on' }
    const mustAnswer = isRepaired || beginning !== undefined
    const mayCall =
      !mustAnswer &&
      step < MAX_STEPS &&
      search.idle < MAX_IDLE &&
      roomLeft(prompt) >= MIN_RESULT &&
      !tools.outOfTime()
    const request = mayCall || mustAnswer ? prompt.messages : withRequest(prompt.messages, ANSWER_NOW)
    if (beginning === undefined) beginWriting(run)
    const outcome = yield* callModel(agent, { ...prompt, messages: request }, { mayCall, beginning }, window)
    // A single doubtful count limits only this question; other questions keep the whole context.
    const doubtfulWindow =
      outcome.kind === 'doubt' && !isFitted ? limitedWindow(window, outcome.limit) : undefined
    const isTooLong = outcome.kind === 'part' || outcome.kind === 'exceeded'
    if (isTooLong) llm.context.limit(outcome.limit, outcome.kind === 'part')
    if (isTooLong || doubtfulWindow) {
      // The prompt is made again once, for the context that the server has.
      if (!isFitted) {
        isFitted = true
        beginning = undefined
        window = doubtfulWindow ?? (await llm.context.window(signal))
        const shownPassages = without(run.context.passages, without(document, firstPassages))
        prompt = openPrompt(
          run,
          question,
          { passages: shownPassages.slice(-FIRST_PASSAGES), document },
          window,
        )
        const label = 'The model takes less text: asking again with fewer passages'
        if (run.writing.shown) yield* withdrawText(run, label)
        else yield { type: 'think', label }
        continue
      }
      if (outcome.kind === 'exceeded') throw outcome.error
      run.shortcomings.add('partOfPrompt')
    }
    const { turn } = outcome
    if (turn.ending === 'refused') throw new UnusableAnswer('the model or its server refused to answer')
    const { messages } = prompt
    if (turn.calls.length === 0 && turn.ending === 'cut' && beginning === undefined && turn.text.trim()) {
      beginning = wholeSentences(turn.text)
      prompt.messages = requestRest(messages, beginning)
      continue
    }
    if (turn.calls.length === 0) {
      const isCut = turn.ending === 'cut'
      const text = `${beginning ?? ''}${(isCut && wholeSentences(turn.text)) || turn.text}`
      const reply = replyOf(run, yield* finishWriting(run, text))
      if (!('unusable' in reply)) {
        if (isCut || text.length > MAX_CHARACTERS) run.shortcomings.add('cutAnswer')
        return reply
      }
      if (isRepaired) throw new UnusableAnswer(reply.unusable)
      isRepaired = true
      beginning = undefined
      yield* withdrawText(run, 'The model is asked to write its answer again')
      messages.push(assistantMessage(turn), { role: 'user', content: repairRequest(reply.unusable) })
      continue
    }
    messages.push(assistantMessage(turn))
    yield* withdrawText(run, 'The model looks further before it answers')
    yield* runCalls(agent, turn.calls, prompt, search)
  }
}

interface SearchState {
  /** Chooses the excerpts if a call has no query of its own. */
  question: AnalysedText
  /** The number of calls in a row that found nothing new. */
  idle: number
  seenResults: Set<string>
}

/** Runs the calls of one turn and adds their results to the prompt, as far as there is room. */
async function* runCalls(
  { tools, run, signal }: Agent,
  calls: readonly ToolCall[],
  prompt: Prompt,
  search: SearchState,
): AsyncGenerator<StepReport, void> {
  // The calls run at the same time, because the database can work on one while the results of another are read.
  const running = calls.slice(0, MAX_CALLS_AT_ONCE).map((call) => {
    const result = runToolCall({ tools, context: run.context, question: search.question }, call)
    // The first failure is thrown below. Without this handler, further failures would end the process.
    result.catch(() => {})
    return result
  })
  for (const [i, call] of calls.entries()) {
    const result = running[i]
    const showResult = result && (await unlessAborted(signal, () => result))
    if (!showResult) {
      prompt.messages.push(toolMessage(call, 'Not run: too many calls at once.'))
      continue
    }
    run.context.room = Math.max(0, roomLeft(prompt) / (running.length - i))
    const { text, report, partReports, fresh, calculation } = showResult()
    yield* partReports ?? [report]
    const isFact = givesFacts(call.name)
    const isNew = fresh > 0 || (isFact && !search.seenResults.has(text))
    search.idle = isNew ? 0 : search.idle + 1
    search.seenResults.add(text)
    if (isFact) run.otherSources.push(text)
    if (calculation) run.calculations.push(calculation)
    prompt.messages.push(toolMessage(call, withinRoom(text, run.context.room)))
  }
}

/** The messages with a request at the end. It is added to a tool's result, because Mistral accepts no user message after one. */
function withRequest(messages: readonly Message[], request: string): Message[] {
  const last = messages.at(-1)
  return last?.role === 'tool'
    ? [...messages.slice(0, -1), { ...last, content: `${last.content}\n\n${request}` }]
    : [...messages, { role: 'user', content: request }]
}

/** A prompt that grows with each step. */
interface Prompt {
  messages: Message[]
  room: Room
  /** The sizes of the requests with this prompt, as the server counted them. */
  sizes: PromptSize[]
}

/** The tokens that are left for more messages. Nothing is estimated if the room is unlimited. */
const roomLeft = ({ messages, room }: Prompt): number =>
  room.messages === Number.POSITIVE_INFINITY ? room.messages : room.messages - tokensOf(messages)

function openPrompt(
  { context }: AgentRun,
  { question, standalone, turns }: ModelQuestion,
  first: { passages: readonly Passage[]; document: readonly Passage[] },
  window: ContextWindow,
): Prompt {
  const room = roomIn(window)
  if (!room) throw new UnusableAnswer(`its context of ${window.tokens} tokens has no room for passages`)
  const parts = openingRoom(room, question)
  context.startAgain()
  context.room = parts.passages
  const document = documentThatFits(first, standalone, parts.passages)
  const { text } = context.show(first.passages, standalone, document)
  const { repeatsRules } = room
  const opening = { question, turns, passages: text, mostHistory: parts.history, repeatsRules }
  return { messages: openingMessages(opening), room, sizes: [] }
}

/** A window limited to this many tokens. Undefined if no prompt fits into it. */
function limitedWindow(window: ContextWindow, limit: number): ContextWindow | undefined {
  const tokens = Math.min(limit, window.tokens ?? limit)
  const limited = { tokens, density: Math.max(window.density, 1), drops: true }
  return roomIn(limited) && limited
}

/**
 * Whether the server read the whole prompt (`read`), perhaps only a part (`doubt`), only a part (`part`) or nothing (`exceeded`).
 */
type Outcome =
  | { kind: 'read'; turn: ModelTurn }
  | { kind: 'doubt'; turn: ModelTurn; limit: number }
  | { kind: 'part'; turn: ModelTurn; limit: number }
  | { kind: 'exceeded'; error: unknown; limit: number }

/** Asks the model for its next turn. Yields steps with the text that it writes. */
async function* callModel(
  agent: Agent,
  prompt: Prompt,
  { mayCall, beginning = '' }: { mayCall: boolean; beginning: string | undefined },
  window: ContextWindow,
): AsyncGenerator<StepReport, Outcome> {
  return yield* whileWriting(agent.run, (onText) =>
    sendPrompt(agent, prompt, { mayCall, onText: (text) => onText(beginning + text) }, window),
  )
}

async function sendPrompt(
  { llm, run, signal }: Agent,
  prompt: Prompt,
  { mayCall, onText }: { mayCall: boolean; onText: (text: string) => void },
  window: ContextWindow,
): Promise<Outcome> {
  const { messages, room, sizes } = prompt
  const request = { messages, tools: room.tools, mayCall, maxTokens: room.answer }
  try {
    const turn = await llm.converse(request, signal, onText)
    run.tokens = run.tokens === undefined || turn.tokens === undefined ? undefined : run.tokens + turn.tokens
    // The sizes are compared with each other. A request without tools is left out, because it may be smaller than the one before.
    if (mayCall) sizes.push(turn.prompt)
    const limit = Math.max(turn.prompt.counted ?? 0, MIN_LIMIT)
    const isSuspect = mayFillContext(turn.prompt)
    const isCut = isSuspect && llm.context.suspect(turn.prompt)
    if (isCut || !wasReadWhole(mayCall ? sizes : [turn.prompt], window)) return { kind: 'part', turn, limit }
    if (isSuspect) return { kind: 'doubt', turn, limit }
    llm.context.learn(turn.prompt)
    return { kind: 'read', turn }
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal?.kind !== 'context') throw error
    // A prompt that should have fit had more tokens than the estimate.
    const expected = (window.tokens ?? Number.POSITIVE_INFINITY) * EXCEEDED_SHARE
    const limit = Math.min(refusal.tokens ?? tokensOf(request) / 2, expected)
    return { kind: 'exceeded', error, limit: Math.floor(limit) }
  }
}

const SENTENCE_END = /[\p{Sentence_Terminal}…]["'”’»)\]*_]*\s*$/u

/** The text without an unfinished last sentence. */
function wholeSentences(text: string): string {
  if (SENTENCE_END.test(text)) return `${text.trimEnd()} `
  const last = sentences(text).at(-1)
  return last ? text.slice(0, last.start) : ''
}

/** Asks the model to continue its answer, or to write a shorter one if it has not written a whole sentence. */
const requestRest = (messages: readonly Message[], beginning: string): Message[] =>
  beginning
    ? withRequest([...messages, { role: 'assistant', content: beginning, calls: [] }], GO_ON)
    : withRequest(messages, SHORTER)

/** The beginning of a result, as far as there is room. */
const withinRoom = (text: string, room: number): string =>
  text.slice(0, Math.min(MAX_RESULT, Math.max(MIN_RESULT, room) * MAX_CHARACTERS_PER_TOKEN))

/** A turn of the model as a message. Tool calls get their parsed arguments, because servers reject malformed ones. */
const assistantMessage = ({ text, calls, opaque }: ModelTurn): Message => ({
  role: 'assistant',
  // Anthropic refuses empty messages.
  content: text.slice(0, MAX_REMARK) || (calls.length ? '' : NO_TEXT),
  calls: calls.map((call) => ({ ...call, arguments: JSON.stringify(parseArguments(call.arguments)) })),
  opaque,
})

const toolMessage = (call: ToolCall, content: string): Message => ({
  role: 'tool',
  callId: call.id,
  name: call.name,
  content,
})

/** The reply, or why it cannot be shown. */
function replyOf({ context, tokens }: AgentRun, verified: Verified): Reply | { unusable: string } {
  const { answer, citations, unsupported } = verified
  if (citations.length === 0 && unsupported > 0) return { unusable: 'no passage supports any of it' }
  if (!/[\p{L}\p{N}]/u.test(answer)) return { unusable: 'it is empty' }
  if (repeatsSystemPrompt(answer)) return { unusable: 'it repeats its instructions' }
  const logFields = {
    agent: 'model',
    ...(tokens !== undefined && { tokens }),
    passages: context.passages.length,
    suspected_injections: context.suspectedInjections,
  }
  return { markdown: answer, passages: [...context.passages], verified, logFields }
}
