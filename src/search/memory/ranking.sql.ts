// Reads the data of a ranking in memory: a workspace's current documents, the terms of their chunks, and the terms of whole
// documents.

import sql from 'sql-template-tag'
import type { Queryable } from '../../ports/db/db.ts'
import { inWorkspace, prepared } from '../../ports/db/prepared.sql.ts'

export interface CurrentDocument {
  document_id: string
  version_id: string
  chunks: number
}

/** The current documents, and the number of changes of the workspace up to now, which identifies this state. */
export async function selectCurrent(
  db: Queryable,
  workspaceId: string,
): Promise<{ version: string; documents: CurrentDocument[] }> {
  const rows = await db.rows<CurrentDocument & { version: string }>(sql`
    SELECT ${changeCount(workspaceId)} AS version, d.id AS document_id, d.version_id, d.chunk_count AS chunks
    FROM document d WHERE d.workspace_id = ${workspaceId}`)
  return { version: rows[0]?.version ?? '', documents: rows }
}

/** A scalar subquery: how often the workspace's documents have changed. */
export const changeCount = (workspaceId: string) => sql`(
  SELECT coalesce(sum(l.changes), 0)::text FROM workspace_language l WHERE l.workspace_id = ${workspaceId})`

interface ChunkVector {
  version_id: string
  chunk_no: number
  id: string
  /** In the binary form of a sparse vector. */
  vector: Buffer
}

/** Some chunks of a version: from `from` up to, but not including, `to`. */
export interface ChunkRange {
  versionId: string
  from: number
  to: number
}

/** The terms of chunks, in the order of their numbers. */
export const selectChunkVectors = (
  db: Queryable,
  workspaceId: string,
  ranges: readonly ChunkRange[],
): Promise<ChunkVector[]> =>
  db.rows(
    prepared(sql`
      SELECT c.version_id, c.chunk_no, c.id, sparsevec_send(c.lex) AS vector
      FROM unnest(${ranges.map((w) => w.versionId)}::uuid[], ${ranges.map((w) => w.from)}::int[],
        ${ranges.map((w) => w.to)}::int[]) AS w (version_id, first, last)
      CROSS JOIN LATERAL (
        SELECT v.version_id, v.chunk_no, v.id, v.lex FROM visible_chunk v
        WHERE ${inWorkspace(sql`v.workspace_id`, workspaceId)} AND v.version_id = w.version_id
          AND v.chunk_no >= w.first AND v.chunk_no < w.last OFFSET 0) c
      ORDER BY c.version_id, c.chunk_no`),
  )

/** The terms of whole documents, except documents of one chunk, which have none. */
export const selectDocumentVectors = (
  db: Queryable,
  workspaceId: string,
  versionIds: readonly string[],
): Promise<{ version_id: string; vector: Buffer }[]> =>
  db.rows(
    prepared(sql`
      SELECT v.id AS version_id, v.vector
      FROM unnest(${[...versionIds]}::uuid[]) AS wanted (id)
      CROSS JOIN LATERAL (
        SELECT o.id, sparsevec_send(o.lex) AS vector FROM version o
        WHERE ${inWorkspace(sql`o.workspace_id`, workspaceId)} AND o.id = wanted.id OFFSET 0) v
      WHERE v.vector IS NOT NULL`),
  )
