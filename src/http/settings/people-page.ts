// /settings/people, for administrators: users, invitations and password reset links.

import { createInvitation, listInvitations, revokeInvitation } from '../../accounts/invitations.ts'
import { createResetLink } from '../../accounts/passwords.ts'
import { listUsers, updateUser } from '../../accounts/users.ts'
import { type Invitation, InvitationCreate, type User, UserUpdate } from '../../contract/account.ts'
import { uuid } from '../../contract/fields.ts'
import { fieldsOf, idIn } from '../pages/form.ts'
import { type Html, html } from '../pages/html.ts'
import { type Action, button, dateOf, type SettingsPage, type Visit } from './settings-page.ts'

const linkNote = (text: string, link: string): Html =>
  html`<section class="note" role="status"><p>${text}</p><p><code>${link}</code></p></section>`

const invite: Action = async (deps, { user }, form) => {
  const fields = fieldsOf(InvitationCreate, { email: form.text('email')?.trim() || undefined })
  const invitation = await createInvitation(deps, user, fields)
  const isSent = invitation.email !== null && deps.mail !== undefined
  const text = isSent
    ? `The invitation was sent to ${invitation.email}. If it does not arrive, pass on this link; it works once, for seven days:`
    : 'Pass on this link. It works once, for seven days:'
  return linkNote(text, invitation.link)
}

const withdraw: Action = async (deps, { user }, form) => {
  await revokeInvitation(deps, user, idIn(form))
  return undefined
}

const update: Action = async (deps, { user }, form) => {
  const admin = form.text('admin')
  const change = { status: form.text('status'), admin: admin === undefined ? undefined : admin === 'true' }
  await updateUser(deps, user, idIn(form), fieldsOf(UserUpdate, change))
  return undefined
}

const reset: Action = async (deps, { user }, form) => {
  const { link } = await createResetLink(deps, { id: idIn(form) }, user)
  return linkNote('Pass on this link to set a new password. It works once, within an hour:', link)
}

const row = (visit: Visit, { id, email, admin, status, created_at }: User): Html => {
  const isActive = status === 'active'
  const change = (label: string, hidden: Record<string, string>, style?: 'danger') =>
    button(visit, 'update', label, { hidden: { id, ...hidden }, ...(style ? { style } : {}) })
  return html`<tr><td>${email}${admin && html`<br><span class="soft">administrator</span>`}${!isActive && html`<br><span class="soft">suspended</span>`}</td>
<td data-name="Created">${dateOf(created_at)}</td>
<td><div class="buttons">${isActive && button(visit, 'reset', 'Reset password', { hidden: { id } })}
${change(admin ? 'Remove as administrator' : 'Make administrator', { admin: String(!admin) })}
${isActive ? change('Suspend', { status: 'suspended' }, 'danger') : change('Restore', { status: 'active' })}</div></td></tr>`
}

const openInvitations = (visit: Visit, invitations: Invitation[]): Html =>
  html`<ul>${invitations.map(
    ({ id, email, expires_at }) => html`<li>${email ?? 'anyone with the link'}, expires ${dateOf(expires_at)}
${button(visit, 'withdraw', 'Withdraw', { hidden: { id }, style: 'danger' })}</li>`,
  )}</ul>`

export const peoplePage: SettingsPage = {
  url: '/settings/people',
  admin: true,
  render: async (deps, visit) => {
    const after = new URL(visit.request.raw.url ?? '/', deps.settings.origin).searchParams.get('after')
    const { data, has_more } = await listUsers(deps, uuid.safeParse(after).data)
    const { data: invitations } = await listInvitations(deps)
    const body = html`
<h2>Invite someone</h2>
<form method="post">${visit.csrf}
<label for="email">Email address (optional; the link then works for this address only)</label>
<input id="email" name="email" type="email" maxlength="254">
<button name="do" value="invite">Create invitation</button>
</form>
${invitations.length > 0 && html`<h2>Open invitations</h2>${openInvitations(visit, invitations)}`}
<h2>Accounts</h2>
<p>Suspending a user signs them out everywhere and permanently ends their API keys and connections. Once restored, they sign in again and create new ones.</p>
<div class="scroll"><table><thead><tr><th scope="col">User</th><th scope="col">Created</th><th></th></tr></thead>
<tbody>${data.map((user) => row(visit, user))}</tbody></table></div>
${has_more && html`<p><a href="/settings/people?after=${data.at(-1)?.id}">Next page</a></p>`}`
    return { title: 'Users', wide: true, body }
  },
  actions: { invite, withdraw, update, reset },
}
