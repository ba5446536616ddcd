// Scopes: those that exist by themselves (kind, origin and top folder of the documents), and those that people make.

import { record } from '../audit/activity.sql.ts'
import { type Action, actorOf } from '../audit/activity.ts'
import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { Page, Scope, ScopeUpdate } from '../contract/resources.ts'
import { invalid, notFound } from '../errors.ts'
import { fold } from '../language/words.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import {
  deleteScopeRow,
  OWN_SCOPES,
  selectMadeScopes,
  selectPresent,
  selectScopes,
  upsertScope,
} from './scopes.sql.ts'

type Needs = Pick<Deps, 'db'>

/** One page, ordered by case-folded name. */
export async function listScopes(deps: Needs, caller: Caller, workspaceId: string): Promise<Page<Scope>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const own = await selectScopes(deps.db, workspaceId)
  const made = await selectMadeScopes(deps.db, workspaceId)
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  const scopes = [...own, ...made.map(present)]
  scopes.sort((a, b) => order(fold(a.name), fold(b.name)) || order(a.name, b.name))
  return { data: scopes, has_more: false, next_cursor: null }
}

/** A description is shown when a person wrote one. */
const present = ({ description, ...scope }: Scope): Scope => (description ? { ...scope, description } : scope)

/** Makes the scope, or makes it what the body says. @throws ApiError 404 also for a document that is not there */
export async function putScope(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
  name: string,
  body: ScopeUpdate,
): Promise<Scope> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  requireOwnName(name)
  const folders = body.folders.map(folderOf)
  const documentIds = [...new Set(body.document_ids)]
  await deps.db.tx(async (tx) => {
    const present = await selectPresent(tx, workspaceId, documentIds)
    if (present.length < documentIds.length) throw notFound()
    const made = { name, description: body.description, documentIds, folders }
    if (!(await upsertScope(tx, workspaceId, made))) throw notFound()
    await noteScope(tx, caller, workspaceId, 'scope_set', name)
  })
  const made = await selectMadeScopes(deps.db, workspaceId, name)
  const [scope] = made.map(present)
  if (!scope) throw notFound()
  return scope
}

/** @throws ApiError 404 also for the second of two deletes */
export async function deleteScope(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
  name: string,
): Promise<void> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  requireOwnName(name)
  await deps.db.tx(async (tx) => {
    if (!(await deleteScopeRow(tx, workspaceId, name))) throw notFound()
    await noteScope(tx, caller, workspaceId, 'scope_deleted', name)
  })
}

const noteScope = (
  tx: Queryable,
  caller: Caller,
  workspaceId: string,
  action: Extract<Action, `scope_${string}`>,
  name: string,
): Promise<void> => record(tx, { action, actor: actorOf(caller), workspaceIds: [workspaceId], subject: name })

function requireOwnName(name: string): void {
  const own = OWN_SCOPES.find((prefix) => name.startsWith(`${prefix}:`))
  if (!own) return
  throw invalid(
    ['path', 'scope_name'],
    `Scopes named ${own}: exist by themselves; choose another name`,
    'value_error',
    name,
  )
}

/** The folder in the spelling of upload paths. @throws ApiError 422 for the root, which is the whole workspace */
function folderOf(folder: string, no: number): string {
  const path = folder
    .normalize('NFC')
    .replaceAll('\\', '/')
    .replace(/^\/+|\/+$/g, '')
  if (path) return path
  throw invalid(['body', 'folders', String(no)], 'Name a folder', 'value_error', folder)
}
