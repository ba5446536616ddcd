// Where to sign in, for programs that know only the address of the API (RFC 9728, RFC 8414).

import type { FastifyInstance } from 'fastify'
import { resourceMetadata, serverMetadata } from '../../oauth/metadata.ts'
import type { Deps } from '../../ports/deps.ts'
import type { Fail } from '../output/problem.ts'
import { openRoute } from './answer.ts'

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
