// User management for administrators: listing, suspending and restoring users, and appointing administrators. Also the language
// that users set for their own account.

import { record, selectActivity } from '../audit/activity.sql.ts'
import { userActor } from '../audit/activity.ts'
import type { User, UserUpdate } from '../contract/account.ts'
import type { Activity } from '../contract/people.ts'
import { type ApiError, forbidden, invalid, notFound } from '../errors.ts'
import type { Language } from '../messages/messages.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import type { SessionUser } from './sessions.sql.ts'
import {
  hasOtherAdmins,
  isAdmin,
  isAdminByGroup,
  lockAdmins,
  revokeCredentials,
  selectUser,
  selectUsers,
  updateLanguage,
  updateUserRow,
} from './users.sql.ts'

const PAGE_SIZE = 200

/** By email address; `after` is the id of the last user of the previous page. */
export async function listUsers(
  deps: Pick<Deps, 'db'>,
  after: string | undefined,
): Promise<{ data: User[]; has_more: boolean }> {
  const users = await selectUsers(deps.db, after, PAGE_SIZE + 1)
  return { data: users.slice(0, PAGE_SIZE), has_more: users.length > PAGE_SIZE }
}

/**
 * Activity that belongs to no workspace, such as sign-ins; newest first.
 * @param before the id of the last activity of the previous page
 */
export async function listInstallationActivity(
  deps: Pick<Deps, 'db'>,
  before: string | undefined,
): Promise<{ data: Activity[]; has_more: boolean }> {
  const activity = await selectActivity(deps.db, undefined, { before, limit: PAGE_SIZE + 1 })
  return { data: activity.slice(0, PAGE_SIZE), has_more: activity.length > PAGE_SIZE }
}

/**
 * Suspending takes effect at once and revokes sessions, API keys and OAuth grants permanently: a restored user signs in and
 * creates new ones.
 * @throws ApiError 403 if administrators by a company group want to make their own right independent of the group, 404, 422 when no
 * active administrator would remain
 */
export async function updateUser(
  deps: Pick<Deps, 'db'>,
  admin: SessionUser,
  id: string,
  change: UserUpdate,
): Promise<User> {
  return deps.db.tx(async (tx) => {
    await lockAdmins(tx)
    // Checked again after the lock: another administrator may have just withdrawn the caller's administration right.
    if (!(await isAdmin(tx, admin.id))) throw forbidden('You are no longer an administrator.')
    const user = await selectUser(tx, id)
    if (!user) throw notFound()
    const becomesIndependentOfGroup = change.admin === true && (await isAdminByGroup(tx, id))
    if (becomesIndependentOfGroup && id === admin.id) throw byGroupOnly()
    const next = { admin: change.admin ?? user.admin, status: change.status ?? user.status }
    const wasAdmin = user.admin && user.status === 'active'
    const staysAdmin = next.admin && next.status === 'active'
    if (wasAdmin && !staysAdmin) await requireOtherAdmin(tx, id)
    await updateUserRow(tx, id, { admin: change.admin, status: next.status })
    if (next.status !== user.status) {
      const isSuspended = next.status === 'suspended'
      const detail = isSuspended ? await revokeCredentials(tx, id) : {}
      const action = isSuspended ? 'account_suspended' : 'account_restored'
      await record(tx, { action, actor: userActor(admin.id), subject: id, detail })
    }
    if (next.admin !== user.admin || becomesIndependentOfGroup) {
      const action = next.admin ? 'admin_made' : 'admin_unmade'
      await record(tx, { action, actor: userActor(admin.id), subject: id })
    }
    return { ...user, ...next, admin_by_group: change.admin === undefined && user.admin_by_group }
  })
}

/** The language of the console and of mail for this user. Null: the language of the browser. */
export const setLanguage = (
  deps: Pick<Deps, 'db'>,
  user: SessionUser,
  language: Language | null,
): Promise<void> => updateLanguage(deps.db, user.id, language)

/** Call after `lockAdmins`, so that the last two administrators cannot be removed at the same time. @throws ApiError 422 */
export async function requireOtherAdmin(tx: Queryable, id: string): Promise<void> {
  if (!(await hasOtherAdmins(tx, id))) throw lastAdmin()
}

const byGroupOnly = (): ApiError =>
  forbidden(
    'A group of your company gives you this right. Only another administrator can give it to you without the group.',
  )
const lastAdmin = (): ApiError =>
  invalid(['body'], 'This is the only administrator: make another user an administrator first', 'last_admin')
