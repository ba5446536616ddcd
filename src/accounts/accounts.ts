// Creating accounts: the administrator from the settings or by setup token, later ones by invitation or open sign-up.

import { randomUUID, timingSafeEqual } from 'node:crypto'
import { user } from '../audit/act.ts'
import { record } from '../audit/audit.sql.ts'
import { deleteFact, insertFact, replaceFact, selectFact, takeFact } from '../auth/installation.sql.ts'
import { hashOf, newSecret } from '../auth/secret.ts'
import { type ApiError, forbidden, invalid } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { anyAccount, insertAccount } from './accounts.sql.ts'
import { emailKey } from './email-key.ts'
import { type InvitationRow, joinWorkspace, selectInvitation, takeInvitation } from './invitations.sql.ts'
import { hashPassword, passwordProblem } from './password-hash.ts'
import { countSignUp } from './throttle.ts'

export interface NewAccount {
  email: string
  password: string
  setup_token?: string | undefined
  invitation?: string | undefined
}

/** Why somebody may have an account. */
interface Admission {
  admin: boolean
  invitation?: InvitationRow
  /** Nobody has let them in: sign-up is open. */
  isStranger?: true
}

/**
 * The first account needs the setup token and becomes the admin; later ones an invitation, or KENNING_SIGNUP=open.
 * @throws ApiError 403 when not allowed, 422 for a weak password or an address that has an account, 429
 */
export async function createAccount(
  deps: Pick<Deps, 'db' | 'settings'>,
  given: NewAccount,
  remoteAddress: string,
): Promise<{ id: string; email: string }> {
  // Asked before the password is hashed, since a stranger shall not keep our cores busy, and taken below.
  const { isStranger } = await admit(deps.db, deps.settings, given, 'look')
  const problem = passwordProblem(given.password, given.email)
  if (problem) throw invalid(['body', 'password'], problem)
  if (isStranger) await countSignUp(deps, remoteAddress)
  const made = await newRow(given)
  await deps.db.tx(async (tx) => {
    const { admin, invitation } = await admit(tx, deps.settings, given, 'take')
    if (!(await insertAccount(tx, { ...made, admin }))) throw taken()
    await record(tx, { action: 'account_made', actor: user(made.id), subject: made.id })
    if (invitation) await enter(tx, made.id, invitation)
  })
  return { id: made.id, email: made.email }
}

/** `look` leaves token and invitation as they are; of two who take one, one succeeds. */
async function admit(
  db: Queryable,
  settings: Pick<Deps['settings'], 'signup'>,
  given: NewAccount,
  use: 'look' | 'take',
): Promise<Admission> {
  if (!(await anyAccount(db))) {
    const token = hashOf(given.setup_token ?? '').toString('hex')
    const right = use === 'look' ? await isSetupToken(db, token) : await takeFact(db, 'setup_token', token)
    if (!right) throw wrongToken()
    return { admin: true }
  }
  if (given.invitation !== undefined) {
    const find = use === 'look' ? selectInvitation : takeInvitation
    const invitation = await find(db, hashOf(given.invitation), emailKey(given.email))
    if (!invitation) throw wrongInvitation()
    return { admin: false, invitation }
  }
  if (settings.signup !== 'open') throw closed()
  return { admin: false, isStranger: true }
}

/** Into the workspace of the invitation, if whoever invited still owns it. */
async function enter(tx: Queryable, accountId: string, invitation: InvitationRow): Promise<void> {
  const { workspace_id: workspaceId, role, invited_by } = invitation
  if (workspaceId === null || role === null) return
  if (!(await joinWorkspace(tx, { accountId, workspaceId, role, invitedBy: invited_by }))) return
  await record(tx, {
    action: 'member_set',
    actor: user(invited_by),
    workspaceIds: [workspaceId],
    subject: accountId,
    detail: { role },
  })
}

/** Both sides are hashes, so of one length. */
async function isSetupToken(db: Queryable, hash: string): Promise<boolean> {
  const held = await selectFact(db, 'setup_token')
  return held !== undefined && timingSafeEqual(Buffer.from(held), Buffer.from(hash))
}

const closed = (): ApiError => forbidden('New accounts are closed here. Ask the administrator to let you in.')

const wrongInvitation = (): ApiError =>
  forbidden('This invitation has expired, was used, or is for another address. Ask for a new one.')

const wrongToken = (): ApiError =>
  forbidden('The first account needs the setup token that the service printed when it started.')

const taken = (): ApiError =>
  invalid(['body', 'email'], 'An account with this address exists already; sign in instead')

export const newRow = async (given: { email: string; password: string }) => ({
  id: randomUUID(),
  email: given.email,
  emailKey: emailKey(given.email),
  passwordHash: await hashPassword(given.password),
})

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
  const setupToken = newSecret()
  await replaceFact(deps.db, 'setup_token', hashOf(setupToken).toString('hex'))
  return { setupToken }
}

/** False when an admin came from the settings before (and has deleted the account since). */
async function seedAdmin(tx: Queryable, made: Awaited<ReturnType<typeof newRow>>): Promise<boolean> {
  if (!(await insertFact(tx, 'seeded_admin', made.id))) return anyAccount(tx)
  await insertAccount(tx, { ...made, admin: true })
  await record(tx, { action: 'account_made', actor: user(made.id), subject: made.id })
  await deleteFact(tx, 'setup_token')
  return true
}
