// Questions, uploads and storage: of a workspace for its owners, of the installation for administrators.

import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { InstallationUsage, Usage } from '../contract/usage.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { countAll, selectOwned, selectPeriods, selectTotals } from './usage.sql.ts'

const DAYS = 30
const MONTHS = 12

/** @throws ApiError 404, 403 unless the caller is an owner */
export async function getUsage(deps: Pick<Deps, 'db'>, caller: Caller, workspaceId: string): Promise<Usage> {
  await requireWorkspace(deps, caller, workspaceId, 'own')
  return usageOf(deps.db, workspaceId)
}

/** For administrators, who have no rights inside workspaces: only sums. Whoever calls it has to check that the user is one. */
export const installationUsage = async ({ db }: Pick<Deps, 'db'>): Promise<InstallationUsage> => ({
  ...(await usageOf(db, undefined)),
  ...(await countAll(db)),
})

/** The ids of the workspaces that the user owns, and whose usage they may see. The caller is the user. */
export const ownedWorkspaces = ({ db }: Pick<Deps, 'db'>, { id }: { id: string }): Promise<string[]> =>
  selectOwned(db, id)

async function usageOf(db: Queryable, workspaceId: string | undefined): Promise<Usage> {
  return {
    ...(await selectTotals(db, workspaceId)),
    days: await selectPeriods(db, workspaceId, 'day', DAYS),
    months: await selectPeriods(db, workspaceId, 'month', MONTHS),
  }
}
