// The second factor of an account: one-time codes of an authenticator app, and recovery codes (docs/decisions/0056-second-factor.md).

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
import { deleteSessions } from './passwords.sql.ts'
import { hasPassword, requirePassword } from './passwords.ts'
import { inGroups, newRecoveryCodes } from './recovery-codes.ts'
import {
  confirmSecret,
  deleteSecondFactor,
  lockForChange,
  lockSecondFactor,
  replaceRecoveryCodes,
  selectStatus,
  upsertSecret,
} from './second-factor.sql.ts'
import { sendCodesRenewed, sendTurnedOff, sendTurnedOn } from './second-factor-mail.ts'
import { beginProof, sealPurpose, useTotpCode, wrongCode } from './second-proof.ts'
import { insertSessionLike, type SessionUser } from './sessions.sql.ts'
import { beginCode, clearFailures } from './throttle.ts'
import { newTotpSecret, totpUri } from './totp.ts'
import { selectActiveUser } from './users.sql.ts'

/** The session that changes the second factor. */
interface OwnSession {
  secret: string
  remoteAddress: string
}

type SecondFactorDeps = Pick<Deps, 'db' | 'passwords' | 'seal' | 'mail' | 'log' | 'settings'>

export async function getSecondFactor(deps: Pick<Deps, 'db'>, user: SessionUser): Promise<SecondFactor> {
  return (await selectStatus(deps.db, user.id)) ?? { confirmed_at: null, recovery_codes: 0 }
}

/**
 * Makes the secret for an authenticator app. It does not count before `confirmSecondFactor`.
 * @throws ApiError 403 for a wrong password or an account without one, 422 if there is a second factor already, 429
 */
export async function beginSecondFactor(
  deps: Pick<Deps, 'db' | 'passwords' | 'seal'>,
  user: SessionUser,
  password: string,
  { remoteAddress }: OwnSession,
): Promise<NewSecondFactor> {
  if (!(await hasPassword(deps, user)))
    throw forbidden('You sign in with your company, which asks for a second factor itself.')
  await requirePassword(deps, user, password, remoteAddress)
  const secret = newTotpSecret()
  const isStored = await upsertSecret(deps.db, user.id, deps.seal.close(secret, sealPurpose(user.id)))
  if (!isStored) throw invalid(['body'], 'Your account has a second factor already: turn it off first')
  return { secret, uri: totpUri(secret, user.email) }
}

/**
 * From now on the second factor is asked for. Ends all sessions of the user, which were opened without it. The one that asks goes on
 * with a new secret, since somebody else may know the former one.
 * @returns also the secret for the session cookie
 * @throws ApiError 401 if the session has ended, 403 for a wrong code, 422 without a secret to confirm, 429
 */
export async function confirmSecondFactor(
  deps: SecondFactorDeps,
  user: SessionUser,
  code: string,
  session: OwnSession,
): Promise<RecoveryCodes & { session: string }> {
  await requireSetup(deps.db, user.id)
  // Apart from other codes, which are for changes that throw a thief of the session out.
  const attempt = await beginCode(deps, `setup:${user.id}`, session.remoteAddress)
  const codes = newRecoveryCodes()
  const secret = newSecret()
  await deps.db.tx(async (tx) => {
    await lockForChange(tx, user.id)
    await requireSetup(tx, user.id)
    if (!(await useTotpCode({ tx, seal: deps.seal }, user.id, code))) throw wrongCode()
    await confirmSecret(tx, user.id)
    await replaceRecoveryCodes(tx, user.id, codes.map(hashOf))
    await renewOnlySession(tx, user.id, session.secret, secret)
    await record(tx, { action: 'second_factor_on', actor: userActor(user.id), subject: user.id })
  })
  await clearFailures(deps, attempt)
  sendTurnedOn(deps, user)
  return { recovery_codes: codes.map(inGroups), session: secret }
}

/** In a transaction, the setup stays as it is until its end. @throws ApiError 422 without a secret to confirm */
async function requireSetup(db: Queryable, accountId: string): Promise<void> {
  const secondFactor = await lockSecondFactor(db, accountId)
  if (!secondFactor || secondFactor.is_confirmed || secondFactor.is_expired)
    throw invalid(['body'], 'There is no second factor to confirm: begin to set it up again')
}

/** Ends all sessions of the user. The one with this secret goes on with a new one. @throws ApiError 401 if it has ended */
async function renewOnlySession(
  tx: Queryable,
  accountId: string,
  secret: string,
  newSecret: string,
): Promise<void> {
  const hash = hashOf(newSecret)
  if (!(await insertSessionLike(tx, { hash, accountId, like: hashOf(secret) }))) throw notSignedIn()
  await deleteSessions(tx, accountId, hash)
}

/** Replaces the recovery codes. @throws ApiError 403 for a wrong password or code, 422 without a second factor, 429 */
export async function renewRecoveryCodes(
  deps: SecondFactorDeps,
  user: SessionUser,
  confirmation: SecondFactorChange,
  session: OwnSession,
): Promise<RecoveryCodes> {
  const codes = newRecoveryCodes()
  await changeWithProof(deps, user, confirmation, {
    session,
    change: async (tx) => {
      await replaceRecoveryCodes(tx, user.id, codes.map(hashOf))
      await record(tx, { action: 'recovery_codes_made', actor: userActor(user.id), subject: user.id })
    },
  })
  sendCodesRenewed(deps, user)
  return { recovery_codes: codes.map(inGroups) }
}

/** @throws ApiError 403 for a wrong password or code, 422 without a second factor, 429 */
export async function turnOffSecondFactor(
  deps: SecondFactorDeps,
  user: SessionUser,
  confirmation: SecondFactorChange,
  session: OwnSession,
): Promise<void> {
  await changeWithProof(deps, user, confirmation, {
    session,
    change: async (tx) => {
      await deleteSecondFactor(tx, user.id)
      await record(tx, { action: 'second_factor_off', actor: userActor(user.id), subject: user.id })
    },
  })
  sendTurnedOff(deps, user, 'owner')
}

/** Does something for which the user has to enter the password and prove the second factor. */
async function changeWithProof(
  deps: Pick<Deps, 'db' | 'passwords' | 'seal'>,
  user: SessionUser,
  { password, ...sentProof }: SecondFactorChange,
  { session, change }: { session: OwnSession; change: (tx: Queryable) => Promise<void> },
): Promise<void> {
  await requirePassword(deps, user, password, session.remoteAddress)
  const proof = await beginProof(deps, user, sentProof, session.remoteAddress)
  await deps.db.tx(async (tx) => {
    if (!(await proof.use(tx))) throw invalid(['body'], 'Your account has no second factor')
    await change(tx)
  })
  await proof.accept()
}

/**
 * Removes the second factor of somebody who lost the app and the recovery codes, and tells them by mail.
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
