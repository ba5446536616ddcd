// Chunks by their vectors: the similarity of one chunk, and the nearest chunks of a workspace.

import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Db, Queryable } from '../ports/db/db.ts'
import type { SemanticQuery } from './embed.ts'

/** Cosine of `chunk c` with the query, as a scalar subquery; NULL if the chunk has no vector yet. */
export const similarity = (workspaceId: string, query: SemanticQuery): Sql => sql`(
  SELECT -(s.v <#> ${query.vector}::vector) FROM chunk_vector s
  WHERE s.workspace_id = ${workspaceId} AND s.version_id = c.version_id AND s.chunk_no = c.chunk_no
    AND s.space_id = ${query.space.id})`

/** Cosines of given chunks with a vector; none of a chunk that has no vector yet. */
export const selectSimilarities = (
  db: Queryable,
  workspaceId: string,
  { spaceId, vector, chunkIds }: { spaceId: number; vector: string; chunkIds: readonly string[] },
): Promise<{ chunk_id: string; similarity: number }[]> =>
  db.rows(sql`
    SELECT c.id AS chunk_id, -(s.v <#> ${vector}::vector) AS similarity
    FROM chunk c
    JOIN chunk_vector s ON s.workspace_id = c.workspace_id AND s.version_id = c.version_id AND s.chunk_no = c.chunk_no
    WHERE c.workspace_id = ${workspaceId} AND s.workspace_id = ${workspaceId} AND s.space_id = ${spaceId}
      AND c.id = ANY (${[...chunkIds]}::uuid[]) AND s.v IS NOT NULL`)

// Some two thousand chunks tell how near a question is to a workspace as a whole; ids of versions are random.
const SAMPLE = 2000

/** The mean cosine of a workspace's chunks with a vector; null without chunks that have one. */
export async function selectMeanSimilarity(
  db: Queryable,
  workspaceId: string,
  { spaceId, vector }: { spaceId: number; vector: string },
): Promise<number | null> {
  const [row] = await db.rows<{ mean: number | null }>(sql`
    SELECT avg(-(sample.v <#> ${vector}::vector))::float8 AS mean FROM (
      SELECT v FROM chunk_vector
      WHERE workspace_id = ${workspaceId} AND space_id = ${spaceId} AND v IS NOT NULL
      ORDER BY version_id, chunk_no LIMIT ${SAMPLE}) sample`)
  return row?.mean ?? null
}

export interface Nearest {
  chunk_id: string
  document_id: string
  /** Cosine with the query. */
  similarity: number
  /** BM25 of the chunk, and of its whole document; null for a document of one chunk. */
  score: number
  document_score: number | null
}

export interface NearestRequest {
  limit: number
  /** The query side of the inner product that is BM25 (search/query/query.ts, sideOf). */
  queryVector: string
  /** How many chunks the workspace has: decides whether all are compared or the index is used. */
  chunks: number
  /** On `document d` and `chunk c`. */
  conditions: readonly Sql[]
}

// A workspace of 1,000 of 100,000 chunks: exact 9.6 ms and recall 1.0, the index 155 ms and .757.
const EXACT_BELOW = 5000
// 40, the default, finds at most 40 rows; 100 has recall@50 .96 to .998.
const EF_SEARCH = 100
const MAX_EF_SEARCH = 1000

/** The nearest live chunks, best first, ties by id. */
export async function selectNearest(
  db: Db,
  workspaceId: string,
  query: SemanticQuery,
  request: NearestRequest,
): Promise<Nearest[]> {
  const { index } = query.space
  if (index === null || request.chunks < EXACT_BELOW) return compareAll(db, workspaceId, query, request)
  const nearest = await askIndex(db, workspaceId, { ...query, space: { ...query.space, index } }, request)
  // The index stops after 20,000 steps: behind a narrow filter, or for a small share of its rows, all are compared instead.
  const isShort = nearest.length < Math.min(request.limit, request.chunks)
  return isShort ? compareAll(db, workspaceId, query, request) : nearest
}

const source = (workspaceId: string, query: SemanticQuery, conditions: readonly Sql[]): Sql => sql`
  FROM chunk_vector s
  JOIN document d ON d.workspace_id = s.workspace_id AND d.version_id = s.version_id
  JOIN chunk c ON c.workspace_id = s.workspace_id AND c.version_id = s.version_id AND c.chunk_no = s.chunk_no
  WHERE ${join(
    [
      sql`s.workspace_id = ${workspaceId}`,
      sql`s.space_id = ${raw(String(query.space.id))}`,
      sql`s.v IS NOT NULL`,
      ...conditions,
    ],
    ' AND ',
  )}`

const compareAll = (
  db: Queryable,
  workspaceId: string,
  query: SemanticQuery,
  { limit, queryVector, conditions }: NearestRequest,
): Promise<Nearest[]> =>
  db.rows(
    withWords(
      workspaceId,
      queryVector,
      sql`
        SELECT c.id AS chunk_id, d.id AS document_id, c.version_id, c.chunk_no,
          -(s.v <#> ${query.vector}::vector) AS similarity
        ${source(workspaceId, query, conditions)}
        ORDER BY s.v <#> ${query.vector}::vector, c.id LIMIT ${limit}`,
    ),
  )

/** The nearest with their scores by words, which are computed for them alone. */
const withWords = (workspaceId: string, queryVector: string, nearest: Sql): Sql => sql`
  WITH near AS MATERIALIZED (${nearest})
  SELECT n.chunk_id, n.document_id, n.similarity, -(c.lex <#> ${queryVector}::sparsevec) AS score,
    -(v.lex <#> ${queryVector}::sparsevec) AS document_score
  FROM near n
  CROSS JOIN LATERAL (
    SELECT lex FROM chunk
    WHERE workspace_id = ${workspaceId} AND version_id = n.version_id AND chunk_no = n.chunk_no OFFSET 0) c
  CROSS JOIN LATERAL (
    SELECT lex FROM version WHERE workspace_id = ${workspaceId} AND id = n.version_id OFFSET 0) v
  ORDER BY n.similarity DESC, n.chunk_id`

/**
 * Space and cast are literals in the statement: otherwise the planner cannot use the partial expression index. Which of
 * several equally near chunks is the last one found is not defined.
 */
function askIndex(
  db: Db,
  workspaceId: string,
  query: SemanticQuery & { space: { index: 'vector' | 'halfvec' } },
  { limit, queryVector, conditions }: NearestRequest,
): Promise<Nearest[]> {
  const form = raw(`${query.space.index}(${query.space.dimensions})`)
  return db.tx(async (tx) => {
    await tx.rows(sql`
      SELECT set_config('hnsw.ef_search', ${String(Math.min(Math.max(EF_SEARCH, limit), MAX_EF_SEARCH))}, true),
        set_config('hnsw.iterative_scan', 'relaxed_order', true)`)
    return tx.rows<Nearest>(
      withWords(
        workspaceId,
        queryVector,
        sql`
          SELECT c.id AS chunk_id, d.id AS document_id, c.version_id, c.chunk_no,
            -((s.v::${form}) <#> ${query.vector}::${form}) AS similarity
          ${source(workspaceId, query, conditions)}
          ORDER BY (s.v::${form}) <#> ${query.vector}::${form} LIMIT ${limit}`,
      ),
    )
  })
}
