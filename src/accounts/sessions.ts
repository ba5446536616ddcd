// Signing in and out: browser sessions, and the short-lived access tokens that a session can request.

import { randomUUID } from 'node:crypto'
import { deleteOldFailedSignIns, record } from '../audit/activity.sql.ts'
import { nobody, userActor } from '../audit/activity.ts'
import { SCOPES } from '../auth/caller.ts'
import { hashOf, newSecret } from '../auth/secret.ts'
import type { SecondStep } from '../contract/second-factor.ts'
import { ApiError, forbidden, notFound } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { selectAccount } from './accounts.sql.ts'
import { emailKey } from './email-key.ts'
import { deleteOldInvitations } from './invitations.sql.ts'
import { notSignedIn } from './not-signed-in.ts'
import { deleteOldChallenges } from './passkeys.sql.ts'
import { createPasskeyRequest } from './passkeys.ts'
import {
  deleteOldPending,
  deletePending,
  deleteUnconfirmedSecondFactors,
  hasSecondFactor,
  insertPending,
  lockForSignIn,
  lockPending,
  selectPending,
  selectSecondFactorStatus,
} from './second-factor.sql.ts'
import { sendRecoveryCodeUsed } from './second-factor-mail.ts'
import { checkProof, PASSKEY_REFUSED, type ProofKind } from './second-proof.ts'
import {
  deleteExpiredSessions,
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
import { signInLog } from './sign-in-log.ts'
import { deleteOldFailures, deleteOldNetworks } from './throttle.sql.ts'
import {
  beginPasskeyStep,
  beginSecondStep,
  beginSignIn,
  clearFailures,
  NETWORK_DAYS,
  rememberNetwork,
} from './throttle.ts'

/**
 * A session expires 14 days after its last use. That of an account without a password expires 14 days after the sign-in with the company.
 */
export const SESSION_SECONDS = 14 * 24 * 3600
const TOKEN_SECONDS = 900
const MAX_USER_AGENT_CHARACTERS = 400
/** The second factor has to follow the password within this time. */
export const PENDING_SECONDS = 600

/** The secret of a new session, or of a sign-in whose second factor is missing. Each is the value of a cookie. */
export type SignInResult = { session: string } | { pending: string }

/**
 * Signs in with a password. If the account has a second factor, no session is opened yet: `finishSignIn` opens it.
 * @throws ApiError 401 for a wrong email address or password (without saying which), 429 after too many failures
 */
export async function signIn(
  deps: Pick<Deps, 'db' | 'cursorKey' | 'passwords' | 'log'>,
  credentials: { email: string; password: string },
  remoteAddress: string,
): Promise<SignInResult> {
  const key = emailKey(credentials.email)
  const log = signInLog(deps, 'password', remoteAddress)
  const attempt = await beginSignIn(deps, key, remoteAddress).catch(log.logAndRethrow('too_many_attempts'))
  const account = await selectAccount(deps.db, key)
  const matches = await deps.passwords.verify(account?.password_hash ?? undefined, credentials.password)
  if (!account || !matches) {
    log.logRefusal('wrong_address_or_password', account?.id)
    await record(deps.db, { action: 'sign_in_failed', actor: nobody, subject: account?.id })
    throw wrongCredentials()
  }
  await clearFailures(deps, attempt)
  const result = await openSessionOrPending(deps, account.id, account.password_hash ?? undefined)
  if (!result) {
    log.logRefusal('account_changed', account.id)
    throw wrongCredentials()
  }
  if ('session' in result) {
    await rememberNetwork(deps, { id: account.id, emailKey: key }, remoteAddress)
    log.logSuccess(account.id)
  }
  return result
}

/**
 * Opens a session or, if the account has a second factor, stores a pending sign-in. Undefined if the account has changed since its
 * password was verified.
 */
const openSessionOrPending = (
  deps: Pick<Deps, 'db'>,
  accountId: string,
  passwordHash: string | undefined,
): Promise<SignInResult | undefined> =>
  deps.db.tx(async (tx) => {
    if (!(await lockForSignIn(tx, accountId, passwordHash))) return undefined
    const secret = newSecret()
    if (await hasSecondFactor(tx, accountId)) {
      await insertPending(tx, { hash: hashOf(secret), accountId, seconds: PENDING_SECONDS })
      return { pending: secret }
    }
    const isOpened = await openSession(tx, accountId, secret, { by: 'password', passwordHash })
    return isOpened ? { session: secret } : undefined
  })

/**
 * The second step of a sign-in: a one-time code, a passkey or a recovery code. Returns the secret for the session cookie.
 * @param pending the secret `pending` of what `signIn` returned, from its cookie
 * @throws ApiError 401 if the proof is wrong or was used before, or if the password has to be entered again; 429 after too many
 * failures
 */
export async function finishSignIn(
  deps: Pick<Deps, 'db' | 'cursorKey' | 'seal' | 'mail' | 'log' | 'settings'>,
  pending: string | undefined,
  proof: SecondStep,
  remoteAddress: string,
): Promise<string> {
  const hash = hashOf(pending ?? '')
  const account = await selectPending(deps.db, hash)
  if (!account) throw signInExpired()
  const { account_id: accountId, email_key } = account
  const log = signInLog(deps, 'second factor', remoteAddress)
  const beginAttempt = 'passkey' in proof ? beginPasskeyStep : beginSecondStep
  const attempt = await beginAttempt(deps, email_key, remoteAddress).catch(
    log.logAndRethrow('too_many_attempts', accountId),
  )
  const useCheckedProof = await checkProof(deps, accountId, proof, hash)
  const secret = newSecret()
  const acceptedProof = await deps.db.tx(async (tx) => {
    // The account's row first, as in a password change, so that there is no deadlock.
    if (!(await lockForSignIn(tx, accountId)) || !(await lockPending(tx, hash))) throw signInExpired()
    const kind = await useCheckedProof(tx)
    if (kind === false) return undefined
    await deletePending(tx, hash)
    if (!(await openSession(tx, accountId, secret, { by: 'password', proofKind: kind })))
      throw signInExpired()
    return kind
  })
  if (acceptedProof === undefined) {
    log.logRefusal('passkey' in proof ? 'wrong_passkey' : 'wrong_code', accountId)
    const detail = { by: 'second factor' }
    await record(deps.db, { action: 'sign_in_failed', actor: nobody, subject: accountId, detail })
    throw 'passkey' in proof ? wrongPasskey() : wrongSecondCode()
  }
  await clearFailures(deps, attempt)
  await rememberNetwork(deps, { id: accountId, emailKey: email_key }, remoteAddress)
  if (acceptedProof === 'recovery_code') {
    const { recovery_codes } = (await selectSecondFactorStatus(deps.db, accountId)) ?? { recovery_codes: 0 }
    sendRecoveryCodeUsed(deps, account, recovery_codes)
  }
  log.logSuccess(accountId)
  return secret
}

/** How the second factor can be proved: by codes of an app, by a passkey. A recovery code is always possible. */
export interface SecondStepChoice {
  app: boolean
  /** The options with which a browser asks for a passkey. */
  passkey: object | undefined
}

/** How the second factor can be proved for the pending sign-in with this secret. Undefined if the sign-in has expired. */
export async function secondStepOf(
  deps: Pick<Deps, 'db' | 'settings'>,
  pending: string | undefined,
): Promise<SecondStepChoice | undefined> {
  const hash = hashOf(pending ?? '')
  const account = await selectPending(deps.db, hash)
  if (!account) return undefined
  const status = await selectSecondFactorStatus(deps.db, account.account_id)
  return {
    app: status?.app ?? false,
    passkey: await createPasskeyRequest(deps, account.account_id, hash),
  }
}

/** Whether the pending sign-in with this secret is still valid. */
export const isSignInPending = async (
  deps: Pick<Deps, 'db'>,
  pending: string | undefined,
): Promise<boolean> => pending !== undefined && (await selectPending(deps.db, hashOf(pending))) !== undefined

/**
 * The options with which a browser asks for a passkey at the second step.
 * @throws ApiError 401 if it is too late, 404 without a passkey
 */
export async function createSecondStepPasskeyRequest(
  deps: Pick<Deps, 'db' | 'settings'>,
  pending: string | undefined,
): Promise<object> {
  const choice = await secondStepOf(deps, pending)
  if (!choice) throw signInExpired()
  if (!choice.passkey) throw notFound()
  return choice.passkey
}

const wrongPasskey = (): ApiError => new ApiError(401, 'unauthorized', PASSKEY_REFUSED)
const wrongSecondCode = (): ApiError =>
  new ApiError(401, 'unauthorized', 'The code is wrong, was already used or has expired.')

const signInExpired = (): ApiError =>
  new ApiError(401, 'unauthorized', 'The sign-in took too long. Enter your password again.')

const wrongCredentials = (): ApiError =>
  new ApiError(401, 'unauthorized', 'The email address or password is incorrect.')

/**
 * Opens a session for an authenticated user and returns the secret for the cookie. Undefined if the account is not active, or if
 * its password hash is no longer `passwordHash`. Both may change while the password is being verified.
 */
export async function createSession(
  deps: Pick<Deps, 'db'>,
  accountId: string,
  proof: SignInProof,
): Promise<string | undefined> {
  const secret = newSecret()
  const isOpened = await deps.db.tx((tx) => openSession(tx, accountId, secret, proof))
  return isOpened ? secret : undefined
}

interface SignInProof {
  by: 'password' | 'company' | 'link'
  proofKind?: ProofKind
  passwordHash?: string | undefined
  /** The time of the sign-in. For a sign-in link it is the start of the session that made the link. Undefined: now. */
  signedInAt?: string
}

/** As `createSession`, in a transaction. Returns false where `createSession` returns undefined. */
export async function openSession(
  tx: Queryable,
  accountId: string,
  secret: string,
  { by, proofKind, passwordHash, signedInAt }: SignInProof,
): Promise<boolean> {
  const session = { hash: hashOf(secret), accountId, seconds: SESSION_SECONDS, passwordHash, signedInAt }
  if (!(await insertSession(tx, session))) return false
  const detail = { by, ...(proofKind && { second: proofKind }) }
  await record(tx, { action: 'sign_in', actor: userActor(accountId), subject: accountId, detail })
  return true
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

/** Ends the session and the access tokens issued for it. */
export const signOut = (deps: Pick<Deps, 'db'>, secret: string): Promise<void> =>
  deleteSession(deps.db, hashOf(secret))

/**
 * Issues an access token with both scopes for a session, and extends the session.
 * @param userAgent the browser, which is shown in the user's list of sessions
 * @throws ApiError 401 without a valid session
 */
export async function createSessionToken(
  deps: Pick<Deps, 'db' | 'settings'>,
  secret: string | undefined,
  userAgent: string | undefined,
): Promise<{ access_token: string; expires_in: number }> {
  const hash = hashOf(secret ?? '')
  const token = newSecret('ken_at_')
  const isIssued = await deps.db.tx(async (tx) => {
    const session = await extendSession(tx, hash, {
      seconds: SESSION_SECONDS,
      userAgent: userAgent?.slice(0, MAX_USER_AGENT_CHARACTERS),
    })
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

/**
 * Deletes what is too old: invitations, sign-in links, unfinished sign-ins, unconfirmed second factors, sessions, access tokens, failure
 * counts, known networks and logged failed sign-ins. Runs once an hour.
 */
export async function deleteExpiredSignIns(deps: Pick<Deps, 'db'>): Promise<void> {
  await deleteOldInvitations(deps.db)
  await deleteOldLinks(deps.db)
  await deleteOldPending(deps.db)
  await deleteUnconfirmedSecondFactors(deps.db)
  await deleteOldChallenges(deps.db)
  await deleteExpiredSessions(deps.db)
  await deleteOldFailures(deps.db, 24 * 3600)
  await deleteOldNetworks(deps.db, NETWORK_DAYS)
  await deleteOldFailedSignIns(deps.db)
}
