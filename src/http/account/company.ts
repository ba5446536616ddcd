// Company sign-in over HTTP: away to the provider and back, both by the browser.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { finishCompanySignIn, START_SECONDS, startCompanySignIn } from '../../accounts/company.ts'
import { SESSION_SECONDS, signOut } from '../../accounts/sessions.ts'
import type { Deps } from '../../ports/deps.ts'
import { asPage, seeOther } from '../pages/page.ts'
import { nextOf } from '../pages/sign-in.ts'
import { sessionCookie } from './session.ts'

export function mountCompany(app: FastifyInstance, deps: Deps): void {
  const { origin } = deps.settings
  const cookie = sessionCookie(origin)
  // Lax: it comes along when the provider sends the browser back.
  const started = sessionCookie(origin, 'sign_in')

  app.get('/sign-in/company', asPage, async (request, reply) => {
    const next = nextOf(new URLSearchParams(queryOf(request)).get('next') ?? undefined, origin)
    const { url, kept } = await startCompanySignIn(deps, next)
    return seeOther(started.set(reply, kept, START_SECONDS), url)
  })

  app.get('/sign-in/company/return', asPage, async (request, reply) => {
    const { secret, returnTo } = await finishCompanySignIn(deps, queryOf(request), started.read(request))
    const old = cookie.read(request)
    if (old !== undefined) await signOut(deps, old)
    started.set(reply, '', 0)
    return seeOther(cookie.set(reply, secret, SESSION_SECONDS), returnTo)
  })
}

const queryOf = (request: FastifyRequest): string => (request.raw.url ?? '').split('?').slice(1).join('?')
