// People with an account, for the administrator: list, suspend, restore, make an administrator.

import { user } from '../audit/act.ts'
import { record, selectActivity } from '../audit/audit.sql.ts'
import type { User, UserUpdate } from '../contract/account.ts'
import type { Activity } from '../contract/people.ts'
import { type ApiError, forbidden, invalid, notFound } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import type { SessionUser } from './sessions.sql.ts'
import {
  isAdmin,
  lockAdmins,
  otherAdmins,
  revokeCredentials,
  selectUser,
  selectUsers,
  updateUserRow,
} from './users.sql.ts'

const PAGE = 200

/** By address; `after` is the id of the last one of the page before. */
export async function listUsers(
  deps: Pick<Deps, 'db'>,
  after: string | undefined,
): Promise<{ data: User[]; has_more: boolean }> {
  const found = await selectUsers(deps.db, after, PAGE + 1)
  return { data: found.slice(0, PAGE), has_more: found.length > PAGE }
}

/** What belongs to no workspace: sign-ins, accounts, grants; newest first. `before` is the id of the last one of the page before. */
export async function listInstallationActivity(
  deps: Pick<Deps, 'db'>,
  before: string | undefined,
): Promise<{ data: Activity[]; has_more: boolean }> {
  const found = await selectActivity(deps.db, undefined, { before, limit: PAGE + 1 })
  return { data: found.slice(0, PAGE), has_more: found.length > PAGE }
}

/**
 * A suspended person is out at once, and their sessions, programs and keys are revoked for good: a restored one signs in
 * again and makes new ones.
 * @throws ApiError 404, 422 when no active administrator would remain
 */
export async function updateUser(
  deps: Pick<Deps, 'db'>,
  admin: SessionUser,
  id: string,
  change: UserUpdate,
): Promise<User> {
  return deps.db.tx(async (tx) => {
    await lockAdmins(tx)
    // Again behind the lock: another one may just have taken this administrator's place.
    if (!(await isAdmin(tx, admin.id))) throw forbidden('You are no administrator any more.')
    const held = await selectUser(tx, id)
    if (!held) throw notFound()
    const next = { admin: change.admin ?? held.admin, status: change.status ?? held.status }
    const acts = held.admin && held.status === 'active'
    const remains = next.admin && next.status === 'active'
    if (acts && !remains) await requireOtherAdmin(tx, id)
    await updateUserRow(tx, id, next)
    if (next.status !== held.status) {
      const suspended = next.status === 'suspended'
      const detail = suspended ? await revokeCredentials(tx, id) : {}
      const action = suspended ? 'account_suspended' : 'account_restored'
      await record(tx, { action, actor: user(admin.id), subject: id, detail })
    }
    if (next.admin !== held.admin) {
      const action = next.admin ? 'admin_made' : 'admin_unmade'
      await record(tx, { action, actor: user(admin.id), subject: id })
    }
    return { ...held, ...next }
  })
}

/** Behind `lockAdmins`, so that two cannot go at once. @throws ApiError 422 */
export async function requireOtherAdmin(tx: Queryable, id: string): Promise<void> {
  if (!(await otherAdmins(tx, id))) throw lastAdmin()
}

const lastAdmin = (): ApiError =>
  invalid(['body'], 'This is the last administrator: make somebody else one first', 'last_admin')
