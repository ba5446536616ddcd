// Workspaces: create, list, read, rename and delete (spec, "Rules for the workspace endpoints").

import { randomUUID } from 'node:crypto'
import { record } from '../audit/activity.sql.ts'
import { actorOf } from '../audit/activity.ts'
import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { type PageQuery, readPage } from '../auth/cursor.ts'
import type { Page, Workspace, WorkspaceCreate, WorkspaceUpdate } from '../contract/resources.ts'
import { ApiError, invalid, notFound } from '../errors.ts'
import { claimKey } from '../idempotency/idempotency.ts'
import { pagesFolder } from '../ports/cache/disk-cache.ts'
import type { Deps } from '../ports/deps.ts'
import {
  insertWorkspace,
  markDeleted,
  type Position,
  removeMembersAndQueuePurge,
  selectWorkspace,
  selectWorkspaces,
  updateWorkspaceRow,
} from './workspaces.sql.ts'

type WorkspaceDeps = Pick<Deps, 'db'>

/** The workspaces the caller can read, oldest first. */
export async function listWorkspaces(
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  caller: Caller,
  query: PageQuery,
): Promise<Page<Workspace>> {
  const binding = ['workspaces', principal(caller)]
  const { rows, ...next } = await readPage(deps, {
    binding,
    page: query,
    select: (after: Position | undefined, limit) =>
      selectWorkspaces(deps.db, caller.userId, { workspaceIds: caller.workspaceIds, after, limit }),
    positionOf: (row) => ({ at: row.position, id: row.id }),
  })
  return { data: rows.map(({ position: _position, ...workspace }) => workspace), ...next }
}

/** The caller becomes the owner. @throws ApiError 422 for an Idempotency-Key of another request or a deleted workspace */
export async function createWorkspace(
  deps: WorkspaceDeps,
  caller: Caller,
  body: WorkspaceCreate,
  key?: string,
): Promise<Workspace> {
  const id = randomUUID()
  const keyClaim = { key, operation: 'create workspace', request: body, result: id, workspaceId: id }
  const createdId = await deps.db.tx(async (tx) => {
    const claimedId = await claimKey(tx, caller, keyClaim)
    if (claimedId === id) {
      await insertWorkspace(tx, { ...body, id, createdBy: caller.userId })
      await record(tx, { action: 'workspace_made', actor: actorOf(caller), workspaceIds: [id], subject: id })
    }
    return claimedId
  })
  // The workspace of an earlier request may have been deleted, or the caller is no longer a member.
  const isVisible = createdId === id || (await canRead(deps, caller, createdId))
  const workspace = isVisible ? await selectWorkspace(deps.db, createdId) : undefined
  if (workspace) return workspace
  throw invalid(
    ['body'],
    'The workspace created with this Idempotency-Key no longer exists',
    'idempotency_key_reused',
  )
}

const canRead = (deps: WorkspaceDeps, caller: Caller, workspaceId: string): Promise<boolean> =>
  requireWorkspace(deps, caller, workspaceId, 'read').then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError) return false
      throw error
    },
  )

/** @throws ApiError 404 */
export async function getWorkspace(
  deps: WorkspaceDeps,
  caller: Caller,
  workspaceId: string,
): Promise<Workspace> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  return loadWorkspace(deps, workspaceId)
}

/** If no field is given, nothing changes, not even `updated_at`. @throws ApiError 404, 403 */
export async function updateWorkspace(
  deps: WorkspaceDeps,
  caller: Caller,
  workspaceId: string,
  body: WorkspaceUpdate,
): Promise<Workspace> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  const hasChange = Object.values(body).some((value) => value !== undefined)
  if (hasChange) {
    await deps.db.tx(async (tx) => {
      await updateWorkspaceRow(tx, workspaceId, body)
      const entry = { action: 'workspace_changed', actor: actorOf(caller) } as const
      await record(tx, { ...entry, workspaceIds: [workspaceId], subject: workspaceId })
    })
  }
  return loadWorkspace(deps, workspaceId)
}

/**
 * The workspace is inaccessible at once, and its rows are deleted in the background. Of concurrent calls one succeeds.
 * @throws ApiError 404, 403
 */
export async function deleteWorkspace(
  deps: Pick<Deps, 'db' | 'cache'>,
  caller: Caller,
  workspaceId: string,
): Promise<void> {
  await requireWorkspace(deps, caller, workspaceId, 'own')
  await deps.db.tx(async (tx) => {
    if (!(await markDeleted(tx, workspaceId))) throw notFound()
    await removeMembersAndQueuePurge(tx, workspaceId)
    // Logged for the installation, since the workspace's own log is deleted with it.
    await record(tx, { action: 'workspace_deleted', actor: actorOf(caller), subject: workspaceId })
  })
  await deps.cache.drop(pagesFolder(workspaceId))
}

/** @throws ApiError 404 */
async function loadWorkspace(deps: WorkspaceDeps, id: string): Promise<Workspace> {
  const workspace = await selectWorkspace(deps.db, id)
  if (!workspace) throw notFound()
  return workspace
}
