// /settings: a person's own account: password, signing out everywhere, going.

import { changePassword, hasPassword, signOutEverywhere } from '../../accounts/passwords.ts'
import { signOut } from '../../accounts/sessions.ts'
import { AccountDelete, PasswordChange } from '../../contract/account.ts'
import { closeAccount } from '../../workspaces/close-account.ts'
import { sessionCookie } from '../account/session.ts'
import type { Form } from '../pages/form.ts'
import { fieldsOf, repeated } from '../pages/form.ts'
import { html } from '../pages/html.ts'
import type { Act, Place, Visit } from './settings-page.ts'

const change: Act = async (deps, { user, secret, request }, form) => {
  requireSame(form)
  const given = fieldsOf(PasswordChange, {
    password: form.text('password'),
    new_password: form.text('new_password'),
  })
  await changePassword(deps, user, given, { secret, remoteAddress: request.ip })
  return html`<p class="note" role="status">Your password is changed. Other browsers are signed out.</p>`
}

const requireSame = (form: Form): void => {
  if (form.text('new_password') !== form.text('repeated')) throw repeated()
}

const signOutOfAll: Act = async (deps, { user, reply }) => {
  await signOutEverywhere(deps, user)
  sessionCookie(deps.settings.origin).set(reply, '', 0)
  return { to: '/sign-in' }
}

const signOutHere: Act = async (deps, { secret, reply }) => {
  await signOut(deps, secret)
  sessionCookie(deps.settings.origin).set(reply, '', 0)
  return { to: '/sign-in' }
}

const close: Act = async (deps, { user, secret, request, reply }, form) => {
  const given = fieldsOf(AccountDelete, { password: form.text('password') })
  await closeAccount(deps, user, given, { secret, remoteAddress: request.ip })
  sessionCookie(deps.settings.origin).set(reply, '', 0)
  return { to: '/sign-in' }
}

const passwordForm = ({ csrf, user }: Visit) => html`<form method="post">${csrf}
<input type="hidden" name="username" autocomplete="username" value="${user.email}">
<label for="password">Password now</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="4000" required>
<label for="new_password">New password, at least 12 characters</label>
<input id="new_password" name="new_password" type="password" autocomplete="new-password" minlength="12" maxlength="1000" required>
<label for="repeated">New password again</label>
<input id="repeated" name="repeated" type="password" autocomplete="new-password" minlength="12" maxlength="1000" required>
<button name="do" value="change">Change password</button>
</form>`

const SIGN_IN_AGAIN = `/sign-in/company?next=${encodeURIComponent('/settings')}`

const body = (visit: Visit, withPassword: boolean) => html`
<h2>Change your password</h2>
${withPassword ? passwordForm(visit) : html`<p>You have none: you sign in with your company. An administrator can make a link that sets one.</p>`}
<h2>Sign out</h2>
<p>Everywhere ends all your sessions, this one too. API keys and connections stay; end them on their pages.</p>
<form method="post" class="buttons">${visit.csrf}<button class="plain" name="do" value="sign-out-here">Sign out here</button>
<button class="plain" name="do" value="sign-out">Sign out everywhere</button></form>
<h2>Delete your account</h2>
<p>Workspaces that nobody else is in are deleted with it. What you uploaded to others stays there.</p>
${!withPassword && html`<p><a href="${SIGN_IN_AGAIN}">Sign in with your company again</a> first; it counts for ten minutes.</p>`}
<form method="post">${visit.csrf}
${
  withPassword &&
  html`<label for="closing">Password</label>
<input id="closing" name="password" type="password" autocomplete="current-password" maxlength="4000" required>`
}
<button class="danger" name="do" value="close">Delete my account</button>
</form>`

export const accountPage: Place = {
  url: '/settings',
  show: async (deps, visit) => ({
    title: 'Account',
    body: body(visit, await hasPassword(deps, visit.user)),
  }),
  acts: { change, 'sign-out-here': signOutHere, 'sign-out': signOutOfAll, close },
}
