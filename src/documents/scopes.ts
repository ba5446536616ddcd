// Scopes: built-in ones (kind, provider and top folder of the documents), and those created by users.

import { record } from '../audit/activity.sql.ts'
import { type Action, actorOf } from '../audit/activity.ts'
import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { type PageQuery, readPage } from '../auth/cursor.ts'
import type {
  Page,
  Scope,
  ScopeChange,
  ScopeChangeResult,
  ScopeDocument,
  ScopeUpdate,
} from '../contract/resources.ts'
import { invalid, notFound } from '../errors.ts'
import { fold } from '../language/words.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { normaliseFolder } from './folders.ts'
import {
  BUILT_IN_SCOPES,
  countScopeDocuments,
  deleteScopeDocuments,
  deleteScopeRow,
  hasScope,
  insertScopeDocuments,
  selectExisting,
  selectInFolders,
  selectScopeDocuments,
  selectScopes,
  selectUserScopes,
  touchScope,
  upsertScope,
} from './scopes.sql.ts'

type ScopeDeps = Pick<Deps, 'db'>

/** All scopes of the workspace in one page, ordered by case-folded name. */
export async function listScopes(deps: ScopeDeps, caller: Caller, workspaceId: string): Promise<Page<Scope>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const builtIn = await selectScopes(deps.db, workspaceId)
  const userScopes = await selectUserScopes(deps.db, workspaceId)
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  const scopes = [...builtIn, ...userScopes.map(withoutEmptyDescription)]
  scopes.sort((a, b) => order(fold(a.name), fold(b.name)) || order(a.name, b.name))
  return { data: scopes, has_more: false, next_cursor: null }
}

const withoutEmptyDescription = ({ description, ...scope }: Scope): Scope =>
  description ? { ...scope, description } : scope

/** A page of the documents of a scope, ordered by id. @throws ApiError 404 for a scope that does not exist */
export async function listScopeDocuments(
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  caller: Caller,
  { workspaceId, name }: { workspaceId: string; name: string },
  query: PageQuery,
): Promise<Page<ScopeDocument>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  if (!(await hasScope(deps.db, workspaceId, name))) throw notFound()
  const binding = ['scope', workspaceId, principal(caller), name]
  const { rows, ...next } = await readPage(deps, {
    binding,
    page: query,
    select: (after: string | undefined, limit) =>
      selectScopeDocuments(deps.db, workspaceId, name, { after, limit }),
    positionOf: ({ id }) => id,
  })
  return { data: rows, ...next }
}

/** Creates or replaces a scope. @throws ApiError 404 also for an unknown document */
export async function putScope(
  deps: ScopeDeps,
  caller: Caller,
  { workspaceId, name }: { workspaceId: string; name: string },
  body: ScopeUpdate,
): Promise<Scope> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  requireUserScope(name)
  const folders = body.folders.map(requireFolder)
  const documentIds = [...new Set(body.document_ids)]
  await deps.db.tx(async (tx) => {
    const existingIds = await selectExisting(tx, workspaceId, documentIds)
    if (existingIds.length < documentIds.length) throw notFound()
    const row = { name, description: body.description, documentIds, folders }
    if (!(await upsertScope(tx, workspaceId, row))) throw notFound()
    await recordScope(tx, caller, { workspaceId, name }, 'scope_set')
  })
  const [scope] = (await selectUserScopes(deps.db, workspaceId, name)).map(withoutEmptyDescription)
  if (!scope) throw notFound()
  return scope
}

/** The limit of `document_ids` in `putScope`, so that every scope can be written as a whole. */
const MAX_SCOPE_DOCUMENTS = 10_000

/**
 * Adds documents to a scope and removes others. Unlike `putScope` it loses nothing that another person adds at the same time.
 * @throws ApiError 404 for a scope that does not exist, unless documents are added: it is created then
 */
export async function changeScope(
  deps: ScopeDeps,
  caller: Caller,
  { workspaceId, name }: { workspaceId: string; name: string },
  body: ScopeChange,
): Promise<ScopeChangeResult> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  requireUserScope(name)
  const [add, remove] = [[...new Set(body.add)], [...new Set(body.remove)]]
  return deps.db.tx(async (tx) => {
    const existingIds = new Set(await selectExisting(tx, workspaceId, [...add, ...remove]))
    const newIds = add.filter((id) => existingIds.has(id))
    const created = newIds.length > 0 && (await touchScope(tx, workspaceId, name))
    if (!created && (await selectUserScopes(tx, workspaceId, name)).length === 0) throw notFound()
    const removed = await deleteScopeDocuments(tx, workspaceId, name, remove)
    const added = await insertScopeDocuments(tx, workspaceId, name, newIds)
    if (added.length > 0 && (await countScopeDocuments(tx, workspaceId, name)) > MAX_SCOPE_DOCUMENTS)
      throw invalid(
        ['body', 'add'],
        `A scope may list ${MAX_SCOPE_DOCUMENTS} documents; add a folder to it instead`,
        'value_error',
      )
    if (created || added.length + removed.length > 0)
      await recordScope(tx, caller, { workspaceId, name }, 'scope_set')
    return {
      created,
      added,
      removed,
      unknown: [...new Set([...add, ...remove])].filter((id) => !existingIds.has(id)),
      in_folders: await selectInFolders(tx, workspaceId, name, remove),
    }
  })
}

/** @throws ApiError 404, also for the second of two concurrent calls */
export async function deleteScope(
  deps: ScopeDeps,
  caller: Caller,
  workspaceId: string,
  name: string,
): Promise<void> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  requireUserScope(name)
  await deps.db.tx(async (tx) => {
    if (!(await deleteScopeRow(tx, workspaceId, name))) throw notFound()
    await recordScope(tx, caller, { workspaceId, name }, 'scope_deleted')
  })
}

const recordScope = (
  tx: Queryable,
  caller: Caller,
  { workspaceId, name }: { workspaceId: string; name: string },
  action: Extract<Action, `scope_${string}`>,
): Promise<void> => record(tx, { action, actor: actorOf(caller), workspaceIds: [workspaceId], subject: name })

function requireUserScope(name: string): void {
  const builtIn = BUILT_IN_SCOPES.find((prefix) => name.startsWith(`${prefix}:`))
  if (!builtIn) return
  throw invalid(
    ['path', 'scope_name'],
    `Names that begin with “${builtIn}:” are reserved for built-in scopes; choose another name`,
    'value_error',
    name,
  )
}

/** Normalizes a folder like the paths of uploads. @throws ApiError 422 for the root, which would be the whole workspace */
function requireFolder(folder: string, index: number): string {
  const path = normaliseFolder(folder)
  if (path) return path
  throw invalid(
    ['body', 'folders', String(index)],
    'The folder must not be empty or the root',
    'value_error',
    folder,
  )
}
