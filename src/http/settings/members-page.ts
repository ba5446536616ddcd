// /settings/workspaces lists the user's workspaces; /settings/workspaces/{id} shows the members of one to its owners.

import type { FastifyRequest } from 'fastify'
import { withRowSecurity } from '../../auth/row-security.ts'
import { type Member, MemberUpdate } from '../../contract/people.ts'
import { ApiError } from '../../errors.ts'
import type { Deps } from '../../ports/deps.ts'
import { deleteMember, listMembers, putMember } from '../../workspaces/members.ts'
import { getWorkspace } from '../../workspaces/workspaces.ts'
import { idOf } from '../account/session.ts'
import { fieldsOf, idIn } from '../pages/form.ts'
import { type Html, html } from '../pages/html.ts'
import { type Action, button, type SettingsPage, type Visit, workspacesOf } from './settings-page.ts'

export const workspacesPage: SettingsPage = {
  url: '/settings/workspaces',
  render: async (deps, visit) => {
    const workspaces = await workspacesOf(deps, visit)
    const body = html`
${workspaces.length === 0 && html`<p>You are not a member of any workspace yet. The owner of a workspace can add you as ${visit.user.email}.</p>`}
<ul>${workspaces.map(({ id, name }) => html`<li><a href="/settings/workspaces/${id}">${name}</a></li>`)}</ul>
<p class="soft">Workspaces are created and filled through the API: <code>POST ${deps.settings.baseUrl}/workspaces</code>.</p>`
    return { title: 'Workspaces', body }
  },
  actions: {},
}

const MOST_MEMBERS = 200
const ROLES: Member['role'][] = ['viewer', 'editor', 'owner']

const put: Action = async (deps, { caller, request }, form) => {
  const fields = fieldsOf(MemberUpdate, { email: form.text('email')?.trim(), role: form.text('role') })
  await putMember(withRowSecurity(deps, caller, idOf(request)), caller, idOf(request), fields)
  return undefined
}

const remove: Action = async (deps, { caller, request }, form) => {
  const userId = idIn(form, 'user_id')
  await deleteMember(withRowSecurity(deps, caller, idOf(request)), caller, idOf(request), userId)
  return userId === caller.userId ? { to: '/settings/workspaces' } : undefined
}

const roleSelect = (selected: Member['role'], attributes: Html): Html =>
  html`<select name="role" ${attributes}>${ROLES.map((role) => html`<option${role === selected && html` selected`}>${role}</option>`)}</select>`

const row = (visit: Visit, { user_id, email, role }: Member): Html => html`<tr><td>${email}</td>
<td><form method="post">${visit.csrf}<input type="hidden" name="email" value="${email}">${roleSelect(role, html`aria-label="Role of ${email}"`)}
<button class="plain" name="do" value="put">Save</button></form></td>
<td>${button(visit, 'remove', user_id === visit.user.id ? 'Leave' : 'Remove', { hidden: { user_id }, style: 'danger' })}</td></tr>`

const forOwners = (visit: Visit, members: Member[]): Html => html`
<div class="scroll"><table>
<thead><tr><th scope="col">Member</th><th scope="col">Role</th><th></th></tr></thead>
<tbody>${members.map((member) => row(visit, member))}</tbody></table></div>
<h2>Add a member</h2>
<form method="post">${visit.csrf}
<label for="email">Email address of their account</label>
<input id="email" name="email" type="email" maxlength="254" required>
<label for="role">Role</label>
${roleSelect('viewer', html`id="role" aria-describedby="roles"`)}
<p class="soft" id="roles">Viewers can read, search and ask questions. Editors can also add and change documents. Owners can also manage members.</p>
<button name="do" value="put">Add</button>
</form>`

const forOthers = (visit: Visit): Html => html`
<p>Members are managed by the owners of this workspace.</p>
${button(visit, 'remove', 'Leave this workspace', { hidden: { user_id: visit.user.id }, style: 'danger' })}`

export const membersPage: SettingsPage = {
  url: '/settings/workspaces/:id',
  render: async (deps, visit) => {
    const id = idOf(visit.request)
    const own = withRowSecurity(deps, visit.caller, id)
    const { name } = await getWorkspace(own, visit.caller, id)
    const members = await membersIfOwner(own, visit, visit.request)
    return { title: name, wide: true, body: members ? forOwners(visit, members) : forOthers(visit) }
  },
  actions: { put, remove },
}

async function membersIfOwner(
  deps: Deps,
  { caller }: Visit,
  request: FastifyRequest,
): Promise<Member[] | undefined> {
  try {
    return (await listMembers(deps, caller, idOf(request), { limit: MOST_MEMBERS })).data
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return undefined
    throw error
  }
}
