// OAuth clients that a user has authorized: listing and revoking them (/account/grants).

import { record } from '../audit/activity.sql.ts'
import { userActor } from '../audit/activity.ts'
import { notFound } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { type GrantRow, revokeGrantRow, selectGrants } from './grants.sql.ts'
import type { SessionUser } from './sessions.sql.ts'

/** Active grants, newest first. */
export const listGrants = async (
  deps: Pick<Deps, 'db'>,
  user: SessionUser,
): Promise<{ data: GrantRow[] }> => ({
  data: await selectGrants(deps.db, user.id),
})

/** Takes effect with the next request. @throws ApiError 404 for a grant that is unknown, revoked or another user's */
export async function revokeGrant(deps: Pick<Deps, 'db'>, user: SessionUser, id: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    if (!(await revokeGrantRow(tx, user.id, id))) throw notFound()
    await record(tx, { action: 'grant_revoked', actor: userActor(user.id), subject: id })
  })
}
