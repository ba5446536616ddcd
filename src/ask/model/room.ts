// How much of the model's context each part of a prompt may take. Pure.

import type { ContextWindow } from '../../ports/llm/context-window.ts'
import type { ToolSpec } from '../../ports/llm/conversation.ts'
import { estimateTokens } from '../../ports/llm/tokens.ts'
import { SYSTEM_PROMPT } from './prompt.ts'
import { essentialToolSpecs, toolSpecs } from './tool-calls.ts'

export interface Room {
  /** Tokens of all messages, by the estimate. */
  messages: number
  /** Tokens of an answer. */
  answer: number
  tools: readonly ToolSpec[]
  /** Whether the rules are written at the end too, since the server drops beginnings. */
  repeatsRules: boolean
}

const MAX_ANSWER = 4_000
// Of the context.
const ANSWER_SHARE = 1 / 4
// Of the prompt.
const TOOLS_SHARE = 1 / 4
// What the server adds around messages, and requests that this service adds.
const MARGIN = 200
/** A result with less room tells nothing. */
export const MIN_RESULT = 200

export const tokensOf = (value: unknown): number => estimateTokens(JSON.stringify(value))

const RULES_TOKENS = estimateTokens(SYSTEM_PROMPT)

/** Undefined for a context in which no passage has room beside the rules. */
export function roomIn({ tokens, density, drops }: ContextWindow): Room | undefined {
  if (tokens === undefined)
    return {
      messages: Number.POSITIVE_INFINITY,
      answer: MAX_ANSWER,
      tools: toolSpecs,
      repeatsRules: drops,
    }
  const answer = Math.min(MAX_ANSWER, Math.floor(tokens * ANSWER_SHARE))
  const prompt = (tokens - answer) / density - MARGIN
  const tools = tokensOf(toolSpecs) <= prompt * TOOLS_SHARE ? toolSpecs : essentialToolSpecs
  const messages = prompt - tokensOf(tools)
  const rules = RULES_TOKENS * (drops ? 2 : 1)
  return messages < rules + 2 * MIN_RESULT ? undefined : { messages, answer, tools, repeatsRules: drops }
}

// Of what is left beside the rules and the question.
const HISTORY_SHARE = 1 / 4
const PASSAGES_SHARE = 2 / 3
// Of the estimate, which is an upper one.
const CHARACTERS_PER_TOKEN = 2.5

/** The room of the first prompt's parts: characters of earlier turns, and tokens of passages. */
export function openingRoom(room: Room, question: string): { history: number; passages: number } {
  const rules = RULES_TOKENS * (room.repeatsRules ? 2 : 1)
  const free = Math.max(0, room.messages - rules - estimateTokens(question))
  return {
    history: Math.floor(free * HISTORY_SHARE * CHARACTERS_PER_TOKEN),
    passages: free * (1 - HISTORY_SHARE) * PASSAGES_SHARE,
  }
}
