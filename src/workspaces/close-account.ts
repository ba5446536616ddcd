// DELETE /account: deletes a user and everything that belongs to them alone (docs/decisions/0016-accounts.md).

import { requireReauthentication } from '../accounts/passwords.ts'
import { beginProof, type SentProof } from '../accounts/second-proof.ts'
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
  deleteConversations,
  hasOtherAccounts,
  lockOwnedWorkspaces,
  selectSolelyOwned,
} from './close-account.sql.ts'
import { leaveTrash } from './trash.sql.ts'
import { markDeleted, queuePurge, removeMembersAndQueuePurge } from './workspaces.sql.ts'

/**
 * Deletes the account with its workspaces that have no other members, and those in the trash that nobody else could restore.
 * Documents that the user uploaded to other workspaces stay.
 * @throws ApiError 403, 422 and 429 from requireReauthentication and beginProof; 422 for the only owner of a workspace with other
 * members, and for the only administrator while there are other accounts
 */
export async function closeAccount(
  deps: Pick<Deps, 'db' | 'cache' | 'passwords' | 'seal' | 'settings'>,
  user: SessionUser,
  confirmation: { password?: string | undefined } & SentProof,
  session: { secret: string; remoteAddress: string },
): Promise<void> {
  await requireReauthentication(deps, user, confirmation.password, session)
  const proof = await beginProof(deps, user, confirmation, session)
  const deletedWorkspaces = await deps.db.tx(async (tx) => {
    await lockAdmins(tx)
    await proof.use(tx)
    if (await hasOtherAccounts(tx, user.id)) await requireOtherAdmin(tx, user.id)
    await lockOwnedWorkspaces(tx, user.id)
    const ownedWorkspaces = await selectSolelyOwned(tx, user.id)
    const sharedWorkspaces = ownedWorkspaces.filter(({ is_shared }) => is_shared)
    if (sharedWorkspaces.length > 0) {
      const names = sharedWorkspaces.slice(0, 3).map(({ name }) => `“${name}”`)
      throw invalid(
        ['body'],
        `You are the only owner of ${names.join(', ')}, which has other members: make one of them an owner, or delete it`,
        'last_owner',
      )
    }
    for (const { id } of ownedWorkspaces) {
      await markDeleted(tx, id)
      await removeMembersAndQueuePurge(tx, id)
      await record(tx, { action: 'workspace_deleted', actor: userActor(user.id), subject: id })
    }
    const abandonedInTrash = await leaveTrash(tx, user.id)
    for (const { id, owners } of abandonedInTrash) {
      await queuePurge(tx, id, owners)
      await record(tx, { action: 'workspace_deleted', actor: userActor(user.id), subject: id })
    }
    await deleteConversations(tx, user.id)
    await record(tx, { action: 'account_deleted', actor: userActor(user.id), subject: user.id })
    await deleteAccountRow(tx, user.id)
    return ownedWorkspaces
  })
  await proof.accept()
  for (const { id } of deletedWorkspaces) await deps.cache.drop(pagesFolder(id))
}
