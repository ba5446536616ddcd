// Making accounts: the first one by setup token or from the settings, later ones by open sign-up (auth.md, POST /account).

import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { type ApiError, forbidden, invalid } from '../../errors.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { Deps } from '../../ports/deps.ts'
import { deleteFact, insertFact, replaceFact, selectFact, takeFact } from '../installation.sql.ts'
import { hashPassword, passwordProblem } from '../sign-in/password.ts'
import { anyAccount, insertAccount } from './accounts.sql.ts'

export interface NewAccount {
  email: string
  password: string
  setup_token?: string | undefined
}

/** Two spellings of one mailbox are one account: compatibility forms and case are folded. */
export const emailKey = (email: string): string => email.normalize('NFKC').toLowerCase()

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * The first account needs the setup token and becomes the admin; later ones need KENNING_SIGNUP=open.
 * @throws ApiError 403 when not allowed, 422 for a weak password or an address that has an account
 */
export async function createAccount(
  deps: Pick<Deps, 'db' | 'settings'>,
  given: NewAccount,
): Promise<{ id: string; email: string }> {
  // Asked before the password is hashed, since a stranger shall not keep our cores busy, and again below.
  const early = !(await anyAccount(deps.db))
  if (early && !(await isSetupToken(deps.db, given.setup_token ?? ''))) throw wrongToken()
  if (!early) requireOpen(deps)
  const problem = passwordProblem(given.password, given.email)
  if (problem) throw invalid(['body', 'password'], problem)
  const made = await newRow(given)
  const taken = await deps.db.tx(async (tx) => {
    const admin = !(await anyAccount(tx))
    if (!admin) requireOpen(deps)
    else if (!(await takeFact(tx, 'setup_token', sha256(given.setup_token ?? '')))) throw wrongToken()
    return !(await insertAccount(tx, { ...made, admin }))
  })
  if (taken) {
    throw invalid(['body', 'email'], 'An account with this address exists already; sign in instead')
  }
  return { id: made.id, email: made.email }
}

/** Only looks; it is used up with the account that it makes. Both sides are hashes, so of one length. */
async function isSetupToken(db: Queryable, given: string): Promise<boolean> {
  const held = await selectFact(db, 'setup_token')
  return held !== undefined && timingSafeEqual(Buffer.from(held), Buffer.from(sha256(given)))
}

function requireOpen({ settings }: Pick<Deps, 'settings'>): void {
  if (settings.signup === 'open') return
  throw forbidden('New accounts are closed here. Ask the administrator to let you in.')
}

const wrongToken = (): ApiError =>
  forbidden('The first account needs the setup token that the service printed when it started.')

async function newRow(given: { email: string; password: string }) {
  return {
    id: randomUUID(),
    email: given.email,
    emailKey: emailKey(given.email),
    passwordHash: await hashPassword(given.password),
  }
}

/**
 * Makes sure somebody can sign in: once the admin of the settings, else a one-time setup token to be printed
 * while there is no account. A new start prints a new token, since only its hash is kept.
 * @throws Error when the settings' password is too weak
 */
export async function seedAccounts(
  deps: Pick<Deps, 'db'>,
  admin: { email: string; password: string } | undefined,
): Promise<{ setupToken?: string }> {
  if (await anyAccount(deps.db)) return {}
  if (admin) {
    const problem = passwordProblem(admin.password, admin.email)
    if (problem) throw new Error(`KENNING_ADMIN_PASSWORD: ${problem}`)
    const made = await newRow(admin)
    const seeded = await deps.db.tx((tx) => seedAdmin(tx, made))
    if (seeded) return {}
  }
  const setupToken = randomBytes(32).toString('base64url')
  await replaceFact(deps.db, 'setup_token', sha256(setupToken))
  return { setupToken }
}

/** False when an admin came from the settings before (and has deleted the account since). */
async function seedAdmin(tx: Queryable, made: Awaited<ReturnType<typeof newRow>>): Promise<boolean> {
  if (!(await insertFact(tx, 'seeded_admin', made.id))) return anyAccount(tx)
  await insertAccount(tx, { ...made, admin: true })
  await deleteFact(tx, 'setup_token')
  return true
}
