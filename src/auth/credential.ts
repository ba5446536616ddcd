// Authenticates a request by the bearer token in its Authorization header, the only credential that /v1 accepts.

import { ApiError } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { type Caller, SCOPES } from './caller.ts'
import {
  isGrantActive,
  type KeyRow,
  lockBearer,
  selectAccessToken,
  selectApiKey,
  type TokenRow,
  updateLastUsed,
} from './credential.sql.ts'
import { hashOf } from './secret.ts'

// 32 random bytes after a prefix that names the table to look in.
const ACCESS_TOKEN = /^ken_at_[A-Za-z0-9_-]{43}$/
const API_KEY = /^ken_mcp_[A-Za-z0-9_-]{43}$/

/**
 * @param headers every Authorization header of the request, as sent
 * @param countWorkspaces also counts the workspaces that the caller can read, in the same statement
 * @throws ApiError 401 for no header, several, or an invalid credential
 */
export async function authenticate(
  deps: Pick<Deps, 'db' | 'settings'>,
  headers: readonly string[],
  countWorkspaces = false,
): Promise<Caller> {
  const [header] = headers
  if (header === undefined) {
    throw unauthorized('The credential is missing. Send the header "Authorization: Bearer <token>".', false)
  }
  const token = headers.length === 1 ? /^Bearer ([^\s]+)$/i.exec(header)?.[1] : undefined
  const caller = token === undefined ? undefined : await callerOf(deps, token, countWorkspaces)
  if (!caller) throw invalidToken()
  return caller
}

/**
 * For long requests: checks the credential again within the transaction that commits, and locks it. Revoking it or
 * suspending its user then waits for the transaction to end.
 * @throws ApiError 401
 */
export async function requireStillValid(tx: Queryable, { bearer }: Caller): Promise<void> {
  if (bearer && !(await lockBearer(tx, bearer.hash, bearer.audience))) throw invalidToken()
}

/**
 * For a response that is being streamed: stops it when the credential was revoked, but not when the token merely expired.
 * Otherwise tokens of 15 minutes would cut off one in thirty answers of half a minute.
 * @throws ApiError 401
 */
export async function requireNotRevoked(
  deps: Pick<Deps, 'db' | 'settings'>,
  headers: readonly string[],
): Promise<void> {
  const token = /^Bearer ([^\s]+)$/i.exec(headers[0] ?? '')?.[1] ?? ''
  if (ACCESS_TOKEN.test(token) && (await isGrantActive(deps.db, hashOf(token)))) return
  await authenticate(deps, headers)
}

/** The prefix of the token decides in which table its hash is looked up. */
async function callerOf(
  deps: Pick<Deps, 'db' | 'settings'>,
  token: string,
  countWorkspaces: boolean,
): Promise<Caller | undefined> {
  const hash = hashOf(token)
  if (ACCESS_TOKEN.test(token)) return byAccessToken(deps, hash, countWorkspaces)
  return API_KEY.test(token) ? byKey(deps, hash, countWorkspaces) : undefined
}

async function byAccessToken(
  deps: Pick<Deps, 'db' | 'settings'>,
  hash: Buffer,
  countWorkspaces: boolean,
): Promise<Caller | undefined> {
  const token = await selectAccessToken(deps.db, hash, deps.settings.baseUrl, countWorkspaces)
  return (
    token && {
      auth: token.client_id === null ? 'session' : 'oauth',
      id: token.account_id,
      userId: token.account_id,
      email: token.email,
      scopes: SCOPES.filter((scope) => token.scopes.includes(scope)),
      bearer: { hash, audience: deps.settings.baseUrl },
      ...countOf(token),
    }
  )
}

async function byKey(
  deps: Pick<Deps, 'db'>,
  hash: Buffer,
  countWorkspaces: boolean,
): Promise<Caller | undefined> {
  const keyRow = await selectApiKey(deps.db, hash, countWorkspaces)
  if (keyRow?.unnoticed) await updateLastUsed(deps.db, keyRow.id)
  return (
    keyRow && {
      auth: 'api_key',
      id: keyRow.id,
      userId: keyRow.account_id,
      scopes: ['knowledge:read'],
      workspaceIds: keyRow.workspace_ids,
      ...countOf(keyRow),
    }
  )
}

const countOf = ({ workspace_count: count }: TokenRow | KeyRow): { workspaceCount?: number } =>
  count === null ? {} : { workspaceCount: count }

const invalidToken = (): ApiError =>
  unauthorized(
    'The access token or API key is invalid, expired or revoked. Sign in again, or create a new API key.',
    true,
  )

/** @param hasCredential a credential was sent, so the challenge says `invalid_token` (RFC 6750 section 3.1) */
const unauthorized = (message: string, hasCredential: boolean): ApiError =>
  new ApiError(401, 'unauthorized', message, hasCredential ? { challenge: 'error="invalid_token"' } : {})
