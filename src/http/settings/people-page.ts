// /settings/people: for the administrator: who has an account, invitations, links for lost passwords.

import { invite, listInvitations, revokeInvitation } from '../../accounts/invitations.ts'
import { makeReset } from '../../accounts/passwords.ts'
import { listUsers, updateUser } from '../../accounts/users.ts'
import { type Invitation, InvitationCreate, type User, UserUpdate } from '../../contract/account.ts'
import { uuid } from '../../contract/fields.ts'
import { fieldsOf, idIn } from '../pages/form.ts'
import { type Html, html } from '../pages/html.ts'
import { type Act, button, dateOf, type Place, type Visit } from './settings-page.ts'

const link = (says: string, address: string): Html =>
  html`<section class="note" role="status"><p>${says}</p><p><code>${address}</code></p></section>`

const inviteOne: Act = async (deps, { user }, form) => {
  const given = fieldsOf(InvitationCreate, { email: form.text('email')?.trim() || undefined })
  const made = await invite(deps, user, given)
  const sent = made.email !== null && deps.mail !== undefined
  const says = sent
    ? `Sent to ${made.email}. The link, should it not arrive:`
    : 'Hand this link over. It works once, for seven days:'
  return link(says, made.link)
}

const withdraw: Act = async (deps, { user }, form) => {
  await revokeInvitation(deps, user, idIn(form))
  return undefined
}

const update: Act = async (deps, { user }, form) => {
  const admin = form.text('admin')
  const change = { status: form.text('status'), admin: admin === undefined ? undefined : admin === 'true' }
  await updateUser(deps, user, idIn(form), fieldsOf(UserUpdate, change))
  return undefined
}

const reset: Act = async (deps, { user }, form) => {
  const { link: address } = await makeReset(deps, { id: idIn(form) }, user)
  return link('Hand this link over. It sets the password anew, once, within an hour:', address)
}

const row = (visit: Visit, { id, email, admin, status, created_at }: User): Html => {
  const active = status === 'active'
  const change = (says: string, hidden: Record<string, string>, style?: 'danger') =>
    button(visit, 'update', says, { hidden: { id, ...hidden }, ...(style ? { style } : {}) })
  return html`<tr><td>${email}${admin && html`<br><span class="soft">administrator</span>`}${!active && html`<br><span class="soft">suspended</span>`}</td>
<td data-name="Since">${dateOf(created_at)}</td>
<td><div class="buttons">${active && button(visit, 'reset', 'Password link', { hidden: { id } })}
${change(admin ? 'Remove as administrator' : 'Make administrator', { admin: String(!admin) })}
${active ? change('Suspend', { status: 'suspended' }, 'danger') : change('Restore', { status: 'active' })}</div></td></tr>`
}

const open = (visit: Visit, invitations: Invitation[]): Html =>
  html`<ul>${invitations.map(
    ({
      id,
      email,
      expires_at,
    }) => html`<li>${email ?? 'for whoever has the link'}, until ${dateOf(expires_at)}
${button(visit, 'withdraw', 'Withdraw', { hidden: { id }, style: 'danger' })}</li>`,
  )}</ul>`

export const peoplePage: Place = {
  url: '/settings/people',
  admin: true,
  show: async (deps, visit) => {
    const after = new URL(visit.request.raw.url ?? '/', deps.settings.origin).searchParams.get('after')
    const { data, has_more } = await listUsers(deps, uuid.safeParse(after).data)
    const { data: invitations } = await listInvitations(deps)
    const body = html`
<h2>Invite somebody</h2>
<form method="post">${visit.csrf}
<label for="email">E-mail address (optional: then the link is good for that address only)</label>
<input id="email" name="email" type="email" maxlength="254">
<button name="do" value="invite">Make an invitation</button>
</form>
${invitations.length > 0 && html`<h2>Open invitations</h2>${open(visit, invitations)}`}
<h2>Accounts</h2>
<p>Suspending signs somebody out everywhere and ends their API keys and connected programs for good. Restored, they sign in with their password and make new ones.</p>
<div class="scroll"><table><thead><tr><th scope="col">Person</th><th scope="col">Since</th><th></th></tr></thead>
<tbody>${data.map((user) => row(visit, user))}</tbody></table></div>
${has_more && html`<p><a href="/settings/people?after=${data.at(-1)?.id}">More</a></p>`}`
    return { title: 'People', wide: true, body }
  },
  acts: { invite: inviteOne, withdraw, update, reset },
}
