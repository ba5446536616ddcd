// The second factor of an account: one-time codes of an authenticator app, passkeys (passkeys.ts), and recovery codes
// (docs/decisions/0056-second-factor.md).

import { record } from '../audit/activity.sql.ts'
import { nobody, userActor } from '../audit/activity.ts'
import { hashOf, newSecret } from '../auth/secret.ts'
import type {
  NewSecondFactor,
  RecoveryCodes,
  SecondFactor,
  SecondFactorChange,
} from '../contract/second-factor.ts'
import { forbidden, invalid, notFound } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { notSignedIn } from './not-signed-in.ts'
import { deletePasskey, selectPasskeys } from './passkeys.sql.ts'
import { deleteSessions } from './passwords.sql.ts'
import { requireOwnPassword, requirePassword, requireSamePassword } from './passwords.ts'
import { formatRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import {
  confirmSecret,
  deleteSecondFactor,
  deleteSetups,
  lockForChange,
  lockSecondFactor,
  removeSecret,
  replaceRecoveryCodes,
  type SecondFactorRow,
  selectSecondFactorStatus,
  upsertSecret,
} from './second-factor.sql.ts'
import {
  type Factor,
  sendCodesRenewed,
  sendFactorAdded,
  sendFactorRemoved,
  sendTurnedOff,
  sendTurnedOn,
} from './second-factor-mail.ts'
import { beginProof, sealPurpose, useTotpCode, wrongCode } from './second-proof.ts'
import { copySession, type SessionUser } from './sessions.sql.ts'
import { beginCodeAttempt, clearFailures } from './throttle.ts'
import { newTotpSecret, totpUri } from './totp.ts'
import { selectActiveUser } from './users.sql.ts'
import { relyingParty } from './webauthn.ts'

/** The session that changes the second factor. */
export interface OwnSession {
  secret: string
  remoteAddress: string
}

export type SecondFactorDeps = Pick<Deps, 'db' | 'passwords' | 'seal' | 'mail' | 'log' | 'settings'>

export async function getSecondFactor(
  deps: Pick<Deps, 'db' | 'settings'>,
  user: SessionUser,
): Promise<SecondFactor> {
  const status = await selectSecondFactorStatus(deps.db, user.id)
  return {
    ...(status ?? { confirmed_at: null, recovery_codes: 0, app: false }),
    passkeys: await selectPasskeys(deps.db, user.id),
    allows_passkeys: relyingParty(deps.settings) !== undefined,
  }
}

/**
 * Creates the secret for an authenticator app. The app becomes a second factor only by `confirmSecondFactor`.
 * @throws ApiError 403 for a wrong password or proof, or an account without a password; 422 if there is an app already, or if the
 * account has a second factor and the proof of it is missing; 429
 */
export async function beginSecondFactor(
  deps: SecondFactorDeps,
  user: SessionUser,
  { password, ...sentProof }: SecondFactorChange,
  session: OwnSession,
): Promise<NewSecondFactor> {
  const hash = await requireOwnPassword(deps, user, password, session.remoteAddress)
  const proof = await beginProof(deps, user, sentProof, session)
  const secret = newTotpSecret()
  await deps.db.tx(async (tx) => {
    if ((await selectSecondFactorStatus(tx, user.id))?.app)
      throw invalid(['body'], 'Your account has an authenticator app already: remove it first')
    await proof.use(tx)
    await requireSamePassword(tx, user, hash)
    const isStored = await upsertSecret(tx, user.id, deps.seal.close(secret, sealPurpose(user.id)))
    if (!isStored) throw invalid(['body'], 'Your account has an authenticator app already: remove it first')
  })
  await proof.accept()
  return { secret, uri: totpUri(secret, user.email) }
}

/**
 * From now on sign-ins ask for a second factor and accept codes of the app. Ends all sessions of the user, since they may have been
 * opened without a second factor. The session of the request continues with a new secret, since somebody else may know the former
 * one.
 * @returns also the secret for the session cookie
 * @throws ApiError 401 if the session has ended, 403 for a wrong code, 422 without a secret to confirm, 429
 */
export async function confirmSecondFactor(
  deps: SecondFactorDeps,
  user: SessionUser,
  code: string,
  session: OwnSession,
): Promise<RecoveryCodes & { newSecret: string }> {
  await requireSetup(deps.db, user.id)
  // Counted separately: a thief of the session must not use up the attempts that the owner needs to end the thief's session.
  const attempt = await beginCodeAttempt(deps, `setup:${user.id}`, session.remoteAddress)
  const secret = newSecret()
  const codes = await deps.db.tx(async (tx) => {
    await lockForChange(tx, user.id)
    const { is_confirmed: wasOn } = await requireSetup(tx, user.id)
    if (!(await useTotpCode({ tx, seal: deps.seal, isNew: true }, user.id, code))) throw wrongCode()
    await confirmSecret(tx, user.id)
    const newCodes = wasOn ? [] : await turnOnSecondFactor(tx, user.id)
    if (wasOn) await record(tx, { action: 'app_added', actor: userActor(user.id), subject: user.id })
    await renewSessionAndEndOthers(tx, user.id, session.secret, secret)
    return newCodes
  })
  await clearFailures(deps, attempt)
  if (codes.length > 0) sendTurnedOn(deps, user)
  else sendFactorAdded(deps, user, 'app')
  return { recovery_codes: codes, newSecret: secret }
}

/** Creates the recovery codes of an account that gets its first factor, and records it. Returns the codes as they are shown. */
export async function turnOnSecondFactor(tx: Queryable, accountId: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  await replaceRecoveryCodes(tx, accountId, codes.map(hashOf))
  await record(tx, { action: 'second_factor_on', actor: userActor(accountId), subject: accountId })
  return codes.map(formatRecoveryCode)
}

/** The unfinished setup of an app, locked until the transaction ends. @throws ApiError 422 without a secret to confirm */
async function requireSetup(db: Queryable, accountId: string): Promise<SecondFactorRow> {
  const secondFactor = await lockSecondFactor(db, accountId)
  if (!secondFactor?.is_app_new || secondFactor.is_expired)
    throw invalid(['body'], 'There is no second factor to confirm: begin to set it up again')
  return secondFactor
}

/**
 * Gives the session with `secret` the secret `newSecret`, and ends all other sessions of the user.
 * @throws ApiError 401 if it has ended
 */
export async function renewSessionAndEndOthers(
  tx: Queryable,
  accountId: string,
  secret: string,
  newSecret: string,
): Promise<void> {
  const hash = hashOf(newSecret)
  if (!(await copySession(tx, { hash, accountId, oldHash: hashOf(secret) }))) throw notSignedIn()
  await deleteSessions(tx, accountId, hash)
}

/** Replaces the recovery codes. @throws ApiError 403 for a wrong password or proof, 422 without a second factor, 429 */
export async function renewRecoveryCodes(
  deps: SecondFactorDeps,
  user: SessionUser,
  confirmation: SecondFactorChange,
  session: OwnSession,
): Promise<RecoveryCodes> {
  const codes = newRecoveryCodes()
  await changeSecondFactor(deps, user, confirmation, {
    session,
    change: async (tx) => {
      await replaceRecoveryCodes(tx, user.id, codes.map(hashOf))
      await record(tx, { action: 'recovery_codes_made', actor: userActor(user.id), subject: user.id })
      return undefined
    },
  })
  sendCodesRenewed(deps, user)
  return { recovery_codes: codes.map(formatRecoveryCode) }
}

/** Removes app and passkeys. @throws ApiError 403 for a wrong password or proof, 422 without a second factor, 429 */
export const turnOffSecondFactor = (
  deps: SecondFactorDeps,
  user: SessionUser,
  confirmation: SecondFactorChange,
  session: OwnSession,
): Promise<void> =>
  changeSecondFactor(deps, user, confirmation, {
    session,
    change: async (tx) => {
      for (const { id } of await selectPasskeys(tx, user.id)) await deletePasskey(tx, user.id, id)
      await removeSecret(tx, user.id)
      return undefined
    },
  })

/**
 * Removing the last factor turns the second factor off.
 * @throws ApiError 403 for a wrong password or proof, 404 without an app, 422, 429
 */
export const removeApp = (
  deps: SecondFactorDeps,
  user: SessionUser,
  confirmation: SecondFactorChange,
  session: OwnSession,
): Promise<void> =>
  changeSecondFactor(deps, user, confirmation, {
    session,
    change: async (tx) => {
      if (!(await removeSecret(tx, user.id))) throw notFound()
      await record(tx, { action: 'app_removed', actor: userActor(user.id), subject: user.id })
      return 'app'
    },
  })

/**
 * Changes the second factor. The user has to enter the password and to prove the second factor. The change also deletes unfinished
 * setups and, if it removes a factor, ends all other sessions. If neither app nor passkey is left, the second factor is turned off.
 * A mail tells the owner about a removed factor, or that the second factor is off.
 * @param change returns the factor that it removes
 * @throws ApiError 403 for a wrong password or proof, 422 without a second factor, 429
 */
export async function changeSecondFactor(
  deps: SecondFactorDeps,
  user: SessionUser,
  { password, ...sentProof }: SecondFactorChange,
  { session, change }: { session: OwnSession; change: (tx: Queryable) => Promise<Factor | undefined> },
): Promise<void> {
  await requirePassword(deps, user, password, session.remoteAddress)
  const proof = await beginProof(deps, user, sentProof, session)
  const result = await deps.db.tx(async (tx) => {
    if (!(await proof.use(tx))) throw invalid(['body'], 'Your account has no second factor')
    const removedFactor = await change(tx)
    await deleteSetups(tx, user.id)
    // Somebody else may have signed in with the removed factor.
    if (removedFactor) await deleteSessions(tx, user.id, hashOf(session.secret))
    if ((await selectSecondFactorStatus(tx, user.id))?.app || (await selectPasskeys(tx, user.id)).length > 0)
      return { removedFactor }
    await deleteSecondFactor(tx, user.id)
    await record(tx, { action: 'second_factor_off', actor: userActor(user.id), subject: user.id })
    return 'off'
  })
  await proof.accept()
  if (result === 'off') sendTurnedOff(deps, user, 'owner')
  else if (result.removedFactor) sendFactorRemoved(deps, user, result.removedFactor)
}

/**
 * Removes the second factor of a user who has lost app, passkeys and recovery codes, and tells the user by mail.
 * @throws ApiError 403 for the administrator's own, 404 without an active account or a second factor
 */
export async function resetSecondFactor(
  deps: Pick<Deps, 'db' | 'mail' | 'log'> & { settings: Pick<Deps['settings'], 'siteUrl'> },
  account: { id: string } | { emailKey: string },
  issuer: { id: string } | 'operator',
): Promise<void> {
  const receiver = await deps.db.tx(async (tx) => {
    const user = await selectActiveUser(tx, account)
    if (!user) throw notFound()
    if (issuer !== 'operator' && issuer.id === user.id)
      throw forbidden('Turn off your own second factor on your account page.')
    await lockForChange(tx, user.id)
    if (!(await deleteSecondFactor(tx, user.id))) throw notFound()
    const actor = issuer === 'operator' ? nobody : userActor(issuer.id)
    await record(tx, { action: 'second_factor_reset', actor, subject: user.id })
    return user
  })
  sendTurnedOff(deps, receiver, 'administrator')
}
