// The error that the client throws for every failure of a request.

import type { ValidationErrorBody, ValidationErrorItem } from './types.ts'

/** The contract's types of errors; `unreachable`: no answer; `http_error`: an answer that is not one of the contract. */
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

/** The service answered with an error, or did not answer (`status` 0). */
export class KenningError extends Error {
  override readonly name = 'KenningError'
  readonly status: number
  /** A later version of the service may have other types. */
  readonly type: ErrorType | (string & {})
  /** The seconds after which to try again. Undefined if the service does not say. */
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

/** The seconds of a Retry-After header, which contains seconds or a date (RFC 9110, 10.2.3). */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

/** The error in a response. If the body is not an error of the contract, its type is `http_error`. */
export async function errorOf(response: Response): Promise<KenningError> {
  const retryAfter = secondsOf(response.headers.get('retry-after'))
  const body = (await response.json().catch(() => undefined)) as Partial<ValidationErrorBody> | undefined
  const { type = 'http_error', message = `The service answered ${response.status}.` } = body?.error ?? {}
  return new KenningError(response.status, type, message, { retryAfter, detail: body?.detail ?? [] })
}
