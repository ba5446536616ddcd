// From an error to what is sent (spec, "Errors"): status, headers and body; what is not meant for the caller is hidden.

import type { FastifyRequest } from 'fastify'
import { SCOPES } from '../../auth/caller.ts'
import type { ErrorBody, ValidationErrorBody } from '../../contract/resources.ts'
import { ApiError, unavailable } from '../../errors.ts'
import { isDiskFull, isUnavailable } from '../../ports/db/postgres.ts'

export interface Problem {
  status: number
  headers: Record<string, string>
  body: ErrorBody | ValidationErrorBody
  /** For the log only: what went wrong on our side. */
  cause?: unknown
}

/** Turns an error into what is sent, and logs what is ours. */
export type Fail = (error: unknown, request: FastifyRequest) => Problem

/** @param metadata where a client learns how to sign in, for the 401 and 403 challenges */
export function problemOf(error: unknown, metadata: string, requestId: string): Problem {
  const told = asApiError(error, requestId)
  const { status, type, message, extras } = told
  const body = { error: { type, message } }
  const problem: Problem = {
    status,
    headers: challenge(told, metadata),
    body: status === 422 ? { ...body, detail: extras.detail ?? [] } : body,
  }
  if (extras.retryAfter !== undefined) problem.headers['retry-after'] = String(Math.ceil(extras.retryAfter))
  // A refusal of ours (no slot, no space, stopping) is no failure; what caused one is.
  if (extras.cause !== undefined || type === 'internal_error') problem.cause = extras.cause ?? error
  return problem
}

function asApiError(error: unknown, requestId: string): ApiError {
  if (error instanceof ApiError) return error
  if (isDiskFull(error)) {
    return unavailable(
      'The disk is full, so nothing can be kept: free some space, then try again.',
      60,
      error,
    )
  }
  if (isUnavailable(error)) {
    return unavailable('The database cannot be reached just now; try again in a few seconds.', 5, error)
  }
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    const detail = [
      { loc: ['body'], msg: 'The Content-Type is not valid', type: 'content_type', input: null, ctx: {} },
    ]
    return new ApiError(422, 'invalid_request', 'body: The Content-Type is not valid', { detail })
  }
  // What the framework refuses about the message itself.
  if (typeof code === 'string' && code.startsWith('FST_') && Number(statusCode) < 500) {
    return new ApiError(400, 'invalid_request', 'The request is malformed.')
  }
  const message = `Something went wrong on our side. Report it with the request id ${requestId}.`
  return new ApiError(500, 'internal_error', message, { cause: error })
}

/** The description of what was asked (RFC 9728 section 3.1): the MCP endpoint has its own. */
export function metadataOf(origin: string, path: string): string {
  const resource = path === '/v1/mcp' || path.startsWith('/v1/mcp/') ? '/v1/mcp' : '/v1'
  return `${origin}/.well-known/oauth-protected-resource${resource}`
}

/** RFC 6750 and RFC 9728: where to sign in, and what was missing. */
function challenge(error: ApiError, address: string): Record<string, string> {
  const metadata = `resource_metadata="${address}"`
  const own = error.extras.challenge
  if (error.status === 401) {
    // Clients ask for the scopes that stand here: for both at once, since many cannot ask for more later.
    const parts = [metadata, `scope="${SCOPES.join(' ')}"`, ...(own ? [own] : [])]
    return { 'www-authenticate': `Bearer ${parts.join(', ')}` }
  }
  if (error.type !== 'insufficient_scope') return {}
  return { 'www-authenticate': `Bearer error="insufficient_scope", ${own}, ${metadata}` }
}
