// How the endpoints that programs call answer: OAuth's own shape of errors (RFC 6749 section 5.2), open to pages of any
// origin, since no cookie counts here.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { OAuthError } from '../../oauth/error.ts'
import type { Fail } from '../output/problem.ts'

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
