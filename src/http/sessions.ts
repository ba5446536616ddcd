// The routes beside /v1 that make accounts and sign in and out (auth.md, "Accounts and sessions: fixed routes").

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createAccount } from '../auth/accounts.ts'
import { SESSION_SECONDS, signIn, signOut, tradeSession } from '../auth/sign-in/sessions.ts'
import { AccountCreate, SignIn } from '../contract/account.ts'
import { forbidden } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { readBody } from './input/read.ts'

export function mountSessions(app: FastifyInstance, deps: Deps): void {
  const { origin } = deps.settings
  const cookie = sessionCookie(origin)

  app.post('/account', async (request, reply) => {
    const account = await createAccount(deps, await readBody(AccountCreate, request))
    return reply.code(201).send(account)
  })

  app.post('/session', async (request, reply) => {
    const secret = await signIn(deps, await readBody(SignIn, request), request.socket.remoteAddress ?? '')
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

/** A page of another origin must not get a bearer by the cookie that the browser adds. */
function requireSameOrigin(request: FastifyRequest, origin: string): void {
  const sent = request.headers.origin
  const same = sent === undefined ? request.headers['sec-fetch-site'] === 'same-origin' : sent === origin
  if (!same) throw forbidden(`Only pages of ${origin} may ask for this. Open Kenning at that address.`)
}

/** `__Host-` pins the cookie to this host over https; on http loopback browsers would drop such a one. */
function sessionCookie(origin: string) {
  const secure = origin.startsWith('https:')
  const name = secure ? '__Host-ken_session' : 'ken_session'
  const flags = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return {
    set: (reply: FastifyReply, secret: string, seconds: number): FastifyReply =>
      reply.header('set-cookie', `${name}=${secret}; Max-Age=${seconds}; ${flags}`),
    /** Undefined when there is none, or more than one: then somebody else has set a second. */
    read: (request: FastifyRequest): string | undefined => {
      const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
      const ours = pairs.filter((pair) => pair.startsWith(`${name}=`))
      return ours.length === 1 ? ours[0]?.slice(name.length + 1) : undefined
    },
  }
}
