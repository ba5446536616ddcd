// Finds out which fields a server accepts besides the messages, because servers refuse different ones. For each kind of request
// (chat, completion) there is a list of forms. The first one that the server accepts is remembered.

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

/** A form of a request: which fields are sent. Fields that it does not contain are not sent. */
type RequestForm = Pick<Dialect, 'limit'> & Partial<Pick<Dialect, 'usage' | 'tools' | 'schema'>>

// The forms are for, in this order: most servers; OpenAI's reasoning models; Mistral, which refuses stream_options and
// max_completion_tokens (dnakov/anon-kode#53, editor-code-assistant/eca#231); models without tools (Ollama, vLLM without a tool
// parser); all other servers.
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

// An accepted form is remembered only for this long, because the server may have refused a fuller form for another reason.
const MAX_AGE_MS = 3_600_000

/** Sends the request in the first form that the server accepts. @throws what `send` throws, or the last refusal */
export type TryDialects = <T>(
  forms: readonly RequestForm[],
  send: (dialect: Dialect) => Promise<T>,
) => Promise<T>

interface AcceptedForm {
  /** The index in the list of forms of the first form that was accepted. */
  acceptedIndex: number
  since: number
}

/**
 * Remembers which forms one server accepts. An accepted form is not replaced by one with fewer fields: if it is refused later, the
 * reason is the request and not its form.
 */
export function openDialects(): TryDialects {
  const acceptedForms = new Map<readonly RequestForm[], AcceptedForm>()
  return async (forms, send) => {
    const acceptedForm = acceptedForms.get(forms)
    const isCurrent = acceptedForm !== undefined && Date.now() - acceptedForm.since <= MAX_AGE_MS
    const first = isCurrent ? acceptedForm.acceptedIndex : 0
    let remainingForms = [...forms.slice(first, first + 1), ...forms.filter((_, i) => i !== first)]
    for (;;) {
      const [form, ...otherForms] = remainingForms
      if (!form) throw new Error('there is no form of the request')
      try {
        const result = await send(dialectOf(form))
        const formIndex = forms.indexOf(form)
        if (!isCurrent || formIndex < acceptedForm.acceptedIndex)
          acceptedForms.set(forms, {
            acceptedIndex: formIndex,
            since: isCurrent ? acceptedForm.since : Date.now(),
          })
        return result
      } catch (error) {
        const refusal = refusalOf(error)
        if (refusal?.kind !== 'form' || otherForms.length === 0) throw error
        remainingForms = withoutFields(otherForms, form, refusal.fields)
      }
    }
  }
}

/** The forms that omit or change the fields which the server gave as the reason. If there is no such form, all forms. */
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
