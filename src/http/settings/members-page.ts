// /settings/workspaces: the workspaces of a person; /settings/workspaces/{id}: who is in one, for its owners.

import type { FastifyRequest } from 'fastify'
import { boundTo } from '../../auth/row-security.ts'
import { type Member, MemberUpdate } from '../../contract/people.ts'
import { ApiError } from '../../errors.ts'
import type { Deps } from '../../ports/deps.ts'
import { deleteMember, listMembers, putMember } from '../../workspaces/members.ts'
import { getWorkspace } from '../../workspaces/workspaces.ts'
import { idOf } from '../account/session.ts'
import { fieldsOf, idIn } from '../pages/form.ts'
import { type Html, html } from '../pages/html.ts'
import { type Act, button, type Place, type Visit, workspacesOf } from './settings-page.ts'

export const workspacesPage: Place = {
  url: '/settings/workspaces',
  show: async (deps, visit) => {
    const workspaces = await workspacesOf(deps, visit)
    const body = html`
${workspaces.length === 0 && html`<p>You are in no workspace yet. An owner lets you in as ${visit.user.email}.</p>`}
<ul>${workspaces.map(({ id, name }) => html`<li><a href="/settings/workspaces/${id}">${name}</a></li>`)}</ul>
<p class="soft">Programs make workspaces and fill them: <code>POST ${deps.settings.baseUrl}/workspaces</code>.</p>`
    return { title: 'Workspaces', body }
  },
  acts: {},
}

const MOST = 200
const ROLES: Member['role'][] = ['viewer', 'editor', 'owner']

const put: Act = async (deps, { caller, request }, form) => {
  const given = fieldsOf(MemberUpdate, { email: form.text('email')?.trim(), role: form.text('role') })
  await putMember(boundTo(deps, caller, idOf(request)), caller, idOf(request), given)
  return undefined
}

const remove: Act = async (deps, { caller, request }, form) => {
  const userId = idIn(form, 'user_id')
  await deleteMember(boundTo(deps, caller, idOf(request)), caller, idOf(request), userId)
  return userId === caller.userId ? { to: '/settings/workspaces' } : undefined
}

const roleChoice = (chosen: Member['role'], attributes: Html): Html =>
  html`<select name="role" ${attributes}>${ROLES.map((role) => html`<option${role === chosen && html` selected`}>${role}</option>`)}</select>`

const row = (visit: Visit, { user_id, email, role }: Member): Html => html`<tr><td>${email}</td>
<td><form method="post">${visit.csrf}<input type="hidden" name="email" value="${email}">${roleChoice(role, html`aria-label="Role of ${email}"`)}
<button class="plain" name="do" value="put">Save</button></form></td>
<td>${button(visit, 'remove', user_id === visit.user.id ? 'Leave' : 'Remove', { hidden: { user_id }, style: 'danger' })}</td></tr>`

const forOwners = (visit: Visit, members: Member[]): Html => html`
<div class="scroll"><table>
<thead><tr><th scope="col">Person</th><th scope="col">Role</th><th></th></tr></thead>
<tbody>${members.map((member) => row(visit, member))}</tbody></table></div>
<h2>Let somebody in</h2>
<form method="post">${visit.csrf}
<label for="email">E-mail address of their account</label>
<input id="email" name="email" type="email" maxlength="254" required>
<label for="role">Role</label>
${roleChoice('viewer', html`id="role" aria-describedby="roles"`)}
<p class="soft" id="roles">A viewer reads and asks; an editor also adds and changes documents; an owner also decides who is in.</p>
<button name="do" value="put">Add</button>
</form>`

const forOthers = (visit: Visit): Html => html`
<p>Its owners decide who is in.</p>
${button(visit, 'remove', 'Leave this workspace', { hidden: { user_id: visit.user.id }, style: 'danger' })}`

export const membersPage: Place = {
  url: '/settings/workspaces/:id',
  show: async (deps, visit) => {
    const id = idOf(visit.request)
    const own = boundTo(deps, visit.caller, id)
    const { name } = await getWorkspace(own, visit.caller, id)
    const members = await membersOf(own, visit, visit.request)
    return { title: name, wide: true, body: members ? forOwners(visit, members) : forOthers(visit) }
  },
  acts: { put, remove },
}

/** Undefined for who is not an owner. */
async function membersOf(
  deps: Deps,
  { caller }: Visit,
  request: FastifyRequest,
): Promise<Member[] | undefined> {
  try {
    return (await listMembers(deps, caller, idOf(request), { limit: MOST })).data
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return undefined
    throw error
  }
}
