// Tools for models that have none: the conversation as plain text, a call as one JSON object that the model writes, and
// the same read back, also from models that have tools and forget to use them. Pure.

import { z } from 'zod'
import type { Conversation, Message, Said, ToolCall, ToolSpec } from './conversation.ts'

export interface PlainMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** The conversation without tool messages, for a server that refuses them. */
export function plainMessages({ messages, tools, mayCall }: Conversation): PlainMessage[] {
  const plain = messages.map(plainMessage)
  const how = mayCall && tools.length ? howToCall(tools) : ''
  const [first, ...rest] = plain
  const told =
    first?.role === 'system' ? [{ ...first, content: `${first.content}\n\n${how}`.trim() }, ...rest] : plain
  return inTurns(told)
}

/** Servers of small models insist that user and assistant take turns. */
function inTurns(messages: readonly PlainMessage[]): PlainMessage[] {
  const turns: PlainMessage[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (last?.role === message.role) last.content += `\n\n${message.content}`
    else turns.push({ ...message })
  }
  return turns
}

function plainMessage(message: Message): PlainMessage {
  if (message.role === 'tool')
    return { role: 'user', content: `Result of ${message.name}:\n${message.content}` }
  if (message.role !== 'assistant') return message
  const calls = message.calls.map(
    (call) => `{"tool": ${JSON.stringify(call.name)}, "arguments": ${call.arguments || '{}'}}`,
  )
  return { role: 'assistant', content: [message.content, ...calls].filter(Boolean).join('\n') }
}

const howToCall = (tools: readonly ToolSpec[]): string =>
  [
    'You may use these tools:',
    ...tools.map(
      ({ name, description, parameters }) =>
        `- ${name}: ${description} Arguments: ${JSON.stringify(parameters)}`,
    ),
    'To use one, answer with nothing but one JSON object: {"tool": "<name>", "arguments": {…}}. You get its result and go on.',
    'To answer the question, write the answer as text.',
  ].join('\n')

const Written = z.object({
  tool: z.string().optional(),
  name: z.string().optional(),
  action: z.string().optional(),
  arguments: z.looseObject({}).optional(),
  parameters: z.looseObject({}).optional(),
  action_input: z.union([z.looseObject({}), z.string()]).optional(),
})

// What a call looks like is short: the rest of a long answer is an answer.
const LONGEST_CALL = 4_000

/** A call that stands where an answer should: an object, fenced or tagged or alone, or `Action:` lines. Else as it was. */
export function withWrittenCalls(said: Said, tools: readonly ToolSpec[]): Said {
  if (said.calls.length > 0 || said.text.length > LONGEST_CALL) return said
  const found = writtenCall(said.text.replace(/<think>[\s\S]*?<\/think>/g, ''), tools)
  return found ? { ...said, text: '', calls: [found] } : said
}

function writtenCall(text: string, tools: readonly ToolSpec[]): ToolCall | undefined {
  const action = /^Action:\s*([\w-]+)\s*\n\s*Action Input:\s*([\s\S]+?)(?:\nObservation:|$)/im.exec(text)
  if (action)
    return callOf(tools, action[1] ?? '', jsonOf(action[2] ?? '') ?? { query: (action[2] ?? '').trim() })
  const fenced = /```(?:json|tool_call|tool)?\s*(\{[\s\S]*?\})\s*```/.exec(text)
  const tagged = /<(?:tool_call|function_call)>\s*(\{[\s\S]*?\})\s*(?:<\/|$)/.exec(text)
  const bare = /^\s*(\{[\s\S]*\})\s*$/.exec(text)
  const written = Written.safeParse(jsonOf((fenced ?? tagged ?? bare)?.[1] ?? ''))
  if (!written.success) return undefined
  const { tool, name, action: act, arguments: given, parameters, action_input } = written.data
  return callOf(tools, tool ?? name ?? act ?? '', given ?? parameters ?? action_input ?? {})
}

const callOf = (tools: readonly ToolSpec[], name: string, given: unknown): ToolCall | undefined =>
  tools.some((tool) => tool.name === name)
    ? { id: 'call_1', name, arguments: typeof given === 'string' ? given : JSON.stringify(given) }
    : undefined

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
