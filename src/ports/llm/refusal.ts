// Why a server refused a request, if its answer says so. Of the answer only numbers and the names of request fields are kept,
// since it may repeat what was sent.

import { OutboundFailed } from '../outbound/outbound.ts'

/** The fields of a request that servers refuse. */
export type FieldName = 'limit' | 'usage' | 'tools' | 'schema'

/** Why a server did not take a request; the cause of an OutboundFailed. */
export type Refusal =
  /** Its form is not accepted; because of these fields, if the server names any. */
  | { kind: 'form'; fields: readonly FieldName[] }
  /** The prompt with room for its answer is longer than the context. The number is the length of the context, if the answer has it. */
  | { kind: 'context'; tokens: number | undefined }

export const refusalOf = (error: unknown): Refusal | undefined =>
  error instanceof OutboundFailed && isRefusal(error.cause) ? error.cause : undefined

const isRefusal = (cause: unknown): cause is Refusal =>
  typeof cause === 'object' &&
  cause !== null &&
  'kind' in cause &&
  (cause.kind === 'form' || cause.kind === 'context')

const failed = (message: string, status: number, cause: Refusal): OutboundFailed =>
  new OutboundFailed(message, status, { cause })

const REFUSAL_STATUSES = new Set([400, 404, 405, 413, 415, 422, 501])

// What servers write when a prompt is too long, with the length of the context where they write it.
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

// How the fields are called in messages and in paths of JSON.
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
  return failed(message, status, { kind: 'context', tokens })
}

/** The error for an answer with status 200 that says that it is one. */
export const failureInAnswer = (body: string, host: string): OutboundFailed =>
  contextExceeded(200, body, host) ??
  new OutboundFailed(`${host} reported an error in the middle of its answer`)

/** The error for an answer that is none of 2xx. */
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
  const because = fields.length ? ` because of the field ${fields.join(', ')}` : ''
  return failed(`${host} answered ${status}${because}`, status, { kind: 'form', fields })
}
