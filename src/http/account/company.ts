// Company sign-in over HTTP: redirects the browser to the provider, and receives it back.

import type { FastifyInstance } from 'fastify'
import { MAX_COMPANY_SIGN_IN_SECONDS, startCompanySignIn } from '../../accounts/company.ts'
import { SESSION_SECONDS } from '../../accounts/sessions.ts'
import type { Deps } from '../../ports/deps.ts'
import { finishCompanySignIn } from '../../workspaces/company-sign-in.ts'
import { asPage, seeOther } from '../pages/page.ts'
import { nextOf } from '../pages/sign-in.ts'
import { withRequestLog } from '../request/log.ts'
import { queryOf } from '../request/url.ts'
import { endPreviousSession, sessionCookie } from './session.ts'

export function mountCompany(app: FastifyInstance, deps: Deps): void {
  const { siteUrl } = deps.settings
  const cookie = sessionCookie(siteUrl)
  // The cookie has SameSite=Lax, so the browser sends it when the provider redirects back.
  const stateCookie = sessionCookie(siteUrl, 'sign_in')

  app.get('/sign-in/company', asPage, async (request, reply) => {
    const next = nextOf(
      new URLSearchParams(queryOf(request.raw.url ?? '')).get('next') ?? undefined,
      deps.settings,
    )
    const { url, state } = await startCompanySignIn(withRequestLog(deps, request), next, request.ip)
    return seeOther(stateCookie.set(reply, state, MAX_COMPANY_SIGN_IN_SECONDS), url)
  })

  app.get('/sign-in/company/return', asPage, async (request, reply) => {
    const state = stateCookie.read(request)
    const { secret, returnTo } = await finishCompanySignIn(
      withRequestLog(deps, request),
      queryOf(request.raw.url ?? ''),
      state,
      request.ip,
    )
    await endPreviousSession(deps, request)
    stateCookie.set(reply, '', 0)
    return seeOther(cookie.set(reply, secret, SESSION_SECONDS), returnTo)
  })
}
