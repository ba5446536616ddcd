// OAuth endpoints that programs call: discovery (RFC 9728, RFC 8414), client registration, tokens and revocation. They use
// OAuth's error format (RFC 6749 section 5.2) and allow every origin (CORS), since they do not use cookies.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { OAuthError } from '../../oauth/error.ts'
import { resourceMetadata, serverMetadata } from '../../oauth/metadata.ts'
import { type Parameters, readParameters } from '../../oauth/parameters.ts'
import { registerClient } from '../../oauth/registration.ts'
import { issueTokens, revoke } from '../../oauth/tokens.ts'
import type { Deps } from '../../ports/deps.ts'
import { mountSecondStep } from '../pages/second-step.ts'
import { mountSignIn } from '../pages/sign-in.ts'
import { readJson, readUrlencoded } from '../request/body.ts'
import { sendContinue } from '../request/expect-continue.ts'
import type { ToErrorResponse } from '../response/error.ts'
import { sitePath } from '../site-path.ts'
import { mountAuthorize } from './authorize.ts'

const MAX_BYTES = 64 * 1024

export function mountOAuth(app: FastifyInstance, deps: Deps, toErrorResponse: ToErrorResponse): void {
  mountDiscovery(app, deps, toErrorResponse)
  mountSignIn(app, deps)
  mountSecondStep(app, deps)
  mountAuthorize(app, deps)

  corsRoute(app, toErrorResponse, { method: 'POST', url: '/oauth/register' }, async (request, reply) => {
    sendContinue(request.raw)
    const body = await readJson(request.raw, MAX_BYTES)
    const client = await registerClient(deps, body, request.ip)
    reply.code(201)
    return client
  })

  corsRoute(app, toErrorResponse, { method: 'POST', url: '/oauth/token' }, async (request, reply) => {
    refuseClientAuthentication(request, reply)
    return issueTokens(deps, await formParameters(request))
  })

  corsRoute(app, toErrorResponse, { method: 'POST', url: '/oauth/revoke' }, async (request, reply) => {
    refuseClientAuthentication(request, reply)
    await revoke(deps, await formParameters(request))
    return {}
  })
}

async function formParameters(request: FastifyRequest): Promise<Parameters> {
  sendContinue(request.raw)
  return readParameters(await readUrlencoded(request.raw, MAX_BYTES))
}

const RESOURCE = '/.well-known/oauth-protected-resource'
const AUTHORIZATION_SERVER = '/.well-known/oauth-authorization-server'

function mountDiscovery(
  app: FastifyInstance,
  deps: Pick<Deps, 'settings'>,
  toErrorResponse: ToErrorResponse,
): void {
  const { settings } = deps
  const api = resourceMetadata(settings, settings.baseUrl)
  const documents: Record<string, object> = {
    [`${RESOURCE}/v1`]: api,
    [`${RESOURCE}/v1/mcp`]: resourceMetadata(settings, `${settings.baseUrl}/mcp`),
    // For clients that read only the documents at the root.
    [RESOURCE]: api,
    [AUTHORIZATION_SERVER]: serverMetadata(settings),
  }
  // If the service runs under a path such as /kenning, the RFCs put the path after the well-known name, at the root of the host:
  // /.well-known/NAME/kenning/v1 (RFC 8414, 3; RFC 9728, 3.1). These addresses are added here. For clients that append the name
  // to the path, /kenning/.well-known/NAME/v1 works too, because the path is removed before routing (site-path.ts).
  const path = sitePath(settings)
  const withPathBehindName = Object.entries(documents).map(([url, document]) => [
    url.replace(/^(\/\.well-known\/[^/]+)/, `$1${path}`),
    document,
  ])
  Object.assign(documents, Object.fromEntries(withPathBehindName))
  for (const [url, document] of Object.entries(documents)) {
    corsRoute(app, toErrorResponse, { method: 'GET', url }, async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=300')
      return document
    })
  }
}

const ALLOW_ORIGIN = { 'access-control-allow-origin': '*' }

/** A route and its CORS preflight. */
function corsRoute(
  app: FastifyInstance,
  toErrorResponse: ToErrorResponse,
  { method, url }: { method: 'GET' | 'POST'; url: string },
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void {
  app.route({
    method,
    url,
    handler: async (request, reply) => {
      reply.headers(ALLOW_ORIGIN)
      try {
        return await reply.send(await handler(request, reply))
      } catch (error) {
        return sendError(error, request, reply, toErrorResponse)
      }
    },
  })
  app.options(url, async (_request, reply) =>
    reply
      .code(204)
      .headers({
        ...ALLOW_ORIGIN,
        'access-control-allow-methods': `${method}, OPTIONS`,
        'access-control-allow-headers': 'content-type, authorization, mcp-protocol-version',
        'access-control-max-age': '86400',
      })
      .send(),
  )
}

function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  toErrorResponse: ToErrorResponse,
): FastifyReply {
  if (error instanceof OAuthError) {
    const status = reply.hasHeader('www-authenticate') ? 401 : 400
    return reply.code(status).send({ error: error.code, error_description: error.message })
  }
  const { status, headers, body } = toErrorResponse(error, request)
  return reply
    .code(status === 422 ? 400 : status)
    .headers(headers)
    .send({ error: errorCode(status), error_description: asciiOnly(body.error.message) })
}

/** The RFC has no code for rate limiting; `temporarily_unavailable` at least says that the client may try again. */
function errorCode(status: number): string {
  if (status === 503 || status === 429) return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'invalid_request'
}

/** Replaces characters that RFC 6749 does not allow in `error_description`. */
const asciiOnly = (message: string): string => message.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, '?')

/** A client that sends an Authorization header gets a WWW-Authenticate header in return (RFC 6749 section 5.2). */
function refuseClientAuthentication(request: FastifyRequest, reply: FastifyReply): void {
  if (request.headers.authorization === undefined) return
  reply.header('www-authenticate', 'Basic realm="Kenning"')
  throw new OAuthError(
    'invalid_client',
    'All clients of this server are public: send `client_id` in the body and no Authorization header.',
  )
}
