// Programs and assistants that a person has let in by OAuth: seen and put out again (/account/grants).

import { user } from '../audit/act.ts'
import { record } from '../audit/audit.sql.ts'
import type { Grant } from '../contract/account.ts'
import { notFound } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { revokeGrantRow, selectGrants } from './grants.sql.ts'
import type { SessionUser } from './sessions.sql.ts'

/** Those not revoked; newest first. */
export const listGrants = async (deps: Pick<Deps, 'db'>, who: SessionUser): Promise<{ data: Grant[] }> => ({
  data: await selectGrants(deps.db, who.id),
})

/** Its tokens are refused from the next request on. @throws ApiError 404 for one that is absent, revoked or another's */
export async function revokeGrant(deps: Pick<Deps, 'db'>, who: SessionUser, id: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    if (!(await revokeGrantRow(tx, who.id, id))) throw notFound()
    await record(tx, { action: 'grant_revoked', actor: user(who.id), subject: id })
  })
}
