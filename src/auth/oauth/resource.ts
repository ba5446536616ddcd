// What a token is for (RFC 8707): this API and nothing else. Its address may be spelled in the ways that mean the same.

import { OAuthError } from './error.ts'
import type { Parameters } from './parameters.ts'

/** @throws OAuthError invalid_target unless it is this API, or left out, as clients older than the rule do */
export function requireResource(parameters: Parameters, baseUrl: string): void {
  const [asked, second] = parameters.all('resource')
  if (asked === undefined) return
  if (second === undefined && isResource(asked, baseUrl)) return
  throw new OAuthError('invalid_target', `Tokens are given for ${baseUrl} only.`)
}

/** Scheme and host in any case, one slash at the end or none; the address of the MCP endpoint counts as the API's. */
export function isResource(asked: string, baseUrl: string): boolean {
  const [, origin, path] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)(.*)$/is.exec(asked) ?? []
  if (origin === undefined || path === undefined) return false
  const spelled = origin.toLowerCase() + path.replace(/\/$/, '')
  return spelled === baseUrl || spelled === `${baseUrl}/mcp`
}
