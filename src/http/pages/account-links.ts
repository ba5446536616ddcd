// Pages of the links that were handed over: making an account by invitation, asking for and setting a new password.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createAccount } from '../../accounts/accounts.ts'
import { openInvitation } from '../../accounts/invitations.ts'
import { askForReset, isReset, redeemReset } from '../../accounts/passwords.ts'
import { SESSION_SECONDS, signIn } from '../../accounts/sessions.ts'
import { AccountCreate } from '../../contract/account.ts'
import { ApiError } from '../../errors.ts'
import type { Deps } from '../../ports/deps.ts'
import { sessionCookie } from '../account/session.ts'
import { type Form, fieldsOf, readForm, repeated } from './form.ts'
import { type Html, html } from './html.ts'
import { asPage, type Page, problemNote, seeOther, sendPage } from './page.ts'

const MOST_TOKEN = 200

const tokenIn = (request: FastifyRequest): string | undefined =>
  new URLSearchParams((request.raw.url ?? '').split('?').slice(1).join('?'))
    .get('token')
    ?.slice(0, MOST_TOKEN)

const gone = (what: string): Page => ({
  title: 'This link does not work any more',
  status: 404,
  body: html`<p>${what}</p><p><a href="/sign-in">Sign in</a></p>`,
})

const newPassword: Html = html`
<label for="password">Password, at least 12 characters</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="12" maxlength="1000" required>
<label for="repeated">Password again</label>
<input id="repeated" name="repeated" type="password" autocomplete="new-password" minlength="12" maxlength="1000" required>`

/** Runs it; what is told to people comes back, anything else is thrown on. */
async function problemIn(work: () => Promise<void>): Promise<ApiError | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return error
    throw error
  }
}

const told = (problem: ApiError | undefined): Html | false =>
  problemNote(problem && (problem.extras.detail?.[0]?.msg ?? problem.message))

const requireSame = (form: Form): void => {
  if (form.text('password') !== form.text('repeated')) throw repeated()
}

export function mountLinks(app: FastifyInstance, deps: Deps): void {
  mountInvitation(app, deps)
  mountReset(app, deps)
}

function mountInvitation(app: FastifyInstance, deps: Deps): void {
  const cookie = sessionCookie(deps.settings.origin)
  const page = (token: string, bound: string | null, problem?: ApiError, typed = ''): Page => ({
    title: 'Make your account',
    status: problem?.status ?? 200,
    body: html`${told(problem)}
<form method="post" action="/invitation">
<input type="hidden" name="token" value="${token}">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" maxlength="254" required value="${bound ?? typed}"${bound !== null && html` readonly`}>
${newPassword}
<button class="full">Make my account</button>
</form>`,
  })
  const old = gone('The invitation has expired, was used or was withdrawn. Ask for a new one.')

  app.get('/invitation', asPage, async (request, reply) => {
    const token = tokenIn(request)
    const open = token === undefined ? undefined : await openInvitation(deps, token)
    return sendPage(reply, open && token !== undefined ? page(token, open.email) : old)
  })

  app.post('/invitation', asPage, async (request, reply) => {
    const form = await readForm(deps, request)
    const [invitation, email, password] = ['token', 'email', 'password'].map((name) => form.text(name) ?? '')
    const open = await openInvitation(deps, invitation ?? '')
    if (!open) return sendPage(reply, old)
    const given = { email: email?.trim() ?? '', password: password ?? '' }
    const problem = await problemIn(async () => {
      requireSame(form)
      await createAccount(deps, fieldsOf(AccountCreate, { ...given, invitation }), request.ip)
    })
    if (problem) return sendPage(reply, page(invitation ?? '', open.email, problem, given.email))
    const secret = await signIn(deps, given, request.ip)
    return seeOther(cookie.set(reply, secret, SESSION_SECONDS), '/account')
  })
}

function mountReset(app: FastifyInstance, deps: Deps): void {
  const setPage = (token: string, problem?: ApiError): Page => ({
    title: 'Set a new password',
    status: problem?.status ?? 200,
    body: html`${told(problem)}
<form method="post" action="/reset"><input type="hidden" name="token" value="${token}">${newPassword}
<button class="full">Set password</button></form>`,
  })
  const askPage = (problem?: ApiError): Page => ({
    title: 'New password',
    status: problem?.status ?? 200,
    body: html`${told(problem)}${
      deps.mail
        ? html`<form method="post" action="/reset"><label for="email">E-mail address of your account</label>
<input id="email" name="email" type="email" autocomplete="username" maxlength="254" required>
<button class="full">Send me a link</button></form>`
        : html`<p>This installation sends no mail. Ask its administrator for a link that sets your password anew.</p>`
    }`,
  })
  const old = gone('The link has expired or was used. Ask for a new one.')

  app.get('/reset', asPage, async (request, reply) => {
    const token = tokenIn(request)
    if (token === undefined) return sendPage(reply, askPage())
    return sendPage(reply, (await isReset(deps, token)) ? setPage(token) : old)
  })

  app.post('/reset', asPage, async (request, reply) => {
    const form = await readForm(deps, request)
    const token = form.text('token')?.slice(0, MOST_TOKEN)
    if (token === undefined) {
      const problem = await problemIn(() =>
        askForReset(deps, form.text('email')?.trim().slice(0, 254) ?? '', request.ip),
      )
      return sendPage(reply, problem ? askPage(problem) : asked)
    }
    if (!(await isReset(deps, token))) return sendPage(reply, old)
    const problem = await problemIn(async () => {
      requireSame(form)
      await redeemReset(deps, { token, password: (form.text('password') ?? '').slice(0, 4000) })
    })
    return problem ? sendPage(reply, setPage(token, problem)) : seeOther(reply, '/sign-in')
  })
}

const asked: Page = {
  title: 'Look into your mail',
  body: html`<p>If there is an account with this address, a link is on its way. It works once, within an hour.</p>`,
}
