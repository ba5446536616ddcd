// Counting tokens: o200k_base, the vocabulary of OpenAI's models since 2024. Others differ by some 15 %; what a server
// reports is what is booked. 2 MB of merges: loaded when somebody counts.

export type CountTokens = (text: string) => number

export async function tokenCounter(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  // Text that looks like a control token is text.
  return (text) => countTokens(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() })
}
