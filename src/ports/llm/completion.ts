// What a server answers to a conversation, as a stream of fragments or whole: told apart by the first character, since
// servers are careless with content types. Everything is bounded; half a stream is a failure and no answer.

import { createParser } from 'eventsource-parser'
import { z } from 'zod'
import { OutboundFailed } from '../outbound/outbound.ts'
import type { Said, ToolCall } from './conversation.ts'
import { Content, Usage } from './fields.ts'

const MOST_CALLS = 16
const MOST_ARGUMENTS = 20_000
const MOST_TEXT = 100_000
const MOST_EVENT = 1_000_000

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
  /** The server's number of each call. */
  slots: (number | undefined)[]
  tokens: number | undefined
  /** The model said that it is done. */
  finished: boolean
  /** The stream said that nothing follows. */
  ended: boolean
}

/** Reads to the end. @throws OutboundFailed for what is no completion, too long, or cut in the middle */
export async function readCompletion(
  response: Response,
  mostBytes: number,
  host: string,
  heard: () => void,
): Promise<Said> {
  const draft: Draft = { text: '', calls: [], slots: [], tokens: undefined, finished: false, ended: false }
  const decoder = new TextDecoder()
  const parser = createParser({
    maxBufferSize: MOST_EVENT,
    onEvent: ({ data }) => takeEvent(draft, data, host),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw new OutboundFailed(`${host} answered without end`)
    },
  })
  let whole: string | undefined
  let size = 0
  for await (const piece of response.body ?? []) {
    heard()
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
  // What a server forgot to end with an empty line.
  else if (!draft.ended) parser.feed('\n\n')
  if (!draft.ended && !draft.finished) throw new OutboundFailed(`${host} ended in the middle of its answer`)
  const calls = draft.calls.filter(({ name }) => name !== '')
  return { text: draft.text, calls: calls.map(withId), tokens: draft.tokens }
}

/** Some servers number no calls; the reply to each needs an id. */
const withId = (call: ToolCall, i: number): ToolCall => (call.id ? call : { ...call, id: `call_${i + 1}` })

function takeEvent(draft: Draft, data: string, host: string): void {
  if (data.trim() === '[DONE]') {
    draft.ended = true
    return
  }
  const answer = parse(data, host)
  const [choice] = answer.choices ?? []
  // A whole message in a stream comes from servers that only half know how to.
  const part = choice?.delta ?? choice?.message
  if (part) take(draft, part, host)
  draft.finished ||= choice?.finish_reason != null
  draft.tokens = answer.usage ?? draft.tokens
}

function takeWhole(draft: Draft, body: string, host: string): void {
  const answer = parse(body, host)
  const [choice] = answer.choices ?? []
  if (!choice?.message) throw notOne(host)
  take(draft, choice.message, host)
  draft.tokens = answer.usage
  draft.ended = true
}

function parse(text: string, host: string): z.infer<typeof Answer> {
  try {
    const answer = Answer.safeParse(JSON.parse(text))
    if (answer.success && answer.data.error == null) return answer.data
  } catch {}
  throw notOne(host)
}

const notOne = (host: string): OutboundFailed =>
  new OutboundFailed(`${host} answered with something else than a completion`)

function take(draft: Draft, part: z.infer<typeof Part>, host: string): void {
  draft.text += part.content
  for (const fragment of part.tool_calls ?? []) takeCall(draft, fragment)
  const longest = Math.max(0, ...draft.calls.map((call) => call.arguments.length))
  if (draft.text.length > MOST_TEXT || draft.calls.length > MOST_CALLS || longest > MOST_ARGUMENTS)
    throw new OutboundFailed(`${host} answered without end`)
}

/** A call comes in fragments: the first names it, the others add to its arguments. */
function takeCall(draft: Draft, fragment: z.infer<typeof Call>): void {
  const given = fragment.function?.arguments
  const text = typeof given === 'string' ? given : given ? JSON.stringify(given) : ''
  const at = slotOf(draft, fragment)
  const known = draft.calls[at]
  if (known) {
    known.name ||= fragment.function?.name ?? ''
    known.arguments += text
    return
  }
  draft.slots.push(fragment.index ?? undefined)
  draft.calls.push({ id: fragment.id ?? '', name: fragment.function?.name ?? '', arguments: text })
}

/** Which call a fragment belongs to: its number says so, unless another id shows that numbers mean nothing here. */
function slotOf(draft: Draft, { index, id, function: own }: z.infer<typeof Call>): number {
  const at = index == null ? (id || own?.name ? -1 : draft.calls.length - 1) : draft.slots.lastIndexOf(index)
  const known = draft.calls[at]
  return known && !(id && known.id && id !== known.id) ? at : draft.calls.length
}
