// What goes wrong between a program and the service, as one kind of error.

import type { ValidationErrorBody, ValidationErrorItem } from './types.ts'

/** The contract's types of errors, and those of the connection: no answer, or an answer of another server. */
export type ErrorType =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'insufficient_scope'
  | 'not_found'
  | 'file_too_large'
  | 'rate_limited'
  | 'internal_error'
  | 'agent_error'
  | 'unavailable'
  | 'unreachable'
  | 'http_error'

/** An answer that is no success, or none at all (`status` 0: the service could not be reached). */
export class KenningError extends Error {
  override readonly name = 'KenningError'
  readonly status: number
  /** Others may come. */
  readonly type: ErrorType | (string & {})
  /** Seconds, where the service said when to try again. */
  readonly retryAfter: number | undefined
  /** What is wrong with the request, field by field (422). */
  readonly detail: readonly ValidationErrorItem[]

  constructor(
    status: number,
    type: string,
    message: string,
    details: {
      retryAfter?: number | undefined
      detail?: readonly ValidationErrorItem[]
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: details.cause })
    this.status = status
    this.type = type
    this.retryAfter = details.retryAfter
    this.detail = details.detail ?? []
  }
}

/** Of a Retry-After header, in seconds or as a date (RFC 9110, 10.2.3). */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

/** The error in a response. If the body is not one of the contract, the status gives its type. */
export async function errorOf(response: Response): Promise<KenningError> {
  const retryAfter = secondsOf(response.headers.get('retry-after'))
  const body = (await response.json().catch(() => undefined)) as Partial<ValidationErrorBody> | undefined
  const { type = 'http_error', message = `The service answered ${response.status}.` } = body?.error ?? {}
  return new KenningError(response.status, type, message, { retryAfter, detail: body?.detail ?? [] })
}
