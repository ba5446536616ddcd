// What a server says that a turn cost: no reason to lose an answer, whatever form it has.

import { z } from 'zod'

// Null where a field is what it should not be; nullish where it is missing.
const Count = z.int().nonnegative().nullish().catch(null)

/** `usage` of a completion, as tokens of both sides; undefined when it does not say. */
export const Usage = z
  .object({ total_tokens: Count, prompt_tokens: Count, completion_tokens: Count })
  .nullish()
  .catch(null)
  .transform((usage) => {
    if (usage?.total_tokens != null) return usage.total_tokens
    const { prompt_tokens: asked, completion_tokens: answered } = usage ?? {}
    return asked == null || answered == null ? undefined : asked + answered
  })
