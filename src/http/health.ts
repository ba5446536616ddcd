// What is public: the description of the API, and whether this process lives and is ready to serve.

import type { FastifyInstance } from 'fastify'
import { openApi } from '../contract/openapi.ts'
import type { Deps } from '../ports/deps.ts'
import { ping } from './health.sql.ts'

export function mountPublic(app: FastifyInstance, deps: Deps): void {
  const description = JSON.stringify(openApi(deps.settings.baseUrl))
  const json = 'application/json; charset=utf-8'
  const head = { exposeHeadRoute: true }

  app.get('/v1/openapi.json', head, async (_request, reply) => {
    return reply.header('content-type', json).send(description)
  })
  app.get('/healthz', head, async () => ({ status: 'ok' }))
  // Unready is the database's error, turned into 503 like everywhere else.
  app.get('/readyz', head, async () => {
    await ping(deps.db)
    return { status: 'ready' }
  })
}
