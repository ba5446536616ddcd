// The consent page: which client requests access, what it may do then, and where it returns the user to.

import type { Scope } from '../../auth/caller.ts'
import type { RedirectTarget } from '../../oauth/authorization.ts'
import { consentDestination, isLoopback } from '../../oauth/redirect-uri.ts'
import { type Html, html } from '../pages/html.ts'
import type { Page } from '../pages/page.ts'
import { signInUrl } from '../pages/sign-in.ts'

interface Consent {
  target: RedirectTarget
  /** The requested scopes. */
  scopes: readonly Scope[]
  user: { email: string }
  /** The parameters of the authorization request, submitted again with the decision. */
  hidden: readonly (readonly [string, string])[]
  csrf: Html
  /** The URL of this page, to return to after signing in with another account. */
  url: string
}

/** Name of the checkbox for the scope knowledge:write. */
export const WRITE_FIELD = 'write'

const writeCheckbox = html`<label class="choice"><input type="checkbox" name="${WRITE_FIELD}" value="yes" checked>
<span>Create, change and delete workspaces and documents where your role allows it</span></label>`

export function consentPage({ target, scopes, user, hidden, csrf, url }: Consent): Page {
  const { client, redirectUri } = target
  return {
    title: `Allow “${client.name}” to access Kenning?`,
    email: user.email,
    formRedirectsAway: true,
    keepsOpener: true,
    body: html`
${identity(target)}
<form method="post" action="/oauth/consent">
${csrf}
${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<h2>It will be able to</h2>
<label class="choice"><input type="checkbox" checked disabled>
<span>Read, search and ask questions in all workspaces that you can read</span></label>
${scopes.includes('knowledge:write') && writeCheckbox}
<h2>It returns you to</h2>
${destination(redirectUri)}
${client.redirectUris.every(isLoopback) && loopbackWarning}
<p class="soft">It acts as <strong>${user.email}</strong> until you disconnect it under Connections.
<a href="${signInUrl(url, true)}">Use another account</a></p>
<div class="pair">
<button class="plain" name="decision" value="deny">Deny</button>
<button class="plain" name="decision" value="allow">Allow</button>
</div>
</form>`,
  }
}

const identity = ({ client: { name, host } }: RedirectTarget): Html =>
  host === undefined
    ? html`<p>An application that calls itself <strong>${name}</strong> wants to access Kenning on your behalf. This name has not
been verified: allow access only if you have just started this yourself.</p>`
    : html`<p><strong>${name}</strong>, an application of <strong>${host}</strong>, wants to access Kenning on your behalf. Allow
access only if you have just started this yourself.</p>`

function destination(redirectUri: string): Html {
  const { kind, shown: displayUri } = consentDestination(redirectUri)
  if (kind === 'web') return html`<p class="host">${displayUri}</p>`
  if (kind === 'loopback')
    return html`<p class="host">${displayUri}</p><p class="soft">A program on this computer.</p>`
  return html`<p class="host">${displayUri}</p><p class="soft">The app on this device that opens links of this kind.</p>`
}

const loopbackWarning = html`<p class="note">Any program on this computer could have asked for access under this name. Kenning
cannot tell which one it is.</p>`
