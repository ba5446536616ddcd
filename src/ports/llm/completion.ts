// Reads the answer of a chat completion, as a stream or as one object. The first character shows which one it is, since servers
// send wrong content types. All sizes are limited, and an incomplete stream is an error.

import { createParser } from 'eventsource-parser'
import { z } from 'zod'
import { OutboundFailed } from '../outbound/outbound.ts'
import type { ModelTurn, ToolCall } from './conversation.ts'

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

// A missing or malformed count is no reason to lose an answer.
const Count = z.int().nonnegative().nullish().catch(null)

/** The tokens of prompt and answer in the `usage` of a completion; undefined if they are not reported. */
export const Usage = z
  .object({ total_tokens: Count, prompt_tokens: Count, completion_tokens: Count })
  .nullish()
  .catch(null)
  .transform((usage) => {
    if (usage?.total_tokens != null) return usage.total_tokens
    const { prompt_tokens: prompt, completion_tokens: completion } = usage ?? {}
    return prompt == null || completion == null ? undefined : prompt + completion
  })

const Call = z.object({
  index: z.int().nullish(),
  id: z.string().nullish(),
  function: z
    .object({ name: z.string().nullish(), arguments: z.union([z.string(), z.looseObject({})]).nullish() })
    .nullish(),
})
const Part = z.object({ content: Content, tool_calls: z.array(Call).nullish() })
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
  /** The index of each call, as the server sent it. */
  slots: (number | undefined)[]
  tokens: number | undefined
  /** Whether the model has finished. */
  hasFinished: boolean
  /** Whether the stream has sent its end mark. */
  hasEnded: boolean
}

/** @throws OutboundFailed for an answer that is malformed, too long, or cut off */
export async function readCompletion(
  response: Response,
  maxBytes: number,
  host: string,
  onData: () => void,
): Promise<ModelTurn> {
  const draft: TurnDraft = {
    text: '',
    calls: [],
    slots: [],
    tokens: undefined,
    hasFinished: false,
    hasEnded: false,
  }
  const decoder = new TextDecoder()
  const parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent: ({ data }) => takeEvent(draft, data, host),
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
    if (wholeBody === undefined) parser.feed(text)
    else wholeBody += text
    if (draft.hasEnded && wholeBody === undefined) break
  }
  if (wholeBody !== undefined) takeWhole(draft, wholeBody, host)
  // Some servers omit the empty line after the last event.
  else if (!draft.hasEnded) parser.feed('\n\n')
  if (!draft.hasEnded && !draft.hasFinished)
    throw new OutboundFailed(`${host} closed the connection in the middle of its answer`)
  const calls = draft.calls.filter(({ name }) => name !== '')
  return { text: draft.text, calls: calls.map(withId), tokens: draft.tokens }
}

/** Some servers send no ids, but the replies to the calls need them. */
const withId = (call: ToolCall, i: number): ToolCall => (call.id ? call : { ...call, id: `call_${i + 1}` })

function takeEvent(draft: TurnDraft, data: string, host: string): void {
  if (data.trim() === '[DONE]') {
    draft.hasEnded = true
    return
  }
  const answer = parse(data, host)
  const [choice] = answer.choices ?? []
  // Some servers send whole messages in a stream.
  const delta = choice?.delta ?? choice?.message
  if (delta) addDelta(draft, delta, host)
  draft.hasFinished ||= choice?.finish_reason != null
  draft.tokens = answer.usage ?? draft.tokens
}

function takeWhole(draft: TurnDraft, body: string, host: string): void {
  const answer = parse(body, host)
  const [choice] = answer.choices ?? []
  if (!choice?.message) throw malformedAnswer(host)
  addDelta(draft, choice.message, host)
  draft.tokens = answer.usage
  draft.hasEnded = true
}

function parse(text: string, host: string): z.infer<typeof Answer> {
  try {
    const answer = Answer.safeParse(JSON.parse(text))
    if (answer.success && answer.data.error == null) return answer.data
  } catch {}
  throw malformedAnswer(host)
}

const malformedAnswer = (host: string): OutboundFailed =>
  new OutboundFailed(`${host} returned something other than a completion`)

function addDelta(draft: TurnDraft, delta: z.infer<typeof Part>, host: string): void {
  draft.text += delta.content
  for (const fragment of delta.tool_calls ?? []) takeCall(draft, fragment)
  const maxArgumentsLength = Math.max(0, ...draft.calls.map((call) => call.arguments.length))
  if (
    draft.text.length > MAX_TEXT_LENGTH ||
    draft.calls.length > MAX_CALLS ||
    maxArgumentsLength > MAX_ARGUMENTS_LENGTH
  )
    throw new OutboundFailed(`${host} sent an answer that is too long`)
}

/** Adds a fragment of a call: the first fragment has the name, the others continue the arguments. */
function takeCall(draft: TurnDraft, fragment: z.infer<typeof Call>): void {
  const argumentText = fragment.function?.arguments
  const text =
    typeof argumentText === 'string' ? argumentText : argumentText ? JSON.stringify(argumentText) : ''
  const callIndex = slotOf(draft, fragment)
  const existingCall = draft.calls[callIndex]
  if (existingCall) {
    existingCall.name ||= fragment.function?.name ?? ''
    existingCall.arguments += text
    return
  }
  draft.slots.push(fragment.index ?? undefined)
  draft.calls.push({ id: fragment.id ?? '', name: fragment.function?.name ?? '', arguments: text })
}

/**
 * The call that a fragment belongs to. It is the one with the fragment's index, unless a different id shows that the server's
 * indexes are wrong.
 */
function slotOf(draft: TurnDraft, { index, id, function: calledFunction }: z.infer<typeof Call>): number {
  const at =
    index == null
      ? id || calledFunction?.name
        ? -1
        : draft.calls.length - 1
      : draft.slots.lastIndexOf(index)
  const existingCall = draft.calls[at]
  return existingCall && !(id && existingCall.id && id !== existingCall.id) ? at : draft.calls.length
}
