// JSON routes of the second factor, beside /v1: the second step of a sign-in, the own second factor, and resetting another person's.

import type { FastifyInstance, FastifyReply } from 'fastify'
import {
  beginSecondFactor,
  confirmSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
  turnOffSecondFactor,
} from '../../accounts/second-factor.ts'
import { finishSignIn, PENDING_SECONDS, SESSION_SECONDS, type SignInResult } from '../../accounts/sessions.ts'
import {
  SecondFactorBegin,
  SecondFactorChange,
  SecondFactorConfirm,
  SignInCode,
} from '../../contract/second-factor.ts'
import type { Deps } from '../../ports/deps.ts'
import { withRequestLog } from '../request/log.ts'
import { readBody } from '../request/validation.ts'
import { idOf, requireSameOrigin, sessionCookie, signedIn, signedInAdmin, signedInBody } from './session.ts'

/** The cookies of a sign-in: the session, and what waits for the second step. Each sign-in sets one of them. */
export function signInCookies(siteUrl: string) {
  const session = sessionCookie(siteUrl)
  const pending = sessionCookie(siteUrl, 'second_step')
  return {
    session,
    pending,
    set: (reply: FastifyReply, result: SignInResult): FastifyReply =>
      'session' in result
        ? session.set(reply, result.session, SESSION_SECONDS)
        : pending.set(reply, result.pending, PENDING_SECONDS),
    /** After the second step: the session replaces what waited for it. */
    finish: (reply: FastifyReply, secret: string): FastifyReply =>
      session.set(pending.set(reply, '', 0), secret, SESSION_SECONDS),
  }
}

export function mountSecondFactor(app: FastifyInstance, deps: Deps): void {
  const { origin, siteUrl } = deps.settings
  const cookies = signInCookies(siteUrl)

  app.post('/session/code', async (request, reply) => {
    requireSameOrigin(request, origin)
    const { code } = await readBody(SignInCode, request)
    const secret = await finishSignIn(
      withRequestLog(deps, request),
      cookies.pending.read(request),
      code,
      request.ip,
    )
    return cookies.finish(reply, secret).code(204).send()
  })

  app.get('/account/second-factor', async (request) => getSecondFactor(deps, await signedIn(deps, request)))

  app.post('/account/second-factor', async (request, reply) => {
    const { user, body } = await signedInBody(deps, request, SecondFactorBegin)
    const session = { secret: cookies.session.read(request) ?? '', remoteAddress: request.ip }
    return reply.code(201).send(await beginSecondFactor(deps, user, body.password, session))
  })

  app.post('/account/second-factor/confirm', async (request, reply) => {
    const { user, body } = await signedInBody(deps, request, SecondFactorConfirm)
    const session = { secret: cookies.session.read(request) ?? '', remoteAddress: request.ip }
    const { session: secret, ...codes } = await confirmSecondFactor(
      withRequestLog(deps, request),
      user,
      body.code,
      session,
    )
    return cookies.session.set(reply, secret, SESSION_SECONDS).send(codes)
  })

  app.post('/account/second-factor/recovery-codes', async (request) => {
    const { user, body } = await signedInBody(deps, request, SecondFactorChange)
    const session = { secret: cookies.session.read(request) ?? '', remoteAddress: request.ip }
    return renewRecoveryCodes(withRequestLog(deps, request), user, body, session)
  })

  app.delete('/account/second-factor', async (request, reply) => {
    const { user, body } = await signedInBody(deps, request, SecondFactorChange)
    const session = { secret: cookies.session.read(request) ?? '', remoteAddress: request.ip }
    await turnOffSecondFactor(withRequestLog(deps, request), user, body, session)
    return reply.code(204).send()
  })

  app.delete('/account/users/:id/second-factor', async (request, reply) => {
    const admin = await signedInAdmin(deps, request)
    await resetSecondFactor(withRequestLog(deps, request), { id: idOf(request) }, admin)
    return reply.code(204).send()
  })
}
