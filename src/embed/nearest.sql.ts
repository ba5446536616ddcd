// SQL for the vectors of chunks: the similarity of one chunk, and the nearest chunks of a workspace.

import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Db, Queryable } from '../ports/db/db.ts'
import type { SemanticQuery } from './embed.ts'

/**
 * The inner product of the vector of `chunk c` and that of the query, as a scalar subquery. NULL if the chunk has no vector
 * yet.
 */
export const similarity = (workspaceId: string, query: SemanticQuery): Sql => sql`(
  SELECT -(s.v <#> ${query.vector}::vector) FROM chunk_vector s
  WHERE s.workspace_id = ${workspaceId} AND s.version_id = c.version_id AND s.chunk_no = c.chunk_no
    AND s.space_id = ${query.space.id})`

/** The cosines of the given chunks with a vector. Chunks that have no vector yet are left out. */
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

// Two thousand chunks are enough for a mean. Ids of versions are random, so the first chunks in their order are a random
// sample.
const SAMPLE_CHUNKS = 2000

/** The mean cosine of a workspace's chunks with a vector. Null if no chunk has a vector in the space. */
export async function selectMeanSimilarity(
  db: Queryable,
  workspaceId: string,
  { spaceId, vector }: { spaceId: number; vector: string },
): Promise<number | null> {
  const [row] = await db.rows<{ mean: number | null }>(sql`
    SELECT avg(-(sample.v <#> ${vector}::vector))::float8 AS mean FROM (
      SELECT v FROM chunk_vector
      WHERE workspace_id = ${workspaceId} AND space_id = ${spaceId} AND v IS NOT NULL
      ORDER BY version_id, chunk_no LIMIT ${SAMPLE_CHUNKS}) sample`)
  return row?.mean ?? null
}

export interface Nearest {
  chunk_id: string
  document_id: string
  /** Cosine with the query. */
  similarity: number
  /** BM25 of the chunk. */
  score: number
  /** BM25 of the whole document. Null for a document of one chunk. */
  document_score: number | null
}

export interface NearestRequest {
  limit: number
  /** The query's term weights as a vector, whose inner product with `lex` is BM25 (search/query/query.ts, `queryVectorOf`). */
  queryVector: string
  /** The number of chunks of the workspace. It decides whether all chunks are compared or the index is used. */
  chunks: number
  /** Conditions on `document d` and `chunk c`. */
  conditions: readonly Sql[]
}

// In smaller workspaces all chunks are compared. A workspace with 1,000 of 100,000 chunks takes 9.6 ms with recall 1.0; with
// the index it takes 155 ms with recall .757.
const MIN_CHUNKS_FOR_INDEX = 5000
// The length of the candidate list of pgvector's index search. With its default of 40 at most 40 rows are found. With 100,
// recall@50 is .96 to .998.
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
  if (index === null || request.chunks < MIN_CHUNKS_FOR_INDEX)
    return compareAll(db, workspaceId, query, request)
  const nearest = await searchIndex(db, workspaceId, { ...query, space: { ...query.space, index } }, request)
  // The index scan stops after 20,000 steps. If a filter passes few chunks, or if the workspace has a small share of the rows,
  // it finds too few chunks. Then all chunks are compared.
  const isShort = nearest.length < Math.min(request.limit, request.chunks)
  return isShort ? compareAll(db, workspaceId, query, request) : nearest
}

const sourceOfVectors = (workspaceId: string, query: SemanticQuery, conditions: readonly Sql[]): Sql => sql`
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
    withScoresByWords(
      workspaceId,
      queryVector,
      sql`
        SELECT c.id AS chunk_id, d.id AS document_id, c.version_id, c.chunk_no,
          -(s.v <#> ${query.vector}::vector) AS similarity
        ${sourceOfVectors(workspaceId, query, conditions)}
        ORDER BY s.v <#> ${query.vector}::vector, c.id LIMIT ${limit}`,
    ),
  )

/** The nearest chunks with their scores by words, which are computed only for these chunks. */
const withScoresByWords = (workspaceId: string, queryVector: string, nearest: Sql): Sql => sql`
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
 * The space and the cast are literals in the statement, because otherwise the planner cannot use the partial expression index.
 * If several chunks are equally near, it is not defined which of them is found last.
 */
function searchIndex(
  db: Db,
  workspaceId: string,
  query: SemanticQuery & { space: { index: 'vector' | 'halfvec' } },
  { limit, queryVector, conditions }: NearestRequest,
): Promise<Nearest[]> {
  const castType = raw(`${query.space.index}(${query.space.dimensions})`)
  return db.tx(async (tx) => {
    await tx.rows(sql`
      SELECT set_config('hnsw.ef_search', ${String(Math.min(Math.max(EF_SEARCH, limit), MAX_EF_SEARCH))}, true),
        set_config('hnsw.iterative_scan', 'relaxed_order', true)`)
    return tx.rows<Nearest>(
      withScoresByWords(
        workspaceId,
        queryVector,
        sql`
          SELECT c.id AS chunk_id, d.id AS document_id, c.version_id, c.chunk_no,
            -((s.v::${castType}) <#> ${query.vector}::${castType}) AS similarity
          ${sourceOfVectors(workspaceId, query, conditions)}
          ORDER BY (s.v::${castType}) <#> ${query.vector}::${castType} LIMIT ${limit}`,
      ),
    )
  })
}
