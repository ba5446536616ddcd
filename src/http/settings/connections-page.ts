// /settings/connections: OAuth clients that the user has authorized, and disconnecting them.

import { listGrants, revokeGrant } from '../../accounts/grants.ts'
import type { Grant } from '../../contract/account.ts'
import { idIn } from '../pages/form.ts'
import { type Html, html } from '../pages/html.ts'
import { type Action, button, dateOf, mcpUrl, type SettingsPage, type Visit } from './settings-page.ts'

const revoke: Action = async (deps, { user }, form) => {
  await revokeGrant(deps, user, idIn(form))
  return undefined
}

const accessOf = (scopes: string[]): string =>
  scopes.includes('knowledge:write') ? 'Read and write' : 'Read'

const table = (visit: Visit, grants: Grant[]): Html => html`<div class="scroll"><table>
<thead><tr><th scope="col">Application</th><th scope="col">Access</th><th scope="col">Connected</th><th></th></tr></thead>
<tbody>${grants.map(
  ({ id, client_name, scopes, created_at }) => html`<tr><td>${client_name}</td>
<td data-name="Access">${accessOf(scopes)}</td><td data-name="Connected">${dateOf(created_at)}</td>
<td>${button(visit, 'revoke', 'Disconnect', { hidden: { id }, style: 'danger' })}</td></tr>`,
)}</tbody></table></div>`

export const connectionsPage: SettingsPage = {
  url: '/settings/connections',
  render: async (deps, visit) => {
    const { data } = await listGrants(deps, visit.user)
    const mcp = mcpUrl(deps, visit)
    const body = html`
<p>Applications and assistants that may act on your behalf. None of them can do more than you can.</p>
${data.length > 0 ? table(visit, data) : html`<p>No application is connected.${mcp !== undefined && html` To connect an assistant, give it this address: <code>${mcp}</code>`}</p>`}`
    return { title: 'Connections', wide: true, body }
  },
  actions: { revoke },
}
