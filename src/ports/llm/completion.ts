// Reads the answer of a chat completion, as a stream or as one object. The first character shows which one it is, because
// servers send wrong content types. All sizes are limited, and an incomplete stream is an error.

import { createParser } from 'eventsource-parser'
import { z } from 'zod'
import { OutboundFailed } from '../outbound/outbound.ts'
import type { BegunAnswer, Ending, ModelTurn, OpaqueFields, ToolCall } from './conversation.ts'
import { failureInAnswer } from './refusal.ts'
import { withoutThoughts } from './thoughts.ts'

const MAX_CALLS = 16
const MAX_ARGUMENTS_LENGTH = 20_000
const MAX_TEXT_LENGTH = 100_000
const MAX_EVENT_LENGTH = 1_000_000

/**
 * The `content` of a message, or of a part of it, as text. Reasoning models of Mistral send it in pieces, with their thoughts
 * beside the answer (RooCodeInc/Roo-Code#6842).
 */
export const Content = z
  .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().nullish().catch(null) }))])
  .nullish()
  .transform((content) =>
    Array.isArray(content)
      ? content.map(({ type, text }) => (type === 'text' ? (text ?? '') : '')).join('')
      : (content ?? ''),
  )

// A malformed count is ignored, so that the answer is not lost.
const Count = z.int().nonnegative().nullish().catch(null)

/** The token counts in the `usage` of a completion: `total` of prompt and answer, `prompt` alone. Undefined if not reported. */
export const Usage = z
  .object({ total_tokens: Count, prompt_tokens: Count, completion_tokens: Count })
  .nullish()
  .catch(null)
  .transform((usage) => {
    const { total_tokens: total, prompt_tokens: prompt, completion_tokens: completion } = usage ?? {}
    const sum = prompt == null || completion == null ? undefined : prompt + completion
    return usage ? { total: total ?? sum, prompt: prompt || undefined } : undefined
  })

// The values of `finish_reason` that do not mean a complete answer. All others do (stop, tool_calls, end_turn, eos_token …).
const ENDINGS: Readonly<Record<string, Ending | 'broken'>> = {
  length: 'cut',
  max_tokens: 'cut',
  model_length: 'cut',
  content_filter: 'refused',
  refusal: 'refused',
  safety: 'refused',
  error: 'broken',
  abort: 'broken',
  insufficient_system_resource: 'broken',
  malformed_function_call: 'broken',
}

/** How an answer with this `finish_reason` ended. @throws OutboundFailed if the server gave up in the middle */
export function endingOf(reason: string | null | undefined, host: string): Ending {
  const ending = ENDINGS[reason?.toLowerCase() ?? ''] ?? 'complete'
  if (ending === 'broken') throw new OutboundFailed(`${host} gave up in the middle of its answer (${reason})`)
  return ending
}

// Fields of a message that must be sent back to the server with the message's tool calls. Without the first, DeepSeek, Moonshot
// and GLM refuse the next request, and without the second Gemini does. Without the third, OpenRouter loses the model's thoughts.
const OPAQUE_FIELDS = ['reasoning_content', 'extra_content', 'reasoning_details'] as const

const Call = z.looseObject({
  index: z.int().nullish(),
  id: z.string().nullish(),
  function: z
    .object({ name: z.string().nullish(), arguments: z.union([z.string(), z.looseObject({})]).nullish() })
    .nullish(),
})
const Part = z.looseObject({
  content: Content,
  tool_calls: z.array(Call).nullish(),
  // What the model says if it refuses to answer.
  refusal: z.string().nullish().catch(null),
})
const Answer = z.object({
  choices: z
    .array(z.object({ delta: Part.nullish(), message: Part.nullish(), finish_reason: z.string().nullish() }))
    .nullish(),
  usage: Usage,
  error: z.unknown().optional(),
})

interface TurnDraft {
  text: string
  calls: ToolCall[]
  /** For each of `calls`, its index as the server sent it. */
  callIndexes: (number | undefined)[]
  opaque: OpaqueFields
  ending: Ending
  usage: z.output<typeof Usage>
  /** Whether the model has finished. */
  hasFinished: boolean
  /** Whether the stream has sent its end mark. */
  hasEnded: boolean
}

/** A message of the model. Instead of the size of the prompt it has only the server's count of the prompt's tokens. */
type ReadTurn = Omit<ModelTurn, 'prompt'> & { promptTokens: number | undefined }

interface ReadOptions {
  maxBytes: number
  host: string
  onData: () => void
  /** Called with the text so far, including the model's thoughts. */
  onText?: ((text: string) => void) | undefined
  /** Called once, when the answer begins to arrive. Not called for an error or an end mark without an answer. */
  onAnswer?: ((answer: BegunAnswer) => void) | undefined
}

/** @throws OutboundFailed for an answer that is malformed, too long, or breaks off */
export async function readCompletion(
  response: Response,
  { maxBytes, host, onData, onText, onAnswer }: ReadOptions,
): Promise<ReadTurn> {
  const draft: TurnDraft = {
    text: '',
    calls: [],
    callIndexes: [],
    opaque: {},
    ending: 'complete',
    usage: undefined,
    hasFinished: false,
    hasEnded: false,
  }
  let hasBegun = false
  const begin = (): void => {
    if (!hasBegun) onAnswer?.(draft)
    hasBegun = true
  }
  const decoder = new TextDecoder()
  const parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent: ({ data }) => takeEvent(draft, data, host, begin),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded')
        throw new OutboundFailed(`${host} sent an answer that is too long`)
    },
  })
  let wholeBody: string | undefined
  let size = 0
  for await (const piece of response.body ?? []) {
    onData()
    size += piece.length
    if (size > maxBytes) throw new OutboundFailed(`${host} sent more than ${maxBytes} bytes`, response.status)
    const text = decoder.decode(piece, { stream: true })
    if (wholeBody === undefined && size === piece.length && /^\s*\{/.test(text)) wholeBody = ''
    const length = draft.text.length
    if (wholeBody === undefined) parser.feed(text)
    else wholeBody += text
    if (draft.text.length > length) onText?.(draft.text)
    if (draft.hasEnded && wholeBody === undefined) break
  }
  if (wholeBody !== undefined) takeWhole(draft, wholeBody, host, begin)
  // Some servers omit the empty line after the last event.
  else if (!draft.hasEnded) parser.feed('\n\n')
  if (!draft.hasEnded && !draft.hasFinished)
    throw new OutboundFailed(`${host} closed the connection in the middle of its answer`)
  // The last call of a cut answer may be incomplete.
  const isUsable = (call: ToolCall): boolean =>
    call.name !== '' && (draft.ending !== 'cut' || hasWholeArguments(call))
  const calls = draft.calls.filter(isUsable)
  return {
    text: withoutThoughts(draft.text),
    calls: calls.map(withId),
    ending: draft.ending,
    opaque: draft.opaque,
    tokens: draft.usage?.total,
    promptTokens: draft.usage?.prompt,
  }
}

function hasWholeArguments(call: ToolCall): boolean {
  try {
    JSON.parse(call.arguments)
    return true
  } catch {
    return false
  }
}

/** Some servers send no ids, but the replies to the calls need them. */
const withId = (call: ToolCall, i: number): ToolCall => (call.id ? call : { ...call, id: `call_${i + 1}` })

function takeEvent(draft: TurnDraft, data: string, host: string, begin: () => void): void {
  if (data.trim() === '[DONE]') {
    draft.hasEnded = true
    return
  }
  const answer = parse(data, host)
  begin()
  const [choice] = answer.choices ?? []
  // Some servers send whole messages in a stream.
  const delta = choice?.delta ?? choice?.message
  if (delta) addDelta(draft, delta, host)
  if (choice?.finish_reason != null) finish(draft, choice.finish_reason, host)
  draft.usage = answer.usage ?? draft.usage
}

function finish(draft: TurnDraft, reason: string | null | undefined, host: string): void {
  draft.hasFinished = true
  const ending = endingOf(reason, host)
  if (draft.ending === 'complete') draft.ending = ending
}

function takeWhole(draft: TurnDraft, body: string, host: string, begin: () => void): void {
  const answer = parse(body, host)
  begin()
  const [choice] = answer.choices ?? []
  if (!choice?.message) throw malformedAnswer(host)
  addDelta(draft, choice.message, host)
  finish(draft, choice.finish_reason, host)
  draft.usage = answer.usage
  draft.hasEnded = true
}

function parse(text: string, host: string): z.infer<typeof Answer> {
  const json = jsonOf(text)
  const answer = Answer.safeParse(json)
  if (answer.success && answer.data.error == null) return answer.data
  // OpenRouter and LM Studio report some errors with status 200, for example that the prompt exceeds the context.
  if (isReportedError(json)) throw failureInAnswer(text.slice(0, MAX_ERROR_LENGTH), host)
  throw malformedAnswer(host)
}

const MAX_ERROR_LENGTH = 4_000

const isReportedError = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && 'error' in json && json.error != null

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const malformedAnswer = (host: string): OutboundFailed =>
  new OutboundFailed(`${host} returned something other than a completion`)

function addDelta(draft: TurnDraft, delta: z.infer<typeof Part>, host: string): void {
  draft.text += delta.content
  if (delta.refusal) draft.ending = 'refused'
  draft.opaque = OPAQUE_FIELDS.reduce((fields, name) => withField(fields, name, delta[name]), draft.opaque)
  for (const fragment of delta.tool_calls ?? []) takeCall(draft, fragment)
  const maxArgumentsLength = Math.max(0, ...draft.calls.map((call) => call.arguments.length))
  const isTooLong =
    draft.text.length > MAX_TEXT_LENGTH ||
    draft.calls.length > MAX_CALLS ||
    maxArgumentsLength > MAX_ARGUMENTS_LENGTH
  if (isTooLong) throw new OutboundFailed(`${host} sent an answer that is too long`)
}

/** Adds a fragment of a call: the first fragment has the name, the others continue the arguments. */
function takeCall(draft: TurnDraft, fragment: z.infer<typeof Call>): void {
  const argumentText = fragment.function?.arguments
  const text =
    typeof argumentText === 'string' ? argumentText : argumentText ? JSON.stringify(argumentText) : ''
  const callIndex = callIndexOf(draft, fragment)
  const existingCall = draft.calls[callIndex]
  if (existingCall) {
    existingCall.name ||= fragment.function?.name ?? ''
    existingCall.arguments += text
    existingCall.opaque = opaqueOf(fragment, existingCall.opaque)
    return
  }
  draft.callIndexes.push(fragment.index ?? undefined)
  const opaque = opaqueOf(fragment, {})
  draft.calls.push({ id: fragment.id ?? '', name: fragment.function?.name ?? '', arguments: text, opaque })
}

/** The fields of a call that the protocol does not define, such as the signature of Gemini's thoughts. */
const opaqueOf = (
  { index: _index, id: _id, type: _type, function: _function, ...own }: z.infer<typeof Call>,
  before: OpaqueFields = {},
): OpaqueFields =>
  Object.entries(own).reduce((fields, [name, value]) => withField(fields, name, value), before)

/** Adds a piece of a streamed value to the fields: texts and lists are appended, other values are replaced. */
function withField(fields: OpaqueFields, name: string, piece: unknown): OpaqueFields {
  if (piece === undefined || piece === null) return fields
  const fieldBefore = fields[name]
  if (typeof fieldBefore === 'string' && typeof piece === 'string')
    return { ...fields, [name]: fieldBefore + piece }
  if (Array.isArray(fieldBefore) && Array.isArray(piece))
    return { ...fields, [name]: [...fieldBefore, ...piece] }
  return { ...fields, [name]: piece }
}

/**
 * The position in `draft.calls` of the call to which a fragment belongs. It is the call with the fragment's index, unless a
 * different id shows that the server's indexes are wrong.
 */
function callIndexOf(
  draft: TurnDraft,
  { index, id, function: calledFunction }: z.infer<typeof Call>,
): number {
  // Without an index, an id or a name begins a new call, and any other fragment continues the last one.
  const beginsCall = Boolean(id || calledFunction?.name)
  const position =
    index == null ? (beginsCall ? -1 : draft.calls.length - 1) : draft.callIndexes.lastIndexOf(index)
  const existingCall = draft.calls[position]
  const hasOtherId = Boolean(id && existingCall?.id && id !== existingCall.id)
  return existingCall && !hasOtherId ? position : draft.calls.length
}
