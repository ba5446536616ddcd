// SQL for vector spaces, and for the state of each space in a workspace (migrations/0009_vectors.sql).

import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db, Queryable } from '../ports/db/db.ts'

export interface Space {
  id: number
  /** `sentence-1`, `onnx:MODEL` or `openai:MODEL`. */
  embedder: string
  dimensions: number
  index: 'vector' | 'halfvec' | null
}

export interface WorkspaceSpace extends Space {
  state: 'filling' | 'serving' | 'retired'
}

/** The workspace's spaces, oldest first. */
export const selectSpaces = (db: Queryable, workspaceId: string): Promise<WorkspaceSpace[]> =>
  db.rows(sql`
    SELECT s.id, s.embedder, s.dimensions, s.index, w.state
    FROM workspace_space w JOIN vector_space s ON s.id = w.space_id
    WHERE w.workspace_id = ${workspaceId} ORDER BY s.id`)

/** A query for the serving space of a workspace, which has at most one. */
export const servingSpace = (workspaceId: string): Sql => sql`
  SELECT s.id, s.embedder, s.dimensions, s.index
  FROM workspace_space w JOIN vector_space s ON s.id = w.space_id
  WHERE w.workspace_id = ${workspaceId} AND w.state = 'serving'`

export async function selectServing(db: Queryable, workspaceId: string): Promise<Space | undefined> {
  const [space] = await db.rows<Space>(servingSpace(workspaceId))
  return space
}

export async function hasChunks(db: Queryable, workspaceId: string): Promise<boolean> {
  const rows = await db.rows(sql`
    SELECT 1 FROM document WHERE workspace_id = ${workspaceId} AND chunk_count > 0 LIMIT 1`)
  return rows.length > 0
}

// pgvector can index a `vector` of up to 2,000 dimensions and a `halfvec` of up to 4,000. With more dimensions there is no
// index, and all vectors are compared.
const MAX_INDEXED_DIMENSIONS = { vector: 2000, halfvec: 4000 }

/**
 * The space that all workspaces share for a model. If it does not exist, it is created with its index. The index is created
 * while the space is empty and grows row by row: building it for 100,000 chunks would block the embedded engine for 222 s.
 */
export const findOrCreateSpace = (db: Db, embedder: string, dimensions: number): Promise<Space> =>
  db.tx(async (tx) => {
    const index = await indexFor(tx, dimensions)
    const [newSpace] = await tx.rows<{ id: number }>(sql`
      INSERT INTO vector_space (embedder, dimensions, index) VALUES (${embedder}, ${dimensions}, ${index})
      ON CONFLICT DO NOTHING RETURNING id`)
    if (newSpace && index) await createIndex(tx, { id: newSpace.id, dimensions, index })
    const [space] = await tx.rows<Space>(sql`
      SELECT id, embedder, dimensions, index FROM vector_space
      WHERE workspace_id IS NULL AND embedder = ${embedder} AND dimensions = ${dimensions}`)
    if (!space) throw new Error('a vector space disappeared while it was being created')
    return space
  })

/**
 * The type of the index: half precision on a PostgreSQL server. On PGlite half precision is ten times slower, and is used only
 * for vectors that are too long for an index of full precision.
 */
async function indexFor(tx: Queryable, dimensions: number): Promise<Space['index']> {
  const [row] = await tx.rows<{ wasm: boolean }>(sql`
    SELECT version() ~* 'emscripten|wasm' AS wasm`)
  const isFullPrecision = row?.wasm === true && dimensions <= MAX_INDEXED_DIMENSIONS.vector
  return isFullPrecision ? 'vector' : dimensions <= MAX_INDEXED_DIMENSIONS.halfvec ? 'halfvec' : null
}

async function createIndex(
  tx: Queryable,
  space: { id: number; dimensions: number; index: 'vector' | 'halfvec' },
): Promise<void> {
  // Vectors have length 1, so the inner product gives the same order as the cosine and is cheaper.
  await tx.rows(
    raw(`CREATE INDEX chunk_vector_space_${space.id} ON chunk_vector
      USING hnsw ((v::${space.index}(${space.dimensions})) ${space.index}_ip_ops) WHERE space_id = ${space.id}`),
  )
}

/**
 * Locks the workspace against deletion, so that a purge begins only after this transaction. Returns false if the workspace was
 * deleted.
 */
async function lockWorkspace(tx: Queryable, workspaceId: string): Promise<boolean> {
  const rows = await tx.rows(sql`
    SELECT 1 FROM workspace WHERE id = ${workspaceId} AND deleted_at IS NULL FOR SHARE`)
  return rows.length > 0
}

/**
 * Starts to fill a space of the workspace, which may be a space that it had before. Returns false if the workspace was deleted.
 */
export const startFilling = (db: Db, workspaceId: string, spaceId: number): Promise<boolean> =>
  db.tx(async (tx) => {
    if (!(await lockWorkspace(tx, workspaceId))) return false
    await tx.rows(sql`
      INSERT INTO workspace_space (workspace_id, space_id, state) VALUES (${workspaceId}, ${spaceId}, 'filling')
      ON CONFLICT (workspace_id, space_id) DO UPDATE SET state = 'filling'`)
    return true
  })

export async function retireSpaces(db: Queryable, workspaceId: string, spaceIds: number[]): Promise<void> {
  if (spaceIds.length === 0) return
  await db.rows(sql`
    UPDATE workspace_space SET state = 'retired'
    WHERE workspace_id = ${workspaceId} AND space_id = ANY (${spaceIds}::int[]) AND state <> 'retired'`)
}

/** Makes the space the serving one. Searches use it from now on. */
export const serveSpace = (db: Db, workspaceId: string, spaceId: number): Promise<void> =>
  db.tx(async (tx) => {
    await tx.rows(sql`
      UPDATE workspace_space SET state = 'retired' WHERE workspace_id = ${workspaceId} AND state = 'serving'`)
    await tx.rows(sql`
      UPDATE workspace_space SET state = 'serving'
      WHERE workspace_id = ${workspaceId} AND space_id = ${spaceId} AND state = 'filling'`)
  })

/** Removes a swept space from the workspace. A space that belongs only to this workspace is deleted. */
export const deleteSpace = (db: Db, workspaceId: string, spaceId: number): Promise<void> =>
  db.tx(async (tx) => {
    await tx.rows(sql`
      DELETE FROM workspace_space
      WHERE workspace_id = ${workspaceId} AND space_id = ${spaceId} AND state = 'retired'`)
    await tx.rows(sql`DELETE FROM vector_space WHERE id = ${spaceId} AND workspace_id = ${workspaceId}`)
  })
