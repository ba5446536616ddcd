// The sign-in page. After signing in it redirects to where the user was going, within this origin only.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isFirstRun } from '../../accounts/accounts.ts'
import { type SignInResult, sessionUser, signIn } from '../../accounts/sessions.ts'
import { ApiError } from '../../errors.ts'
import { message, type Texts } from '../../messages/texts.ts'
import type { Deps, Settings } from '../../ports/deps.ts'
import { signInCookies } from '../account/second-factor.ts'
import { endPreviousSession } from '../account/session.ts'
import { withRequestLog } from '../request/log.ts'
import { queryOf } from '../request/url.ts'
import { withoutSitePath } from '../site-path.ts'
import { readForm } from './form.ts'
import { html } from './html.ts'
import { asPage, errorNote, MAX_LOCATION_CHARACTERS, type Page, seeOther, sendPage } from './page.ts'
import { textsOf, withMarkup } from './texts.ts'

/** The path of the console, which a user sees after signing in unless another page was requested. */
const DEFAULT_NEXT = '/'

/** @param isRetry the form is shown also to a user who is signed in, so that the user can switch to another account */
export const signInUrl = (next: string, isRetry = false): string =>
  `/sign-in?${new URLSearchParams({ next, ...(isRetry ? { again: '1' } : {}) })}`

/** The page that asks for the code of the second factor (second-step.ts). */
const secondStepUrl = (next: string): string =>
  `/sign-in/code?${new URLSearchParams({ next: pathAndQueryOf(next) })}`

export function mountSignIn(app: FastifyInstance, deps: Deps): void {
  const { settings } = deps
  const company = deps.settings.company?.label
  const cookies = signInCookies(settings.siteUrl)

  app.get('/sign-in', asPage, async (request, reply) => {
    const query = new URLSearchParams(queryOf(request.raw.url ?? ''))
    const next = nextOf(query.get('next') ?? undefined, settings)
    const user = await sessionUser(deps, cookies.session.read(request))
    if (user && !query.has('again')) return seeOther(reply, next)
    const texts = textsOf(request)
    return sendPage(
      reply,
      (await isFirstRun(deps)) ? notSetUpPage(texts) : signInPage(texts, { next, company }),
    )
  })

  app.post('/sign-in', asPage, async (request, reply) => {
    const form = await readForm(deps, request)
    const next = nextOf(form.text('next'), settings)
    const credentials = { email: form.text('email') ?? '', password: form.text('password') ?? '' }
    const result = await trySignIn(deps, credentials, request)
    if (result instanceof ApiError) {
      const { retryAfter } = result.extras
      if (retryAfter !== undefined) reply.header('retry-after', Math.ceil(retryAfter))
      const fields = { next, email: credentials.email, error: result, company }
      return sendPage(reply, signInPage(textsOf(request), fields))
    }
    await endPreviousSession(deps, request)
    cookies.set(reply, result)
    return seeOther(reply, 'session' in result ? next : secondStepUrl(next))
  })
}

/** The result of the sign-in, or an error to show on the page. */
async function trySignIn(
  deps: Deps,
  credentials: { email: string; password: string },
  request: FastifyRequest,
): Promise<SignInResult | ApiError> {
  const { email, password } = credentials
  if (email.length > 254 || password.length > 4000 || !email || !password) {
    return new ApiError(422, 'invalid_request', message('Enter your email address and your password.'))
  }
  try {
    return await signIn(withRequestLog(deps, request), credentials, request.ip)
  } catch (error) {
    if (error instanceof ApiError && [401, 403, 429].includes(error.status)) return error
    throw error
  }
}

/**
 * The URL to open after signing in. It always belongs to this service: `//evil.example` and similar forms lead to the console.
 * @param requestedPath with or without the path under which the service runs (site-path.ts)
 */
export function nextOf(
  requestedPath: string | undefined,
  settings: Pick<Settings, 'origin' | 'siteUrl'>,
): string {
  const { origin, siteUrl } = settings
  const home = siteUrl + DEFAULT_NEXT
  if (!requestedPath?.startsWith('/') || requestedPath.startsWith('//')) return home
  const address = siteUrl + withoutSitePath(requestedPath, settings)
  const url = URL.canParse(address) ? new URL(address) : undefined
  const isOwn = url?.origin === origin && url.href.startsWith(home)
  return isOwn && url.href.length <= MAX_LOCATION_CHARACTERS ? url.href : home
}

interface SignInPage {
  next: string
  email?: string
  error?: ApiError
  /** Label of the company sign-in, if there is one. */
  company: string | undefined
}

const signInPage = (texts: Texts, { next, email = '', error, company }: SignInPage): Page => ({
  title: texts.t('Sign in'),
  status: error?.status ?? 200,
  keepsOpener: true,
  body: html`
${errorNote(texts, error)}
<form method="post" action="/sign-in">
<input type="hidden" name="next" value="${pathAndQueryOf(next)}">
<label for="email">${texts.t('Email address')}</label>
<input id="email" name="email" type="text" inputmode="email" autocomplete="username" autocapitalize="none"
  spellcheck="false" maxlength="254" required value="${email}"${email === '' && html` autofocus`}>
<label for="password">${texts.t('Password')}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="4000" required${email !== '' && html` autofocus`}>
<button class="full">${texts.t('Sign in')}</button>
</form>
${company !== undefined && html`<p><a class="button plain full" href="/sign-in/company?${new URLSearchParams({ next: pathAndQueryOf(next) }).toString()}">${texts.t('Sign in with {company}', { company })}</a></p>`}
<p><a href="/reset">${texts.t('Forgot your password?')}</a></p>`,
})

const notSetUpPage = ({ t }: Texts): Page => ({
  title: t('Kenning is not set up yet'),
  body: html`<p>${t('There is no account yet. Open the setup link that Kenning printed when it started, to create the first one.')}</p>
<p class="soft">${withMarkup(
    t('The link is in the terminal or the log of {command}. A restart prints a new one.'),
    { command: html`<code>kenning serve</code>` },
  )}</p>`,
})

export const pathAndQueryOf = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}
