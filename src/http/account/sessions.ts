// The routes beside /v1 that sign in and out.

import type { FastifyInstance } from 'fastify'
import { SESSION_SECONDS, signIn, signOut, tradeSession } from '../../accounts/sessions.ts'
import { SignIn } from '../../contract/account.ts'
import type { Deps } from '../../ports/deps.ts'
import { readBody } from '../input/read.ts'
import { requireSameOrigin, sessionCookie } from './cookie.ts'

export function mountSessions(app: FastifyInstance, deps: Deps): void {
  const { origin } = deps.settings
  const cookie = sessionCookie(origin)

  app.post('/session', async (request, reply) => {
    const secret = await signIn(deps, await readBody(SignIn, request), request.ip)
    return cookie.set(reply, secret, SESSION_SECONDS).code(204).send()
  })

  app.delete('/session', async (request, reply) => {
    const secret = cookie.read(request)
    if (secret !== undefined) await signOut(deps, secret)
    return cookie.set(reply, '', 0).code(204).send()
  })

  app.post('/session/token', async (request, reply) => {
    requireSameOrigin(request, origin)
    const secret = cookie.read(request)
    const token = await tradeSession(deps, secret)
    if (secret !== undefined) cookie.set(reply, secret, SESSION_SECONDS)
    return reply.send(token)
  })
}
