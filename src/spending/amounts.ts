// How many tokens an answer of a model took, from what its server reports; what it does not report is estimated. Pure.

import type { ModelTurn } from '../ports/llm/conversation.ts'
import type { ChatModel } from '../ports/llm/llm.ts'
import { estimateTokens } from '../ports/llm/tokens.ts'

/** What the server says of an answer. */
export interface Use {
  /** Tokens of prompt and answer as the server reports them. */
  total: number | undefined
  prompt: number | undefined
  /** The text of the answer. Its tokens are estimated if the server reports none. */
  text: string
}

/** Tokens, and how many of them are estimates. */
export interface Amount {
  prompt: number
  answer: number
  estimated: number
}

export const useOfReply = ({
  tokens,
  promptTokens,
  text,
}: Awaited<ReturnType<ChatModel['complete']>>): Use => ({ total: tokens, prompt: promptTokens, text })

export const useOfTurn = ({ tokens, prompt, text, calls, opaque }: ModelTurn): Use => ({
  total: tokens,
  prompt: prompt.counted,
  // Thoughts are among the opaque fields.
  text: [text, ...[...calls, ...Object.values(opaque)].map((part) => JSON.stringify(part))].join(''),
})

export const sumOf = (amounts: readonly Amount[]): Amount => ({
  prompt: amounts.reduce((sum, { prompt }) => sum + prompt, 0),
  answer: amounts.reduce((sum, { answer }) => sum + answer, 0),
  estimated: amounts.reduce((sum, { estimated }) => sum + estimated, 0),
})

/** A sum without the prompt's part is divided as the estimates are. */
export function amountOf({ total, prompt, text }: Use, estimatedPrompt: () => number): Amount {
  if (total !== undefined && prompt !== undefined) {
    const promptTokens = Math.min(total, prompt)
    return { prompt: promptTokens, answer: total - promptTokens, estimated: 0 }
  }
  const answer = estimateTokens(text)
  if (total !== undefined) {
    const share = estimatedPrompt() / Math.max(1, estimatedPrompt() + answer)
    const promptTokens = Math.round(total * share)
    return { prompt: promptTokens, answer: total - promptTokens, estimated: total }
  }
  return prompt === undefined
    ? { prompt: estimatedPrompt(), answer, estimated: estimatedPrompt() + answer }
    : { prompt, answer, estimated: answer }
}
