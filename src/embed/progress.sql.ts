// Counts how many chunks have vectors of a model, in all workspaces that are not deleted.

import sql from 'sql-template-tag'
import { acrossWorkspaces } from '../ports/db/across.sql.ts'
import type { Queryable } from '../ports/db/db.ts'

// Ids of spaces begin with 1. With null instead, the planner would drop the condition of the join, and Citus could not see that the
// rows stand together.
const NO_SPACE = 0

/**
 * The number of all chunks, and of those whose documents are complete in the newest space of the embedder. Without an embedder
 * all chunks count as embedded.
 */
export async function countEmbedded(
  db: Queryable,
  embedder: string | undefined,
): Promise<{ chunks: number; embedded: number }> {
  const [space] = await db.rows<{ id: number | null }>(sql`
    SELECT max(id) AS id FROM vector_space WHERE embedder = ${embedder ?? null} AND workspace_id IS NULL`)
  const deleted = await db.rows<{ id: string }>(sql`SELECT id FROM workspace WHERE deleted_at IS NOT NULL`)
  const [row] = await db.rows<{ chunks: number; embedded: number }>(
    acrossWorkspaces(sql`
      SELECT coalesce(sum(d.chunk_count), 0)::float8 AS chunks,
        coalesce(sum(d.chunk_count) FILTER (WHERE f.version_id IS NOT NULL), 0)::float8 AS embedded
      FROM document d LEFT JOIN version_space f ON f.workspace_id = d.workspace_id AND f.version_id = d.version_id
        AND f.space_id = ${space?.id ?? NO_SPACE} AND f.state = 'filled'
      WHERE d.workspace_id <> ALL (${deleted.map(({ id }) => id)}::uuid[])`),
  )
  const { chunks, embedded } = row ?? { chunks: 0, embedded: 0 }
  return { chunks, embedded: embedder === undefined ? chunks : embedded }
}
