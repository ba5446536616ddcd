// The authorization server over HTTP: discovery, registration, consent, tokens.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { OAuthError } from '../../oauth/error.ts'
import { resourceMetadata, serverMetadata } from '../../oauth/metadata.ts'
import { type Parameters, readParameters } from '../../oauth/parameters.ts'
import { registerClient } from '../../oauth/registration.ts'
import { answerToken, revoke } from '../../oauth/tokens.ts'
import type { Deps } from '../../ports/deps.ts'
import { mountSignIn } from '../pages/sign-in.ts'
import { readJson, readUrlencoded } from '../request/body.ts'
import { letBodyCome } from '../request/expect-continue.ts'
import type { Fail } from '../response/error.ts'
import { mountAuthorize } from './authorize.ts'

const MOST_BYTES = 64 * 1024

export function mountOAuth(app: FastifyInstance, deps: Deps, fail: Fail): void {
  mountDiscovery(app, deps, fail)
  mountSignIn(app, deps)
  mountAuthorize(app, deps)

  openRoute(app, fail, { method: 'POST', url: '/oauth/register' }, async (request, reply) => {
    letBodyCome(request.raw)
    const body = await readJson(request.raw, MOST_BYTES)
    const client = await registerClient(deps, body, request.ip)
    reply.code(201)
    return client
  })

  openRoute(app, fail, { method: 'POST', url: '/oauth/token' }, async (request, reply) => {
    refuseClientPassword(request, reply)
    return answerToken(deps, await sentParameters(request))
  })

  openRoute(app, fail, { method: 'POST', url: '/oauth/revoke' }, async (request, reply) => {
    refuseClientPassword(request, reply)
    await revoke(deps, await sentParameters(request))
    return {}
  })
}

async function sentParameters(request: FastifyRequest): Promise<Parameters> {
  letBodyCome(request.raw)
  return readParameters(await readUrlencoded(request.raw, MOST_BYTES))
}

const RESOURCE = '/.well-known/oauth-protected-resource'

export function mountDiscovery(app: FastifyInstance, deps: Pick<Deps, 'settings'>, fail: Fail): void {
  const { settings } = deps
  const api = resourceMetadata(settings, settings.baseUrl)
  const documents: Record<string, object> = {
    [`${RESOURCE}/v1`]: api,
    [`${RESOURCE}/v1/mcp`]: resourceMetadata(settings, `${settings.baseUrl}/mcp`),
    // For who looks at the root only.
    [RESOURCE]: api,
    '/.well-known/oauth-authorization-server': serverMetadata(settings),
  }
  for (const [url, document] of Object.entries(documents)) {
    openRoute(app, fail, { method: 'GET', url }, async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=300')
      return document
    })
  }
}

const OPEN = { 'access-control-allow-origin': '*' }

/** A route for programs, with its CORS preflight. */
export function openRoute(
  app: FastifyInstance,
  fail: Fail,
  { method, url }: { method: 'GET' | 'POST'; url: string },
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void {
  app.route({
    method,
    url,
    handler: async (request, reply) => {
      reply.headers(OPEN)
      try {
        return await reply.send(await handler(request, reply))
      } catch (error) {
        return sendError(error, request, reply, fail)
      }
    },
  })
  app.options(url, async (_request, reply) =>
    reply
      .code(204)
      .headers({
        ...OPEN,
        'access-control-allow-methods': `${method}, OPTIONS`,
        'access-control-allow-headers': 'content-type, authorization, mcp-protocol-version',
        'access-control-max-age': '86400',
      })
      .send(),
  )
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, fail: Fail): FastifyReply {
  if (error instanceof OAuthError) {
    const status = reply.hasHeader('www-authenticate') ? 401 : 400
    return reply.code(status).send({ error: error.code, error_description: error.message })
  }
  const { status, headers, body } = fail(error, request)
  return reply
    .code(status === 422 ? 400 : status)
    .headers(headers)
    .send({ error: codeOf(status), error_description: described(body.error.message) })
}

/** The RFC has no code for too many requests; this one at least says that it passes. */
function codeOf(status: number): string {
  if (status === 503 || status === 429) return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'invalid_request'
}

/** The characters that RFC 6749 allows in a description. */
const described = (message: string): string => message.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, '?')

/** A client that authenticates by header is told so in the way that HTTP has for it (RFC 6749 section 5.2). */
export function refuseClientPassword(request: FastifyRequest, reply: FastifyReply): void {
  if (request.headers.authorization === undefined) return
  reply.header('www-authenticate', 'Basic realm="Kenning"')
  throw new OAuthError('invalid_client', 'Clients here have no secret: send client_id in the body.')
}
