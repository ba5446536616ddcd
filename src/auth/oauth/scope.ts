// Scopes that are asked for (RFC 6749 section 3.3): no token is without knowledge:read.

import { SCOPES, type Scope } from '../caller.ts'
import { OAuthError } from './error.ts'
import type { Parameters } from './parameters.ts'

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
