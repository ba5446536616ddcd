// Who sends this request: the bearer token of the Authorization header and nothing else.

import { ApiError } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { type Caller, SCOPES } from './caller.ts'
import {
  holdBearer,
  isStillGranted,
  type KeyRow,
  noteUse,
  selectAccessToken,
  selectApiKey,
  type TokenRow,
} from './credential.sql.ts'
import { hashOf } from './secret.ts'

// 32 random bytes behind a prefix that names the table.
const ACCESS_TOKEN = /^ken_at_[A-Za-z0-9_-]{43}$/
const API_KEY = /^ken_mcp_[A-Za-z0-9_-]{43}$/

/**
 * @param headers every Authorization header of the request, as sent
 * @param counting also count the workspaces it can read, in the same statement
 * @throws ApiError 401 for none, more than one, or one that is not alive here
 */
export async function authenticate(
  deps: Pick<Deps, 'db' | 'settings'>,
  headers: readonly string[],
  counting = false,
): Promise<Caller> {
  const [header] = headers
  if (header === undefined) {
    throw unauthorized('Send the header "Authorization: Bearer <token>".', false)
  }
  const token = headers.length === 1 ? /^Bearer ([^\s]+)$/i.exec(header)?.[1] : undefined
  const caller = token === undefined ? undefined : await callerOf(deps, token, counting)
  if (!caller) throw notAlive()
  return caller
}

/**
 * For a request that took long: its credential, once more, in the transaction that commits. It stays valid until that
 * ends; whoever revokes it or suspends its person meanwhile waits.
 * @throws ApiError 401 as a fresh request would get
 */
export async function requireStillValid(tx: Queryable, { bearer }: Caller): Promise<void> {
  if (bearer && !(await holdBearer(tx, bearer.hash, bearer.audience))) throw notAlive()
}

/**
 * For an answer under way: ends it when what it was asked with was taken back, not when a token merely ran out. One of
 * 15 minutes would else cost every thirtieth answer of half a minute.
 * @throws ApiError 401
 */
export async function requireNotTakenBack(
  deps: Pick<Deps, 'db' | 'settings'>,
  headers: readonly string[],
): Promise<void> {
  const token = /^Bearer ([^\s]+)$/i.exec(headers[0] ?? '')?.[1] ?? ''
  if (ACCESS_TOKEN.test(token) && (await isStillGranted(deps.db, hashOf(token)))) return
  await authenticate(deps, headers)
}

/** The prefix says which table knows it; each is one statement by the hash. */
async function callerOf(
  deps: Pick<Deps, 'db' | 'settings'>,
  token: string,
  counting: boolean,
): Promise<Caller | undefined> {
  const hash = hashOf(token)
  if (ACCESS_TOKEN.test(token)) return byAccessToken(deps, hash, counting)
  return API_KEY.test(token) ? byKey(deps, hash, counting) : undefined
}

async function byAccessToken(
  deps: Pick<Deps, 'db' | 'settings'>,
  hash: Buffer,
  counting: boolean,
): Promise<Caller | undefined> {
  const found = await selectAccessToken(deps.db, hash, deps.settings.baseUrl, counting)
  return (
    found && {
      auth: found.client_id === null ? 'session' : 'oauth',
      id: found.account_id,
      userId: found.account_id,
      email: found.email,
      scopes: SCOPES.filter((scope) => found.scopes.includes(scope)),
      bearer: { hash, audience: deps.settings.baseUrl },
      ...countOf(found),
    }
  )
}

async function byKey(deps: Pick<Deps, 'db'>, hash: Buffer, counting: boolean): Promise<Caller | undefined> {
  const found = await selectApiKey(deps.db, hash, counting)
  if (found?.unnoticed) await noteUse(deps.db, found.id)
  return (
    found && {
      auth: 'api_key',
      id: found.id,
      userId: found.account_id,
      scopes: ['knowledge:read'],
      workspaceIds: found.workspace_ids,
      ...countOf(found),
    }
  )
}

const countOf = ({ workspace_count: count }: TokenRow | KeyRow): { workspaceCount?: number } =>
  count === null ? {} : { workspaceCount: count }

const notAlive = (): ApiError =>
  unauthorized(
    'This token or key is not valid, has expired or was revoked. Sign in again, or make a new key.',
    true,
  )

/** `sent`: a credential came along, so the challenge says `invalid_token` (RFC 6750 section 3.1). */
const unauthorized = (message: string, sent: boolean): ApiError =>
  new ApiError(401, 'unauthorized', message, sent ? { challenge: 'error="invalid_token"' } : {})
