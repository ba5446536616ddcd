// The vectors of many documents at once, as a finished round of embedding leaves them.

import sql from 'sql-template-tag'
import type { Queryable } from '../../src/ports/db/db.ts'

export interface ChunkVector {
  versionId: string
  chunkNo: number
  vector: Float32Array
}

export async function insertVectors(
  db: Queryable,
  workspaceId: string,
  { spaceId, rows }: { spaceId: number; rows: readonly ChunkVector[] },
): Promise<void> {
  const versionIds = rows.map(({ versionId }) => versionId)
  await db.rows(sql`
    INSERT INTO chunk_vector (workspace_id, space_id, version_id, chunk_no, v)
    SELECT ${workspaceId}, ${spaceId}::int, r.version_id, r.chunk_no, r.v::vector
    FROM unnest(${versionIds}::uuid[], ${rows.map(({ chunkNo }) => chunkNo)}::int[],
      ${rows.map(({ vector }) => `[${vector.join()}]`)}::text[]) AS r (version_id, chunk_no, v)`)
  await db.rows(sql`
    INSERT INTO version_space (workspace_id, version_id, space_id, state)
    SELECT ${workspaceId}, r.id, ${spaceId}::int, 'filled'
    FROM (SELECT DISTINCT unnest(${versionIds}::uuid[]) AS id) r`)
}
