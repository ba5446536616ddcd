// The agent that drives a language model: a first search, then tools as the model calls them, until it answers, finds
// nothing new or runs out of time. Its Markdown is made safe here; its citations are verified like those of the
// extractive agent.

import { randomBytes } from 'node:crypto'
import type { AnalysedText } from '../../language/analysed-text.ts'
import type { Message, ModelTurn, ToolCall } from '../../ports/llm/conversation.ts'
import type { ChatModel } from '../../ports/llm/llm.ts'
import type { Calculation } from '../citations/support.ts'
import { verifyCitations } from '../citations/verify.ts'
import type { EarlierTurn } from '../threads/threads.ts'
import { type Reply, type StepReport, type Tools, unlessAborted } from '../tools/tools.ts'
import { newPassageContext, type PassageContext } from './context.ts'
import { ANSWER_NOW, openingMessages, repairRequest, repeatsSystemPrompt } from './prompt.ts'
import { safeMarkdown } from './safe-markdown.ts'
import { givesFacts, parseArguments, runToolCall, toolSpecs } from './tool-calls.ts'

const FIRST_PASSAGES = 8
const MAX_STEPS = 8
const MAX_CALLS_AT_ONCE = 6
// Calls in a row that find nothing new.
const MAX_IDLE = 2
const MAX_TOKENS = 4_000
// Text beside tool calls is kept up to this length.
const MAX_REMARK = 2_000
const MAX_RESULT = 20_000

export interface ModelQuestion {
  question: string
  /** The question rewritten to include what it refers to in earlier turns. */
  standalone: AnalysedText
  turns: readonly EarlierTurn[]
}

/** What was found so far; also used when the model fails. */
export interface AgentRun {
  context: PassageContext
  /** Tokens used so far; undefined once the server did not report them. */
  tokens: number | undefined
  /** The question and tool results other than passages, from which figures may come too. */
  otherSources: string[]
  calculations: Calculation[]
}

export const newRun = (): AgentRun => ({
  context: newPassageContext(randomBytes(8).toString('hex')),
  tokens: 0,
  otherSources: [],
  calculations: [],
})

/** The model gave no answer that can be shown. */
export class UnusableAnswer extends Error {
  constructor(why: string) {
    super(`the model's answer cannot be used: ${why}`)
    this.name = 'UnusableAnswer'
  }
}

/**
 * Yields steps as they happen and returns the reply. Stops when the signal aborts, whatever the model does.
 * @throws OutboundFailed, UnusableAnswer, what tools throw, or the signal's reason
 */
export async function* answerByModel(
  { llm, tools, run, signal }: { llm: ChatModel; tools: Tools; run: AgentRun; signal: AbortSignal },
  question: ModelQuestion,
): AsyncGenerator<StepReport, Reply> {
  const firstPassages = await unlessAborted(signal, () => tools.search(question.standalone, FIRST_PASSAGES))
  const label = 'Searching the documents'
  yield {
    type: 'search',
    label,
    query: question.standalone.text.slice(0, 200),
    result_count: firstPassages.length,
  }
  const messages = openingMessages(question, run.context.show(firstPassages, question.standalone).text)
  run.otherSources.push(question.question, question.standalone.text)
  const toolContext = { tools, context: run.context, question: question.standalone }
  const seenCalls = new Set<string>()
  let idle = 0
  let repaired = false
  for (let step = 0; ; step++) {
    yield { type: 'think', label: step === 0 ? 'Thinking about what was found' : 'Thinking on' }
    const mayCall = !repaired && step < MAX_STEPS && idle < MAX_IDLE && !tools.outOfTime()
    const turn = await callModel(
      llm,
      run,
      mayCall || repaired ? messages : [...messages, ANSWER_NOW_MESSAGE],
      mayCall,
      signal,
    )
    if (turn.calls.length === 0) {
      const reply = replyOf(run, turn.text)
      if (!('unusable' in reply)) return reply
      if (repaired) throw new UnusableAnswer(reply.unusable)
      repaired = true
      messages.push(assistantMessage(turn), { role: 'user', content: repairRequest(reply.unusable) })
      continue
    }
    messages.push(assistantMessage(turn))
    // All at once: a server works on several, and the embedded engine on one while the results of another are read.
    const running = turn.calls.slice(0, MAX_CALLS_AT_ONCE).map((call) => {
      const result = runToolCall(toolContext, call)
      // Of several failures the first is thrown below; the others must not end the process.
      result.catch(() => {})
      return result
    })
    for (const [i, call] of turn.calls.entries()) {
      const result = running[i]
      const toolResult = result && (await unlessAborted(signal, () => result))
      if (!toolResult) {
        messages.push(toolMessage(call, 'Not run: too many calls at once.'))
        continue
      }
      const ran = toolResult()
      yield ran.report
      const isNew = ran.fresh > 0 || (givesFacts(call.name) && !seenCalls.has(ran.text))
      idle = isNew ? 0 : idle + 1
      seenCalls.add(ran.text)
      if (givesFacts(call.name)) run.otherSources.push(ran.text)
      if (ran.calculation) run.calculations.push(ran.calculation)
      messages.push(toolMessage(call, ran.text.slice(0, MAX_RESULT)))
    }
  }
}

const ANSWER_NOW_MESSAGE: Message = { role: 'user', content: ANSWER_NOW }

async function callModel(
  llm: ChatModel,
  run: AgentRun,
  messages: readonly Message[],
  mayCall: boolean,
  signal: AbortSignal,
): Promise<ModelTurn> {
  const turn = await llm.converse({ messages, tools: toolSpecs, mayCall, maxTokens: MAX_TOKENS }, signal)
  run.tokens = run.tokens === undefined || turn.tokens === undefined ? undefined : run.tokens + turn.tokens
  return turn
}

/** Tool calls as they were parsed: servers reject a history with malformed arguments. */
const assistantMessage = ({ text, calls }: ModelTurn): Message => ({
  role: 'assistant',
  content: text.slice(0, MAX_REMARK),
  calls: calls.map((call) => ({ ...call, arguments: JSON.stringify(parseArguments(call.arguments)) })),
})

const toolMessage = (call: ToolCall, content: string): Message => ({
  role: 'tool',
  callId: call.id,
  name: call.name,
  content,
})

/** The reply, or why it cannot be shown. */
function replyOf(
  { context, tokens, otherSources, calculations }: AgentRun,
  text: string,
): Reply | { unusable: string } {
  const isShown = (address: string): boolean =>
    context.passages.some((passage) => passage.text.includes(address))
  const markdown = safeMarkdown(text, isShown)
  if (!/[\p{L}\p{N}]/u.test(markdown)) return { unusable: 'it is empty' }
  if (repeatsSystemPrompt(markdown)) return { unusable: 'it repeats its instructions' }
  const options = { isProse: true, otherSources, calculations }
  const { citations, unsupported } = verifyCitations(markdown, context.passages, options)
  if (citations.length === 0 && unsupported > 0) return { unusable: 'no passage supports any of it' }
  const logFields = {
    agent: 'model',
    ...(tokens !== undefined && { tokens }),
    passages: context.passages.length,
    suspected_injections: context.suspectedInjections,
  }
  return { markdown, passages: [...context.passages], ...options, logFields }
}
