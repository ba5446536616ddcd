// Signing in and out: browser sessions, and the short-lived access tokens that a session can request.

import { randomUUID } from 'node:crypto'
import { deleteOldFailedSignIns, record } from '../audit/activity.sql.ts'
import { nobody, userActor } from '../audit/activity.ts'
import { SCOPES } from '../auth/caller.ts'
import { hashOf, newSecret } from '../auth/secret.ts'
import { ApiError, forbidden } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { selectAccount } from './accounts.sql.ts'
import { emailKey } from './email-key.ts'
import { deleteOldInvitations } from './invitations.sql.ts'
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
import { deleteOldLinks } from './sign-in-links.sql.ts'
import { deleteOldFailures, deleteOldNetworks } from './throttle.sql.ts'
import { beginSignIn, clearFailures, NETWORK_DAYS, rememberNetwork } from './throttle.ts'

/** A session expires 14 days after its last use. */
export const SESSION_SECONDS = 14 * 24 * 3600
const TOKEN_SECONDS = 900

/**
 * Signs in with a password and returns the secret for the session cookie.
 * @throws ApiError 401 for a wrong email address or password (without saying which), 429 after too many failures
 */
export async function signIn(
  deps: Pick<Deps, 'db' | 'cursorKey' | 'passwords'>,
  credentials: { email: string; password: string },
  remoteAddress: string,
): Promise<string> {
  const key = emailKey(credentials.email)
  const attempt = await beginSignIn(deps, key, remoteAddress)
  const account = await selectAccount(deps.db, key)
  const matches = await deps.passwords.verify(account?.password_hash ?? undefined, credentials.password)
  if (!account || !matches) {
    await record(deps.db, { action: 'sign_in_failed', actor: nobody, subject: account?.id })
    throw wrongCredentials()
  }
  await clearFailures(deps, attempt)
  const passwordHash = account.password_hash ?? undefined
  const secret = await createSession(deps, account.id, { by: 'password', passwordHash })
  if (secret === undefined) throw wrongCredentials()
  await rememberNetwork(deps, { id: account.id, emailKey: key }, remoteAddress)
  return secret
}

const wrongCredentials = (): ApiError =>
  new ApiError(401, 'unauthorized', 'The email address or password is incorrect.')

/**
 * Opens a session for an authenticated user and returns the secret for the cookie. Undefined if the account is not active, or if
 * its password hash is no longer `passwordHash`. Both may change while the password is being verified.
 */
export async function createSession(
  deps: Pick<Deps, 'db'>,
  accountId: string,
  { by, passwordHash }: { by: 'password' | 'company' | 'link'; passwordHash?: string | undefined },
): Promise<string | undefined> {
  const secret = newSecret()
  const session = { hash: hashOf(secret), accountId, seconds: SESSION_SECONDS, passwordHash }
  const isOpened = await deps.db.tx(async (tx) => {
    if (!(await insertSession(tx, session))) return false
    await record(tx, { action: 'sign_in', actor: userActor(accountId), subject: accountId, detail: { by } })
    return true
  })
  return isOpened ? secret : undefined
}

/** The user of the session with this cookie secret; undefined if it is not valid. */
export const sessionUser = async (
  deps: Pick<Deps, 'db'>,
  secret: string | undefined,
): Promise<SessionUser | undefined> =>
  secret === undefined ? undefined : selectSession(deps.db, hashOf(secret))

/** @throws ApiError 401 without a valid session */
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
  if (!user.admin) throw forbidden('Only an administrator can do this.')
}

const notSignedIn = (): ApiError =>
  new ApiError(401, 'unauthorized', 'You are not signed in. Sign in and try again.')

/** Ends the session and the access tokens issued for it. */
export const signOut = (deps: Pick<Deps, 'db'>, secret: string): Promise<void> =>
  deleteSession(deps.db, hashOf(secret))

/**
 * Issues an access token with both scopes for a session, and extends the session.
 * @throws ApiError 401 without a valid session
 */
export async function createSessionToken(
  deps: Pick<Deps, 'db' | 'settings'>,
  secret: string | undefined,
): Promise<{ access_token: string; expires_in: number }> {
  const hash = hashOf(secret ?? '')
  const token = newSecret('ken_at_')
  const isIssued = await deps.db.tx(async (tx) => {
    const session = await extendSession(tx, hash, SESSION_SECONDS)
    if (!session) return false
    const grantId = (await selectSessionGrant(tx, hash)) ?? randomUUID()
    const grant = { id: grantId, accountId: session.account_id, sessionHash: hash }
    await insertGrant(tx, { ...grant, scopes: SCOPES, resource: deps.settings.baseUrl })
    await insertAccessToken(tx, { hash: hashOf(token), grantId, seconds: TOKEN_SECONDS })
    return true
  })
  if (!isIssued) throw notSignedIn()
  return { access_token: token, expires_in: TOKEN_SECONDS }
}

/** Deletes expired sessions, tokens, links, failure counts, networks and logged failed sign-ins. Runs once an hour. */
export async function deleteExpiredSignIns(deps: Pick<Deps, 'db'>): Promise<void> {
  await deleteOldInvitations(deps.db)
  await deleteOldLinks(deps.db)
  await deleteExpired(deps.db)
  await deleteOldFailures(deps.db, 24 * 3600)
  await deleteOldNetworks(deps.db, NETWORK_DAYS)
  await deleteOldFailedSignIns(deps.db)
}
