// The mind with a model: a first search, then tools as the model asks for them
// until it answers, has looked enough or runs out of time. What it writes is made safe here; its citations are verified
// where every mind's are.

import { randomBytes } from 'node:crypto'
import type { Message, Said, ToolCall } from '../../ports/llm/conversation.ts'
import type { ChatModel } from '../../ports/llm/llm.ts'
import type { Calculated } from '../citations/support.ts'
import { verifyCitations } from '../citations/verify.ts'
import type { EarlierTurn } from '../threads/threads.ts'
import { type Reply, type StepReport, type Tools, unlessAborted } from '../tools/tools.ts'
import { emptyShelf, type Shelf } from './context.ts'
import { ANSWER_NOW, openingMessages, recitesRules, repairOf } from './prompt.ts'
import { safeMarkdown } from './safe-markdown.ts'
import { jsonOf, runCall, toolSpecs } from './tool-calls.ts'

const FIRST_PASSAGES = 8
const MOST_STEPS = 8
const MOST_CALLS_AT_ONCE = 6
// Calls in a row that bring nothing new.
const MOST_IDLE = 2
const MOST_TOKENS = 4_000
// What a model says beside its calls is kept so far.
const MOST_REMARK = 2_000
const MOST_RESULT = 20_000

export interface Asked {
  question: string
  /** The question with what it leaves to the turns before. */
  standalone: string
  turns: readonly EarlierTurn[]
}

/** What has been found so far: also what is there when the model fails. */
export interface Run {
  shelf: Shelf
  /** Of all turns so far; undefined once the server did not say what one cost. */
  tokens: number | undefined
  /** The question, and what tools said that is no passage: where figures may be from as well. */
  told: string[]
  calculated: Calculated[]
}

export const newRun = (): Run => ({
  shelf: emptyShelf(randomBytes(8).toString('hex')),
  tokens: 0,
  told: [],
  calculated: [],
})

/** The model answered nothing that can be shown. */
export class UnusableAnswer extends Error {
  constructor(why: string) {
    super(`the model's answer cannot be used: ${why}`)
    this.name = 'UnusableAnswer'
  }
}

/**
 * Steps as they happen, then the reply. Stops within the signal, whatever the model does.
 * @throws OutboundFailed, UnusableAnswer, what tools throw, or the signal's reason
 */
export async function* answerByModel(
  { llm, tools, run, signal }: { llm: ChatModel; tools: Tools; run: Run; signal: AbortSignal },
  asked: Asked,
): AsyncGenerator<StepReport, Reply> {
  const found = await unlessAborted(signal, () => tools.search(asked.standalone, FIRST_PASSAGES))
  const label = 'Searching the documents'
  yield { type: 'search', label, query: asked.standalone.slice(0, 200), result_count: found.length }
  const messages = openingMessages(asked, run.shelf.show(found, asked.standalone).text)
  run.told.push(asked.question, asked.standalone)
  const bench = { tools, shelf: run.shelf, question: asked.standalone }
  const seen = new Set<string>()
  let idle = 0
  let repaired = false
  for (let step = 0; ; step++) {
    yield { type: 'think', label: step === 0 ? 'Thinking about what was found' : 'Thinking on' }
    const mayCall = !repaired && step < MOST_STEPS && idle < MOST_IDLE && !tools.late()
    const said = await converse(
      llm,
      run,
      mayCall || repaired ? messages : [...messages, NOW],
      mayCall,
      signal,
    )
    if (said.calls.length === 0) {
      const reply = replyOf(run, said.text)
      if (!('unusable' in reply)) return reply
      if (repaired) throw new UnusableAnswer(reply.unusable)
      repaired = true
      messages.push(assistantMessage(said), { role: 'user', content: repairOf(reply.unusable) })
      continue
    }
    messages.push(assistantMessage(said))
    for (const [i, call] of said.calls.entries()) {
      if (i >= MOST_CALLS_AT_ONCE) {
        messages.push(result(call, 'Not run: too many calls at once.'))
        continue
      }
      const ran = await unlessAborted(signal, () => runCall(bench, call))
      yield ran.report
      const isNew = ran.fresh > 0 || (OTHERWISE.has(call.name) && !seen.has(ran.text))
      idle = isNew ? 0 : idle + 1
      seen.add(ran.text)
      if (OTHERWISE.has(call.name)) run.told.push(ran.text)
      if (ran.calculated) run.calculated.push(ran.calculated)
      messages.push(result(call, ran.text.slice(0, MOST_RESULT)))
    }
  }
}

const NOW: Message = { role: 'user', content: ANSWER_NOW }

// What these find are no passages: new words from them are new.
const OTHERWISE = new Set(['compute', 'find_entities', 'list_documents', 'themes'])

async function converse(
  llm: ChatModel,
  run: Run,
  messages: readonly Message[],
  mayCall: boolean,
  signal: AbortSignal,
): Promise<Said> {
  const said = await llm.converse({ messages, tools: toolSpecs, mayCall, mostTokens: MOST_TOKENS }, signal)
  run.tokens = run.tokens === undefined || said.tokens === undefined ? undefined : run.tokens + said.tokens
  return said
}

/** The call as it was understood: broken arguments would be refused when they come back. */
const assistantMessage = ({ text, calls }: Said): Message => ({
  role: 'assistant',
  content: text.slice(0, MOST_REMARK),
  calls: calls.map((call) => ({ ...call, arguments: JSON.stringify(jsonOf(call.arguments)) })),
})

const result = (call: ToolCall, content: string): Message => ({
  role: 'tool',
  callId: call.id,
  name: call.name,
  content,
})

/** The reply, or why it cannot be shown. */
function replyOf({ shelf, tokens, told, calculated }: Run, text: string): Reply | { unusable: string } {
  const isShown = (address: string): boolean =>
    shelf.passages.some((passage) => passage.text.includes(address))
  const markdown = safeMarkdown(text, isShown)
  if (!/[\p{L}\p{N}]/u.test(markdown)) return { unusable: 'it is empty' }
  if (recitesRules(markdown)) return { unusable: 'it recites its rules' }
  const kind = { prose: true, besides: told, calculated }
  const { citations, unsupported } = verifyCitations(markdown, shelf.passages, kind)
  if (citations.length === 0 && unsupported > 0) return { unusable: 'no passage bears any of it out' }
  const judgement = {
    mind: 'model',
    ...(tokens !== undefined && { tokens }),
    passages: shelf.passages.length,
    suspects: shelf.suspects,
  }
  return { markdown, seen: [...shelf.passages], ...kind, judgement }
}
