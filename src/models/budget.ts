// Administrators set how many tokens of the language model the graph of each workspace may use.

import type { SessionUser } from '../accounts/sessions.sql.ts'
import { requireAdmin } from '../accounts/sessions.ts'
import { record } from '../audit/activity.sql.ts'
import { userActor } from '../audit/activity.ts'
import type { GraphBudget, GraphBudgetSet } from '../contract/models.ts'
import { forbidden, invalid } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { deleteGraphSetting, selectGraphSetting, selectSpentOfAll, upsertGraphSetting } from './models.sql.ts'

type BudgetDeps = Pick<Deps, 'db' | 'settings'>

/** The caller of this function has to check that the account is an administrator. */
export async function graphBudget({ db, settings }: BudgetDeps): Promise<GraphBudget> {
  const spent = await selectSpentOfAll(db)
  const { graphTokens } = settings.models
  if (graphTokens !== undefined) return { source: 'environment', tokens: graphTokens, set_at: null, spent }
  const row = await selectGraphSetting(db)
  return row ? { source: 'settings', ...row, spent } : { source: 'none', tokens: 0, set_at: null, spent }
}

/** The budget applies from the next document on. @throws ApiError 403, 422 */
export async function setGraphBudget(
  deps: BudgetDeps,
  admin: SessionUser,
  { tokens }: GraphBudgetSet,
): Promise<GraphBudget> {
  requireAdmin(admin)
  requireNoEnvironment(deps)
  await deps.db.tx(async (tx) => {
    if (!(await upsertGraphSetting(tx, admin.id, tokens)))
      throw forbidden('You are no longer an administrator.')
    await record(tx, { action: 'model_set', actor: userActor(admin.id), detail: { part: 'graph', tokens } })
  })
  return graphBudget(deps)
}

/** @throws ApiError 403, 422 */
export async function clearGraphBudget(deps: BudgetDeps, admin: SessionUser): Promise<void> {
  requireAdmin(admin)
  requireNoEnvironment(deps)
  await deps.db.tx(async (tx) => {
    if (await deleteGraphSetting(tx, admin.id))
      await record(tx, { action: 'model_cleared', actor: userActor(admin.id), detail: { part: 'graph' } })
  })
}

function requireNoEnvironment({ settings }: Pick<Deps, 'settings'>): void {
  if (settings.models.graphTokens !== undefined)
    throw invalid(
      ['body'],
      'The budget is set by KENNING_GRAPH_TOKENS where the service is started, and that wins: change it there, or remove it there first',
    )
}
