// Pages behind links that are printed, emailed or passed on: the first account, an invitation, a one-time sign-in, a password
// reset.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createAccount, maySetUp } from '../../accounts/accounts.ts'
import { invitationText } from '../../accounts/invitation-mail.ts'
import type { InvitedTo } from '../../accounts/invitations.sql.ts'
import { findInvitation } from '../../accounts/invitations.ts'
import { isResetToken, requestPasswordReset, resetPassword } from '../../accounts/passwords.ts'
import { SESSION_SECONDS, signIn } from '../../accounts/sessions.ts'
import { findSignInLink, redeemSignInLink } from '../../accounts/sign-in-links.ts'
import { AccountCreate } from '../../contract/account.ts'
import { ApiError } from '../../errors.ts'
import type { Texts } from '../../messages/texts.ts'
import type { Deps } from '../../ports/deps.ts'
import { signInCookies } from '../account/second-factor.ts'
import { endPreviousSession, sessionCookie } from '../account/session.ts'
import { withRequestLog } from '../request/log.ts'
import { queryOf } from '../request/url.ts'
import { fieldsOf, readForm, requireSamePassword } from './form.ts'
import { type Html, html } from './html.ts'
import { asPage, errorNote, type Page, seeOther, sendPage } from './page.ts'
import { nextOf } from './sign-in.ts'
import { textsOf, withMarkup } from './texts.ts'

const MAX_TOKEN_CHARACTERS = 200

const tokenOf = (request: FastifyRequest): string | undefined =>
  new URLSearchParams(queryOf(request.raw.url ?? '')).get('token')?.slice(0, MAX_TOKEN_CHARACTERS)

/** @param explanation in the language of the texts */
const invalidLinkPage = ({ t }: Texts, explanation: string): Page => ({
  title: t('This link is no longer valid'),
  status: 404,
  body: html`<p>${explanation}</p><p><a href="/sign-in">${t('Sign in')}</a></p>`,
})

/** @param hasFocus the field has the focus when the page opens */
const newPasswordFields = ({ t }: Texts, hasFocus: boolean): Html => html`
<label for="password">${t('Password, at least 12 characters')}</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="12" maxlength="1000" required${hasFocus && html` autofocus`}>
<label for="repeated">${t('Repeat the password')}</label>
<input id="repeated" name="repeated" type="password" autocomplete="new-password" minlength="12" maxlength="1000" required>`

const emailField = ({ t }: Texts, email: string): Html => html`
<label for="email">${t('Email address')}</label>
<input id="email" name="email" type="email" autocomplete="username" maxlength="254" required value="${email}"${email === '' && html` autofocus`}>`

/** The address is not asked for, because the invitation contains it. Password managers read it from the hidden field. */
const invitedEmail = ({ t }: Texts, email: string): Html => html`
<p>${withMarkup(t('Your account will be {email}.'), { email: html`<strong>${email}</strong>` })}</p>
<input type="hidden" name="email" autocomplete="username" value="${email}">`

/** Returns an error about which the user can do something. @throws any other error */
async function userErrorOf(work: () => Promise<void>): Promise<ApiError | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return error
    throw error
  }
}

export function mountAccountLinks(app: FastifyInstance, deps: Deps): void {
  mountSetup(app, deps)
  mountInvitation(app, deps)
  mountSignInLink(app, deps)
  mountPasswordReset(app, deps)
}

/** The link that Kenning prints when it starts without an account. */
function mountSetup(app: FastifyInstance, deps: Deps): void {
  const cookies = signInCookies(deps.settings.siteUrl)
  const setUpPage = (texts: Texts, token: string, error?: ApiError, email = ''): Page => ({
    title: texts.t('Set up Kenning'),
    status: error?.status ?? 200,
    body: html`${errorNote(texts, error)}
<p>${texts.t('Create the first account. It is the administrator: it can invite others.')}</p>
<form method="post" action="/setup">
<input type="hidden" name="token" value="${token}">
${emailField(texts, email)}
${newPasswordFields(texts, email !== '')}
<button class="full">${texts.t('Create account')}</button>
</form>`,
  })
  const expiredPage = (texts: Texts): Page =>
    invalidLinkPage(
      texts,
      texts.t(
        'Kenning prints a new setup link each time it starts without an account; an earlier one no longer works. If the first account exists already, sign in.',
      ),
    )

  app.get('/setup', asPage, async (request, reply) => {
    const token = tokenOf(request)
    const texts = textsOf(request)
    return sendPage(
      reply,
      token !== undefined && (await maySetUp(deps, token)) ? setUpPage(texts, token) : expiredPage(texts),
    )
  })

  app.post('/setup', asPage, async (request, reply) => {
    const form = await readForm(deps, request)
    const token = form.text('token')?.slice(0, MAX_TOKEN_CHARACTERS) ?? ''
    const credentials = { email: form.text('email')?.trim() ?? '', password: form.text('password') ?? '' }
    const texts = textsOf(request)
    if (!(await maySetUp(deps, token))) return sendPage(reply, expiredPage(texts))
    const error = await userErrorOf(async () => {
      requireSamePassword(form)
      const fields = fieldsOf(AccountCreate, { ...credentials, setup_token: token })
      await createAccount(deps, fields, request.ip)
    })
    if (error) return sendPage(reply, setUpPage(texts, token, error, credentials.email))
    return seeOther(
      cookies.set(reply, await signIn(withRequestLog(deps, request), credentials, request.ip)),
      '/',
    )
  })
}

/** Opening the link does not use it up, because mail scanners and chat previews open links, too. The button does. */
function mountSignInLink(app: FastifyInstance, deps: Deps): void {
  const cookie = sessionCookie(deps.settings.siteUrl)
  const expiredPage = (texts: Texts): Page =>
    invalidLinkPage(texts, texts.t('The link was already used or has expired. Make a new one, or sign in.'))

  app.get('/sign-in/link', asPage, async (request, reply) => {
    const token = tokenOf(request)
    const texts = textsOf(request)
    const { t } = texts
    const link = token === undefined ? undefined : await findSignInLink(deps, token)
    if (!link || token === undefined) return sendPage(reply, expiredPage(texts))
    const email = html`<strong>${link.email}</strong>`
    return sendPage(reply, {
      title: t('Open Kenning'),
      body: html`<p>${withMarkup(t('You will be signed in as {email} in this browser. The link works once.'), { email })}</p>
<form method="post" action="/sign-in/link"><input type="hidden" name="token" value="${token}">
<button class="full" autofocus>${t('Open Kenning')}</button></form>`,
    })
  })

  app.post('/sign-in/link', asPage, async (request, reply) => {
    const form = await readForm(deps, request)
    const signInResult = await redeemSignInLink(
      withRequestLog(deps, request),
      form.text('token')?.slice(0, MAX_TOKEN_CHARACTERS) ?? '',
      request.ip,
    )
    if (!signInResult) return sendPage(reply, expiredPage(textsOf(request)))
    await endPreviousSession(deps, request)
    return seeOther(
      cookie.set(reply, signInResult.secret, SESSION_SECONDS),
      nextOf(signInResult.next, deps.settings),
    )
  })
}

interface SignUp {
  token: string
  invitation: InvitedTo
  error?: ApiError
  /** The address that the person has entered. */
  email?: string
}

function mountInvitation(app: FastifyInstance, deps: Deps): void {
  const cookies = signInCookies(deps.settings.siteUrl)
  const signUpPage = (texts: Texts, { token, invitation, error, email = '' }: SignUp): Page => ({
    title: texts.t('Create your account'),
    status: error?.status ?? 200,
    body: html`${errorNote(texts, error)}
${invitationText(texts, invitation).map((paragraph) => html`<p>${paragraph}</p>`)}
<form method="post" action="/invitation">
<input type="hidden" name="token" value="${token}">
${invitation.email === null ? emailField(texts, email) : invitedEmail(texts, invitation.email)}
${newPasswordFields(texts, invitation.email !== null || email !== '')}
<button class="full">${texts.t('Create account')}</button>
</form>`,
  })
  const expiredPage = (texts: Texts): Page =>
    invalidLinkPage(
      texts,
      texts.t(
        'The invitation has expired, was already used or has been withdrawn. Ask your administrator for a new one.',
      ),
    )

  app.get('/invitation', asPage, async (request, reply) => {
    const token = tokenOf(request)
    const invitation = token === undefined ? undefined : await findInvitation(deps, token)
    const texts = textsOf(request)
    if (!invitation || token === undefined) return sendPage(reply, expiredPage(texts))
    return sendPage(reply, signUpPage(texts, { token, invitation }))
  })

  app.post('/invitation', asPage, async (request, reply) => {
    const form = await readForm(deps, request)
    const token = form.text('token') ?? ''
    const invitation = await findInvitation(deps, token)
    const texts = textsOf(request)
    if (!invitation) return sendPage(reply, expiredPage(texts))
    const email = invitation.email ?? form.text('email')?.trim() ?? ''
    const credentials = { email, password: form.text('password') ?? '' }
    const error = await userErrorOf(async () => {
      requireSamePassword(form)
      const fields = fieldsOf(AccountCreate, { ...credentials, invitation: token })
      await createAccount(deps, fields, request.ip)
    })
    if (error) {
      const signUp = { token, invitation, error, email: credentials.email }
      return sendPage(reply, signUpPage(texts, signUp))
    }
    return seeOther(
      cookies.set(reply, await signIn(withRequestLog(deps, request), credentials, request.ip)),
      '/',
    )
  })
}

function mountPasswordReset(app: FastifyInstance, deps: Deps): void {
  const newPasswordPage = (texts: Texts, token: string, error?: ApiError): Page => ({
    title: texts.t('Choose a new password'),
    status: error?.status ?? 200,
    body: html`${errorNote(texts, error)}
<form method="post" action="/reset"><input type="hidden" name="token" value="${token}">${newPasswordFields(texts, true)}
<button class="full">${texts.t('Set password')}</button></form>`,
  })
  const requestPage = (texts: Texts, error?: ApiError): Page => ({
    title: texts.t('Reset your password'),
    status: error?.status ?? 200,
    body: html`${errorNote(texts, error)}${
      deps.mail
        ? html`<form method="post" action="/reset"><label for="email">${texts.t('Email address of your account')}</label>
<input id="email" name="email" type="email" autocomplete="username" maxlength="254" required>
<button class="full">${texts.t('Send reset link')}</button></form>`
        : html`<p>${texts.t('This server does not send email. Ask the administrator for a link to reset your password.')}</p>`
    }`,
  })
  const expiredPage = (texts: Texts): Page =>
    invalidLinkPage(texts, texts.t('The link has expired or was already used. Request a new one.'))

  app.get('/reset', asPage, async (request, reply) => {
    const token = tokenOf(request)
    const texts = textsOf(request)
    if (token === undefined) return sendPage(reply, requestPage(texts))
    return sendPage(
      reply,
      (await isResetToken(deps, token)) ? newPasswordPage(texts, token) : expiredPage(texts),
    )
  })

  app.post('/reset', asPage, async (request, reply) => {
    const form = await readForm(deps, request)
    const token = form.text('token')?.slice(0, MAX_TOKEN_CHARACTERS)
    const texts = textsOf(request)
    if (token === undefined) {
      const error = await userErrorOf(() =>
        requestPasswordReset(
          withRequestLog(deps, request),
          form.text('email')?.trim().slice(0, 254) ?? '',
          request.ip,
          texts.language,
        ),
      )
      return sendPage(reply, error ? requestPage(texts, error) : resetRequestedPage(texts))
    }
    if (!(await isResetToken(deps, token))) return sendPage(reply, expiredPage(texts))
    const error = await userErrorOf(async () => {
      requireSamePassword(form)
      await resetPassword(deps, { token, password: (form.text('password') ?? '').slice(0, 4000) })
    })
    return error ? sendPage(reply, newPasswordPage(texts, token, error)) : seeOther(reply, '/sign-in')
  })
}

const resetRequestedPage = ({ t }: Texts): Page => ({
  title: t('Check your email'),
  body: html`<p>${t('If there is an account with this email address, we have sent a link to reset its password. It works once, within an hour.')}</p>`,
})
