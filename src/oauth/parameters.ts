// Parameters of an OAuth request. An empty parameter counts as absent, a repeated one is an error (RFC 6749 section 3.1).
// `scope` and `resource` are shared by several endpoints.

import { SCOPES, type Scope } from '../auth/caller.ts'
import { OAuthError } from './error.ts'

export interface Parameters {
  /** @throws OAuthError invalid_request if it is repeated */
  singleValue(name: string): string | undefined
  /** @throws OAuthError invalid_request if it is missing or repeated */
  required(name: string): string
  all(name: string): string[]
}

export function readParameters(query: URLSearchParams): Parameters {
  const all = (name: string): string[] => query.getAll(name).filter((value) => value !== '')
  const singleValue = (name: string): string | undefined => {
    if (query.getAll(name).length > 1)
      throw new OAuthError('invalid_request', `The parameter \`${name}\` is included more than once.`)
    return all(name)[0]
  }
  const required = (name: string): string => {
    const value = singleValue(name)
    if (value === undefined)
      throw new OAuthError('invalid_request', `The required parameter \`${name}\` is missing.`)
    return value
  }
  return { singleValue, required, all }
}

/** Requested by clients used to OpenID Connect. Ignored, since refresh tokens are always issued. */
const OFFLINE = 'offline_access'

/** Undefined when no scope is requested. @throws OAuthError invalid_scope */
export function requestedScopes(parameters: Parameters): Scope[] | undefined {
  const names = (parameters.singleValue('scope') ?? '')
    .split(' ')
    .filter((name) => name !== '' && name !== OFFLINE)
  if (names.length === 0) return undefined
  if (!names.every(isScope)) {
    throw new OAuthError('invalid_scope', `Unknown scope. The supported scopes are ${SCOPES.join(' and ')}.`)
  }
  const scopes = SCOPES.filter((scope) => names.includes(scope))
  if (scopes.includes('knowledge:read')) return scopes
  throw new OAuthError('invalid_scope', 'knowledge:write can only be requested together with knowledge:read.')
}

const isScope = (name: string): name is Scope => (SCOPES as readonly string[]).includes(name)

/** `resource` may be missing, since older clients do not send it (RFC 8707). @throws OAuthError invalid_target */
export function requireResource(parameters: Parameters, baseUrl: string): void {
  const [resource, secondResource] = parameters.all('resource')
  if (resource === undefined) return
  if (secondResource === undefined && isResource(resource, baseUrl)) return
  throw new OAuthError('invalid_target', `\`resource\` must be ${baseUrl}, the only resource of this server.`)
}

/** Ignores the case of scheme and host and a trailing slash; the MCP endpoint's URL counts as the API's. */
function isResource(uri: string, baseUrl: string): boolean {
  const [, origin, path] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)(.*)$/is.exec(uri) ?? []
  if (origin === undefined || path === undefined) return false
  const normalizedUri = origin.toLowerCase() + path.replace(/\/$/, '')
  return normalizedUri === baseUrl || normalizedUri === `${baseUrl}/mcp`
}
