// Workspaces in the trash (extension, docs/decisions/0055-trash.md). They count as deleted, but their former owners can restore
// them for 30 days.

import { record } from '../audit/activity.sql.ts'
import { actorOf, nobody } from '../audit/activity.ts'
import { requireTrashedWorkspace, requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { Workspace } from '../contract/resources.ts'
import type { TrashedWorkspaces } from '../contract/trash.ts'
import { ApiError, notFound } from '../errors.ts'
import { pagesFolder } from '../ports/cache/disk-cache.ts'
import type { Deps } from '../ports/deps.ts'
import {
  moveToTrash,
  selectExpired,
  selectTrashedWorkspaces,
  showRestored,
  takeExpired,
  takeTrashedWorkspace,
} from './trash.sql.ts'
import { queuePurge, selectWorkspace } from './workspaces.sql.ts'

const MAX_LISTED = 200

/**
 * False for a workspace that the caller owns, true for one in the trash that the caller owned.
 * @throws ApiError 404 and 403 for all others
 */
async function isInTrash(deps: Pick<Deps, 'db'>, caller: Caller, workspaceId: string): Promise<boolean> {
  try {
    await requireWorkspace(deps, caller, workspaceId, 'own')
    return false
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    await requireTrashedWorkspace(deps, caller, workspaceId)
    return true
  }
}

/**
 * The workspace is inaccessible at once, and its owners can restore it. If it is already in the trash, they get no error, because
 * a client repeats the request when the response was lost.
 * @throws ApiError 404, 403
 */
export async function trashWorkspace(
  deps: Pick<Deps, 'db' | 'cache'>,
  caller: Caller,
  workspaceId: string,
): Promise<void> {
  const isRepeated = await isInTrash(deps, caller, workspaceId)
  if (isRepeated) return
  await deps.db.tx(async (tx) => {
    if (!(await moveToTrash(tx, workspaceId))) return requireTrashedWorkspace({ db: tx }, caller, workspaceId)
    const entry = { action: 'workspace_trashed', actor: actorOf(caller), subject: workspaceId } as const
    await record(tx, { ...entry, workspaceIds: [workspaceId] })
  })
  await deps.cache.drop(pagesFolder(workspaceId))
}

/** The workspaces in the trash that the caller owned, latest first. */
export async function listTrashedWorkspaces(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
): Promise<TrashedWorkspaces> {
  const rows = await selectTrashedWorkspaces(deps.db, caller.userId, MAX_LISTED)
  return {
    data: rows.map(({ trashed_at: trashedAt, expires_at: expiresAt, ...workspace }) => ({
      ...workspace,
      trashed_at: trashedAt.toISOString(),
      expires_at: expiresAt.toISOString(),
    })),
  }
}

/** Restores the workspace with its members and its tasks. @throws ApiError 404 also for those who were not its owners */
export async function restoreWorkspace(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
): Promise<Workspace> {
  await requireTrashedWorkspace(deps, caller, workspaceId)
  return deps.db.tx(async (tx) => {
    const trashedWorkspace = await takeTrashedWorkspace(tx, workspaceId, caller.userId)
    if (!trashedWorkspace) throw notFound()
    await showRestored(tx, workspaceId, trashedWorkspace)
    const entry = { action: 'workspace_restored', actor: actorOf(caller), subject: workspaceId } as const
    await record(tx, { ...entry, workspaceIds: [workspaceId] })
    const workspace = await selectWorkspace(tx, workspaceId)
    if (!workspace) throw notFound()
    return workspace
  })
}

/** Deletes a workspace in the trash for good. @throws ApiError 404 also for those who were not its owners */
export async function deleteTrashedWorkspace(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
): Promise<void> {
  await requireTrashedWorkspace(deps, caller, workspaceId)
  await deps.db.tx(async (tx) => {
    const trashedWorkspace = await takeTrashedWorkspace(tx, workspaceId, caller.userId)
    if (!trashedWorkspace) throw notFound()
    await queuePurge(tx, workspaceId, trashedWorkspace.owners)
    await record(tx, { action: 'workspace_deleted', actor: actorOf(caller), subject: workspaceId })
  })
}

/** Deletes workspaces that have been in the trash for 30 days. */
export async function deleteExpiredWorkspaces({ db }: Pick<Deps, 'db'>): Promise<void> {
  for (const { id } of await selectExpired(db))
    await db.tx(async (tx) => {
      const owners = await takeExpired(tx, id)
      if (!owners) return
      await queuePurge(tx, id, owners)
      await record(tx, { action: 'workspace_deleted', actor: nobody, subject: id })
    })
}
