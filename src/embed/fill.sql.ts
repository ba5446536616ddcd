// SQL for filling a space with the vectors of live chunks, and for sweeping vectors that are no longer read. All statements are
// short and repeatable. No vector is written without its version_space row, so sweeping by those rows removes all vectors.

import sql, { join } from 'sql-template-tag'
import { acrossWorkspaces } from '../ports/db/across.sql.ts'
import type { Queryable } from '../ports/db/db.ts'

export interface VersionInSpace {
  workspaceId: string
  versionId: string
  spaceId: number
}

/** Versions whose chunks get vectors in a space, each with the number of the first chunk that may have no vector yet. */
export interface Filling {
  workspaceId: string
  spaceId: number
  versions: readonly { id: string; firstChunk: number }[]
}

/** Some of the live versions that do not have all their vectors in the space. */
export async function selectUnfilled(db: Queryable, workspaceId: string, spaceId: number): Promise<string[]> {
  const rows = await db.rows<{ version_id: string }>(sql`
    SELECT d.version_id FROM document d
    LEFT JOIN version_space f ON f.workspace_id = d.workspace_id AND f.version_id = d.version_id
      AND f.space_id = ${spaceId}
    WHERE d.workspace_id = ${workspaceId} AND f.state IS DISTINCT FROM 'filled'
    ORDER BY d.version_id LIMIT 100`)
  return rows.map((row) => row.version_id)
}

/** Marks the versions as being filled in the space. Returns those that are live. */
export async function startVersions(
  db: Queryable,
  { workspaceId, spaceId }: Pick<Filling, 'workspaceId' | 'spaceId'>,
  versionIds: readonly string[],
): Promise<string[]> {
  const rows = await db.rows<{ version_id: string }>(sql`
    WITH live AS (
      SELECT workspace_id, id FROM version
      WHERE workspace_id = ${workspaceId} AND id = ANY (${[...versionIds]}::uuid[]) AND state = 'live'
      ORDER BY id FOR SHARE
    ) INSERT INTO version_space (workspace_id, version_id, space_id, state)
    SELECT workspace_id, id, ${spaceId}::int, 'filling' FROM live
    ON CONFLICT (workspace_id, version_id, space_id) DO UPDATE SET state = 'filling'
    RETURNING version_id`)
  const live = new Set(rows.map((row) => row.version_id))
  return versionIds.filter((id) => live.has(id))
}

/** The version and the number of a chunk. */
export interface ChunkKey {
  version_id: string
  chunk_no: number
}

export interface UnfilledChunk extends ChunkKey {
  language: string
  title: string
  heading: string
  text: string
}

/** The texts of the next chunks that have no row in the space. */
export const selectTexts = (db: Queryable, filling: Filling, limit: number): Promise<UnfilledChunk[]> =>
  db.rows(sql`
    SELECT c.version_id, c.chunk_no, c.language, d.title, c.heading, c.text FROM ${unfilledChunks(filling)}
    JOIN document d ON d.workspace_id = ${filling.workspaceId} AND d.id = c.document_id
    ORDER BY f.place, c.chunk_no LIMIT ${limit}`)

// The chunks are read version by version, so that a limit ends the read. Otherwise the planner would sort the chunks of all
// versions.
const unfilledChunks = ({ workspaceId, spaceId, versions }: Filling) => sql`
  unnest(${versions.map(({ id }) => id)}::uuid[], ${versions.map(({ firstChunk }) => firstChunk)}::int[])
    WITH ORDINALITY AS f (id, first, place)
  CROSS JOIN LATERAL (
    SELECT c.* FROM chunk c
    WHERE c.workspace_id = ${workspaceId} AND c.version_id = f.id AND c.chunk_no >= f.first AND NOT EXISTS (
      SELECT 1 FROM chunk_vector s WHERE s.workspace_id = ${workspaceId} AND s.version_id = c.version_id
        AND s.chunk_no = c.chunk_no AND s.space_id = ${spaceId})
    ORDER BY c.chunk_no OFFSET 0) c`

export interface VectorRow extends ChunkKey {
  /** The vector in pgvector's text or binary form. Null if the model refused the text or does not support its language. */
  vector: string | Buffer | null
  hash: Buffer | null
}

/** Writes the vectors of versions that are still being filled, and leaves out all others. */
export async function insertVectors(
  db: Queryable,
  { workspaceId, spaceId }: Filling,
  rows: readonly VectorRow[],
): Promise<void> {
  const values = rows.map(
    (row) => sql`(${row.version_id}::uuid, ${row.chunk_no}::int, ${row.vector}::vector, ${row.hash}::bytea)`,
  )
  await db.rows(sql`
    INSERT INTO chunk_vector (workspace_id, space_id, version_id, chunk_no, v, hash)
    SELECT f.workspace_id, f.space_id, r.*
    FROM (VALUES ${join(values)}) AS r (version_id, chunk_no, v, hash)
    JOIN version_space f ON f.workspace_id = ${workspaceId} AND f.version_id = r.version_id
      AND f.space_id = ${spaceId} AND f.state = 'filling'
    FOR SHARE OF f
    ON CONFLICT DO NOTHING`)
}

export async function finishVersions(
  db: Queryable,
  { workspaceId, spaceId }: Filling,
  versionIds: readonly string[],
): Promise<void> {
  await db.rows(sql`
    UPDATE version_space SET state = 'filled'
    WHERE workspace_id = ${workspaceId} AND version_id = ANY (${[...versionIds]}::uuid[]) AND space_id = ${spaceId}
      AND state = 'filling'`)
}

/**
 * The vectors that already exist for texts, by the text's hash in hexadecimal. They may come from any workspace, because a
 * vector reveals nothing that its text does not.
 */
export async function selectVectorsByHash(
  db: Queryable,
  spaceId: number,
  hashes: Buffer[],
): Promise<Map<string, string>> {
  const rows = await db.rows<{ hash: Buffer; vector: string }>(
    acrossWorkspaces(sql`
      SELECT DISTINCT ON (hash) hash, v::text AS vector FROM chunk_vector
      WHERE space_id = ${spaceId} AND hash = ANY (${hashes}::bytea[]) AND v IS NOT NULL`),
  )
  return new Map(rows.map(({ hash, vector }) => [hash.toString('hex'), vector]))
}

/**
 * The pairs of version and space whose vectors are no longer read: the version belongs to no document any more, or the space
 * is retired.
 */
export const selectUnusedVectors = (
  db: Queryable,
  workspaceId: string,
): Promise<{ version_id: string; space_id: number }[]> =>
  db.rows(sql`
    SELECT f.version_id, f.space_id FROM version_space f
    WHERE f.workspace_id = ${workspaceId} AND (
      NOT EXISTS (SELECT 1 FROM document d WHERE d.workspace_id = ${workspaceId} AND d.version_id = f.version_id)
      OR NOT EXISTS (SELECT 1 FROM workspace_space w
        WHERE w.workspace_id = ${workspaceId} AND w.space_id = f.space_id AND w.state <> 'retired'))
    LIMIT 100`)

const ROWS_PER_SWEEP = 500

/** Deletes some vectors of a version in a space. Returns true when all are deleted. */
export async function sweepVectors(db: Queryable, key: VersionInSpace): Promise<boolean> {
  const { workspaceId, versionId, spaceId } = key
  await db.rows(sql`
    UPDATE version_space SET state = 'sweeping'
    WHERE workspace_id = ${workspaceId} AND version_id = ${versionId} AND space_id = ${spaceId}`)
  const deletedRows = await db.rows(sql`
    DELETE FROM chunk_vector
    WHERE workspace_id = ${workspaceId} AND version_id = ${versionId} AND space_id = ${spaceId}
      AND chunk_no IN (SELECT chunk_no FROM chunk_vector
        WHERE workspace_id = ${workspaceId} AND version_id = ${versionId} AND space_id = ${spaceId}
        ORDER BY chunk_no LIMIT ${ROWS_PER_SWEEP})
    RETURNING 1`)
  if (deletedRows.length > 0) return false
  await db.rows(sql`
    DELETE FROM version_space
    WHERE workspace_id = ${workspaceId} AND version_id = ${versionId} AND space_id = ${spaceId}
      AND state = 'sweeping'`)
  return true
}
