// Divides the context of the model among the parts of a prompt. Pure.

import type { ContextWindow } from '../../ports/llm/context-window.ts'
import type { ToolSpec } from '../../ports/llm/conversation.ts'
import { estimateTokens } from '../../ports/llm/tokens.ts'
import { SYSTEM_PROMPT } from './prompt.ts'
import { essentialToolSpecs, toolSpecs } from './tool-calls.ts'

export interface Room {
  /** The estimated tokens that all messages may have. */
  messages: number
  /** The tokens that an answer may have. */
  answer: number
  tools: readonly ToolSpec[]
  /** Whether the rules are written at the end too, because the server drops the beginnings of prompts. */
  repeatsRules: boolean
}

const MAX_ANSWER = 4_000
// The share of the context that an answer may have.
const ANSWER_SHARE = 1 / 4
// The share of the prompt that the descriptions of all tools may have. Else only the essential tools are offered.
const TOOLS_SHARE = 1 / 4
// In tokens: what the server adds around messages, and the requests that Kenning adds.
const MARGIN = 200
/** In tokens. A shorter result is useless. */
export const MIN_RESULT = 200

export const tokensOf = (value: unknown): number => estimateTokens(JSON.stringify(value))

const RULES_TOKENS = estimateTokens(SYSTEM_PROMPT)

/** The room in a context. Undefined if no passage fits into it beside the rules. */
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

// The share of earlier turns in the room that is left beside the rules and the question, and the share of passages in the rest of
// it.
const HISTORY_SHARE = 1 / 4
const PASSAGES_SHARE = 2 / 3
// A low ratio, because the estimate of tokens is an upper limit.
const CHARACTERS_PER_TOKEN = 2.5

/** The room in the first prompt for earlier turns (`history`, in characters) and for passages (in tokens). */
export function openingRoom(room: Room, question: string): { history: number; passages: number } {
  const rules = RULES_TOKENS * (room.repeatsRules ? 2 : 1)
  const free = Math.max(0, room.messages - rules - estimateTokens(question))
  return {
    history: Math.floor(free * HISTORY_SHARE * CHARACTERS_PER_TOKEN),
    passages: free * (1 - HISTORY_SHARE) * PASSAGES_SHARE,
  }
}
