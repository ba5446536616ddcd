// The token endpoint (RFC 6749 section 3.2): who asks, then for what.

import type { Deps } from '../../../ports/deps.ts'
import { isKnownClient } from '../client/find.ts'
import { OAuthError } from '../error.ts'
import type { Parameters } from '../parameters.ts'
import { redeemCode } from './code.ts'
import type { TokenResponse } from './issue.ts'
import { refresh } from './refresh.ts'

/** @throws OAuthError */
export async function answerToken(
  deps: Pick<Deps, 'db' | 'settings' | 'cursorKey'>,
  parameters: Parameters,
): Promise<TokenResponse> {
  const grantType = parameters.required('grant_type')
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    throw new OAuthError(
      'unsupported_grant_type',
      'The grant_type must be authorization_code or refresh_token.',
    )
  }
  const clientId = await requireClient(deps, parameters)
  return grantType === 'refresh_token'
    ? refresh(deps, clientId, parameters)
    : redeemCode(deps, clientId, parameters)
}

/**
 * All clients are public: they name themselves, and prove nothing. An id that nobody has any more is told apart from a
 * wrong token, so that the client registers again instead of sending its user to a page that cannot help.
 * @throws OAuthError invalid_client
 */
export async function requireClient(deps: Pick<Deps, 'db'>, parameters: Parameters): Promise<string> {
  for (const name of ['client_secret', 'client_assertion']) {
    if (parameters.one(name) === undefined) continue
    throw new OAuthError('invalid_client', `Clients here have no secret: send client_id without ${name}.`)
  }
  const id = parameters.one('client_id')
  if (id !== undefined && (await isKnownClient(deps, id))) return id
  throw new OAuthError('invalid_client', 'The client_id is missing or not registered here. Register again.')
}
