// Chunks by their vectors: the similarity of given ones, and the nearest of a workspace (design/search.md, "Vectors").

import sql, { join, type Sql } from 'sql-template-tag'
import type { Db, Queryable } from '../ports/db/db.ts'
import type { SemanticQuery } from './embed.ts'

/** Cosine of `chunk c` with the query as a scalar: NULL where the chunk has no vector yet. */
export const similarity = (query: SemanticQuery): Sql => sql`(
  SELECT -(s.v <#> ${query.vector}::vector) FROM chunk_vector s
  WHERE s.workspace_id = c.workspace_id AND s.version_id = c.version_id AND s.chunk_no = c.chunk_no
    AND s.space_id = ${query.space.id})`

/** Cosine of live chunks with the query, by chunk id; those without a vector are left out. */
export async function selectSimilarities(
  db: Queryable,
  workspaceId: string,
  query: SemanticQuery,
  chunkIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.rows<{ id: string; score: number }>(sql`
    SELECT c.id, -(s.v <#> ${query.vector}::vector) AS score
    FROM chunk c
    JOIN document d ON d.workspace_id = c.workspace_id AND d.version_id = c.version_id
    JOIN chunk_vector s ON s.workspace_id = c.workspace_id AND s.version_id = c.version_id
      AND s.chunk_no = c.chunk_no AND s.space_id = ${query.space.id}
    WHERE c.workspace_id = ${workspaceId} AND c.id = ANY (${chunkIds}::uuid[])`)
  return new Map(rows.map(({ id, score }) => [id, score]))
}

export interface Nearest {
  chunk_id: string
  /** Cosine with the query. */
  score: number
}

/**
 * The nearest live chunks, best first, ties by id. `conditions` speak of `document d` and `chunk c`, as in
 * search.sql.ts; `chunks` is how many the workspace holds, which decides between comparing all and asking the index.
 */
export function selectNearest(
  db: Db,
  workspaceId: string,
  query: SemanticQuery,
  wanted: { limit: number; chunks: number; conditions: readonly Sql[] },
): Promise<Nearest[]> {
  const conditions = [sql`s.workspace_id = ${workspaceId} AND s.space_id = ${query.space.id}`]
  return db.rows<Nearest>(sql`
    SELECT c.id AS chunk_id, -(s.v <#> ${query.vector}::vector) AS score
    FROM document d
    JOIN chunk c ON c.workspace_id = d.workspace_id AND c.version_id = d.version_id
    JOIN chunk_vector s ON s.workspace_id = c.workspace_id AND s.version_id = c.version_id
      AND s.chunk_no = c.chunk_no
    WHERE ${join([...conditions, ...wanted.conditions], ' AND ')}
    ORDER BY s.v <#> ${query.vector}::vector, c.id LIMIT ${wanted.limit}`)
}
