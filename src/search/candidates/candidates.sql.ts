// Candidates as SQL: which chunks are scored, and one exact score for each with its document and its meaning
// (design/search.md, "Lexical").

import sql, { type Sql } from 'sql-template-tag'
import type { SemanticQuery } from '../../embed/embed.ts'
import { similarity } from '../../embed/nearest.sql.ts'
import type { Queryable } from '../../ports/db/db.ts'
import { inWorkspace, kept } from '../../ports/db/kept.sql.ts'
import { conditionsOf, type Read, type Required, readAll, where } from './filter.sql.ts'

export interface Candidate {
  chunk_id: string
  document_id: string
  /** BM25 of the chunk. */
  score: number
  /** BM25 of its whole document; null when its terms were not gathered. */
  document_score: number | null
  /** Cosine with the query's vector; null without one. */
  similarity: number | null
}

/** Chunks that hold any of the terms, or all terms of any of the sets. */
export interface Holding {
  oneOf: readonly number[]
  allOf: readonly (readonly number[])[]
}

/**
 * `c`: the chunks that are scored, of documents `d`, and the distance of each. Candidates come in the order of their
 * distance and are asked for their document one by one, so that a limit ends it: 20,000 documents were joined whole for
 * a hundred, 15 of 24 ms.
 */
export function scoredChunks(
  workspaceId: string,
  required: Required,
  { side, holding }: { side: string; holding: Holding | undefined },
): Read & { distance: Sql } {
  const scored = sql`c.lex <#> ${side}::sparsevec`
  if (!holding) return { ...readAll(workspaceId, required), distance: scored }
  const conditions = conditionsOf(workspaceId, required)
  const oneOf = holding.oneOf.length ? [...holding.oneOf] : null
  const allOf = holding.allOf.map((set) => `{${set.join()}}`)
  const held = sql`${workspaceId}, ${oneOf}::int[], ${allOf}::text[]`
  const document = sql`
    CROSS JOIN LATERAL (
      SELECT v.* FROM visible_document v
      WHERE ${inWorkspace(sql`v.workspace_id`, workspaceId)} AND v.version_id = c.version_id OFFSET 0) d`
  if (required.phrases.length === 0) {
    const best = sql`SELECT * FROM chunks_scored(${held}, ${side}::sparsevec) ORDER BY distance, id`
    return { from: sql`(${best}) c ${document}`, conditions, distance: sql`c.distance` }
  }
  // Phrases are looked for in the text, which does not come along.
  const from = sql`chunks_holding(${held}) k
    JOIN visible_chunk c ON c.workspace_id = k.workspace_id AND c.version_id = k.version_id AND c.chunk_no = k.chunk_no
    ${document}`
  return { from, conditions, distance: scored }
}

/**
 * The best chunks by the exact score; `holding` narrows to some of them (by GIN, see
 * migrations/0024_scored_candidates.sql), without it every chunk is scored. The distance is computed once a row: a
 * condition on it, or its negative beside it, would double the time. Documents are scored once each.
 */
export const selectCandidates = (
  db: Queryable,
  workspaceId: string,
  wanted: Required & {
    side: string
    holding: Holding | undefined
    meaning: SemanticQuery | undefined
    /** How many there are in the workspace. */
    chunks: number
    limit: number
  },
): Promise<Candidate[]> => {
  const { side, holding, meaning, limit } = wanted
  const scored = scoredChunks(workspaceId, wanted, { side, holding })
  const statement = sql`
    WITH c AS MATERIALIZED (
      SELECT ${workspaceId}::uuid AS workspace_id, c.version_id, c.chunk_no, c.id AS chunk_id, d.id AS document_id,
        ${scored.distance} AS distance
      FROM ${scored.from}
      ${where(scored.conditions)}
      ORDER BY distance, c.id
      LIMIT ${limit}
    ), whole AS MATERIALIZED (
      SELECT found.version_id, v.distance
      FROM (SELECT DISTINCT version_id FROM c WHERE distance < 0) found
      CROSS JOIN LATERAL (
        SELECT lex <#> ${side}::sparsevec AS distance FROM version
        WHERE workspace_id = ${workspaceId} AND id = found.version_id OFFSET 0) v
    )
    SELECT c.chunk_id, c.document_id, -c.distance AS score, -whole.distance AS document_score,
      ${meaning ? similarity(meaning) : sql`NULL::float8`} AS similarity
    FROM c JOIN whole ON whole.version_id = c.version_id
    WHERE c.distance < 0
    ORDER BY c.distance, c.chunk_id`
  // A function brings its chunks, however large the workspace is; how all of them are read best depends on that.
  const isHeld = holding !== undefined && scored.conditions.length === 1
  return db.rows(isHeld ? kept(statement, wanted.chunks) : statement)
}
