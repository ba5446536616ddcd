// /settings/keys: creating, listing and revoking API keys. A new key is shown once, in the response to its form.

import { createKey, listKeys, revokeKey } from '../../accounts/keys.ts'
import { type Key, KeyCreate, type NewKey } from '../../contract/account.ts'
import type { Workspace } from '../../contract/resources.ts'
import { invalid } from '../../errors.ts'
import type { Deps } from '../../ports/deps.ts'
import { fieldsOf, idIn } from '../pages/form.ts'
import { type Html, html } from '../pages/html.ts'
import {
  type Action,
  button,
  dateOf,
  mcpUrl,
  type SettingsPage,
  type Visit,
  workspacesOf,
} from './settings-page.ts'

const DAY_MS = 24 * 3600 * 1000
const EXPIRY_CHOICES: [days: string, label: string][] = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', '1 year'],
  ['', 'No expiry'],
]

const create: Action = async (deps, visit, form) => {
  const days = Number(form.text('days') || 0)
  const expires = Number.isInteger(days) && days > 0 && days <= 3650
  if (form.all('workspace').length === 0) throw invalid(['body'], 'Choose at least one workspace')
  const fields = fieldsOf(KeyCreate, {
    name: form.text('name'),
    workspace_ids: form.all('workspace'),
    expires_at: expires ? new Date(Date.now() + days * DAY_MS).toISOString() : null,
  })
  return newKeyNote(deps, await createKey(deps, visit.user, fields), mcpUrl(deps, visit))
}

const revoke: Action = async (deps, { user }, form) => {
  await revokeKey(deps, user, idIn(form))
  return undefined
}

const newKeyNote = (
  { settings }: Pick<Deps, 'settings'>,
  { name, key }: NewKey,
  mcp: string | undefined,
): Html => html`
<section class="note" role="status" aria-label="New API key">
<p>This is your new key “${name}”. Copy it now: it will not be shown again.</p>
<p><code>${key}</code></p>
<p>To try it:</p>
<pre><code>curl ${settings.baseUrl}/workspaces \\
  -H 'authorization: Bearer ${key}'</code></pre>
${
  mcp !== undefined &&
  html`<p>For assistants and editors that support MCP with a key:</p>
<pre><code>{
  "mcpServers": {
    "kenning": {
      "url": "${mcp}",
      "headers": { "Authorization": "Bearer ${key}" }
    }
  }
}</code></pre>`
}
</section>`

const table = (visit: Visit, keys: Key[], workspaces: Workspace[]): Html => {
  const names = new Map(workspaces.map(({ id, name }) => [id, name]))
  return html`<div class="scroll"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Ends with</th><th scope="col">Workspaces</th><th scope="col">Expires</th><th scope="col">Last used</th><th></th></tr></thead>
<tbody>${keys.map(
    (key) => html`<tr><td>${key.name}</td><td data-name="Ends with"><code>${key.last_four}</code></td>
<td data-name="Workspaces">${key.workspace_ids.map((id) => names.get(id) ?? '(no longer accessible)').join(', ')}</td>
<td data-name="Expires">${key.expires_at === null ? 'never' : dateOf(key.expires_at)}</td><td data-name="Last used">${key.last_used_at === null ? 'never' : dateOf(key.last_used_at)}</td>
<td>${button(visit, 'revoke', 'Revoke', { hidden: { id: key.id }, style: 'danger' })}</td></tr>`,
  )}</tbody></table></div>`
}

const newKeyForm = ({ csrf, submitted }: Visit, workspaces: Workspace[]): Html => {
  const chosen = submitted?.all('workspace') ?? []
  const expiry = submitted?.text('days') ?? '90'
  return html`
<form method="post">${csrf}
<label for="name">Name</label>
<input id="name" name="name" maxlength="100" required placeholder="Reporting script" value="${submitted?.text('name') ?? ''}">
<fieldset><legend>Workspaces it can read</legend>
${workspaces.map(
  ({ id, name }) =>
    html`<label class="choice"><input type="checkbox" name="workspace" value="${id}"${chosen.includes(id) && html` checked`}> ${name}</label>`,
)}
</fieldset>
<label for="days">Expires after</label>
<select id="days" name="days">${EXPIRY_CHOICES.map(([days, label]) => html`<option value="${days}"${days === expiry && html` selected`}>${label}</option>`)}</select>
<button name="do" value="make">Create key</button>
</form>`
}

export const keysPage: SettingsPage = {
  url: '/settings/keys',
  render: async (deps, visit) => {
    const { data: keys } = await listKeys(deps, visit.user)
    const workspaces = await workspacesOf(deps, visit)
    return {
      title: 'API keys',
      wide: true,
      body: html`
<p>With an API key a program can read the workspaces you choose, and nothing else. If you lose access to a workspace, so does the key.</p>
${keys.length > 0 && table(visit, keys, workspaces)}
<h2>New key</h2>
${workspaces.length > 0 ? newKeyForm(visit, workspaces) : html`<p>You are not a member of any workspace yet.</p>`}`,
    }
  },
  actions: { make: create, revoke },
}
