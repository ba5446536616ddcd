// Reads from a server's answer why it refused a request. Only numbers and the names of request fields are taken from the
// answer, because it may repeat the text that was sent.

import { OutboundFailed } from '../outbound/outbound.ts'

/** The fields of a request that servers refuse. */
export type FieldName = 'limit' | 'usage' | 'tools' | 'schema'

/** Why a server refused a request. It is the `cause` of an OutboundFailed. */
export type Refusal =
  /** The server does not accept the form of the request. `fields`: the fields that it gives as the reason, may be empty. */
  | { kind: 'form'; fields: readonly FieldName[] }
  /**
   * Prompt and answer together are longer than the context. `tokens`: the length of the context, if the server's answer has it.
   */
  | { kind: 'context'; tokens: number | undefined }

export const refusalOf = (error: unknown): Refusal | undefined =>
  error instanceof OutboundFailed && isRefusal(error.cause) ? error.cause : undefined

const isRefusal = (cause: unknown): cause is Refusal =>
  typeof cause === 'object' &&
  cause !== null &&
  'kind' in cause &&
  (cause.kind === 'form' || cause.kind === 'context')

const refusalError = (message: string, status: number, cause: Refusal): OutboundFailed =>
  new OutboundFailed(message, status, { cause })

const REFUSAL_STATUSES = new Set([400, 404, 405, 413, 415, 422, 501])

// The messages of servers about a prompt that is too long. The group is the length of the context, if the message has it.
const CONTEXT_MESSAGES: readonly RegExp[] = [
  // llama.cpp
  /"n_ctx"\s*:\s*(\d+)/,
  // OpenAI, Azure, vLLM, DeepSeek, OpenRouter
  /maximum context length (?:is|of) (\d+)/,
  // Mistral
  /model with (\d+) maximum context length/,
  // Gemini
  /exceeds the maximum number of tokens allowed \((\d+)\)/,
  // Anthropic
  /prompt is too long: \d+ tokens > (\d+)/,
  // LM Studio
  /context length of only (\d+) tokens/,
  /context_length_exceeded|exceed_context_size|context_exceeded/,
  /exceeds? (?:the )?(?:available |maximum )?(?:context|model's context) (?:length|size|window)/,
]

// The names of the fields in messages and in JSON paths.
const FIELD_NAMES: readonly (readonly [FieldName, RegExp])[] = [
  ['limit', /\bmax_(?:completion_)?tokens\b|\btemperature\b/],
  ['usage', /\bstream_options\b/],
  ['tools', /\btools?\b|\btool_choice\b|--enable-auto-tool-choice/],
  ['schema', /\bresponse_format\b|\bjson_schema\b|\bgrammar\b/],
]

const ADVICE: Readonly<Record<number, string>> = {
  401: ': it does not accept the key',
  402: ': the account has no credit left',
  403: ': the key may not use this model',
}

const isPage = (body: string): boolean => /^\s*</.test(body)

function contextExceeded(status: number, body: string, host: string): OutboundFailed | undefined {
  const match = CONTEXT_MESSAGES.map((pattern) => pattern.exec(body)).find(Boolean)
  if (!match) return undefined
  const tokens = match[1] === undefined ? undefined : Number(match[1])
  const length = tokens === undefined ? '' : ` of ${tokens} tokens`
  const message = `${host} says that the prompt exceeds the context${length}`
  return refusalError(message, status, { kind: 'context', tokens })
}

/** The error for an answer with status 200 that reports an error. */
export const failureInAnswer = (body: string, host: string): OutboundFailed =>
  contextExceeded(200, body, host) ??
  new OutboundFailed(`${host} reported an error in the middle of its answer`)

/** The error for an answer with a status other than 2xx. */
export function failureFrom(status: number, body: string, host: string): OutboundFailed {
  // A gateway's page says nothing about what a model's server would accept.
  if (isPage(body))
    return new OutboundFailed(
      `${host} answered ${status} with a web page: it is no language model's server, or its gateway has an error`,
    )
  const context = contextExceeded(status, body, host)
  if (context) return context
  const fields = FIELD_NAMES.filter(([, pattern]) => pattern.test(body)).map(([field]) => field)
  // llama.cpp without --jinja refuses tools with 500.
  const isRefusal = REFUSAL_STATUSES.has(status) || (status === 500 && fields.length > 0)
  if (!isRefusal) return new OutboundFailed(`${host} answered ${status}${ADVICE[status] ?? ''}`, status)
  const reason = fields.length ? ` because of the field ${fields.join(', ')}` : ''
  return refusalError(`${host} answered ${status}${reason}`, status, { kind: 'form', fields })
}
