// The authorization response (RFC 6749 section 4.1.2): always with state as it came, and with who answers (RFC 9207).

import type { OAuthError } from '../error.ts'
import type { Target } from './request.ts'

type Place = Pick<Target, 'redirectUri' | 'state'>

export const codeAddress = (to: Place, issuer: string, code: string): string =>
  withQuery(to, issuer, { code })

export const errorAddress = (to: Place, issuer: string, error: OAuthError): string =>
  withQuery(to, issuer, { error: error.code, error_description: error.message })

/** Appended to the text as it was registered: parsing could write it differently. */
function withQuery({ redirectUri, state }: Place, issuer: string, answer: Record<string, string>): string {
  const query = new URLSearchParams({ ...answer, ...(state === undefined ? {} : { state }), iss: issuer })
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`
}
