// What tests look up about vectors.

import sql from 'sql-template-tag'
import type { Db } from '../../src/ports/db/db.ts'

export interface VectorCounts {
  serving: number | null
  /** Live chunks, and those with a row in the serving space. */
  chunks: number
  embedded: number
  /** Of those, refused by the model. */
  refused: number
  /** Rows of any space, and spaces. */
  vectors: number
  spaces: number
  own_spaces: number
  /** Vectors whose version and space have no mark: nobody would ever sweep them. */
  lost: number
}

export async function vectorCounts(db: Db, workspaceId: string): Promise<VectorCounts> {
  const [row] = await db.rows<VectorCounts>(sql`
    WITH live AS (
      SELECT c.version_id, c.chunk_no FROM chunk c
      JOIN document d ON d.workspace_id = c.workspace_id AND d.version_id = c.version_id
      WHERE c.workspace_id = ${workspaceId}
    ), serving AS (
      SELECT space_id FROM workspace_space WHERE workspace_id = ${workspaceId} AND state = 'serving'
    ), vectors AS (SELECT * FROM chunk_vector WHERE workspace_id = ${workspaceId})
    SELECT (SELECT space_id FROM serving) AS serving,
      (SELECT count(*) FROM live)::int AS chunks,
      (SELECT count(*) FROM live JOIN vectors USING (version_id, chunk_no) JOIN serving USING (space_id))::int
        AS embedded,
      (SELECT count(*) FROM live JOIN vectors USING (version_id, chunk_no) JOIN serving USING (space_id)
        WHERE v IS NULL)::int AS refused,
      (SELECT count(*) FROM vectors)::int AS vectors,
      (SELECT count(*) FROM workspace_space WHERE workspace_id = ${workspaceId})::int AS spaces,
      (SELECT count(*) FROM vector_space WHERE workspace_id = ${workspaceId})::int AS own_spaces,
      (SELECT count(*) FROM vectors v WHERE NOT EXISTS (SELECT 1 FROM version_space m
        WHERE m.workspace_id = ${workspaceId} AND m.version_id = v.version_id AND m.space_id = v.space_id))::int
        AS lost`)
  if (!row) throw new Error('no row')
  return row
}
