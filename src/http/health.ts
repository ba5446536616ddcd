// Public routes: the OpenAPI description, and the liveness and readiness checks.

import type { FastifyInstance } from 'fastify'
import type { Deps } from '../ports/deps.ts'
import { ping } from './health.sql.ts'

export function mountPublic(app: FastifyInstance, deps: Deps): void {
  let description: string | undefined
  const json = 'application/json; charset=utf-8'
  const withHead = { exposeHeadRoute: true }

  app.get('/v1/openapi.json', withHead, async (_request, reply) => {
    // Loaded at the first request, because the description with all its examples takes longer to load than the contract.
    const { openApi } = await import('../contract/openapi.ts')
    description ??= JSON.stringify(openApi(deps.settings.baseUrl))
    return reply.header('content-type', json).send(description)
  })
  app.get('/healthz', withHead, async () => ({ status: 'ok' }))
  // A database error becomes 503, as for every route.
  app.get('/readyz', withHead, async () => {
    await ping(deps.db)
    return { status: 'ready' }
  })
}
