// The second factor of an account: one-time codes of an authenticator app, and recovery codes (docs/decisions/0056-second-factor.md).

import { record } from '../audit/activity.sql.ts'
import { nobody, userActor } from '../audit/activity.ts'
import { hashOf } from '../auth/secret.ts'
import type {
  NewSecondFactor,
  RecoveryCodes,
  SecondFactor,
  SecondFactorChange,
} from '../contract/second-factor.ts'
import { type ApiError, forbidden, invalid, notFound, unavailable } from '../errors.ts'
import type { Language } from '../messages/messages.ts'
import { message, textsIn } from '../messages/texts.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import type { Letter } from '../ports/mail/mail.ts'
import { SealBroken } from '../ports/seal.ts'
import { letterText, sendInBackground } from './mail.ts'
import { deleteSessions } from './passwords.sql.ts'
import { hasPassword, requirePassword } from './passwords.ts'
import { inGroups, isRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import {
  confirmSecret,
  deleteSecondFactor,
  lockForChange,
  lockSecondFactor,
  replaceRecoveryCodes,
  selectStatus,
  takeRecoveryCode,
  updateLastStep,
  upsertSecret,
} from './second-factor.sql.ts'
import type { SessionUser } from './sessions.sql.ts'
import { beginAttempt, clearFailures } from './throttle.ts'
import { isTotpCode, newTotpSecret, stepOf, totpUri } from './totp.ts'
import { selectActiveUser } from './users.sql.ts'

/** The session that changes the second factor. */
interface OwnSession {
  secret: string
  remoteAddress: string
}

const sealPurpose = (accountId: string): string => `second factor\0${accountId}`

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
 * From now on the second factor is asked for. Ends all other sessions of the user, which were opened without it.
 * @throws ApiError 403 for a wrong code, 422 without a secret to confirm, 429
 */
export async function confirmSecondFactor(
  deps: Pick<Deps, 'db' | 'seal'>,
  user: SessionUser,
  code: string,
  session: OwnSession,
): Promise<RecoveryCodes> {
  const attempt = await beginCode(deps, user, session.remoteAddress)
  const codes = newRecoveryCodes()
  await deps.db.tx(async (tx) => {
    await lockForChange(tx, user.id)
    const secondFactor = await lockSecondFactor(tx, user.id)
    if (!secondFactor || secondFactor.is_confirmed || secondFactor.is_expired)
      throw invalid(['body'], 'There is no second factor to confirm: begin to set it up again')
    if (!(await useTotpCode({ tx, seal: deps.seal }, user.id, plain(code)))) throw wrongCode()
    await confirmSecret(tx, user.id)
    await replaceRecoveryCodes(tx, user.id, codes.map(hashOf))
    await deleteSessions(tx, user.id, hashOf(session.secret))
    await record(tx, { action: 'second_factor_on', actor: userActor(user.id), subject: user.id })
  })
  await clearFailures(deps, attempt)
  return { recovery_codes: codes.map(inGroups) }
}

/** Replaces the recovery codes. @throws ApiError 403 for a wrong password or code, 422 without a second factor, 429 */
export async function renewRecoveryCodes(
  deps: Pick<Deps, 'db' | 'passwords' | 'seal'>,
  user: SessionUser,
  confirmation: SecondFactorChange,
  session: OwnSession,
): Promise<RecoveryCodes> {
  const codes = newRecoveryCodes()
  await changeWithCode(deps, user, confirmation, {
    session,
    change: async (tx) => {
      await replaceRecoveryCodes(tx, user.id, codes.map(hashOf))
      await record(tx, { action: 'recovery_codes_made', actor: userActor(user.id), subject: user.id })
    },
  })
  return { recovery_codes: codes.map(inGroups) }
}

/** @throws ApiError 403 for a wrong password or code, 422 without a second factor, 429 */
export async function turnOffSecondFactor(
  deps: Pick<Deps, 'db' | 'passwords' | 'seal' | 'mail' | 'log' | 'settings'>,
  user: SessionUser,
  confirmation: SecondFactorChange,
  session: OwnSession,
): Promise<void> {
  await changeWithCode(deps, user, confirmation, {
    session,
    change: async (tx) => {
      await deleteSecondFactor(tx, user.id)
      await record(tx, { action: 'second_factor_off', actor: userActor(user.id), subject: user.id })
    },
  })
  sendInBackground(
    deps,
    turnedOffMail(
      deps,
      user,
      message(
        'You turned it off on your account page: from now on, your password alone signs you in at {address}.',
      ),
    ),
  )
}

/** Does something for which the user has to enter password and code. */
async function changeWithCode(
  deps: Pick<Deps, 'db' | 'passwords' | 'seal'>,
  user: SessionUser,
  { password, code }: SecondFactorChange,
  { session, change }: { session: OwnSession; change: (tx: Queryable) => Promise<void> },
): Promise<void> {
  await requirePassword(deps, user, password, session.remoteAddress)
  const attempt = await beginCode(deps, user, session.remoteAddress)
  await deps.db.tx(async (tx) => {
    await lockForChange(tx, user.id)
    if (!(await lockSecondFactor(tx, user.id))?.is_confirmed)
      throw invalid(['body'], 'Your account has no second factor')
    if (!(await useCode({ tx, seal: deps.seal }, user.id, code))) throw wrongCode()
    await change(tx)
  })
  await clearFailures(deps, attempt)
}

/** This limit is separate from that of sign-ins, so that a thief of the session cannot prevent its owner from signing in. */
const beginCode = (deps: Pick<Deps, 'db'>, user: SessionUser, remoteAddress: string) =>
  beginAttempt(deps, `code:${user.id}`, remoteAddress)

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
  sendInBackground(
    deps,
    turnedOffMail(
      deps,
      receiver,
      message('An administrator turned it off: from now on, your password alone signs you in at {address}.'),
    ),
  )
}

function turnedOffMail(
  { settings }: { settings: Pick<Deps['settings'], 'siteUrl'> },
  receiver: { email: string; language: Language | null },
  reason: string,
): Letter {
  const { t } = textsIn(receiver.language ?? 'en')
  const address = settings.siteUrl
  return {
    to: receiver.email,
    subject: t('The second factor of your Kenning account is off'),
    text: letterText(
      t(reason, { address }),
      t('Set up a new second factor on your account page:'),
      `${address}/settings`,
      t('If you do not expect this, change your password and tell your administrator.'),
    ),
  }
}

const wrongCode = (): ApiError => forbidden('The code is wrong, was already used or has expired.')

/** Blanks, hyphens and capital letters make no difference, since people type codes as they read them. */
const plain = (code: string): string => code.replace(/[\s-]/g, '').toLowerCase()

/**
 * Uses a one-time code or a recovery code up, in the transaction of what it allows. False if it is wrong or was used before.
 * @throws ApiError 503 if the secret cannot be decrypted
 */
export async function useCode(
  deps: { tx: Queryable; seal: Deps['seal'] },
  accountId: string,
  code: string,
): Promise<'code' | 'recovery_code' | false> {
  const plainCode = plain(code)
  if (isTotpCode(plainCode)) return (await useTotpCode(deps, accountId, plainCode)) && 'code'
  if (!isRecoveryCode(plainCode)) return false
  return (await takeRecoveryCode(deps.tx, accountId, hashOf(plainCode))) && 'recovery_code'
}

async function useTotpCode(
  { tx, seal }: { tx: Queryable; seal: Deps['seal'] },
  accountId: string,
  code: string,
): Promise<boolean> {
  const secondFactor = await lockSecondFactor(tx, accountId)
  if (!secondFactor) return false
  const step = stepOf(openSecret(seal, secondFactor.secret, accountId), code, Date.now())
  if (step === undefined || step <= Number(secondFactor.last_step ?? -1)) return false
  await updateLastStep(tx, accountId, step)
  return true
}

function openSecret(seal: Deps['seal'], secret: Buffer, accountId: string): string {
  try {
    return seal.open(secret, sealPurpose(accountId))
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    throw unavailable(
      'Codes of the app cannot be checked, because secret.key of the data folder is a different one. Use a recovery code, or ask an administrator to reset your second factor.',
      60,
      error,
    )
  }
}
