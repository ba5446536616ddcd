// JSON routes for the list of a user's own sessions, beside /v1.

import type { FastifyInstance } from 'fastify'
import { endSession, listSessions } from '../../accounts/session-list.ts'
import type { Deps } from '../../ports/deps.ts'
import { idOf, requireSignedIn, sessionCookie } from './session.ts'

export function mountSessionList(app: FastifyInstance, deps: Deps): void {
  const cookie = sessionCookie(deps.settings.siteUrl)

  app.get('/account/sessions', async (request) =>
    listSessions(deps, await requireSignedIn(deps, request), cookie.read(request) ?? ''),
  )

  app.delete('/account/sessions/:id', async (request, reply) => {
    await endSession(deps, await requireSignedIn(deps, request), idOf(request))
    return reply.code(204).send()
  })
}
