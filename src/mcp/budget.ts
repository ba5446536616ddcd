// Limits the length of results. Assistants keep every result in their context, so none is longer than 8,000 tokens. The rest
// is on the next page.

import { estimateTokens } from '../ports/llm/tokens.ts'

/** The number of tokens by an estimate that is never too low. */
export const MAX_TOKENS = 8000
// For the names of fields, the cursor, and everything else around the list.
const ENVELOPE_TOKENS = 400

export const tokensOf = (value: unknown): number =>
  estimateTokens(typeof value === 'string' ? value : JSON.stringify(value))

/** How many of the items fit into one result, from the first on. */
export function countFitting(items: readonly unknown[], usedTokens = 0): number {
  let remainingTokens = MAX_TOKENS - ENVELOPE_TOKENS - usedTokens
  const end = items.findIndex((item) => {
    remainingTokens -= tokensOf(item) + 1
    return remainingTokens < 0
  })
  return end < 0 ? items.length : end
}

/** The text up to `maxTokens` tokens, at the end of a word where there is one; what is cut off is marked. */
export function cutText(text: string, maxTokens: number): string {
  if (tokensOf(text) <= maxTokens) return text
  let [fittingLength, tooLongLength] = [0, text.length]
  while (tooLongLength - fittingLength > 1) {
    const middle = Math.floor((fittingLength + tooLongLength) / 2)
    if (tokensOf(text.slice(0, middle)) <= maxTokens - 2) fittingLength = middle
    else tooLongLength = middle
  }
  const shortText = text.slice(0, fittingLength).toWellFormed()
  return `${shortText.replace(/\s+\S{0,40}$/, '')} …`
}
