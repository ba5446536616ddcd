// Turns an error into a response (spec, "Errors"): status, headers and body. Internal details are logged, never sent.

import type { FastifyRequest } from 'fastify'
import { SCOPES } from '../../auth/caller.ts'
import type { ErrorBody, ValidationErrorBody } from '../../contract/resources.ts'
import { ApiError, unavailable } from '../../errors.ts'
import { isDiskFull, isTimedOut, isUnavailable } from '../../ports/db/db-errors.ts'
import type { Settings } from '../../ports/deps.ts'
import { sitePath } from '../site-path.ts'

export interface ErrorResponse {
  status: number
  headers: Record<string, string>
  body: ErrorBody | ValidationErrorBody
  /** For the log only. Set if the service caused the error. */
  cause?: unknown
}

/** Turns an error into a response, and logs it if the service caused it. */
export type ToErrorResponse = (error: unknown, request: FastifyRequest) => ErrorResponse

/** @param metadataUrl protected resource metadata, for the challenges of 401 and 403 */
export function errorResponse(error: unknown, metadataUrl: string, requestId: string): ErrorResponse {
  const apiError = toApiError(error, requestId)
  const { status, type, message, extras } = apiError
  const body = { error: { type, message } }
  const response: ErrorResponse = {
    status,
    headers: challenge(apiError, metadataUrl),
    body: status === 422 ? { ...body, detail: extras.detail ?? [] } : body,
  }
  if (extras.retryAfter !== undefined) response.headers['retry-after'] = String(Math.ceil(extras.retryAfter))
  // Intended errors (too busy, shutting down) are not logged, unless they have a cause.
  if (extras.cause !== undefined || type === 'internal_error') response.cause = extras.cause ?? error
  return response
}

function toApiError(error: unknown, requestId: string): ApiError {
  if (error instanceof ApiError) return error
  if (isDiskFull(error)) {
    return unavailable(
      'The disk is full, so nothing can be stored. Free some space, then try again.',
      60,
      error,
    )
  }
  if (isUnavailable(error)) {
    return unavailable('The database is not reachable at the moment; try again in a few seconds.', 5, error)
  }
  if (isTimedOut(error)) {
    return unavailable('The database did not answer in time; try again in a few seconds.', 5, error)
  }
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    const detail = [
      { loc: ['body'], msg: 'The Content-Type is not valid', type: 'content_type', input: null, ctx: {} },
    ]
    return new ApiError(422, 'invalid_request', 'body: The Content-Type is not valid', { detail })
  }
  // Errors of the framework about the message itself.
  if (typeof code === 'string' && code.startsWith('FST_') && Number(statusCode) < 500) {
    return new ApiError(400, 'invalid_request', 'The request is malformed.')
  }
  const message = `An internal error occurred. Report it with the request id ${requestId}.`
  return new ApiError(500, 'internal_error', message, { cause: error })
}

/** URL of the protected resource metadata (RFC 9728 section 3.1); the MCP endpoint has its own. */
export function resourceMetadataUrl(settings: Pick<Settings, 'origin' | 'siteUrl'>, path: string): string {
  const resource = path === '/v1/mcp' || path.startsWith('/v1/mcp/') ? '/v1/mcp' : '/v1'
  return `${settings.origin}/.well-known/oauth-protected-resource${sitePath(settings)}${resource}`
}

/** The WWW-Authenticate header (RFC 6750, RFC 9728). */
function challenge(error: ApiError, metadataUrl: string): Record<string, string> {
  const metadata = `resource_metadata="${metadataUrl}"`
  const challengeOfError = error.extras.challenge
  if (error.status === 401) {
    // Clients request the scopes listed here: both at once, since many cannot request more later.
    const parts = [metadata, `scope="${SCOPES.join(' ')}"`, ...(challengeOfError ? [challengeOfError] : [])]
    return { 'www-authenticate': `Bearer ${parts.join(', ')}` }
  }
  if (error.type !== 'insufficient_scope') return {}
  return { 'www-authenticate': `Bearer error="insufficient_scope", ${challengeOfError}, ${metadata}` }
}
