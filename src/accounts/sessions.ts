// Signing in and out: the browser's session, and the short-lived bearer it is traded for.

import { randomUUID } from 'node:crypto'
import { nobody, user } from '../audit/act.ts'
import { deleteOldFailedSignIns, record } from '../audit/audit.sql.ts'
import { SCOPES } from '../auth/caller.ts'
import { hashOf, newSecret } from '../auth/secret.ts'
import { ApiError, forbidden } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { selectAccount } from './accounts.sql.ts'
import { emailKey } from './email-key.ts'
import { deleteOldInvitations } from './invitations.sql.ts'
import { verifyPassword } from './password-hash.ts'
import {
  deleteExpired,
  deleteSession,
  extendSession,
  insertAccessToken,
  insertGrant,
  insertSession,
  type SessionUser,
  selectSession,
  selectSessionGrant,
} from './sessions.sql.ts'
import { deleteOldFailures, deleteOldNetworks } from './throttle.sql.ts'
import { beginSignIn, forgiveAttempt, NETWORK_DAYS, rememberNetwork } from './throttle.ts'

/** A session ends 14 days after it was last used. */
export const SESSION_SECONDS = 14 * 24 * 3600
const TOKEN_SECONDS = 900

/**
 * Signs in; the result is the secret for the cookie.
 * @throws ApiError 401 for a wrong address or password (which of them is not told), 429 after too many of those
 */
export async function signIn(
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  given: { email: string; password: string },
  remoteAddress: string,
): Promise<string> {
  const key = emailKey(given.email)
  const attempt = await beginSignIn(deps, key, remoteAddress)
  const account = await selectAccount(deps.db, key)
  const right = await verifyPassword(account?.password_hash ?? undefined, given.password)
  if (!account || !right) {
    await record(deps.db, { action: 'sign_in_failed', actor: nobody, subject: account?.id })
    throw wrong()
  }
  await forgiveAttempt(deps, attempt)
  const passwordHash = account.password_hash ?? undefined
  const secret = await openSession(deps, account.id, { by: 'password', passwordHash })
  if (secret === undefined) throw wrong()
  await rememberNetwork(deps, { id: account.id, emailKey: key }, remoteAddress)
  return secret
}

const wrong = (): ApiError =>
  new ApiError(401, 'unauthorized', 'The e-mail address or the password is wrong.')

/**
 * Somebody has shown who they are; the result is the secret for the cookie. Undefined when the account was suspended
 * meanwhile, or the password that they knew (`passwordHash`) was changed: hashing takes long enough for that.
 */
export async function openSession(
  deps: Pick<Deps, 'db'>,
  accountId: string,
  { by, passwordHash }: { by: 'password' | 'company'; passwordHash?: string | undefined },
): Promise<string | undefined> {
  const secret = newSecret()
  const session = { hash: hashOf(secret), accountId, seconds: SESSION_SECONDS, passwordHash }
  const opened = await deps.db.tx(async (tx) => {
    if (!(await insertSession(tx, session))) return false
    await record(tx, { action: 'sign_in', actor: user(accountId), subject: accountId, detail: { by } })
    return true
  })
  return opened ? secret : undefined
}

/** Who is signed in with this secret of the cookie, if anybody is. */
export const sessionUser = async (
  deps: Pick<Deps, 'db'>,
  secret: string | undefined,
): Promise<SessionUser | undefined> =>
  secret === undefined ? undefined : selectSession(deps.db, hashOf(secret))

/** @throws ApiError 401 without a living session */
export async function requireSession(
  deps: Pick<Deps, 'db'>,
  secret: string | undefined,
): Promise<SessionUser> {
  const user = await sessionUser(deps, secret)
  if (!user) throw notSignedIn()
  return user
}

/** @throws ApiError 403 */
export function requireAdmin(user: SessionUser): void {
  if (!user.admin) throw forbidden('This is for the administrator of this installation.')
}

const notSignedIn = (): ApiError => new ApiError(401, 'unauthorized', 'You are not signed in. Sign in first.')

/** Ends the session, with every bearer that came from it. */
export const signOut = (deps: Pick<Deps, 'db'>, secret: string): Promise<void> =>
  deleteSession(deps.db, hashOf(secret))

/**
 * Trades a session for a bearer with both scopes, and moves the session's end.
 * @throws ApiError 401 without a living session
 */
export async function tradeSession(
  deps: Pick<Deps, 'db' | 'settings'>,
  secret: string | undefined,
): Promise<{ access_token: string; expires_in: number }> {
  const hash = hashOf(secret ?? '')
  const token = newSecret('ken_at_')
  const traded = await deps.db.tx(async (tx) => {
    const session = await extendSession(tx, hash, SESSION_SECONDS)
    if (!session) return false
    const grantId = (await selectSessionGrant(tx, hash)) ?? randomUUID()
    const grant = { id: grantId, accountId: session.account_id, sessionHash: hash }
    await insertGrant(tx, { ...grant, scopes: SCOPES, resource: deps.settings.baseUrl })
    await insertAccessToken(tx, { hash: hashOf(token), grantId, seconds: TOKEN_SECONDS })
    return true
  })
  if (!traded) throw notSignedIn()
  return { access_token: token, expires_in: TOKEN_SECONDS }
}

/** Removes what has ended: sessions, tokens, counted failures, networks, and failed sign-ins of the audit. Cheap; meant for once an hour. */
export async function sweepSignIns(deps: Pick<Deps, 'db'>): Promise<void> {
  await deleteOldInvitations(deps.db)
  await deleteExpired(deps.db)
  await deleteOldFailures(deps.db, 24 * 3600)
  await deleteOldNetworks(deps.db, NETWORK_DAYS)
  await deleteOldFailedSignIns(deps.db)
}
