// Passkeys of a user's own account: adding and removing one, and the challenges that they answer.

import { record } from '../audit/activity.sql.ts'
import { userActor } from '../audit/activity.ts'
import { hashOf, newSecret } from '../auth/secret.ts'
import type { PasskeyConfirm, RecoveryCodes, SecondFactorChange } from '../contract/second-factor.ts'
import { type ApiError, forbidden, invalid, notFound } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import {
  type ChallengeKey,
  deletePasskey,
  insertPasskey,
  selectCredentials,
  takeChallenge,
  upsertChallenge,
} from './passkeys.sql.ts'
import { requireOwnPassword, requireSamePassword } from './passwords.ts'
import { confirmWithoutApp, lockForChange } from './second-factor.sql.ts'
import {
  changeSecondFactor,
  type OwnSession,
  renewSessionAndEndOthers,
  type SecondFactorDeps,
  turnOnSecondFactor,
} from './second-factor.ts'
import { sendFactorAdded, sendTurnedOn } from './second-factor-mail.ts'
import { beginProof } from './second-proof.ts'
import type { SessionUser } from './sessions.sql.ts'
import {
  CHALLENGE_SECONDS,
  creationOptions,
  type RelyingParty,
  relyingParty,
  requestOptions,
  verifyRegistration,
} from './webauthn.ts'

const MAX_PASSKEYS = 10

type PartyDeps = { settings: Pick<Deps['settings'], 'siteUrl' | 'origin'> }

/** @throws ApiError 403 */
function requireRelyingParty({ settings }: PartyDeps): RelyingParty {
  const party = relyingParty(settings)
  if (party) return party
  throw forbidden('Browsers have passkeys only at https addresses with a host name, and at localhost.')
}

/**
 * The options with which a browser makes a passkey. It becomes a second factor only by `confirmPasskey`.
 * @throws ApiError 403 for a wrong password or proof, or an account without a password; 422 if the account has a second factor and
 * the proof of it is missing, or with ten passkeys; 429
 */
export async function beginPasskey(
  deps: Pick<Deps, 'db' | 'passwords' | 'seal'> & PartyDeps,
  user: SessionUser,
  { password, ...sentProof }: SecondFactorChange,
  session: OwnSession,
): Promise<object> {
  const party = requireRelyingParty(deps)
  const hash = await requireOwnPassword(deps, user, password, session.remoteAddress)
  const credentials = await selectCredentials(deps.db, user.id)
  if (credentials.length >= MAX_PASSKEYS) throw tooMany()
  const proof = await beginProof(deps, user, sentProof, session)
  const options = await creationOptions(party, user, credentials.map(credentialOf))
  const { challenge } = options
  await deps.db.tx(async (tx) => {
    await proof.use(tx)
    await requireSamePassword(tx, user, hash)
    await upsertChallenge(tx, challengeOf(user, session), { challenge, seconds: CHALLENGE_SECONDS })
  })
  await proof.accept()
  return options
}

/**
 * Adds the passkey that the browser has made. If it is the account's first factor, sign-ins ask for a second factor from now on.
 * @returns also the secret for the session cookie, as `confirmSecondFactor`
 * @throws ApiError 401 if the session has ended, 403 for a wrong answer, 422 for a passkey that exists already or the eleventh
 */
export async function confirmPasskey(
  deps: SecondFactorDeps,
  user: SessionUser,
  { name, response }: PasskeyConfirm,
  session: OwnSession,
): Promise<RecoveryCodes & { newSecret: string }> {
  const party = requireRelyingParty(deps)
  const challenge = await takeChallenge(deps.db, challengeOf(user, session))
  if (challenge === undefined) throw invalid(['body'], 'There is no passkey to add: begin to add it again')
  const credential = await verifyRegistration(party, challenge, response)
  if (!credential) throw forbidden('The passkey was not accepted. Try again.')
  const secret = newSecret()
  const codes = await deps.db.tx(async (tx) => {
    await lockForChange(tx, user.id)
    const isFirst = await confirmWithoutApp(tx, user.id)
    if ((await selectCredentials(tx, user.id)).length >= MAX_PASSKEYS) throw tooMany()
    const { id: credentialId, publicKey, counter, transports } = credential
    const passkey = { accountId: user.id, credentialId, publicKey, counter, transports, name }
    if (!(await insertPasskey(tx, passkey)))
      throw invalid(['body', 'response'], 'This passkey exists already')
    await record(tx, { action: 'passkey_added', actor: userActor(user.id), subject: user.id })
    const newCodes = isFirst ? await turnOnSecondFactor(tx, user.id) : []
    await renewSessionAndEndOthers(tx, user.id, session.secret, secret)
    return newCodes
  })
  if (codes.length > 0) sendTurnedOn(deps, user)
  else sendFactorAdded(deps, user, { passkey: name })
  return { recovery_codes: codes, newSecret: secret }
}

/** Removing the last factor turns the second factor off. @throws ApiError 403 for a wrong password or proof, 404, 422, 429 */
export const removePasskey = (
  deps: SecondFactorDeps,
  user: SessionUser,
  { id, confirmation }: { id: string; confirmation: SecondFactorChange },
  session: OwnSession,
): Promise<void> =>
  changeSecondFactor(deps, user, confirmation, {
    session,
    change: async (tx) => {
      const name = await deletePasskey(tx, user.id, id)
      if (name === undefined) throw notFound()
      await record(tx, { action: 'passkey_removed', actor: userActor(user.id), subject: user.id })
      return { passkey: name }
    },
  })

/**
 * The options with which a browser asks for a passkey of the account. Undefined if the account has no passkey, or if this address
 * allows none.
 * @param boundTo the hash of the session, or of the sign-in whose second factor is missing: the answer is valid only there
 */
export async function createPasskeyRequest(
  deps: Pick<Deps, 'db'> & PartyDeps,
  accountId: string,
  boundTo: Buffer,
): Promise<object | undefined> {
  const party = relyingParty(deps.settings)
  const credentials = await selectCredentials(deps.db, accountId)
  if (!party || credentials.length === 0) return undefined
  const options = await requestOptions(party, credentials.map(credentialOf))
  const challenge = await upsertChallenge(
    deps.db,
    { accountId, boundTo, purpose: 'prove' },
    { challenge: options.challenge, seconds: CHALLENGE_SECONDS },
  )
  return { ...options, challenge }
}

/** Like `createPasskeyRequest`, within a session. @throws ApiError 404 without a passkey */
export async function createOwnPasskeyRequest(
  deps: Pick<Deps, 'db'> & PartyDeps,
  user: SessionUser,
  session: OwnSession,
): Promise<object> {
  const options = await createPasskeyRequest(deps, user.id, hashOf(session.secret))
  if (!options) throw notFound()
  return options
}

/** The challenge for adding a passkey in this session. */
const challengeOf = ({ id }: SessionUser, { secret }: OwnSession): ChallengeKey => ({
  accountId: id,
  boundTo: hashOf(secret),
  purpose: 'register',
})

const credentialOf = ({ credential_id, transports }: { credential_id: Buffer; transports: string[] }) => ({
  id: credential_id,
  transports,
})

const tooMany = (): ApiError =>
  invalid(['body'], `Your account has ${MAX_PASSKEYS} passkeys already: remove one first`)
