// The page that asks for the code of the second factor, after the password was right.

import type { FastifyInstance } from 'fastify'
import { finishSignIn, isPending, signOut } from '../../accounts/sessions.ts'
import { ApiError } from '../../errors.ts'
import type { Texts } from '../../messages/texts.ts'
import type { Deps } from '../../ports/deps.ts'
import { signInCookies } from '../account/second-factor.ts'
import { withRequestLog } from '../request/log.ts'
import { readForm } from './form.ts'
import { html } from './html.ts'
import { asPage, errorNote, type Page, seeOther, sendPage } from './page.ts'
import { nextOf, pathOf, signInUrl } from './sign-in.ts'
import { textsOf } from './texts.ts'

const MAX_CODE = 100

export function mountSecondStep(app: FastifyInstance, deps: Deps): void {
  const { settings } = deps
  const cookies = signInCookies(settings.siteUrl)

  app.get('/sign-in/code', asPage, async (request, reply) => {
    const query = new URLSearchParams((request.raw.url ?? '').split('?').slice(1).join('?'))
    const next = nextOf(query.get('next') ?? undefined, settings)
    if (!(await isPending(deps, cookies.pending.read(request))))
      return seeOther(reply, signInUrl(pathOf(next)))
    return sendPage(reply, codePage(textsOf(request), next))
  })

  app.post('/sign-in/code', asPage, async (request, reply) => {
    const form = await readForm(deps, request)
    const next = nextOf(form.text('next'), settings)
    const pending = cookies.pending.read(request)
    if (!(await isPending(deps, pending))) return seeOther(reply, signInUrl(pathOf(next)))
    const code = (form.text('code') ?? '').slice(0, MAX_CODE)
    const secret = await finishSignIn(withRequestLog(deps, request), pending, code, request.ip).catch(
      userError,
    )
    if (secret instanceof ApiError) {
      const { retryAfter } = secret.extras
      if (retryAfter !== undefined) reply.header('retry-after', Math.ceil(retryAfter))
      return sendPage(reply, codePage(textsOf(request), next, secret))
    }
    // As at any sign-in: never continues the session that the browser sent.
    const previous = cookies.session.read(request)
    if (previous !== undefined) await signOut(deps, previous)
    return seeOther(cookies.finish(reply, secret), next)
  })
}

/** An error to show on the page. */
function userError(error: unknown): ApiError {
  if (error instanceof ApiError && [401, 429, 503].includes(error.status)) return error
  throw error
}

const codePage = (texts: Texts, next: string, error?: ApiError): Page => ({
  title: texts.t('Enter your code'),
  status: error?.status ?? 200,
  keepsOpener: true,
  body: html`${errorNote(texts, error)}
<p>${texts.t('Enter the code that your authenticator app shows for Kenning, or one of your recovery codes.')}</p>
<form method="post" action="/sign-in/code">
<input type="hidden" name="next" value="${pathOf(next)}">
<label for="code">${texts.t('Code')}</label>
<input id="code" name="code" type="text" autocomplete="one-time-code" autocapitalize="none" autocorrect="off"
  spellcheck="false" maxlength="${MAX_CODE}" required autofocus>
<button class="full">${texts.t('Sign in')}</button>
</form>
<p><a href="${signInUrl(pathOf(next), true)}">${texts.t('Sign in as somebody else')}</a></p>
<p class="soft">${texts.t('Without the app and without recovery codes, ask your administrator to reset your second factor.')}</p>`,
})
