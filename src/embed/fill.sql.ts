// Filling a space with the vectors of live chunks, and sweeping vectors that are no longer read: short statements, each
// repeatable. No vector is written without its version_space row, so sweeping by those rows leaves none behind.

import sql, { join } from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

export interface FillKey {
  workspaceId: string
  versionId: string
  spaceId: number
}

/** Live versions that the space does not hold completely, some at a time. */
export async function selectUnfilled(db: Queryable, workspaceId: string, spaceId: number): Promise<string[]> {
  const rows = await db.rows<{ version_id: string }>(sql`
    SELECT d.version_id FROM document d
    LEFT JOIN version_space f ON f.workspace_id = d.workspace_id AND f.version_id = d.version_id
      AND f.space_id = ${spaceId}
    WHERE d.workspace_id = ${workspaceId} AND f.state IS DISTINCT FROM 'filled'
    ORDER BY d.version_id LIMIT 100`)
  return rows.map((row) => row.version_id)
}

/** Opens the version for vectors of the space; false when it is no longer live. */
export async function startVersion(db: Queryable, key: FillKey): Promise<boolean> {
  const rows = await db.rows(sql`
    INSERT INTO version_space (workspace_id, version_id, space_id, state)
    SELECT workspace_id, id, ${key.spaceId}::int, 'filling' FROM version
    WHERE workspace_id = ${key.workspaceId} AND id = ${key.versionId} AND state = 'live' FOR SHARE
    ON CONFLICT (workspace_id, version_id, space_id) DO UPDATE SET state = 'filling'
    RETURNING 1`)
  return rows.length > 0
}

export interface UnfilledChunk {
  chunk_no: number
  title: string
  heading: string
  text: string
}

/** The next chunks of a version that have no row in the space, as text. */
export const selectTexts = (db: Queryable, key: FillKey, most: number): Promise<UnfilledChunk[]> =>
  db.rows(sql`
    SELECT c.chunk_no, d.title, c.heading, c.text FROM chunk c
    JOIN document d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
    WHERE c.workspace_id = ${key.workspaceId} AND c.version_id = ${key.versionId} AND ${isUnfilled(key)}
    ORDER BY c.chunk_no LIMIT ${most}`)

/** The same chunks by their terms. */
export const selectTerms = (
  db: Queryable,
  key: FillKey,
  most: number,
): Promise<{ chunk_no: number; lex: string; words: string[] }[]> =>
  db.rows(sql`
    SELECT c.chunk_no, c.lex::text AS lex, c.words FROM chunk c
    WHERE c.workspace_id = ${key.workspaceId} AND c.version_id = ${key.versionId} AND ${isUnfilled(key)}
    ORDER BY c.chunk_no LIMIT ${most}`)

const isUnfilled = (key: FillKey) => sql`NOT EXISTS (
  SELECT 1 FROM chunk_vector s WHERE s.workspace_id = c.workspace_id AND s.version_id = c.version_id
    AND s.chunk_no = c.chunk_no AND s.space_id = ${key.spaceId})`

export interface VectorRow {
  chunk_no: number
  /** pgvector's text form; null: the model refused the text. */
  vector: string | null
  hash: Buffer | null
}

/** Writes vectors; none into a version that is being swept. */
export async function insertVectors(db: Queryable, key: FillKey, rows: VectorRow[]): Promise<void> {
  const values = rows.map((row) => sql`(${row.chunk_no}::int, ${row.vector}::vector, ${row.hash}::bytea)`)
  await db.rows(sql`
    INSERT INTO chunk_vector (workspace_id, version_id, space_id, chunk_no, v, hash)
    SELECT f.workspace_id, f.version_id, f.space_id, r.*
    FROM version_space f CROSS JOIN (VALUES ${join(values)}) AS r
    WHERE f.workspace_id = ${key.workspaceId} AND f.version_id = ${key.versionId} AND f.space_id = ${key.spaceId}
      AND f.state = 'filling'
    FOR SHARE OF f
    ON CONFLICT DO NOTHING`)
}

export async function finishVersion(db: Queryable, key: FillKey): Promise<void> {
  await db.rows(sql`
    UPDATE version_space SET state = 'filled'
    WHERE workspace_id = ${key.workspaceId} AND version_id = ${key.versionId} AND space_id = ${key.spaceId}
      AND state = 'filling'`)
}

/** One vector per text, from any workspace that has it: a vector reveals nothing that its text does not. */
export async function selectKnown(
  db: Queryable,
  spaceId: number,
  hashes: Buffer[],
): Promise<Map<string, string>> {
  const rows = await db.rows<{ hash: Buffer; vector: string }>(sql`
    SELECT DISTINCT ON (hash) hash, v::text AS vector FROM chunk_vector
    WHERE space_id = ${spaceId} AND hash = ANY (${hashes}::bytea[]) AND v IS NOT NULL`)
  return new Map(rows.map(({ hash, vector }) => [hash.toString('hex'), vector]))
}

/** Vectors that are no longer read: of versions that no document has any more, and of the workspace's retired spaces. */
export const selectSpent = (
  db: Queryable,
  workspaceId: string,
): Promise<{ version_id: string; space_id: number }[]> =>
  db.rows(sql`
    SELECT f.version_id, f.space_id FROM version_space f
    WHERE f.workspace_id = ${workspaceId} AND (
      NOT EXISTS (SELECT 1 FROM document d WHERE d.workspace_id = f.workspace_id AND d.version_id = f.version_id)
      OR NOT EXISTS (SELECT 1 FROM workspace_space w
        WHERE w.workspace_id = f.workspace_id AND w.space_id = f.space_id AND w.state <> 'retired'))
    LIMIT 100`)

const SWEPT_A_BATCH = 500

/** Removes some vectors of a version in a space; true when all are gone. */
export async function sweepVectors(db: Queryable, key: FillKey): Promise<boolean> {
  const { workspaceId, versionId, spaceId } = key
  await db.rows(sql`
    UPDATE version_space SET state = 'sweeping'
    WHERE workspace_id = ${workspaceId} AND version_id = ${versionId} AND space_id = ${spaceId}`)
  const gone = await db.rows(sql`
    DELETE FROM chunk_vector
    WHERE workspace_id = ${workspaceId} AND version_id = ${versionId} AND space_id = ${spaceId}
      AND chunk_no IN (SELECT chunk_no FROM chunk_vector
        WHERE workspace_id = ${workspaceId} AND version_id = ${versionId} AND space_id = ${spaceId}
        ORDER BY chunk_no LIMIT ${SWEPT_A_BATCH})
    RETURNING 1`)
  if (gone.length > 0) return false
  await db.rows(sql`
    DELETE FROM version_space
    WHERE workspace_id = ${workspaceId} AND version_id = ${versionId} AND space_id = ${spaceId}
      AND state = 'sweeping'`)
  return true
}
