// The statements about scopes: built-in ones (kind, provider, top folder) and those that users have created. Search uses the same
// conditions.

import sql, { type Sql } from 'sql-template-tag'
import { lockWorkspaceForShare } from '../auth/access.sql.ts'
import type { Scope, ScopeDocument } from '../contract/resources.ts'
import type { Queryable } from '../ports/db/db.ts'
import { inWorkspace } from '../ports/db/prepared.sql.ts'

/** Prefixes of built-in scopes. */
export const BUILT_IN_SCOPES = ['kind', 'provider', 'folder'] as const

/** The condition that `document d` is in a built-in scope. Undefined if the name is that of a user's scope. */
function builtInScope(name: string): Sql | undefined {
  const colon = name.indexOf(':')
  const value = name.slice(colon + 1)
  const column = name.slice(0, Math.max(colon, 0))
  if (column === 'kind') return sql`d.kind = ${value}`
  if (column === 'provider') return sql`d.provider = ${value}`
  if (column === 'folder') return sql`d.path LIKE '%/%' AND split_part(d.path, '/', 1) = ${value}`
  return undefined
}

/** The folders of a scope, each as a prefix of paths. */
const foldersOf = (workspaceId: string, name: string): Sql => sql`
  ARRAY(SELECT f.folder || '/' FROM scope s CROSS JOIN LATERAL unnest(s.folders) AS f (folder)
    WHERE s.workspace_id = ${workspaceId} AND s.name = ${name})`

/**
 * The condition that `document d` is in a scope. A scope that does not exist contains nothing. The contents of a user's scope are
 * read once per statement, not once per document.
 */
export const isInScope = (workspaceId: string, name: string): Sql =>
  builtInScope(name) ??
  sql`(d.id IN (
      SELECT sd.document_id FROM scope_document sd WHERE sd.workspace_id = ${workspaceId} AND sd.name = ${name}
    ) OR d.path ^@ ANY (${foldersOf(workspaceId, name)}))`

/**
 * The documents of a scope, each once. Documents that the scope lists by id are looked up by their key, so that this takes the
 * same time in a workspace of any size. Paths are compared only if the scope contains folders.
 */
export function documentsInScope(workspaceId: string, name: string): Sql {
  const builtIn = builtInScope(name)
  if (builtIn)
    return sql`SELECT d.* FROM visible_document d WHERE d.workspace_id = ${workspaceId} AND ${builtIn}`
  return sql`
    SELECT d.* FROM scope_document sd CROSS JOIN LATERAL (
      SELECT v.* FROM visible_document v
      WHERE ${inWorkspace(sql`v.workspace_id`, workspaceId)} AND v.id = sd.document_id OFFSET 0) d
    WHERE sd.workspace_id = ${workspaceId} AND sd.name = ${name}
    UNION ALL
    SELECT d.* FROM (SELECT ${foldersOf(workspaceId, name)} AS folders OFFSET 0) f CROSS JOIN LATERAL (
      SELECT v.* FROM visible_document v
      WHERE v.workspace_id = ${workspaceId} AND v.path ^@ ANY (f.folders) AND NOT EXISTS (
        SELECT FROM scope_document sd
        WHERE sd.workspace_id = ${workspaceId} AND sd.name = ${name} AND sd.document_id = v.id)
      OFFSET 0) d
    WHERE f.folders <> '{}'`
}

/** The condition that a scope exists. A user's scope exists even if it is empty. */
export const scopeExists = (workspaceId: string, name: string): Sql => sql`(
  EXISTS (SELECT 1 FROM scope WHERE workspace_id = ${workspaceId} AND name = ${name})
  OR EXISTS (SELECT 1 FROM document d WHERE d.workspace_id = ${workspaceId} AND ${isInScope(workspaceId, name)}))`

export async function hasScope(db: Queryable, workspaceId: string, name: string): Promise<boolean> {
  const [row] = await db.rows<{ found: boolean }>(sql`SELECT ${scopeExists(workspaceId, name)} AS found`)
  return row?.found === true
}

export const selectScopeDocuments = (
  db: Queryable,
  workspaceId: string,
  name: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<ScopeDocument[]> =>
  db.rows(sql`
    SELECT d.id, d.title, d.path, d.content_hash AS version_id FROM (${documentsInScope(workspaceId, name)}) d
    WHERE ${after ? sql`d.id > ${after}::uuid` : sql`true`}
    ORDER BY d.id LIMIT ${limit}`)

export const selectScopes = (db: Queryable, workspaceId: string): Promise<Scope[]> =>
  db.rows(sql`
    SELECT name, count(*)::int AS document_count
    FROM document d CROSS JOIN LATERAL (
      SELECT ${'kind:'}::text || d.kind AS name
      UNION ALL SELECT ${'provider:'}::text || d.provider
      UNION ALL SELECT ${'folder:'}::text || split_part(d.path, '/', 1) WHERE d.path LIKE '%/%'
    ) scope
    WHERE d.workspace_id = ${workspaceId}
    GROUP BY name`)

/** The scopes that users have created, or only the one with the name, with their current number of documents. */
export const selectUserScopes = (
  db: Queryable,
  workspaceId: string,
  name?: string,
): Promise<{ name: string; document_count: number; description: string }[]> =>
  db.rows(sql`
    SELECT s.name, s.description, count(DISTINCT d.id)::int AS document_count
    FROM scope s
    LEFT JOIN document d ON d.workspace_id = s.workspace_id AND (
      EXISTS (SELECT 1 FROM scope_document sd
        WHERE sd.workspace_id = ${workspaceId} AND sd.name = s.name AND sd.document_id = d.id)
      OR EXISTS (SELECT 1 FROM unnest(s.folders) AS f (folder) WHERE starts_with(d.path, f.folder || '/')))
    WHERE s.workspace_id = ${workspaceId} AND s.name = coalesce(${name ?? null}::text, s.name)
    GROUP BY s.name, s.description`)

/** Of the given ids, those that are documents of the workspace. */
export async function selectExisting(db: Queryable, workspaceId: string, ids: string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT id FROM document WHERE workspace_id = ${workspaceId} AND id = ANY (${ids}::uuid[])`)
  return rows.map(({ id }) => id)
}

interface UserScope {
  name: string
  description: string
  documentIds: string[]
  folders: string[]
}

/** Creates or replaces a scope. The workspace is locked, so that no scope is inserted after its purge. False if it was deleted. */
export async function upsertScope(tx: Queryable, workspaceId: string, scope: UserScope): Promise<boolean> {
  const { name, description, documentIds, folders } = scope
  if (!(await lockWorkspaceForShare(tx, workspaceId))) return false
  await tx.rows(sql`
    INSERT INTO scope (workspace_id, name, description, folders, updated_at)
    VALUES (${workspaceId}, ${name}, ${description}, ${folders}::text[], now())
    ON CONFLICT (workspace_id, name) DO UPDATE SET description = excluded.description, folders = excluded.folders,
      updated_at = excluded.updated_at`)
  await tx.rows(sql`
    DELETE FROM scope_document WHERE workspace_id = ${workspaceId} AND name = ${name}
      AND NOT document_id = ANY (${documentIds}::uuid[])`)
  await tx.rows(sql`
    INSERT INTO scope_document (workspace_id, name, document_id)
    SELECT ${workspaceId}, ${name}, d.id FROM document d
    WHERE d.workspace_id = ${workspaceId} AND d.id = ANY (${documentIds}::uuid[])
    ON CONFLICT DO NOTHING`)
  return true
}

/**
 * Creates an empty scope, or locks the existing one and marks it as changed. Locks the workspace as `upsertScope` does.
 * @returns whether the scope is new; false too if the workspace was deleted
 */
export async function touchScope(tx: Queryable, workspaceId: string, name: string): Promise<boolean> {
  if (!(await lockWorkspaceForShare(tx, workspaceId))) return false
  const [scope] = await tx.rows<{ created: boolean }>(sql`
    INSERT INTO scope (workspace_id, name, description, folders, updated_at)
    VALUES (${workspaceId}, ${name}, '', '{}', now())
    ON CONFLICT (workspace_id, name) DO UPDATE SET updated_at = excluded.updated_at
    RETURNING xmax = 0 AS created`)
  return scope?.created ?? false
}

/** Adds documents to the scope. Returns those that it did not list before. */
export async function insertScopeDocuments(
  tx: Queryable,
  workspaceId: string,
  name: string,
  documentIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.rows<{ document_id: string }>(sql`
    INSERT INTO scope_document (workspace_id, name, document_id)
    SELECT ${workspaceId}, ${name}, d.id FROM document d
    WHERE d.workspace_id = ${workspaceId} AND d.id = ANY (${[...documentIds]}::uuid[])
    ON CONFLICT DO NOTHING RETURNING document_id`)
  return rows.map(({ document_id }) => document_id)
}

/** Removes documents from the scope. Returns those that it listed before. */
export async function deleteScopeDocuments(
  tx: Queryable,
  workspaceId: string,
  name: string,
  documentIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.rows<{ document_id: string }>(sql`
    DELETE FROM scope_document
    WHERE workspace_id = ${workspaceId} AND name = ${name} AND document_id = ANY (${[...documentIds]}::uuid[])
    RETURNING document_id`)
  return rows.map(({ document_id }) => document_id)
}

export async function countScopeDocuments(db: Queryable, workspaceId: string, name: string): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM scope_document WHERE workspace_id = ${workspaceId} AND name = ${name}`)
  return row?.count ?? 0
}

/** Of the given documents, those that are in one of the scope's folders. */
export async function selectInFolders(
  db: Queryable,
  workspaceId: string,
  name: string,
  documentIds: readonly string[],
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT d.id FROM document d
    WHERE d.workspace_id = ${workspaceId} AND d.id = ANY (${[...documentIds]}::uuid[])
      AND d.path ^@ ANY (${foldersOf(workspaceId, name)})`)
  return rows.map(({ id }) => id)
}

export async function deleteScopeRow(db: Queryable, workspaceId: string, name: string): Promise<boolean> {
  const rows = await db.rows(sql`
    DELETE FROM scope WHERE workspace_id = ${workspaceId} AND name = ${name} RETURNING 1`)
  return rows.length > 0
}
