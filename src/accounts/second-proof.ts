// What proves the second factor: a one-time code or a recovery code. At a sign-in, and within a session for changes that a stolen
// session with the password must not allow.

import { hashOf } from '../auth/secret.ts'
import { type ApiError, forbidden, invalid, unavailable } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { SealBroken } from '../ports/seal.ts'
import { isRecoveryCode } from './recovery-codes.ts'
import {
  hasSecondFactor,
  lockForChange,
  lockSecondFactor,
  takeRecoveryCode,
  updateLastStep,
} from './second-factor.sql.ts'
import type { SessionUser } from './sessions.sql.ts'
import { beginCode, clearFailures } from './throttle.ts'
import { isTotpCode, stepOf } from './totp.ts'

/** What a person sends to prove the second factor. */
export interface SentProof {
  code?: string | undefined
}

export interface Proof {
  /**
   * Uses the proof up, in the transaction of what it allows. Locks the account's row.
   * @returns whether the account has a second factor: without one there is nothing to prove
   * @throws ApiError 403 if it is wrong or was used before, 422 if it is missing
   */
  use: (tx: Queryable) => Promise<boolean>
  /** Call this after the transaction: the attempt no longer counts as failed. */
  accept: () => Promise<void>
}

/**
 * Counts the attempt, so that codes cannot be guessed.
 * @throws ApiError 429
 */
export async function beginProof(
  deps: Pick<Deps, 'db' | 'seal'>,
  user: SessionUser,
  { code }: SentProof,
  remoteAddress: string,
): Promise<Proof> {
  const attempt = code === undefined ? undefined : await beginCode(deps, user.id, remoteAddress)
  return {
    use: async (tx) => {
      await lockForChange(tx, user.id)
      if (!(await hasSecondFactor(tx, user.id))) return false
      if (code === undefined) throw invalid(['body', 'code'], 'Field required', 'missing')
      if (!(await useCode({ tx, seal: deps.seal }, user.id, code))) throw wrongCode()
      return true
    },
    accept: async () => {
      if (attempt) await clearFailures(deps, attempt)
    },
  }
}

export const wrongCode = (): ApiError => forbidden('The code is wrong, was already used or has expired.')

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
  if (isTotpCode(plainCode)) return (await useTotpCode(deps, accountId, code)) && 'code'
  if (!isRecoveryCode(plainCode)) return false
  return (await takeRecoveryCode(deps.tx, accountId, hashOf(plainCode))) && 'recovery_code'
}

/** As `useCode`, for codes of the app only. */
export async function useTotpCode(
  { tx, seal }: { tx: Queryable; seal: Deps['seal'] },
  accountId: string,
  code: string,
): Promise<boolean> {
  const secondFactor = await lockSecondFactor(tx, accountId)
  if (!secondFactor) return false
  const step = stepOf(openSecret(seal, secondFactor.secret, accountId), plain(code), Date.now())
  if (step === undefined || step <= Number(secondFactor.last_step ?? -1)) return false
  await updateLastStep(tx, accountId, step)
  return true
}

/** What the secret of the app is sealed for. */
export const sealPurpose = (accountId: string): string => `second factor\0${accountId}`

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
