// /settings/keys: API keys made, seen and revoked. A new key stands on the page that answers its form, and nowhere else.

import { listKeys, makeKey, revokeKey } from '../../accounts/keys.ts'
import { type Key, KeyCreate, type NewKey } from '../../contract/account.ts'
import type { Workspace } from '../../contract/resources.ts'
import { invalid } from '../../errors.ts'
import type { Deps } from '../../ports/deps.ts'
import { fieldsOf, idIn } from '../pages/form.ts'
import { type Html, html } from '../pages/html.ts'
import {
  type Act,
  button,
  dateOf,
  mcpAddress,
  type Place,
  type Visit,
  workspacesOf,
} from './settings-page.ts'

const DAY_MS = 24 * 3600 * 1000
const LASTS: [days: string, says: string][] = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'a year'],
  ['', 'ever, until it is revoked'],
]

const make: Act = async (deps, visit, form) => {
  const days = Number(form.text('days') || 0)
  const ends = Number.isInteger(days) && days > 0 && days <= 3650
  if (form.all('workspace').length === 0) throw invalid(['body'], 'Choose at least one workspace')
  const given = fieldsOf(KeyCreate, {
    name: form.text('name'),
    workspace_ids: form.all('workspace'),
    expires_at: ends ? new Date(Date.now() + days * DAY_MS).toISOString() : null,
  })
  return shownOnce(deps, await makeKey(deps, visit.user, given), mcpAddress(deps, visit))
}

const revoke: Act = async (deps, { user }, form) => {
  await revokeKey(deps, user, idIn(form))
  return undefined
}

const shownOnce = (
  { settings }: Pick<Deps, 'settings'>,
  { name, key }: NewKey,
  mcp: string | undefined,
): Html => html`
<section class="note" role="status" aria-label="The new key">
<p>The key “${name}”. Copy it now: it is not shown again.</p>
<p><code>${key}</code></p>
<p>Try it:</p>
<pre><code>curl ${settings.baseUrl}/workspaces \\
  -H 'authorization: Bearer ${key}'</code></pre>
${
  mcp !== undefined &&
  html`<p>In assistants and editors that speak MCP and take a key:</p>
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

const list = (visit: Visit, keys: Key[], workspaces: Workspace[]): Html => {
  const names = new Map(workspaces.map(({ id, name }) => [id, name]))
  return html`<div class="scroll"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Ends with</th><th scope="col">Workspaces</th><th scope="col">Until</th><th scope="col">Last use</th><th></th></tr></thead>
<tbody>${keys.map(
    (key) => html`<tr><td>${key.name}</td><td data-name="Ends with"><code>${key.last_four}</code></td>
<td data-name="Workspaces">${key.workspace_ids.map((id) => names.get(id) ?? 'no longer yours').join(', ')}</td>
<td data-name="Until">${key.expires_at === null ? 'no end' : dateOf(key.expires_at)}</td><td data-name="Last use">${key.last_used_at === null ? 'never used' : dateOf(key.last_used_at)}</td>
<td>${button(visit, 'revoke', 'Revoke', { hidden: { id: key.id }, style: 'danger' })}</td></tr>`,
  )}</tbody></table></div>`
}

/** Filled in as it was sent when that was not good. */
const form = ({ csrf, typed }: Visit, workspaces: Workspace[]): Html => {
  const chosen = typed?.all('workspace') ?? []
  const lasts = typed?.text('days') ?? '90'
  return html`
<form method="post">${csrf}
<label for="name">Name, to know it again</label>
<input id="name" name="name" maxlength="100" required placeholder="Reporting script" value="${typed?.text('name') ?? ''}">
<fieldset><legend>Workspaces it may read</legend>
${workspaces.map(
  ({ id, name }) =>
    html`<label class="choice"><input type="checkbox" name="workspace" value="${id}"${chosen.includes(id) && html` checked`}> ${name}</label>`,
)}
</fieldset>
<label for="days">It is good for</label>
<select id="days" name="days">${LASTS.map(([days, says]) => html`<option value="${days}"${days === lasts && html` selected`}>${says}</option>`)}</select>
<button name="do" value="make">Make the key</button>
</form>`
}

export const keysPage: Place = {
  url: '/settings/keys',
  show: async (deps, visit) => {
    const [{ data: keys }, workspaces] = [await listKeys(deps, visit.user), await workspacesOf(deps, visit)]
    return {
      title: 'API keys',
      wide: true,
      body: html`
<p>A key lets a program read the workspaces you choose, and nothing else. It ends with your own access to them.</p>
${keys.length > 0 && list(visit, keys, workspaces)}
<h2>A new key</h2>
${workspaces.length > 0 ? form(visit, workspaces) : html`<p>You are in no workspace yet.</p>`}`,
    }
  },
  acts: { make, revoke },
}
