// /settings: changing the password, signing out, deleting the account.

import { changePassword, hasPassword, signOutEverywhere } from '../../accounts/passwords.ts'
import { signOut } from '../../accounts/sessions.ts'
import { AccountDelete, PasswordChange } from '../../contract/account.ts'
import { closeAccount } from '../../workspaces/close-account.ts'
import { sessionCookie } from '../account/session.ts'
import { fieldsOf, requireSamePassword } from '../pages/form.ts'
import { html } from '../pages/html.ts'
import type { Action, SettingsPage, Visit } from './settings-page.ts'

const change: Action = async (deps, { user, secret, request }, form) => {
  requireSamePassword(form, 'new_password')
  const fields = fieldsOf(PasswordChange, {
    password: form.text('password'),
    new_password: form.text('new_password'),
  })
  await changePassword(deps, user, fields, { secret, remoteAddress: request.ip })
  return html`<p class="note" role="status">Your password has been changed. All other browsers are signed out.</p>`
}

const signOutAll: Action = async (deps, { user, reply }) => {
  await signOutEverywhere(deps, user)
  sessionCookie(deps.settings.origin).set(reply, '', 0)
  return { to: '/sign-in' }
}

const signOutThis: Action = async (deps, { secret, reply }) => {
  await signOut(deps, secret)
  sessionCookie(deps.settings.origin).set(reply, '', 0)
  return { to: '/sign-in' }
}

const close: Action = async (deps, { user, secret, request, reply }, form) => {
  const fields = fieldsOf(AccountDelete, { password: form.text('password') })
  await closeAccount(deps, user, fields, { secret, remoteAddress: request.ip })
  sessionCookie(deps.settings.origin).set(reply, '', 0)
  return { to: '/sign-in' }
}

const passwordForm = ({ csrf, user }: Visit) => html`<form method="post">${csrf}
<input type="hidden" name="username" autocomplete="username" value="${user.email}">
<label for="password">Current password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="4000" required>
<label for="new_password">New password, at least 12 characters</label>
<input id="new_password" name="new_password" type="password" autocomplete="new-password" minlength="12" maxlength="1000" required>
<label for="repeated">Repeat the new password</label>
<input id="repeated" name="repeated" type="password" autocomplete="new-password" minlength="12" maxlength="1000" required>
<button name="do" value="change">Change password</button>
</form>`

const COMPANY_SIGN_IN = `/sign-in/company?next=${encodeURIComponent('/settings')}`

const body = (visit: Visit, withPassword: boolean) => html`
<h2>Password</h2>
${withPassword ? passwordForm(visit) : html`<p>You have no password, because you sign in with your company. An administrator can give you a link to set one.</p>`}
<h2>Sign out</h2>
<p>“Sign out everywhere” ends all your sessions, including this one. API keys and connections keep working until you revoke them on their pages.</p>
<form method="post" class="buttons">${visit.csrf}<button class="plain" name="do" value="sign-out-here">Sign out</button>
<button class="plain" name="do" value="sign-out">Sign out everywhere</button></form>
<h2>Delete your account</h2>
<p>Workspaces that have no other members are deleted with it. Documents that you uploaded to other workspaces stay there.</p>
${!withPassword && html`<p><a href="${COMPANY_SIGN_IN}">Sign in with your company again</a> first, then delete the account within ten minutes.</p>`}
<form method="post">${visit.csrf}
${
  withPassword &&
  html`<label for="closing">Password</label>
<input id="closing" name="password" type="password" autocomplete="current-password" maxlength="4000" required>`
}
<button class="danger" name="do" value="close">Delete my account</button>
</form>`

export const accountPage: SettingsPage = {
  url: '/settings',
  render: async (deps, visit) => ({
    title: 'Account',
    body: body(visit, await hasPassword(deps, visit.user)),
  }),
  actions: { change, 'sign-out-here': signOutThis, 'sign-out': signOutAll, close },
}
