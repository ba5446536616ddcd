// The abilities of a credential, independent of its owner's role. Each endpoint and each tool names the ability that it needs.

import type { Ability } from '../contract/endpoint.ts'
import { ApiError } from '../errors.ts'
import type { Caller, Scope } from './caller.ts'

const SCOPES_BY_ABILITY: Record<Ability, readonly Scope[]> = {
  any: [],
  read: ['knowledge:read'],
  write: ['knowledge:read', 'knowledge:write'],
  own: ['knowledge:read', 'knowledge:write'],
}

/** An API key never has the scope knowledge:write, so `own` requires only knowledge:read of it. */
const requiredScopes = (auth: Caller['auth'], ability: Ability): readonly Scope[] =>
  SCOPES_BY_ABILITY[ability === 'own' && auth === 'api_key' ? 'read' : ability]

export const hasAbility = ({ auth, scopes }: Pick<Caller, 'auth' | 'scopes'>, ability: Ability): boolean =>
  requiredScopes(auth, ability).every((scope) => scopes.includes(scope))

/** @throws ApiError 403 that names the scopes which an OAuth client has to request */
export function requireAbility(caller: Pick<Caller, 'auth' | 'scopes'>, ability: Ability): void {
  if (hasAbility(caller, ability)) return
  const scope = requiredScopes(caller.auth, ability).join(' ')
  const message =
    caller.auth === 'api_key'
      ? 'API keys are read-only. Use an OAuth access token with the scope knowledge:write instead.'
      : `The access token does not have the required scopes: ${scope}.`
  throw new ApiError(403, 'insufficient_scope', message, { challenge: `scope="${scope}"` })
}
