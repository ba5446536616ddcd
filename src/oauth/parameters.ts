// Parameters of an OAuth request (RFC 6749 section 3.1), and the two that several endpoints share: scope and resource.

import { SCOPES, type Scope } from '../auth/caller.ts'
import { OAuthError } from './error.ts'

export interface Parameters {
  /** @throws OAuthError invalid_request when it stands twice */
  one(name: string): string | undefined
  /** @throws OAuthError invalid_request when it is missing or stands twice */
  required(name: string): string
  all(name: string): string[]
}

export function readParameters(sent: URLSearchParams): Parameters {
  const all = (name: string): string[] => sent.getAll(name).filter((value) => value !== '')
  const one = (name: string): string | undefined => {
    if (sent.getAll(name).length > 1)
      throw new OAuthError('invalid_request', `The parameter ${name} stands twice.`)
    return all(name)[0]
  }
  const required = (name: string): string => {
    const value = one(name)
    if (value === undefined) throw new OAuthError('invalid_request', `The parameter ${name} is missing.`)
    return value
  }
  return { one, required, all }
}

/** Clients of OpenID Connect habits add it: refresh tokens are always issued here, so it changes nothing. */
const OFFLINE = 'offline_access'

/** Undefined when none is asked for. @throws OAuthError invalid_scope */
export function askedScopes(parameters: Parameters): Scope[] | undefined {
  const names = (parameters.one('scope') ?? '').split(' ').filter((name) => name !== '' && name !== OFFLINE)
  if (names.length === 0) return undefined
  if (!names.every(isScope)) {
    throw new OAuthError('invalid_scope', `The scopes here are ${SCOPES.join(' and ')}.`)
  }
  const asked = SCOPES.filter((scope) => names.includes(scope))
  if (asked.includes('knowledge:read')) return asked
  throw new OAuthError('invalid_scope', 'knowledge:write is given together with knowledge:read only.')
}

const isScope = (name: string): name is Scope => (SCOPES as readonly string[]).includes(name)

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
