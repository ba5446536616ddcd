// CORS for the API: only the configured origins, never "*", never with cookies. @fastify/cors is not used, because it answers
// OPTIONS on every path, also where the service answers 404 or 405.

import type { FastifyInstance } from 'fastify'
import { pathOf } from '../request/url.ts'

const EXPOSED_HEADERS = 'www-authenticate, retry-after, x-request-id, content-range, accept-ranges'
const ALLOWED_HEADERS =
  'authorization, content-type, idempotency-key, range, last-event-id, ' +
  'mcp-protocol-version, mcp-method, mcp-name, mcp-session-id'

/** Must be mounted before rejectUnknownRoutes, because preflight requests use OPTIONS and have no credential. */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  app.addHook('onRequest', async (request, reply) => {
    if (!pathOf(request.raw.url ?? '').startsWith('/v1/')) return
    reply.header('vary', 'origin')
    const { origin } = request.headers
    if (origin === undefined || !origins.includes(origin)) return
    reply.header('access-control-allow-origin', origin)
    const method = request.headers['access-control-request-method']
    if (request.method !== 'OPTIONS' || method === undefined) {
      reply.header('access-control-expose-headers', EXPOSED_HEADERS)
      return
    }
    return reply
      .code(204)
      .headers({
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': ALLOWED_HEADERS,
        'access-control-max-age': '600',
      })
      .send()
  })
}
