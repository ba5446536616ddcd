// Proofs of the second factor: one-time codes, passkeys and recovery codes. They are required at a sign-in and, within a session,
// for changes that must not be possible with a stolen session and the password alone.

import { hashOf } from '../auth/secret.ts'
import type { PasskeyAnswer } from '../contract/second-factor.ts'
import { type ApiError, forbidden, invalid, unavailable } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { SealBroken } from '../ports/seal.ts'
import { selectCredentials, takeChallenge, updateCounter } from './passkeys.sql.ts'
import { isRecoveryCode } from './recovery-codes.ts'
import {
  hasSecondFactor,
  lockForChange,
  lockSecondFactor,
  takeRecoveryCode,
  updateLastStep,
} from './second-factor.sql.ts'
import type { SessionUser } from './sessions.sql.ts'
import { beginCodeAttempt, clearFailures } from './throttle.ts'
import { isTotpCode, timeStepOf } from './totp.ts'
import { relyingParty, verifyAuthentication } from './webauthn.ts'

/** What a person sends to prove the second factor: one of these. */
export interface SentProof {
  code?: string | undefined
  passkey?: PasskeyAnswer | undefined
}

export interface Proof {
  /**
   * Uses the proof up. Call it in the transaction that makes the change. Locks the account's row.
   * @returns whether the account has a second factor: without one there is nothing to prove
   * @throws ApiError 403 if it is wrong or was used before, 422 if it is missing
   */
  use: (tx: Queryable) => Promise<boolean>
  /** Call this after the transaction: the attempt no longer counts as failed. */
  accept: () => Promise<void>
}

type ProofDeps = Pick<Deps, 'db' | 'seal'> & { settings: Pick<Deps['settings'], 'siteUrl' | 'origin'> }

/**
 * Counts the attempt, so that codes cannot be guessed.
 * @throws ApiError 429
 */
export async function beginProof(
  deps: ProofDeps,
  user: SessionUser,
  proof: SentProof,
  session: { secret: string; remoteAddress: string },
): Promise<Proof> {
  const isMissing = proof.code === undefined && proof.passkey === undefined
  const attempt = isMissing ? undefined : await beginCodeAttempt(deps, user.id, session.remoteAddress)
  const useCheckedProof = await checkProof(deps, user.id, proof, hashOf(session.secret))
  return {
    use: async (tx) => {
      await lockForChange(tx, user.id)
      if (!(await hasSecondFactor(tx, user.id))) return false
      if (isMissing) throw invalid(['body', 'code'], 'Field required', 'missing')
      if (!(await useCheckedProof(tx))) throw proof.passkey ? wrongPasskey() : wrongCode()
      return true
    },
    accept: async () => {
      if (attempt) await clearFailures(deps, attempt)
    },
  }
}

export const wrongCode = (): ApiError => forbidden('The code is wrong, was already used or has expired.')
const wrongPasskey = (): ApiError => forbidden(PASSKEY_REFUSED)
export const PASSKEY_REFUSED = 'The passkey was not accepted. Try again.'

export type ProofKind = 'code' | 'passkey' | 'recovery_code'

/**
 * Checks a proof, and returns a function that uses it up. The function is called in the transaction of what the proof allows, and
 * returns false if the proof is wrong or was used before. The challenge of a passkey is used up at once.
 * @param boundTo the hash of the session, or of the sign-in whose second factor is missing
 * @throws ApiError 503, from the returned function, if the secret of the app cannot be decrypted
 */
export async function checkProof(
  deps: ProofDeps,
  accountId: string,
  { code, passkey }: SentProof,
  boundTo: Buffer,
): Promise<(tx: Queryable) => Promise<ProofKind | false>> {
  if (passkey === undefined)
    return async (tx) => code !== undefined && useCode({ tx, seal: deps.seal }, accountId, code)
  const party = relyingParty(deps.settings)
  const challenge = await takeChallenge(deps.db, { accountId, boundTo, purpose: 'prove' })
  const credentials = await selectCredentials(deps.db, accountId)
  const row = credentials.find(({ credential_id }) => credential_id.toString('base64url') === passkey.id)
  if (!party || challenge === undefined || !row) return async () => false
  const { id, credential_id, public_key, transports } = row
  const credential = {
    id: credential_id,
    publicKey: public_key,
    counter: Number(row.counter),
    transports,
  }
  const counter = await verifyAuthentication(party, challenge, { answer: passkey, credential })
  if (counter === undefined) return async () => false
  return async (tx) => (await updateCounter(tx, { id, accountId, counter })) && 'passkey'
}

/** Spaces, hyphens and capital letters make no difference, since people type codes as they read them. */
const normalizeCode = (code: string): string => code.replace(/[\s-]/g, '').toLowerCase()

/**
 * Uses up a one-time code or a recovery code. Call it in the transaction that opens the session or makes the change. Returns false
 * if the code is wrong or was used before.
 * @throws ApiError 503 if the secret cannot be decrypted
 */
async function useCode(
  deps: { tx: Queryable; seal: Deps['seal'] },
  accountId: string,
  code: string,
): Promise<'code' | 'recovery_code' | false> {
  const normalizedCode = normalizeCode(code)
  if (isTotpCode(normalizedCode)) return (await useTotpCode(deps, accountId, code)) && 'code'
  if (!isRecoveryCode(normalizedCode)) return false
  return (await takeRecoveryCode(deps.tx, accountId, hashOf(normalizedCode))) && 'recovery_code'
}

/** As `useCode`, for codes of the app only. @param isNew whether the app is being set up */
export async function useTotpCode(
  { tx, seal, isNew = false }: { tx: Queryable; seal: Deps['seal']; isNew?: boolean },
  accountId: string,
  code: string,
): Promise<boolean> {
  const secondFactor = await lockSecondFactor(tx, accountId)
  if (!secondFactor?.secret || secondFactor.is_app_new !== isNew) return false
  const timeStep = timeStepOf(
    openSecret(seal, secondFactor.secret, accountId),
    normalizeCode(code),
    Date.now(),
  )
  // A code works once: the time step of the last code that was used, and older ones, are not accepted.
  if (timeStep === undefined || timeStep <= Number(secondFactor.last_step ?? -1)) return false
  await updateLastStep(tx, accountId, timeStep)
  return true
}

/** The `purpose` of the seal (ports/seal.ts): the secret of one account's app cannot be opened for another account. */
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
