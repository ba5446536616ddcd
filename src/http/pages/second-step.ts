// The page that asks for the second factor, after the password was right.

import type { FastifyInstance } from 'fastify'
import type { ZodType } from 'zod'
import {
  finishSignIn,
  isSignInPending,
  type SecondStepChoice,
  secondStepOf,
} from '../../accounts/sessions.ts'
import { PasskeyAnswer, type SecondStep } from '../../contract/second-factor.ts'
import { ApiError } from '../../errors.ts'
import type { Texts } from '../../messages/texts.ts'
import type { Deps } from '../../ports/deps.ts'
import { signInCookies } from '../account/second-factor.ts'
import { endPreviousSession } from '../account/session.ts'
import { findScriptUrl } from '../console.ts'
import { withRequestLog } from '../request/log.ts'
import { queryOf } from '../request/url.ts'
import { type Form, readForm } from './form.ts'
import { html } from './html.ts'
import { asPage, errorNote, type Page, seeOther, sendPage } from './page.ts'
import { nextOf, pathAndQueryOf, signInUrl } from './sign-in.ts'
import { textsOf } from './texts.ts'

const MAX_CODE_CHARACTERS = 100
const MAX_PASSKEY_CHARACTERS = 40_000

export function mountSecondStep(app: FastifyInstance, deps: Deps): void {
  const { settings } = deps
  const cookies = signInCookies(settings.siteUrl)
  const script = findScriptUrl(settings.consoleDir, 'passkey')

  app.get('/sign-in/code', asPage, async (request, reply) => {
    const query = new URLSearchParams(queryOf(request.raw.url ?? ''))
    const next = nextOf(query.get('next') ?? undefined, settings)
    const choice = await secondStepOf(deps, cookies.pending.read(request))
    if (!choice) return seeOther(reply, signInUrl(pathAndQueryOf(next)))
    return sendPage(reply, codePage(textsOf(request), { next, choice, script }))
  })

  app.post('/sign-in/code', asPage, async (request, reply) => {
    const form = await readForm(deps, request)
    const next = nextOf(form.text('next'), settings)
    const pending = cookies.pending.read(request)
    if (!(await isSignInPending(deps, pending))) return seeOther(reply, signInUrl(pathAndQueryOf(next)))
    const secret = await finishSignIn(
      withRequestLog(deps, request),
      pending,
      proofIn(form),
      request.ip,
    ).catch(userError)
    if (secret instanceof ApiError) {
      const { retryAfter } = secret.extras
      if (retryAfter !== undefined) reply.header('retry-after', Math.ceil(retryAfter))
      const choice = await secondStepOf(deps, pending)
      if (!choice) return seeOther(reply, signInUrl(pathAndQueryOf(next)))
      return sendPage(reply, codePage(textsOf(request), { next, choice, script, error: secret }))
    }
    await endPreviousSession(deps, request)
    return seeOther(cookies.finish(reply, secret), next)
  })
}

/**
 * The passkey's answer, which the page's script puts into the form, or else the code. A malformed answer counts as a wrong code.
 */
function proofIn(form: Form): SecondStep {
  const passkey = parseJson(PasskeyAnswer, form.text('passkey') ?? '')
  return passkey ? { passkey } : { code: (form.text('code') ?? '').slice(0, MAX_CODE_CHARACTERS) }
}

function parseJson<T>(schema: ZodType<T>, text: string): T | undefined {
  if (text === '' || text.length > MAX_PASSKEY_CHARACTERS) return undefined
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Returns an error that the page shows. @throws any other error */
function userError(error: unknown): ApiError {
  if (error instanceof ApiError && [401, 429, 503].includes(error.status)) return error
  throw error
}

interface CodePage {
  next: string
  choice: SecondStepChoice
  /** The address of the script that asks for a passkey. Undefined where the console is not built. */
  script: string | undefined
  error?: ApiError
}

const codePage = (texts: Texts, { next, choice, script, error }: CodePage): Page => ({
  title: choice.passkey && script ? texts.t('Your second factor') : texts.t('Enter your code'),
  status: error?.status ?? 200,
  keepsOpener: true,
  ...(choice.passkey && script !== undefined && { script }),
  body: html`${errorNote(texts, error)}
${
  choice.passkey !== undefined &&
  script !== undefined &&
  html`<form method="post" action="/sign-in/code" id="passkey-form" data-options="${JSON.stringify(choice.passkey)}" hidden>
<input type="hidden" name="next" value="${pathAndQueryOf(next)}">
<input type="hidden" name="passkey" value="">
<p class="problem" role="alert" id="passkey-problem" hidden>${texts.t('The passkey was not accepted. Try again.')}</p>
<button class="full">${texts.t('Use a passkey')}</button>
</form>`
}
<p>${
    choice.app
      ? texts.t(
          'Enter the code that your authenticator app shows for Kenning, or one of your recovery codes.',
        )
      : texts.t('Without your passkey, enter one of your recovery codes.')
  }</p>
<form method="post" action="/sign-in/code">
<input type="hidden" name="next" value="${pathAndQueryOf(next)}">
<label for="code">${texts.t('Code')}</label>
<input id="code" name="code" type="text" autocomplete="one-time-code" autocapitalize="none" autocorrect="off"
  spellcheck="false" maxlength="${MAX_CODE_CHARACTERS}" required autofocus>
<button class="full">${texts.t('Sign in')}</button>
</form>
<p><a href="${signInUrl(pathAndQueryOf(next), true)}">${texts.t('Sign in as somebody else')}</a></p>
<p class="soft">${
    choice.app
      ? texts.t(
          'Without the app and without recovery codes, ask your administrator to reset your second factor.',
        )
      : texts.t(
          'Without your passkey and without recovery codes, ask your administrator to reset your second factor.',
        )
  }</p>`,
})
