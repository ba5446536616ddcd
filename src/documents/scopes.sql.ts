// Scopes as SQL: those that exist by themselves and those a person made; what a name stands for, for search as well.

import sql, { type Sql } from 'sql-template-tag'
import type { Scope } from '../contract/resources.ts'
import type { Queryable } from '../ports/db/db.ts'
import { inWorkspace } from '../ports/db/kept.sql.ts'

/** Names that begin so exist by themselves. */
export const OWN_SCOPES = ['kind', 'provider', 'folder'] as const

/** The condition on `document d` for a scope that exists by itself; undefined for one that a person made. */
function ownScope(name: string): Sql | undefined {
  const at = name.indexOf(':')
  const value = name.slice(at + 1)
  const column = name.slice(0, Math.max(at, 0))
  if (column === 'kind') return sql`d.kind = ${value}`
  if (column === 'provider') return sql`d.provider = ${value}`
  if (column === 'folder') return sql`d.path LIKE '%/%' AND split_part(d.path, '/', 1) = ${value}`
  return undefined
}

/** The folders that a person put into a scope, each as what the paths in it begin with. */
const foldersOf = (workspaceId: string, name: string): Sql => sql`
  ARRAY(SELECT f.folder || '/' FROM scope s CROSS JOIN LATERAL unnest(s.folders) AS f (folder)
    WHERE s.workspace_id = ${workspaceId} AND s.name = ${name})`

/**
 * The condition on `document d` of the workspace that a scope's name stands for; one that nobody made holds nothing. What a
 * person put into it is read once, not for each document.
 */
export const inScope = (workspaceId: string, name: string): Sql =>
  ownScope(name) ??
  sql`(d.id IN (
      SELECT sd.document_id FROM scope_document sd WHERE sd.workspace_id = ${workspaceId} AND sd.name = ${name}
    ) OR d.path ^@ ANY (${foldersOf(workspaceId, name)}))`

/**
 * The documents of a scope, each once. Those that a person named are looked up by their keys, so that ten cost the same in
 * a workspace of any size; paths are compared only where there is a folder in it.
 */
export function documentsIn(workspaceId: string, name: string): Sql {
  const own = ownScope(name)
  if (own) return sql`SELECT d.* FROM visible_document d WHERE d.workspace_id = ${workspaceId} AND ${own}`
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

/** Whether there is such a scope, as a condition; one that a person made exists also while it holds nothing. */
export const scopeIn = (workspaceId: string, name: string): Sql => sql`(
  EXISTS (SELECT 1 FROM scope WHERE workspace_id = ${workspaceId} AND name = ${name})
  OR EXISTS (SELECT 1 FROM document d WHERE d.workspace_id = ${workspaceId} AND ${inScope(workspaceId, name)}))`

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

/** Those that a person made, or the one of that name, with how many documents each holds now. */
export const selectMadeScopes = (
  db: Queryable,
  workspaceId: string,
  name?: string,
): Promise<{ name: string; document_count: number; description: string }[]> =>
  db.rows(sql`
    SELECT s.name, s.description, count(DISTINCT d.id)::int AS document_count
    FROM scope s
    LEFT JOIN document d ON d.workspace_id = s.workspace_id AND (
      EXISTS (SELECT 1 FROM scope_document sd
        WHERE sd.workspace_id = s.workspace_id AND sd.name = s.name AND sd.document_id = d.id)
      OR EXISTS (SELECT 1 FROM unnest(s.folders) AS f (folder) WHERE starts_with(d.path, f.folder || '/')))
    WHERE s.workspace_id = ${workspaceId} AND s.name = coalesce(${name ?? null}::text, s.name)
    GROUP BY s.name, s.description`)

/** Those of the ids that are documents of the workspace. */
export async function selectPresent(db: Queryable, workspaceId: string, ids: string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT id FROM document WHERE workspace_id = ${workspaceId} AND id = ANY (${ids}::uuid[])`)
  return rows.map(({ id }) => id)
}

export interface MadeScope {
  name: string
  description: string
  documentIds: string[]
  folders: string[]
}

/** False when the workspace was deleted: its row is held, so that no scope comes after its purge. */
export async function upsertScope(tx: Queryable, workspaceId: string, scope: MadeScope): Promise<boolean> {
  const { name, description, documentIds, folders } = scope
  const written = await tx.rows(sql`
    INSERT INTO scope (workspace_id, name, description, folders)
    SELECT w.id, ${name}::text, ${description}::text, ${folders}::text[] FROM workspace w
    WHERE w.id = ${workspaceId} AND w.deleted_at IS NULL FOR SHARE
    ON CONFLICT (workspace_id, name) DO UPDATE SET description = excluded.description, folders = excluded.folders,
      updated_at = now()
    RETURNING 1`)
  if (written.length === 0) return false
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

export async function deleteScopeRow(db: Queryable, workspaceId: string, name: string): Promise<boolean> {
  const rows = await db.rows(sql`
    DELETE FROM scope WHERE workspace_id = ${workspaceId} AND name = ${name} RETURNING 1`)
  return rows.length > 0
}
