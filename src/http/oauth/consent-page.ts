// The consent page: which client requests access, what it may do then, and where it returns the user to.

import type { Scope } from '../../auth/caller.ts'
import type { Texts } from '../../messages/texts.ts'
import type { RedirectTarget } from '../../oauth/authorization.ts'
import { consentDestination, isLoopback } from '../../oauth/redirect-uri.ts'
import { type Html, html } from '../pages/html.ts'
import type { Page } from '../pages/page.ts'
import { signInUrl } from '../pages/sign-in.ts'
import { withMarkup } from '../pages/texts.ts'

interface Consent {
  target: RedirectTarget
  /** The requested scopes. */
  scopes: readonly Scope[]
  user: { email: string }
  /** The parameters of the authorization request, submitted again with the decision. */
  hiddenFields: readonly (readonly [string, string])[]
  csrf: Html
  /** The URL of this page, to return to after signing in with another account. */
  url: string
}

/** Name of the checkbox for the scope knowledge:write. */
export const WRITE_FIELD = 'write'

const writeCheckbox = ({ t }: Texts): Html =>
  html`<label class="choice"><input type="checkbox" name="${WRITE_FIELD}" value="yes" checked>
<span>${t('Create, change and delete workspaces and documents where your role allows it')}</span></label>`

export function consentPage(texts: Texts, { target, scopes, user, hiddenFields, csrf, url }: Consent): Page {
  const { t } = texts
  const { client, redirectUri } = target
  return {
    title: t('Allow “{name}” to access Kenning?', { name: client.name }),
    language: texts.language,
    email: user.email,
    formRedirectsAway: true,
    keepsOpener: true,
    body: html`
${identity(texts, target)}
<form method="post" action="/oauth/consent">
${csrf}
${hiddenFields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<h2>${t('It will be able to')}</h2>
<label class="choice"><input type="checkbox" checked disabled>
<span>${t('Read, search and ask questions in all workspaces that you can read')}</span></label>
${scopes.includes('knowledge:write') && writeCheckbox(texts)}
<h2>${t('It returns you to')}</h2>
${destination(texts, redirectUri)}
${client.redirectUris.every(isLoopback) && loopbackWarning(texts)}
<p class="soft">${withMarkup(t('It acts as {email} until you disconnect it under Connections.'), { email: html`<strong>${user.email}</strong>` })}
<a href="${signInUrl(url, true)}">${t('Use another account')}</a></p>
<div class="pair">
<button class="plain" name="decision" value="deny">${t('Deny')}</button>
<button class="plain" name="decision" value="allow">${t('Allow')}</button>
</div>
</form>`,
  }
}

const identity = ({ t }: Texts, { client: { name, host } }: RedirectTarget): Html => {
  const values = {
    name: html`<strong>${name}</strong>`,
    host: host !== undefined && html`<strong>${host}</strong>`,
  }
  const text =
    host === undefined
      ? t(
          'An application that calls itself {name} wants to access Kenning on your behalf. This name has not been verified: allow access only if you have just started this yourself.',
        )
      : t(
          '{name}, an application of {host}, wants to access Kenning on your behalf. Allow access only if you have just started this yourself.',
        )
  return html`<p>${withMarkup(text, values)}</p>`
}

function destination({ t }: Texts, redirectUri: string): Html {
  const { kind, shown: displayUri } = consentDestination(redirectUri)
  if (kind === 'web') return html`<p class="host">${displayUri}</p>`
  const program =
    kind === 'loopback'
      ? t('A program on this computer.')
      : t('The app on this device that opens links of this kind.')
  return html`<p class="host">${displayUri}</p><p class="soft">${program}</p>`
}

const loopbackWarning = ({ t }: Texts): Html =>
  html`<p class="note">${t('Any program on this computer could have asked for access under this name. Kenning cannot tell which one it is.')}</p>`
