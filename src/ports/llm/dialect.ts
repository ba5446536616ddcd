// The fields that a server accepts beside the messages. Servers refuse different ones (with 400, 422 and others). The accepted
// form is remembered for each kind of request.

import { type FieldName, refusalOf } from './refusal.ts'

export interface Dialect {
  limit: 'max_tokens' | 'max_completion_tokens' | 'none'
  /** Temperature 0. Reasoning models refuse the field. */
  temperature: boolean
  /** Asks for token counts at the end of the stream. */
  usage: boolean
  tools: boolean
  /** Sends the schema of the answer as `response_format`. */
  schema: boolean
}

/** The fields of one kind of request. Fields that are not mentioned are not sent. */
type RequestForm = Pick<Dialect, 'limit'> & Partial<Pick<Dialect, 'usage' | 'tools' | 'schema'>>

// In this order: most servers; OpenAI's reasoning models; Mistral, which refuses stream_options and max_completion_tokens
// (dnakov/anon-kode#53, editor-code-assistant/eca#231); models without tools (Ollama, vLLM without a tool parser); others.
export const CHAT_FORMS: readonly RequestForm[] = [
  { limit: 'max_tokens', usage: true, tools: true },
  { limit: 'max_completion_tokens', usage: true, tools: true },
  { limit: 'max_tokens', usage: false, tools: true },
  { limit: 'max_tokens', usage: true, tools: false },
  { limit: 'none', usage: false, tools: false },
]

export const COMPLETION_FORMS: readonly RequestForm[] = [
  { limit: 'max_tokens', schema: true },
  { limit: 'max_tokens', schema: false },
  { limit: 'max_completion_tokens', schema: true },
  { limit: 'max_completion_tokens', schema: false },
  { limit: 'none', schema: false },
]

// After a refusal for another reason a form with fewer fields is used for this long at most.
const MEMORY_MS = 3_600_000

/** Sends the request in the first form that the server accepts. @throws what `send` throws, or the last refusal */
export type TryDialects = <T>(
  forms: readonly RequestForm[],
  send: (dialect: Dialect) => Promise<T>,
) => Promise<T>

interface Memory {
  /** The place in the list of the richest form that was accepted. */
  accepted: number
  since: number
}

/**
 * Remembers what one server accepts. A form that was accepted is not given up for a poorer one: when a later request is refused in
 * it, the reason is that request. What was learned by one kind of request is not applied to another, which may be refused for
 * reasons of its own.
 */
export function openDialects(): TryDialects {
  const memories = new Map<readonly RequestForm[], Memory>()
  return async (forms, send) => {
    const memory = memories.get(forms)
    const isCurrent = memory !== undefined && Date.now() - memory.since <= MEMORY_MS
    const first = isCurrent ? memory.accepted : 0
    let remainingForms = [...forms.slice(first, first + 1), ...forms.filter((_, i) => i !== first)]
    for (;;) {
      const [form, ...others] = remainingForms
      if (!form) throw new Error('there is no form of the request')
      try {
        const result = await send(dialectOf(form))
        const formIndex = forms.indexOf(form)
        if (!isCurrent || formIndex < memory.accepted)
          memories.set(forms, { accepted: formIndex, since: isCurrent ? memory.since : Date.now() })
        return result
      } catch (error) {
        const refusal = refusalOf(error)
        if (refusal?.kind !== 'form' || others.length === 0) throw error
        remainingForms = withoutFields(others, form, refusal.fields)
      }
    }
  }
}

/** The forms that leave out or change what the server named. All of them if none does. */
function withoutFields(
  forms: readonly RequestForm[],
  refusedForm: RequestForm,
  fields: readonly FieldName[],
): RequestForm[] {
  const sentFields = fields.filter((field) => refusedForm[field])
  const changed = forms.filter((form) => sentFields.every((field) => form[field] !== refusedForm[field]))
  return changed.length ? changed : [...forms]
}

const dialectOf = ({ limit, usage = false, tools = false, schema = false }: RequestForm): Dialect => ({
  limit,
  temperature: limit === 'max_tokens',
  usage,
  tools,
  schema,
})

/** The token limit and the temperature, in the form that the server accepts. */
export const limitFields = ({ limit, temperature }: Dialect, maxTokens: number): object => ({
  ...(temperature && { temperature: 0 }),
  ...(limit !== 'none' && { [limit]: maxTokens }),
})
