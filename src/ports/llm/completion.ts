// Reads the answer of a chat completion, as a stream or as one object. The first character shows which one it is, since servers
// send wrong content types. All sizes are limited, and an incomplete stream is an error.

import { createParser } from 'eventsource-parser'
import { z } from 'zod'
import { OutboundFailed } from '../outbound/outbound.ts'
import type { ModelTurn, ToolCall } from './conversation.ts'

const MAX_CALLS = 16
const MAX_ARGUMENTS = 20_000
const MAX_TEXT = 100_000
const MAX_EVENT = 1_000_000

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

interface Draft {
  text: string
  calls: ToolCall[]
  /** The index of each call, as the server sent it. */
  slots: (number | undefined)[]
  tokens: number | undefined
  /** The model has finished. */
  finished: boolean
  /** The stream has sent its end mark. */
  ended: boolean
}

/** @throws OutboundFailed for an answer that is malformed, too long, or cut off */
export async function readCompletion(
  response: Response,
  mostBytes: number,
  host: string,
  onData: () => void,
): Promise<ModelTurn> {
  const draft: Draft = { text: '', calls: [], slots: [], tokens: undefined, finished: false, ended: false }
  const decoder = new TextDecoder()
  const parser = createParser({
    maxBufferSize: MAX_EVENT,
    onEvent: ({ data }) => takeEvent(draft, data, host),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded')
        throw new OutboundFailed(`${host} sent an answer that is too long`)
    },
  })
  let whole: string | undefined
  let size = 0
  for await (const piece of response.body ?? []) {
    onData()
    size += piece.length
    if (size > mostBytes)
      throw new OutboundFailed(`${host} sent more than ${mostBytes} bytes`, response.status)
    const text = decoder.decode(piece, { stream: true })
    if (whole === undefined && size === piece.length && /^\s*\{/.test(text)) whole = ''
    if (whole === undefined) parser.feed(text)
    else whole += text
    if (draft.ended && whole === undefined) break
  }
  if (whole !== undefined) takeWhole(draft, whole, host)
  // Some servers omit the empty line after the last event.
  else if (!draft.ended) parser.feed('\n\n')
  if (!draft.ended && !draft.finished)
    throw new OutboundFailed(`${host} closed the connection in the middle of its answer`)
  const calls = draft.calls.filter(({ name }) => name !== '')
  return { text: draft.text, calls: calls.map(withId), tokens: draft.tokens }
}

/** Some servers send no ids, but the replies to the calls need them. */
const withId = (call: ToolCall, i: number): ToolCall => (call.id ? call : { ...call, id: `call_${i + 1}` })

function takeEvent(draft: Draft, data: string, host: string): void {
  if (data.trim() === '[DONE]') {
    draft.ended = true
    return
  }
  const answer = parse(data, host)
  const [choice] = answer.choices ?? []
  // Some servers send whole messages in a stream.
  const part = choice?.delta ?? choice?.message
  if (part) take(draft, part, host)
  draft.finished ||= choice?.finish_reason != null
  draft.tokens = answer.usage ?? draft.tokens
}

function takeWhole(draft: Draft, body: string, host: string): void {
  const answer = parse(body, host)
  const [choice] = answer.choices ?? []
  if (!choice?.message) throw malformed(host)
  take(draft, choice.message, host)
  draft.tokens = answer.usage
  draft.ended = true
}

function parse(text: string, host: string): z.infer<typeof Answer> {
  try {
    const answer = Answer.safeParse(JSON.parse(text))
    if (answer.success && answer.data.error == null) return answer.data
  } catch {}
  throw malformed(host)
}

const malformed = (host: string): OutboundFailed =>
  new OutboundFailed(`${host} returned something other than a completion`)

function take(draft: Draft, part: z.infer<typeof Part>, host: string): void {
  draft.text += part.content
  for (const fragment of part.tool_calls ?? []) takeCall(draft, fragment)
  const longest = Math.max(0, ...draft.calls.map((call) => call.arguments.length))
  if (draft.text.length > MAX_TEXT || draft.calls.length > MAX_CALLS || longest > MAX_ARGUMENTS)
    throw new OutboundFailed(`${host} sent an answer that is too long`)
}

/** Adds a fragment of a call: the first fragment has the name, the others continue the arguments. */
function takeCall(draft: Draft, fragment: z.infer<typeof Call>): void {
  const argumentText = fragment.function?.arguments
  const text =
    typeof argumentText === 'string' ? argumentText : argumentText ? JSON.stringify(argumentText) : ''
  const at = slotOf(draft, fragment)
  const existingCall = draft.calls[at]
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
function slotOf(draft: Draft, { index, id, function: own }: z.infer<typeof Call>): number {
  const at = index == null ? (id || own?.name ? -1 : draft.calls.length - 1) : draft.slots.lastIndexOf(index)
  const existingCall = draft.calls[at]
  return existingCall && !(id && existingCall.id && id !== existingCall.id) ? at : draft.calls.length
}
