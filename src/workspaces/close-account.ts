// DELETE /account: a person goes, with everything that is theirs alone (docs/decisions/0016-accounts.md).

import { requireReauthentication } from '../accounts/passwords.ts'
import type { SessionUser } from '../accounts/sessions.sql.ts'
import { lockAdmins } from '../accounts/users.sql.ts'
import { requireOtherAdmin } from '../accounts/users.ts'
import { record } from '../audit/activity.sql.ts'
import { userActor } from '../audit/activity.ts'
import { invalid } from '../errors.ts'
import { pagesFolder } from '../ports/cache/disk-cache.ts'
import type { Deps } from '../ports/deps.ts'
import {
  deleteAccountRow,
  deleteThreads,
  lockOwned,
  othersExist,
  selectOwnedAlone,
} from './close-account.sql.ts'
import { dissolve, markDeleted } from './workspaces.sql.ts'

/**
 * Workspaces that nobody else is in go with the account; what was uploaded to the others stays there.
 * @throws ApiError 403 for a wrong password or a sign-in that is not fresh (requireReauthentication), 429, 422 for the last owner of a workspace with others in it, or the last
 * administrator while there are other accounts
 */
export async function closeAccount(
  deps: Pick<Deps, 'db' | 'cache'>,
  user: SessionUser,
  given: { password?: string | undefined },
  here: { secret: string; remoteAddress: string },
): Promise<void> {
  await requireReauthentication(deps, user, given.password, here)
  const gone = await deps.db.tx(async (tx) => {
    await lockAdmins(tx)
    if (await othersExist(tx, user.id)) await requireOtherAdmin(tx, user.id)
    await lockOwned(tx, user.id)
    const owned = await selectOwnedAlone(tx, user.id)
    const shared = owned.filter(({ others }) => others)
    if (shared.length > 0) {
      const names = shared.slice(0, 3).map(({ name }) => `“${name}”`)
      throw invalid(
        ['body'],
        `You are the last owner of ${names.join(', ')}, where others are: make one of them an owner, or delete it`,
        'last_owner',
      )
    }
    for (const { id } of owned) {
      await markDeleted(tx, id)
      await dissolve(tx, id)
      await record(tx, { action: 'workspace_deleted', actor: userActor(user.id), subject: id })
    }
    await deleteThreads(tx, user.id)
    await record(tx, { action: 'account_deleted', actor: userActor(user.id), subject: user.id })
    await deleteAccountRow(tx, user.id)
    return owned
  })
  for (const { id } of gone) await deps.cache.drop(pagesFolder(id))
}
