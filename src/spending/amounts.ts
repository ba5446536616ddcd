// Counts the tokens of a model's answer from the report of its server. Numbers that it does not report are estimated. Pure.

import type { ModelTurn } from '../ports/llm/conversation.ts'
import type { ChatModel } from '../ports/llm/llm.ts'
import { estimateTokens } from '../ports/llm/tokens.ts'

/** The token counts of an answer as the server reports them. */
export interface ReportedUsage {
  /** Tokens of prompt and answer together. Undefined if the server does not report them. */
  total: number | undefined
  prompt: number | undefined
  /** The text of the answer, from which its tokens are estimated if the server does not report them. */
  text: string
}

/** Tokens, and how many of them are estimates. */
export interface Amount {
  prompt: number
  answer: number
  estimated: number
}

export const usageOfReply = ({
  tokens,
  promptTokens,
  text,
}: Awaited<ReturnType<ChatModel['complete']>>): ReportedUsage => ({
  total: tokens,
  prompt: promptTokens,
  text,
})

export const usageOfTurn = ({ tokens, prompt, text, calls, opaque }: ModelTurn): ReportedUsage => ({
  total: tokens,
  prompt: prompt.counted,
  // The opaque fields contain the model's reasoning, which counts as tokens of the answer.
  text: [text, ...[...calls, ...Object.values(opaque)].map((part) => JSON.stringify(part))].join(''),
})

export const sumOf = (amounts: readonly Amount[]): Amount => ({
  prompt: amounts.reduce((sum, { prompt }) => sum + prompt, 0),
  answer: amounts.reduce((sum, { answer }) => sum + answer, 0),
  estimated: amounts.reduce((sum, { estimated }) => sum + estimated, 0),
})

/** If the server reports only the total, it is divided in the proportion of the estimates. */
export function amountOf({ total, prompt, text }: ReportedUsage, estimatedPrompt: () => number): Amount {
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
