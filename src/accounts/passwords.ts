// Changing a password, and resetting it with a link (POST /account/password, POST /account/reset).

import { record } from '../audit/activity.sql.ts'
import { nobody, userActor } from '../audit/activity.ts'
import { hashOf, newSecret } from '../auth/secret.ts'
import { type ApiError, forbidden, invalid, notFound } from '../errors.ts'
import type { Language } from '../messages/messages.ts'
import { type Texts, textsIn } from '../messages/texts.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import type { Letter } from '../ports/mail/mail.ts'
import { emailKey } from './email-key.ts'
import { makeLetter } from './letter.ts'
import { sendInBackground } from './mail.ts'
import { notSignedIn } from './not-signed-in.ts'
import { passwordProblem } from './password-hash.ts'
import {
  deleteSessions,
  insertReset,
  insertResetByEmail,
  selectPasswordHash,
  selectReset,
  takeReset,
  updatePassword,
} from './passwords.sql.ts'
import { beginProof, type SentProof } from './second-proof.ts'
import { isRecentSession, type SessionUser } from './sessions.sql.ts'
import { beginAttempt, clearFailures } from './throttle.ts'

const RESET_SECONDS = 3600
// Company users have no password with which they can confirm an action. A sign-in within this time counts instead.
const RECENT_SIGN_IN_SECONDS = 600

/** Returns the hash that the password was verified with. @throws ApiError 403 for a wrong password, 429 after too many */
export async function requirePassword(
  deps: Pick<Deps, 'db' | 'passwords'>,
  user: SessionUser,
  password: string,
  remoteAddress: string,
): Promise<string> {
  // This limit is separate from that of sign-ins, so that a thief of the session cannot prevent its owner from signing in.
  const attempt = await beginAttempt(deps, `password:${user.id}`, remoteAddress)
  const hash = await selectPasswordHash(deps.db, user.id)
  if (hash === null)
    throw forbidden('This account has no password. Ask an administrator for a link to set one.')
  const isCorrect = await deps.passwords.verify(hash, password)
  if (hash === undefined || !isCorrect) throw forbidden('The password is incorrect.')
  await clearFailures(deps, attempt)
  return hash
}

/** As `requirePassword`, to set up a second factor. @throws ApiError 403 also for an account without a password */
export async function requireOwnPassword(
  deps: Pick<Deps, 'db' | 'passwords'>,
  user: SessionUser,
  password: string,
  remoteAddress: string,
): Promise<string> {
  if (!(await hasPassword(deps, user)))
    throw forbidden('You sign in with your company, which asks for a second factor itself.')
  return requirePassword(deps, user, password, remoteAddress)
}

/**
 * Call it in the transaction that changes something, when the account's row is locked: the password may have changed since it was
 * verified. @throws ApiError 403
 */
export async function requireSamePassword(tx: Queryable, user: SessionUser, hash: string): Promise<void> {
  if ((await selectPasswordHash(tx, user.id)) !== hash) throw forbidden('The password is incorrect.')
}

export const hasPassword = async (deps: Pick<Deps, 'db'>, user: SessionUser): Promise<boolean> =>
  (await selectPasswordHash(deps.db, user.id)) !== null

/**
 * Confirms an irreversible action: by the password or, for an account without one, by a sign-in in the last ten minutes.
 * @throws ApiError 403, 422 without a password, 429
 */
export async function requireReauthentication(
  deps: Pick<Deps, 'db' | 'passwords'>,
  user: SessionUser,
  password: string | undefined,
  session: { secret: string; remoteAddress: string },
): Promise<void> {
  if (await hasPassword(deps, user)) {
    if (password === undefined) throw invalid(['body', 'password'], 'Field required', 'missing')
    await requirePassword(deps, user, password, session.remoteAddress)
    return
  }
  if (await isRecentSession(deps.db, hashOf(session.secret), RECENT_SIGN_IN_SECONDS)) return
  throw forbidden('Sign in with your company again, then repeat this within ten minutes.')
}

/**
 * Ends all other sessions of the user.
 * @throws ApiError 401 if the password has changed in the meantime; 403 for a wrong password or proof; 422 for a weak new password,
 * or if the account has a second factor and the proof of it is missing; 429
 */
export async function changePassword(
  deps: Pick<Deps, 'db' | 'passwords' | 'seal' | 'settings'>,
  user: SessionUser,
  change: { password: string; new_password: string } & SentProof,
  session: { secret: string; remoteAddress: string },
): Promise<void> {
  const formerHash = await requirePassword(deps, user, change.password, session.remoteAddress)
  const problem = passwordProblem(change.new_password, user.email)
  if (problem) throw invalid(['body', 'new_password'], problem)
  const hash = await deps.passwords.hash(change.new_password)
  const proof = await beginProof(deps, user, change, session)
  await deps.db.tx(async (tx) => {
    await proof.use(tx)
    // If the password was reset in the meantime, the new one is kept, and this session has ended.
    if (!(await updatePassword(tx, user.id, hash, formerHash))) throw notSignedIn()
    await deleteSessions(tx, user.id, hashOf(session.secret))
    await record(tx, { action: 'password_changed', actor: userActor(user.id), subject: user.id })
  })
  await proof.accept()
}

/** Ends all sessions of the user and the tokens issued for them. */
export async function signOutEverywhere(deps: Pick<Deps, 'db'>, user: SessionUser): Promise<void> {
  await deps.db.tx(async (tx) => {
    await deleteSessions(tx, user.id)
    await record(tx, { action: 'signed_out_everywhere', actor: userActor(user.id), subject: user.id })
  })
}

/**
 * Emails a reset link if the email address has an account with a password. For other addresses the response and its time are the same.
 * @param language that of the mail, if the account has chosen none
 * @throws ApiError 403 where no mail server is configured, 429
 */
export async function requestPasswordReset(
  deps: Pick<Deps, 'db' | 'settings' | 'mail' | 'log'>,
  email: string,
  remoteAddress: string,
  language: Language,
): Promise<void> {
  if (!deps.mail) {
    throw forbidden(
      'Email is not configured on this server. Ask the administrator for a password reset link.',
    )
  }
  await beginAttempt(deps, `reset:${emailKey(email)}`, remoteAddress)
  const secret = newSecret()
  const receiver = await insertResetByEmail(deps.db, {
    hash: hashOf(secret),
    emailKey: emailKey(email),
    seconds: RESET_SECONDS,
  })
  if (!receiver) return
  const texts = textsIn(receiver.language ?? language)
  sendInBackground(deps, resetEmail(deps, texts, receiver.email, secret))
}

function resetEmail(deps: Pick<Deps, 'settings'>, texts: Texts, to: string, secret: string): Letter {
  const { t } = texts
  const content = {
    to,
    subject: t('Reset your Kenning password'),
    paragraphs: [t('Someone, probably you, asked to reset the Kenning password of this email address.')],
    action: { label: t('Choose a new password'), link: linkOf(deps, secret) },
    notes: [
      t('The link works once, within an hour.'),
      t('If it was not you, ignore this email: your password stays the same.'),
    ],
  }
  return makeLetter(texts, content, deps.settings.siteUrl)
}

/**
 * Creates a reset link, which an administrator or the operator gives to the user.
 * @throws ApiError 403 for the administrator's own account, 404
 */
export async function createResetLink(
  deps: Pick<Deps, 'db'> & { settings: Pick<Deps['settings'], 'siteUrl'> },
  account: { id: string } | { emailKey: string },
  issuer: { id: string } | 'operator',
): Promise<{ link: string; expires_in: number }> {
  const secret = newSecret()
  await deps.db.tx(async (tx) => {
    const id = await insertReset(tx, { hash: hashOf(secret), account, seconds: RESET_SECONDS })
    if (id === undefined) throw notFound()
    // Otherwise somebody who has taken over an administrator's session could replace the password without knowing it.
    if (issuer !== 'operator' && issuer.id === id)
      throw forbidden('Change your own password on your account page.')
    const actor = issuer === 'operator' ? nobody : userActor(issuer.id)
    await record(tx, { action: 'reset_made', actor, subject: id })
  })
  return { link: linkOf(deps, secret), expires_in: RESET_SECONDS }
}

const linkOf = ({ settings }: { settings: Pick<Deps['settings'], 'siteUrl'> }, secret: string): string =>
  `${settings.siteUrl}/reset?token=${secret}`

/** Whether the token of a link is still valid. */
export const isResetToken = async (deps: Pick<Deps, 'db'>, token: string): Promise<boolean> =>
  (await selectReset(deps.db, hashOf(token))) !== undefined

/** Sets the password and ends all sessions. @throws ApiError 403 for a used or expired link, 422 for a weak password */
export async function resetPassword(
  deps: Pick<Deps, 'db' | 'passwords'>,
  reset: { token: string; password: string },
): Promise<void> {
  const account = await selectReset(deps.db, hashOf(reset.token))
  if (!account) throw invalidLink()
  const problem = passwordProblem(reset.password, account.email)
  if (problem) throw invalid(['body', 'password'], problem)
  const hash = await deps.passwords.hash(reset.password)
  await deps.db.tx(async (tx) => {
    const id = await takeReset(tx, hashOf(reset.token))
    if (id === undefined) throw invalidLink()
    await updatePassword(tx, id, hash)
    await deleteSessions(tx, id)
    await record(tx, {
      action: 'password_changed',
      actor: userActor(id),
      subject: id,
      detail: { by: 'link' },
    })
  })
}

const invalidLink = (): ApiError => forbidden('This link has expired or was already used. Request a new one.')
