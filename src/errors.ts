// The errors of the API (spec, "Errors"): the allowed pairs of status and type, and the exception that carries one. Any code may
// throw ApiError; src/http turns it into a response.

import type { ValidationErrorItem } from './contract/resources.ts'

const allowedStatuses = {
  invalid_request: [400, 405, 408, 413, 414, 416, 417, 422, 431],
  unauthorized: [401],
  forbidden: [403],
  insufficient_scope: [403],
  not_found: [404],
  file_too_large: [413],
  rate_limited: [429],
  internal_error: [500],
  agent_error: [502],
  unavailable: [503],
} as const

export type ErrorType = keyof typeof allowedStatuses
type ErrorStatus = (typeof allowedStatuses)[ErrorType][number]

interface ErrorExtras {
  /** Seconds, sent as `Retry-After`. */
  retryAfter?: number
  detail?: ValidationErrorItem[]
  /** Parameters of the `WWW-Authenticate: Bearer` challenge, besides the metadata URL (RFC 6750). */
  challenge?: string
  cause?: unknown
}

/** An error with a status and a type from the table above. The message is sent to the caller. */
export class ApiError extends Error {
  readonly status: ErrorStatus
  readonly type: ErrorType
  readonly extras: ErrorExtras

  constructor(status: ErrorStatus, type: ErrorType, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause })
    this.name = 'ApiError'
    this.status = status
    this.type = type
    this.extras = extras
  }
}

/** 404, identical for what does not exist and for what the caller may not see. */
export const notFound = (): ApiError => new ApiError(404, 'not_found', 'Not found.')

export const forbidden = (message: string): ApiError => new ApiError(403, 'forbidden', message)

export const unavailable = (message: string, retryAfter = 5, cause?: unknown): ApiError =>
  new ApiError(503, 'unavailable', message, { retryAfter, cause })

/** A detail item of a 422. `loc` starts with `body`, `query` or `path`. */
interface InvalidField {
  loc: string[]
  msg: string
  type: string
  input?: unknown
  /** The limits or causes that `type` is about. */
  ctx?: Record<string, unknown>
}

/** 422 with one detail item. */
export function invalidField({ loc, msg, type, input = null, ctx = {} }: InvalidField): ApiError {
  const shortInput = typeof input === 'string' ? input.slice(0, 200) : input
  const detail = [{ loc, msg, type, input: shortInput, ctx }]
  return new ApiError(422, 'invalid_request', messageAt(loc, msg), { detail })
}

/** 422 with one detail item that has no context. */
export const invalid = (loc: string[], msg: string, type = 'value_error', input: unknown = null): ApiError =>
  invalidField({ loc, msg, type, input })

// An error about the whole body names no field.
const messageAt = (loc: readonly string[], msg: string): string =>
  loc.length === 1 && loc[0] === 'body' ? msg : `${loc.slice(1).join('.') || loc[0]}: ${msg}`

/** Whether the pair is allowed; the matrix test checks every response. */
export const isAllowedError = (status: number, type: string): boolean =>
  Object.entries(allowedStatuses).some(
    ([name, statuses]) => name === type && (statuses as readonly number[]).includes(status),
  )
