// Tools for models without tool calls: the conversation is plain text, and the model writes a call as a JSON object. Calls in text
// are also recognised for other models, which sometimes write them. Pure.

import { z } from 'zod'
import type { Conversation, Message, ModelTurn, ToolCall, ToolSpec } from './conversation.ts'

interface PlainMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** The conversation without tool messages, for a server that refuses them. */
export function plainMessages({ messages, tools, mayCall }: Conversation): PlainMessage[] {
  const allMessages = messages.map(plainMessage)
  const instructions = mayCall && tools.length ? callInstructions(tools) : ''
  const [firstMessage, ...rest] = allMessages
  const withInstructions =
    firstMessage?.role === 'system'
      ? [{ ...firstMessage, content: `${firstMessage.content}\n\n${instructions}`.trim() }, ...rest]
      : allMessages
  return joinSameRoles(withInstructions)
}

/** Joins messages of the same role: servers of small models require that user and assistant alternate. */
function joinSameRoles(messages: readonly PlainMessage[]): PlainMessage[] {
  const turns: PlainMessage[] = []
  for (const message of messages) {
    const lastTurn = turns.at(-1)
    if (lastTurn?.role === message.role) lastTurn.content += `\n\n${message.content}`
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

const callInstructions = (tools: readonly ToolSpec[]): string =>
  [
    'You may use these tools:',
    ...tools.map(
      ({ name, description, parameters }) =>
        `- ${name}: ${description} Arguments: ${JSON.stringify(parameters)}`,
    ),
    'To use one, answer with nothing but one JSON object: {"tool": "<name>", "arguments": {…}}. You get its result and go on.',
    'To answer the question, write the answer as text.',
  ].join('\n')

const WrittenCall = z.object({
  tool: z.string().optional(),
  name: z.string().optional(),
  action: z.string().optional(),
  arguments: z.looseObject({}).optional(),
  parameters: z.looseObject({}).optional(),
  action_input: z.union([z.looseObject({}), z.string()]).optional(),
})

// Calls are short, so a longer text is an answer, even if it contains an object.
const MAX_CALL_CHARACTERS = 4_000

/**
 * Turns a call that is written in the text into a tool call. It may be a JSON object in a code fence, in a tag or alone, or
 * lines that begin with `Action:`. Other turns are returned unchanged.
 */
export function withWrittenCalls(turn: ModelTurn, tools: readonly ToolSpec[]): ModelTurn {
  if (turn.calls.length > 0 || turn.text.length > MAX_CALL_CHARACTERS) return turn
  const call = callInText(turn.text, tools)
  return call ? { ...turn, text: '', calls: [call] } : turn
}

function callInText(text: string, tools: readonly ToolSpec[]): ToolCall | undefined {
  const action = /^Action:\s*([\w-]+)\s*\n\s*Action Input:\s*([\s\S]+?)(?:\nObservation:|$)/im.exec(text)
  if (action)
    return callOf(tools, action[1] ?? '', jsonOf(action[2] ?? '') ?? { query: (action[2] ?? '').trim() })
  const fencedObject = /```(?:json|tool_call|tool)?\s*(\{[\s\S]*?\})\s*```/.exec(text)
  const taggedObject = /<(?:tool_call|function_call)>\s*(\{[\s\S]*?\})\s*(?:<\/|$)/.exec(text)
  const loneObject = /^\s*(\{[\s\S]*\})\s*$/.exec(text)
  const parsedCall = WrittenCall.safeParse(jsonOf((fencedObject ?? taggedObject ?? loneObject)?.[1] ?? ''))
  if (!parsedCall.success) return undefined
  const { tool, name, action: actionName, arguments: input, parameters, action_input } = parsedCall.data
  return callOf(tools, tool ?? name ?? actionName ?? '', input ?? parameters ?? action_input ?? {})
}

const callOf = (tools: readonly ToolSpec[], name: string, input: unknown): ToolCall | undefined =>
  tools.some((tool) => tool.name === name)
    ? { id: 'call_1', name, arguments: typeof input === 'string' ? input : JSON.stringify(input) }
    : undefined

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
