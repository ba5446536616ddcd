// The fields that a server accepts beside the messages. Servers refuse different ones (with 400, 422 and others). The accepted
// form is remembered and shared by conversations and single requests.

import { OutboundFailed } from '../outbound/outbound.ts'

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

type Field = 'limit' | 'usage' | 'tools' | 'schema'
/** The fields of one kind of request. Fields that are not mentioned are not sent. */
type RequestForm = Pick<Dialect, 'limit'> & Partial<Pick<Dialect, Field>>

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

const REFUSAL_STATUSES = new Set([400, 404, 405, 415, 422, 501])
// After a refusal for another reason, such as a gateway's 404, a form with fewer fields is used for this long at most.
const MEMORY_MS = 3_600_000

/** Sends the request in the first form that the server accepts. @throws what `send` throws, or the last refusal */
export type TryDialects = <T>(
  forms: readonly RequestForm[],
  send: (dialect: Dialect) => Promise<T>,
) => Promise<T>

/** Remembers what one server accepts. */
export function openDialects(): TryDialects {
  let memory: { acceptedFields: Partial<RequestForm>; since: number } = {
    acceptedFields: {},
    since: Date.now(),
  }
  return async (forms, send) => {
    if (Date.now() - memory.since > MEMORY_MS) memory = { acceptedFields: {}, since: Date.now() }
    const { acceptedFields } = memory
    const agreeingForms = forms.filter((form) => agreesWith(form, acceptedFields))
    let refusal: unknown
    for (const form of [...agreeingForms, ...forms.filter((one) => !agreeingForms.includes(one))]) {
      try {
        const result = await send(dialectOf(form))
        memory.acceptedFields = { ...memory.acceptedFields, ...form }
        return result
      } catch (error) {
        if (!isRefusal(error)) throw error
        refusal = error
      }
    }
    throw refusal
  }
}

const agreesWith = (form: RequestForm, accepted: Partial<RequestForm>): boolean =>
  (['limit', 'usage', 'tools', 'schema'] as const).every(
    (field) => form[field] === undefined || accepted[field] === undefined || form[field] === accepted[field],
  )

const dialectOf = ({ limit, usage = false, tools = false, schema = false }: RequestForm): Dialect => ({
  limit,
  temperature: limit === 'max_tokens',
  usage,
  tools,
  schema,
})

const isRefusal = (error: unknown): boolean =>
  error instanceof OutboundFailed && REFUSAL_STATUSES.has(error.status ?? 0)

/** The token limit and the temperature, in the form that the server accepts. */
export const limitFields = ({ limit, temperature }: Dialect, maxTokens: number): object => ({
  ...(temperature && { temperature: 0 }),
  ...(limit !== 'none' && { [limit]: maxTokens }),
})
