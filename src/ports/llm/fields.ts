// Fields of a completion that servers fill in their own ways: no reason to lose an answer.

import { z } from 'zod'

// Reasoning models of Mistral (RooCodeInc/Roo-Code#6842) say it in parts, what they thought beside what they answer.
/** `content` of a message or a fragment of it, as text. */
export const Content = z
  .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().nullish().catch(null) }))])
  .nullish()
  .transform((content) =>
    Array.isArray(content)
      ? content.map(({ type, text }) => (type === 'text' ? (text ?? '') : '')).join('')
      : (content ?? ''),
  )

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
