// Changing a password by who knows it, and setting it anew by a link (POST /account/password and /reset).

import { nobody, user } from '../audit/act.ts'
import { record } from '../audit/audit.sql.ts'
import { hashOf, newSecret } from '../auth/secret.ts'
import { type ApiError, forbidden, invalid, notFound } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { emailKey } from './email-key.ts'
import { deliver } from './mail.ts'
import { hashPassword, passwordProblem, verifyPassword } from './password-hash.ts'
import {
  deleteSessions,
  insertReset,
  insertResetByEmail,
  selectPasswordHash,
  selectReset,
  takeReset,
  updatePassword,
} from './passwords.sql.ts'
import { isFresh, type SessionUser } from './sessions.sql.ts'
import { beginAttempt, forgiveAttempt } from './throttle.ts'

const RESET_SECONDS = 3600
// Who signs in with their company has no password to show: having just come from there counts instead.
const FRESH_SECONDS = 600

/** @throws ApiError 403 for a wrong password, 429 after too many of those */
export async function requirePassword(
  deps: Pick<Deps, 'db'>,
  who: SessionUser,
  password: string,
  remoteAddress: string,
): Promise<void> {
  // With a limit of its own: who has the session cannot lock its owner out of signing in.
  const attempt = await beginAttempt(deps, `password:${who.id}`, remoteAddress)
  const hash = await selectPasswordHash(deps.db, who.id)
  if (hash === null)
    throw forbidden('This account has no password. An administrator can make a link that sets one.')
  const right = await verifyPassword(hash, password)
  if (!right) throw forbidden('The password is wrong.')
  await forgiveAttempt(deps, attempt)
}

export const hasPassword = async (deps: Pick<Deps, 'db'>, who: SessionUser): Promise<boolean> =>
  (await selectPasswordHash(deps.db, who.id)) !== null

/**
 * For what cannot be undone: the password, or, for an account that has none, having signed in in the last ten minutes.
 * @throws ApiError 403, 422 when the password is left out, 429
 */
export async function requireProof(
  deps: Pick<Deps, 'db'>,
  who: SessionUser,
  password: string | undefined,
  here: { secret: string; remoteAddress: string },
): Promise<void> {
  if (await hasPassword(deps, who)) {
    if (password === undefined) throw invalid(['body', 'password'], 'Field required', 'missing')
    return requirePassword(deps, who, password, here.remoteAddress)
  }
  if (await isFresh(deps.db, hashOf(here.secret), FRESH_SECONDS)) return
  throw forbidden('Sign in with your company again first: it counts for ten minutes.')
}

/** Signs out everywhere but here. @throws ApiError 403 for a wrong password, 422 for a weak new one, 429 */
export async function changePassword(
  deps: Pick<Deps, 'db'>,
  who: SessionUser,
  given: { password: string; new_password: string },
  here: { secret: string; remoteAddress: string },
): Promise<void> {
  await requirePassword(deps, who, given.password, here.remoteAddress)
  const problem = passwordProblem(given.new_password, who.email)
  if (problem) throw invalid(['body', 'new_password'], problem)
  const hash = await hashPassword(given.new_password)
  await deps.db.tx(async (tx) => {
    await updatePassword(tx, who.id, hash)
    await deleteSessions(tx, who.id, hashOf(here.secret))
    await record(tx, { action: 'password_changed', actor: user(who.id), subject: who.id })
  })
}

/** Ends every session of the person, with the tokens that came from them. */
export async function signOutEverywhere(deps: Pick<Deps, 'db'>, who: SessionUser): Promise<void> {
  await deps.db.tx(async (tx) => {
    await deleteSessions(tx, who.id)
    await record(tx, { action: 'signed_out_everywhere', actor: user(who.id), subject: who.id })
  })
}

/**
 * Mails a link to who has an account with a password; the same answer in the same time for who has none.
 * @throws ApiError 403 where no mail server is configured, 429
 */
export async function askForReset(
  deps: Pick<Deps, 'db' | 'settings' | 'mail' | 'log'>,
  email: string,
  remoteAddress: string,
): Promise<void> {
  if (!deps.mail) {
    throw forbidden(
      'This installation sends no mail. Ask its administrator for a link that sets your password anew.',
    )
  }
  await beginAttempt(deps, `reset:${emailKey(email)}`, remoteAddress)
  const secret = newSecret()
  const address = await insertResetByEmail(deps.db, {
    hash: hashOf(secret),
    emailKey: emailKey(email),
    seconds: RESET_SECONDS,
  })
  if (address !== undefined) deliver(deps, resetLetter(address, linkOf(deps, secret)))
}

const resetLetter = (to: string, link: string) => ({
  to,
  subject: 'Your password for Kenning',
  text: `Somebody, probably you, asked to set the password of this address anew. This link does it, once, within an hour:\n\n${link}\n\nIf it was not you, do nothing: the password stays as it is.\n`,
})

/** A link for an administrator or the command line to hand over. @throws ApiError 404 */
export async function makeReset(
  deps: Pick<Deps, 'db'> & { settings: Pick<Deps['settings'], 'origin'> },
  account: { id: string } | { emailKey: string },
  by: { id: string } | 'operator',
): Promise<{ link: string; expires_in: number }> {
  const secret = newSecret()
  await deps.db.tx(async (tx) => {
    const id = await insertReset(tx, { hash: hashOf(secret), account, seconds: RESET_SECONDS })
    if (id === undefined) throw notFound()
    const actor = by === 'operator' ? nobody : user(by.id)
    await record(tx, { action: 'reset_made', actor, subject: id })
  })
  return { link: linkOf(deps, secret), expires_in: RESET_SECONDS }
}

const linkOf = ({ settings }: { settings: Pick<Deps['settings'], 'origin'> }, secret: string): string =>
  `${settings.origin}/reset?token=${secret}`

/** Whether a link can still be used. */
export const isReset = async (deps: Pick<Deps, 'db'>, token: string): Promise<boolean> =>
  (await selectReset(deps.db, hashOf(token))) !== undefined

/** Sets the password and signs out everywhere. @throws ApiError 403 for a link that is used or old, 422 for a weak one */
export async function redeemReset(
  deps: Pick<Deps, 'db'>,
  given: { token: string; password: string },
): Promise<void> {
  const held = await selectReset(deps.db, hashOf(given.token))
  if (!held) throw wrongLink()
  const problem = passwordProblem(given.password, held.email)
  if (problem) throw invalid(['body', 'password'], problem)
  const hash = await hashPassword(given.password)
  await deps.db.tx(async (tx) => {
    const id = await takeReset(tx, hashOf(given.token))
    if (id === undefined) throw wrongLink()
    await updatePassword(tx, id, hash)
    await deleteSessions(tx, id)
    await record(tx, { action: 'password_changed', actor: user(id), subject: id, detail: { by: 'link' } })
  })
}

const wrongLink = (): ApiError => forbidden('This link has expired or was used. Ask for a new one.')
