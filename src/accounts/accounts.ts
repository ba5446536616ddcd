// Creating accounts: the first administrator from the settings or with the setup token, later accounts by invitation or open sign-up.

import { randomUUID, timingSafeEqual } from 'node:crypto'
import { record } from '../audit/activity.sql.ts'
import { userActor } from '../audit/activity.ts'
import {
  deleteValue,
  deleteValueIfEqual,
  insertValue,
  selectValue,
  upsertValue,
} from '../auth/installation.sql.ts'
import { hashOf, newSecret } from '../auth/secret.ts'
import { type ApiError, forbidden, invalid } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { hasAnyAccount, insertAccount } from './accounts.sql.ts'
import { emailKey } from './email-key.ts'
import { type InvitationRow, joinWorkspace, selectInvitation, takeInvitation } from './invitations.sql.ts'
import { passwordProblem } from './password-hash.ts'
import { countSignUp } from './throttle.ts'

interface NewAccount {
  email: string
  password: string
  setup_token?: string | undefined
  invitation?: string | undefined
}

/** The right to create an account, from the setup token, an invitation or open sign-up. */
interface Entitlement {
  admin: boolean
  invitation?: InvitationRow
  /** Set for open sign-up, which needs no token and no invitation. */
  isSignUp?: true
}

/**
 * The first account requires the setup token and becomes the administrator; later ones require an invitation or
 * KENNING_SIGNUP=open.
 * @throws ApiError 403 when not allowed, 422 for a weak password or an email address in use, 429
 */
export async function createAccount(
  deps: Pick<Deps, 'db' | 'passwords' | 'settings'>,
  account: NewAccount,
  remoteAddress: string,
): Promise<{ id: string; email: string }> {
  // The right is checked before hashing, so that anonymous requests cannot occupy the CPU. It is checked again when it is used up
  // below.
  const { isSignUp } = await requireEntitlement(deps.db, deps.settings, account, 'check')
  const problem = passwordProblem(account.password, account.email)
  if (problem) throw invalid(['body', 'password'], problem)
  if (isSignUp) await countSignUp(deps, remoteAddress)
  const row = await newAccountRow(deps, account)
  await deps.db.tx(async (tx) => {
    const { admin, invitation } = await requireEntitlement(tx, deps.settings, account, 'use')
    if (!(await insertAccount(tx, { ...row, admin }))) throw emailTaken()
    await record(tx, { action: 'account_made', actor: userActor(row.id), subject: row.id })
    if (invitation) await acceptInvitation(tx, row.id, invitation)
  })
  return { id: row.id, email: row.email }
}

/** @param mode `use` consumes the token or invitation, so that only one of two concurrent calls succeeds */
async function requireEntitlement(
  db: Queryable,
  settings: Pick<Deps['settings'], 'signup'>,
  account: NewAccount,
  mode: 'check' | 'use',
): Promise<Entitlement> {
  if (!(await hasAnyAccount(db))) {
    const token = hashOf(account.setup_token ?? '').toString('hex')
    const isTokenValid =
      mode === 'check' ? await isSetupToken(db, token) : await deleteValueIfEqual(db, 'setup_token', token)
    if (!isTokenValid) throw wrongSetupToken()
    return { admin: true }
  }
  if (account.invitation !== undefined) {
    const readInvitation = mode === 'check' ? selectInvitation : takeInvitation
    const invitation = await readInvitation(db, hashOf(account.invitation), emailKey(account.email))
    if (!invitation) throw wrongInvitation()
    return { admin: false, invitation }
  }
  if (settings.signup !== 'open') throw signUpClosed()
  return { admin: false, isSignUp: true }
}

/** Adds the new user to the workspace of the invitation, if the inviter still owns it. */
async function acceptInvitation(tx: Queryable, accountId: string, invitation: InvitationRow): Promise<void> {
  const { workspace_id: workspaceId, role, invited_by } = invitation
  if (workspaceId === null || role === null) return
  if (!(await joinWorkspace(tx, { accountId, workspaceId, role, invitedBy: invited_by }))) return
  await record(tx, {
    action: 'member_set',
    actor: userActor(invited_by),
    workspaceIds: [workspaceId],
    subject: accountId,
    detail: { role },
  })
}

/** Whether there is no account yet. Then whoever has the setup token becomes the administrator. */
export const isFirstRun = async (deps: Pick<Deps, 'db'>): Promise<boolean> => !(await hasAnyAccount(deps.db))

/** Whether the first account can be created now with this setup token. */
export const maySetUp = async (deps: Pick<Deps, 'db'>, token: string): Promise<boolean> =>
  (await isFirstRun(deps)) && (await isSetupToken(deps.db, hashOf(token).toString('hex')))

/** Both sides are hashes, so they have the same length. */
async function isSetupToken(db: Queryable, hash: string): Promise<boolean> {
  const setupToken = await selectValue(db, 'setup_token')
  return setupToken !== undefined && timingSafeEqual(Buffer.from(setupToken), Buffer.from(hash))
}

const signUpClosed = (): ApiError =>
  forbidden('Sign-up is closed on this server. Ask the administrator for an invitation.')

const wrongInvitation = (): ApiError =>
  forbidden(
    'This invitation has expired, was already used or is for another email address. Ask for a new one.',
  )

const wrongSetupToken = (): ApiError =>
  forbidden('`setup_token` is missing or wrong: send the setup token that Kenning printed when it started.')

const emailTaken = (): ApiError =>
  invalid(['body', 'email'], 'An account with this email address already exists; sign in instead')

const newAccountRow = async (
  { passwords }: Pick<Deps, 'passwords'>,
  credentials: { email: string; password: string },
) => ({
  id: randomUUID(),
  email: credentials.email,
  emailKey: emailKey(credentials.email),
  passwordHash: await passwords.hash(credentials.password),
})

/**
 * At startup, while there is no account: creates the administrator from the settings, or else a setup token to be printed.
 * Every start creates a new token, since only its hash is stored.
 * @throws Error when the password in the settings is too weak
 */
export async function seedAccounts(
  deps: Pick<Deps, 'db' | 'passwords'>,
  admin: { email: string; password: string } | undefined,
): Promise<{ setupToken?: string }> {
  if (await hasAnyAccount(deps.db)) return {}
  if (admin) {
    const problem = passwordProblem(admin.password, admin.email)
    if (problem) throw new Error(`KENNING_ADMIN_PASSWORD: ${problem}`)
    const row = await newAccountRow(deps, admin)
    if (await deps.db.tx((tx) => insertAdmin(tx, row))) return {}
  }
  const setupToken = newSecret()
  await upsertValue(deps.db, 'setup_token', hashOf(setupToken).toString('hex'))
  return { setupToken }
}

/** Returns false if the settings created an administrator earlier whose account has been deleted since. */
async function insertAdmin(tx: Queryable, row: Awaited<ReturnType<typeof newAccountRow>>): Promise<boolean> {
  if (!(await insertValue(tx, 'seeded_admin', row.id))) return hasAnyAccount(tx)
  await insertAccount(tx, { ...row, admin: true })
  await record(tx, { action: 'account_made', actor: userActor(row.id), subject: row.id })
  await deleteValue(tx, 'setup_token')
  return true
}
