// The sign-in page: works without script, and leads back to where somebody was going, on this origin only.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SESSION_SECONDS, sessionUser, signIn, signOut } from '../../accounts/sessions.ts'
import { ApiError } from '../../errors.ts'
import type { Deps } from '../../ports/deps.ts'
import { sessionCookie } from '../account/session.ts'
import { readForm } from './form.ts'
import { html } from './html.ts'
import { asPage, MOST_LOCATION, type Page, problemNote, seeOther, sendPage } from './page.ts'

const AFTERWARDS = '/account'

/** @param again the form is shown also to somebody who is signed in, for another account */
export const signInAddress = (next: string, again = false): string =>
  `/sign-in?${new URLSearchParams({ next, ...(again ? { again: '1' } : {}) })}`

export function mountSignIn(app: FastifyInstance, deps: Deps): void {
  const { origin } = deps.settings
  const company = deps.settings.company?.label
  const cookie = sessionCookie(origin)

  app.get('/sign-in', asPage, async (request, reply) => {
    const query = new URLSearchParams((request.raw.url ?? '').split('?').slice(1).join('?'))
    const next = nextOf(query.get('next') ?? undefined, origin)
    const user = await sessionUser(deps, cookie.read(request))
    if (user && !query.has('again')) return seeOther(reply, next)
    return sendPage(reply, signInPage({ next, company }))
  })

  app.post('/sign-in', asPage, async (request, reply) => {
    const form = await readForm(deps, request)
    const next = nextOf(form.text('next'), origin)
    const given = { email: form.text('email') ?? '', password: form.text('password') ?? '' }
    const secret = await attempt(deps, given, request)
    if (secret instanceof ApiError) {
      const { status, message, extras } = secret
      if (extras.retryAfter !== undefined) reply.header('retry-after', Math.ceil(extras.retryAfter))
      return sendPage(reply, signInPage({ next, email: given.email, status, problem: message, company }))
    }
    // A session that the browser brought along is not gone on with: somebody else may know it.
    const old = cookie.read(request)
    if (old !== undefined) await signOut(deps, old)
    return seeOther(cookie.set(reply, secret, SESSION_SECONDS), next)
  })
}

/** The secret of a new session, or why there is none. */
async function attempt(
  deps: Deps,
  given: { email: string; password: string },
  request: FastifyRequest,
): Promise<string | ApiError> {
  if (given.email.length > 254 || given.password.length > 4000 || !given.email || !given.password) {
    return new ApiError(422, 'invalid_request', 'Enter your e-mail address and your password.')
  }
  try {
    return await signIn(deps, given, request.ip)
  } catch (error) {
    if (error instanceof ApiError && [401, 403, 429].includes(error.status)) return error
    throw error
  }
}

/** An absolute address of this origin, whatever was asked for: `//elsewhere` and its disguises lead nowhere. */
export function nextOf(asked: string | undefined, origin: string): string {
  const isPath = asked?.startsWith('/') && URL.canParse(asked, origin)
  const url = new URL(isPath && asked ? asked : AFTERWARDS, origin)
  return url.origin === origin && url.href.length <= MOST_LOCATION
    ? url.href
    : new URL(AFTERWARDS, origin).href
}

interface SignInPage {
  next: string
  email?: string
  status?: number
  problem?: string
  /** What the company's own sign-in is called, where there is one. */
  company: string | undefined
}

const signInPage = ({ next, email = '', status = 200, problem, company }: SignInPage): Page => ({
  title: 'Sign in',
  status,
  keepsOpener: true,
  body: html`
${problemNote(problem)}
<form method="post" action="/sign-in">
<input type="hidden" name="next" value="${pathOf(next)}">
<label for="email">E-mail address</label>
<input id="email" name="email" type="text" inputmode="email" autocomplete="username" autocapitalize="none"
  spellcheck="false" maxlength="254" required value="${email}"${email === '' && html` autofocus`}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="4000" required${email !== '' && html` autofocus`}>
<button class="full">Sign in</button>
</form>
${company !== undefined && html`<p><a class="button plain full" href="/sign-in/company?${new URLSearchParams({ next: pathOf(next) }).toString()}">Sign in with ${company}</a></p>`}
<p><a href="/reset">Forgotten your password?</a></p>`,
})

const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address)
  return pathname + search
}
