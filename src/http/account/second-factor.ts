// JSON routes of the second factor, outside /v1: the second step of a sign-in, a user's own second factor, and resetting another
// person's.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  beginPasskey,
  confirmPasskey,
  createOwnPasskeyRequest,
  removePasskey,
} from '../../accounts/passkeys.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  getSecondFactor,
  type OwnSession,
  removeApp,
  renewRecoveryCodes,
  resetSecondFactor,
  turnOffSecondFactor,
} from '../../accounts/second-factor.ts'
import {
  createSecondStepPasskeyRequest,
  finishSignIn,
  PENDING_SECONDS,
  SESSION_SECONDS,
  type SignInResult,
} from '../../accounts/sessions.ts'
import {
  PasskeyConfirm,
  SecondFactorChange,
  SecondFactorConfirm,
  SecondStep,
} from '../../contract/second-factor.ts'
import type { Deps } from '../../ports/deps.ts'
import { withRequestLog } from '../request/log.ts'
import { readBody } from '../request/validation.ts'
import {
  idOf,
  requireSameOrigin,
  requireSignedIn,
  requireSignedInAdmin,
  requireSignedInBody,
  sessionCookie,
} from './session.ts'

/**
 * The two cookies of a sign-in: `session` when it is complete, `pending` while the second factor is missing.
 */
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
    /** After the second step: deletes `pending` and sets `session`. */
    finish: (reply: FastifyReply, secret: string): FastifyReply =>
      session.set(pending.set(reply, '', 0), secret, SESSION_SECONDS),
  }
}

export function mountSecondFactor(app: FastifyInstance, deps: Deps): void {
  const { origin, siteUrl } = deps.settings
  const cookies = signInCookies(siteUrl)
  const sessionOf = (request: FastifyRequest): OwnSession => ownSession(request, siteUrl)

  app.post('/session/code', async (request, reply) => {
    requireSameOrigin(request, origin)
    const proof = await readBody(SecondStep, request)
    const secret = await finishSignIn(
      withRequestLog(deps, request),
      cookies.pending.read(request),
      proof,
      request.ip,
    )
    return cookies.finish(reply, secret).code(204).send()
  })

  app.post('/session/passkey', async (request) => {
    requireSameOrigin(request, origin)
    return createSecondStepPasskeyRequest(deps, cookies.pending.read(request))
  })

  app.get('/account/second-factor', async (request) =>
    getSecondFactor(deps, await requireSignedIn(deps, request)),
  )

  app.post('/account/second-factor', async (request, reply) => {
    const { user, body } = await requireSignedInBody(deps, request, SecondFactorChange)
    return reply.code(201).send(await beginSecondFactor(deps, user, body, sessionOf(request)))
  })

  app.post('/account/second-factor/confirm', async (request, reply) => {
    const { user, body } = await requireSignedInBody(deps, request, SecondFactorConfirm)
    const { newSecret, ...codes } = await confirmSecondFactor(
      withRequestLog(deps, request),
      user,
      body.code,
      sessionOf(request),
    )
    return cookies.session.set(reply, newSecret, SESSION_SECONDS).send(codes)
  })

  app.post('/account/second-factor/recovery-codes', async (request) => {
    const { user, body } = await requireSignedInBody(deps, request, SecondFactorChange)
    return renewRecoveryCodes(withRequestLog(deps, request), user, body, sessionOf(request))
  })

  app.delete('/account/second-factor', async (request, reply) => {
    const { user, body } = await requireSignedInBody(deps, request, SecondFactorChange)
    await turnOffSecondFactor(withRequestLog(deps, request), user, body, sessionOf(request))
    return reply.code(204).send()
  })

  app.delete('/account/second-factor/app', async (request, reply) => {
    const { user, body } = await requireSignedInBody(deps, request, SecondFactorChange)
    await removeApp(withRequestLog(deps, request), user, body, sessionOf(request))
    return reply.code(204).send()
  })

  app.delete('/account/users/:id/second-factor', async (request, reply) => {
    const admin = await requireSignedInAdmin(deps, request)
    await resetSecondFactor(withRequestLog(deps, request), { id: idOf(request) }, admin)
    return reply.code(204).send()
  })

  mountPasskeys(app, deps)
}

const ownSession = (request: FastifyRequest, siteUrl: string): OwnSession => ({
  secret: sessionCookie(siteUrl).read(request) ?? '',
  remoteAddress: request.ip,
})

function mountPasskeys(app: FastifyInstance, deps: Deps): void {
  const { siteUrl } = deps.settings
  const { session: cookie } = signInCookies(siteUrl)
  const sessionOf = (request: FastifyRequest): OwnSession => ownSession(request, siteUrl)

  app.post('/account/second-factor/passkeys', async (request) => {
    const { user, body } = await requireSignedInBody(deps, request, SecondFactorChange)
    return beginPasskey(deps, user, body, sessionOf(request))
  })

  app.post('/account/second-factor/passkeys/confirm', async (request, reply) => {
    const { user, body } = await requireSignedInBody(deps, request, PasskeyConfirm)
    const { newSecret, ...codes } = await confirmPasskey(
      withRequestLog(deps, request),
      user,
      body,
      sessionOf(request),
    )
    return cookie.set(reply, newSecret, SESSION_SECONDS).code(201).send(codes)
  })

  app.delete('/account/second-factor/passkeys/:id', async (request, reply) => {
    const { user, body } = await requireSignedInBody(deps, request, SecondFactorChange)
    const removal = { id: idOf(request), confirmation: body }
    await removePasskey(withRequestLog(deps, request), user, removal, sessionOf(request))
    return reply.code(204).send()
  })

  app.post('/account/second-factor/challenge', async (request) =>
    createOwnPasskeyRequest(deps, await requireSignedIn(deps, request), sessionOf(request)),
  )
}
