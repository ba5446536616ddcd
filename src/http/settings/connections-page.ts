// /settings/connections: programs and assistants that the person has let in, to be put out again.

import { listGrants, revokeGrant } from '../../accounts/grants.ts'
import type { Grant } from '../../contract/account.ts'
import { idIn } from '../pages/form.ts'
import { type Html, html } from '../pages/html.ts'
import { type Act, button, dateOf, mcpAddress, type Place, type Visit } from './settings-page.ts'

const revoke: Act = async (deps, { user }, form) => {
  await revokeGrant(deps, user, idIn(form))
  return undefined
}

const mayDo = (scopes: string[]): string => (scopes.includes('knowledge:write') ? 'read and change' : 'read')

const list = (visit: Visit, grants: Grant[]): Html => html`<div class="scroll"><table>
<thead><tr><th scope="col">Program</th><th scope="col">May</th><th scope="col">Since</th><th></th></tr></thead>
<tbody>${grants.map(
  ({
    id,
    client_name,
    scopes,
    created_at,
  }) => html`<tr><td>${client_name}</td><td data-name="May">${mayDo(scopes)}</td>
<td data-name="Since">${dateOf(created_at)}</td>
<td>${button(visit, 'revoke', 'Disconnect', { hidden: { id }, style: 'danger' })}</td></tr>`,
)}</tbody></table></div>`

export const connectionsPage: Place = {
  url: '/settings/connections',
  show: async (deps, visit) => {
    const { data } = await listGrants(deps, visit.user)
    const mcp = mcpAddress(deps, visit)
    const body = html`
<p>Programs and assistants that you have let in. Each may do no more than you may.</p>
${data.length > 0 ? list(visit, data) : html`<p>None.${mcp !== undefined && html` To connect an assistant, give it this address: <code>${mcp}</code>`}</p>`}`
    return { title: 'Connections', wide: true, body }
  },
  acts: { revoke },
}
