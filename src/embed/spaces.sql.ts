// Spaces, and which of them a workspace is searched in (migrations/0009_vectors.sql).

import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db, Queryable } from '../ports/db/db.ts'

export interface Space {
  id: number
  /** sentence-1, onnx:<model>, openai:<model> */
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

/** The workspace's one serving space, as a subquery. */
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

// pgvector can index a vector of up to 2,000 dimensions and a halfvec of up to 4,000; beyond that all are compared.
const MAX_INDEXED = { vector: 2000, halfvec: 4000 }

/**
 * The space that all workspaces share for a model, created with its index if it does not exist. The index is created while
 * the space is empty and grows row by row: building it later blocked the embedded engine for 222 s at 100,000 chunks.
 */
export const takeSpace = (db: Db, embedder: string, dimensions: number): Promise<Space> =>
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

/** Half precision, except on PGlite, where it is ten times slower and only used if it has to be. */
async function indexFor(tx: Queryable, dimensions: number): Promise<Space['index']> {
  const [row] = await tx.rows<{ wasm: boolean }>(sql`
    SELECT version() ~* 'emscripten|wasm' AS wasm`)
  const whole = row?.wasm === true && dimensions <= MAX_INDEXED.vector
  return whole ? 'vector' : dimensions <= MAX_INDEXED.halfvec ? 'halfvec' : null
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

/** Locks out a concurrent deletion: the purge begins after this transaction. */
async function holdWorkspace(tx: Queryable, workspaceId: string): Promise<boolean> {
  const rows = await tx.rows(sql`
    SELECT 1 FROM workspace WHERE id = ${workspaceId} AND deleted_at IS NULL FOR SHARE`)
  return rows.length > 0
}

/** Lets the workspace fill a space, also one that it had before. False when the workspace was deleted. */
export const startFilling = (db: Db, workspaceId: string, spaceId: number): Promise<boolean> =>
  db.tx(async (tx) => {
    if (!(await holdWorkspace(tx, workspaceId))) return false
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

/** The moment at which searches switch to the space. */
export const serveSpace = (db: Db, workspaceId: string, spaceId: number): Promise<void> =>
  db.tx(async (tx) => {
    await tx.rows(sql`
      UPDATE workspace_space SET state = 'retired' WHERE workspace_id = ${workspaceId} AND state = 'serving'`)
    await tx.rows(sql`
      UPDATE workspace_space SET state = 'serving'
      WHERE workspace_id = ${workspaceId} AND space_id = ${spaceId} AND state = 'filling'`)
  })

/** Removes a swept space from the workspace; a space of this workspace only is deleted. */
export const deleteSpace = (db: Db, workspaceId: string, spaceId: number): Promise<void> =>
  db.tx(async (tx) => {
    await tx.rows(sql`
      DELETE FROM workspace_space
      WHERE workspace_id = ${workspaceId} AND space_id = ${spaceId} AND state = 'retired'`)
    await tx.rows(sql`DELETE FROM vector_space WHERE id = ${spaceId} AND workspace_id = ${workspaceId}`)
  })
