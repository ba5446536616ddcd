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
  dissolve,
  insertWorkspace,
  markDeleted,
  type Position,
  selectWorkspace,
  selectWorkspaces,
  updateWorkspaceRow,
} from './workspaces.sql.ts'

type Needs = Pick<Deps, 'db'>

/** The workspaces the caller can read, oldest first. */
export async function listWorkspaces(
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  caller: Caller,
  query: PageQuery,
): Promise<Page<Workspace>> {
  const binding = ['workspaces', principal(caller)]
  const { rows, ...next } = await readPage(
    deps,
    binding,
    query,
    (after: Position | undefined, limit) =>
      selectWorkspaces(deps.db, caller.userId, { among: caller.workspaceIds, after, limit }),
    (row) => ({ at: row.position, id: row.id }),
  )
  return { data: rows.map(({ position: _position, ...workspace }) => workspace), ...next }
}

/** The caller becomes the owner. @throws ApiError 422 for an Idempotency-Key of another request, or of one that is gone */
export async function createWorkspace(
  deps: Needs,
  caller: Caller,
  body: WorkspaceCreate,
  key?: string,
): Promise<Workspace> {
  const id = randomUUID()
  const once = { key, operation: 'create workspace', request: body, result: id, workspaceId: id }
  const made = await deps.db.tx(async (tx) => {
    const made = await claimKey(tx, caller, once)
    if (made === id) {
      await insertWorkspace(tx, { ...body, id, createdBy: caller.userId })
      await record(tx, { action: 'workspace_made', actor: actorOf(caller), workspaceIds: [id], subject: id })
    }
    return made
  })
  // What an earlier request made may be gone by now, or the caller no longer in it.
  const isSeen = made === id || (await maySee(deps, caller, made))
  const workspace = isSeen ? await selectWorkspace(deps.db, made) : undefined
  if (workspace) return workspace
  throw invalid(['body'], 'The workspace made with this Idempotency-Key is gone', 'idempotency_key_reused')
}

const maySee = (deps: Needs, caller: Caller, workspaceId: string): Promise<boolean> =>
  requireWorkspace(deps, caller, workspaceId, 'read').then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError) return false
      throw error
    },
  )

/** @throws ApiError 404 */
export async function getWorkspace(deps: Needs, caller: Caller, workspaceId: string): Promise<Workspace> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  return present(deps, workspaceId)
}

/** Changes what is given; an empty change changes nothing, `updated_at` included. @throws ApiError 404, 403 */
export async function updateWorkspace(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
  body: WorkspaceUpdate,
): Promise<Workspace> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  const changes = body.name !== undefined || body.description !== undefined
  if (changes) {
    await deps.db.tx(async (tx) => {
      await updateWorkspaceRow(tx, workspaceId, body)
      const act = { action: 'workspace_changed', actor: actorOf(caller) } as const
      await record(tx, { ...act, workspaceIds: [workspaceId], subject: workspaceId })
    })
  }
  return present(deps, workspaceId)
}

/** Unreadable for everyone at once; its rows are purged behind it. Of several at once one succeeds. @throws 404, 403 */
export async function deleteWorkspace(
  deps: Pick<Deps, 'db' | 'cache'>,
  caller: Caller,
  workspaceId: string,
): Promise<void> {
  await requireWorkspace(deps, caller, workspaceId, 'own')
  await deps.db.tx(async (tx) => {
    if (!(await markDeleted(tx, workspaceId))) throw notFound()
    await dissolve(tx, workspaceId)
    // Of the installation: what was done in a workspace goes with it.
    await record(tx, { action: 'workspace_deleted', actor: actorOf(caller), subject: workspaceId })
  })
  await deps.cache.drop(pagesFolder(workspaceId))
}

async function present(deps: Needs, id: string): Promise<Workspace> {
  const workspace = await selectWorkspace(deps.db, id)
  if (!workspace) throw notFound()
  return workspace
}
