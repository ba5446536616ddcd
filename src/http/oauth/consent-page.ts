// What a person is shown before a program may act for them: who asks, where the answer goes, what it may do.

import type { Asked, Target } from '../../oauth/authorization.ts'
import { destinationOf, isLoopback } from '../../oauth/redirect-uri.ts'
import { type Html, html } from '../pages/html.ts'
import type { Page } from '../pages/page.ts'
import { signInAddress } from '../pages/sign-in.ts'

export interface Consent {
  target: Target
  asked: Asked
  user: { email: string }
  /** The request's own parameters, sent back with the decision. */
  hidden: readonly (readonly [string, string])[]
  csrf: Html
  /** Of this page. */
  address: string
}

/** The checkbox under which somebody lets a client change things, too. */
export const WRITE = 'write'

const writeChoice = html`<label class="choice"><input type="checkbox" name="${WRITE}" value="yes" checked>
<span>Create, change and delete workspaces and documents where you may</span></label>`

export function consentPage({ target, asked, user, hidden, csrf, address }: Consent): Page {
  const { client, redirectUri } = target
  return {
    title: `Allow “${client.name}” to use Kenning?`,
    email: user.email,
    formLeadsAway: true,
    keepsOpener: true,
    body: html`
${identity(target)}
<form method="post" action="/oauth/consent">
${csrf}
${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<h2>It may</h2>
<label class="choice"><input type="checkbox" checked disabled>
<span>Read, search and ask in all workspaces that you can read</span></label>
${asked.scopes.includes('knowledge:write') && writeChoice}
<h2>You will be sent to</h2>
${destination(redirectUri)}
${client.redirectUris.every(isLoopback) && loopbackWarning}
<p class="soft">It acts as <strong>${user.email}</strong> until you revoke it under your account.
<a href="${signInAddress(address, true)}">Use another account</a></p>
<div class="pair">
<button class="plain" name="decision" value="deny">Deny</button>
<button class="plain" name="decision" value="allow">Allow</button>
</div>
</form>`,
  }
}

const identity = ({ client: { name, host } }: Target): Html =>
  host === undefined
    ? html`<p>An application that calls itself <strong>${name}</strong> asks to act for you. Nobody has checked that name:
allow it only if you have just started this yourself.</p>`
    : html`<p><strong>${name}</strong>, an application of <strong>${host}</strong>, asks to act for you. Allow it only if you
have just started this yourself.</p>`

function destination(redirectUri: string): Html {
  const { kind, shown } = destinationOf(redirectUri)
  if (kind === 'web') return html`<p class="host">${shown}</p>`
  if (kind === 'loopback')
    return html`<p class="host">${shown}</p><p class="soft">A program on this computer.</p>`
  return html`<p class="host">${shown}</p><p class="soft">The application on this device that opens such addresses.</p>`
}

const loopbackWarning = html`<p class="note">Any program on this computer could have asked under this name: Kenning cannot
tell which one it is.</p>`
