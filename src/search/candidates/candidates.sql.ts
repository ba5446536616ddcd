// SQL for candidates: selects the chunks to score, and computes their exact scores by words, the scores of their documents, and
// their similarities by meaning.

import sql, { empty, type Sql } from 'sql-template-tag'
import type { SemanticQuery } from '../../embed/embed.ts'
import { similarity } from '../../embed/nearest.sql.ts'
import type { Queryable } from '../../ports/db/db.ts'
import { inWorkspace, prepared } from '../../ports/db/prepared.sql.ts'
import { DOCUMENT_SHARE } from '../fusion.ts'
import type { RankedChunk } from '../memory/ranking.ts'
import { chunkColumns, type Hit, type HitRow, hitOf, joinChunk } from '../passage.sql.ts'
import {
  type ChunkSource,
  conditionsOf,
  type ResultConditions,
  sourceOfAllChunks,
  where,
} from './filter.sql.ts'
import { patternInAnyCase, patternOf } from './phrase.sql.ts'

export interface Candidate {
  chunk_id: string
  document_id: string
  /** BM25 of the chunk. */
  score: number
  /** BM25 of its whole document. Null for a document of one chunk. */
  document_score: number | null
  /** Cosine of the chunk's vector with the query's vector. Null if one of them has no vector. */
  similarity: number | null
}

/** Selects chunks that have any of the terms, or all terms of any of the sets. */
export interface TermFilter {
  oneOf: readonly number[]
  allOf: readonly (readonly number[])[]
}

/**
 * The scored chunks `c` of documents `d`, with the distance of each (its negative score). Candidates are in the order of their
 * distances and are joined with their documents one by one, so that a limit ends the join early.
 */
export function scoredChunks(
  workspaceId: string,
  required: ResultConditions,
  { queryVector, termFilter }: { queryVector: string; termFilter: TermFilter | undefined },
): ChunkSource & { distance: Sql } {
  const distance = sql`c.lex <#> ${queryVector}::sparsevec`
  if (!termFilter) return { ...sourceOfAllChunks(workspaceId, required), distance }
  const conditions = conditionsOf(workspaceId, required)
  const oneOf = termFilter.oneOf.length ? [...termFilter.oneOf] : null
  const allOf = termFilter.allOf.map((set) => `{${set.join()}}`)
  const functionArguments = sql`${workspaceId}, ${oneOf}::int[], ${allOf}::text[]`
  const document = sql`
    CROSS JOIN LATERAL (
      SELECT v.* FROM visible_document v
      WHERE ${inWorkspace(sql`v.workspace_id`, workspaceId)} AND v.version_id = c.version_id OFFSET 0) d`
  if (required.phrases.length === 0) {
    const best = sql`SELECT * FROM chunks_scored(${functionArguments}, ${queryVector}::sparsevec) ORDER BY distance, id`
    return { from: sql`(${best}) c ${document}`, conditions, distance: sql`c.distance` }
  }
  // Phrases are checked in the text, which `chunks_scored` does not return.
  const from = sql`chunks_holding(${functionArguments}) k
    CROSS JOIN LATERAL (
      SELECT v.* FROM visible_chunk v
      WHERE ${inWorkspace(sql`v.workspace_id`, workspaceId)} AND v.version_id = k.version_id AND v.chunk_no = k.chunk_no
      OFFSET 0) c
    ${document}`
  return { from, conditions, distance }
}

/** The query's vector, and how much a cosine of 1 adds to the score by words. */
export interface WeightedMeaning {
  query: SemanticQuery
  factor: number
}

interface ScoringRequest extends ResultConditions {
  queryVector: string
  termFilter: TermFilter | undefined
  meaning: WeightedMeaning | undefined
  /** Chunks of the workspace. */
  chunks: number
  limit: number
  /** The number of passages whose texts are read together with the candidates, in the same statement. */
  resultCount: number
}

export interface CandidateRows {
  /** Best first. */
  candidates: Candidate[]
  /** The passages that will most likely be shown. */
  hits: Hit[]
}

/**
 * The best chunks by the exact score. Without a `termFilter` every chunk is scored. The distance is computed once per row: a
 * condition on it, or its negative as another column, would double the time. The passages with the highest sum of the scores by
 * words, document and meaning are read in the same round trip, because they will most likely be shown. Others are read later by
 * their ids.
 */
export async function selectCandidates(
  db: Queryable,
  workspaceId: string,
  request: ScoringRequest,
): Promise<CandidateRows> {
  const scored = scoredChunks(workspaceId, request, request)
  const statement = sql`
    WITH ${rankedChunks(workspaceId, scored, request)}, ${bestPassages(workspaceId, request)}
    SELECT r.chunk_id, r.document_id, r.score, r.document_score, r.similarity,
      r.title AS document_title, r.path AS document_path, p.chunk_no, p.type, p.text, p.heading, p.page, p.language, p.terms
    FROM ranked r LEFT JOIN passage p ON p.chunk_id = r.chunk_id
    ORDER BY r.distance, r.chunk_id`
  // The plan may be cached if the function `chunks_scored` or `chunks_holding` returns the chunks. The best plan for reading
  // all chunks depends on the workspace's size.
  const mayCachePlan = request.termFilter !== undefined && scored.conditions.length === 1
  return candidateRowsOf(await db.rows(mayCachePlan ? prepared(statement, request.chunks) : statement))
}

/**
 * As `selectCandidates`, for candidates that were ranked in memory: reads their passages, and computes their similarities by
 * meaning.
 */
export async function selectRanked(
  db: Queryable,
  workspaceId: string,
  candidates: readonly RankedChunk[],
  scoring: Pick<ScoringRequest, 'meaning' | 'resultCount' | 'chunks'>,
): Promise<CandidateRows> {
  const columnOf = <T>(column: (one: RankedChunk) => T): T[] => candidates.map(column)
  const statement = sql`
    WITH ranked AS MATERIALIZED (
      SELECT c.*, ${scoring.meaning ? similarity(workspaceId, scoring.meaning.query) : sql`NULL::float8`} AS similarity
      FROM (
        SELECT ${workspaceId}::uuid AS workspace_id, c.*
        FROM unnest(${columnOf((one) => one.versionId)}::uuid[], ${columnOf((one) => one.chunkNo)}::int[],
          ${columnOf((one) => one.chunkId)}::uuid[], ${columnOf((one) => one.documentId)}::uuid[], ${columnOf((one) => one.score)}::float8[],
          ${columnOf((one) => one.documentScore)}::float8[])
          AS c (version_id, chunk_no, chunk_id, document_id, score, document_score)
      ) c
    ), ${bestPassages(workspaceId, scoring)}, titled AS MATERIALIZED (
      SELECT p.*, d.title, d.path FROM passage p CROSS JOIN LATERAL (
        SELECT v.title, v.path FROM visible_document v
        WHERE ${inWorkspace(sql`v.workspace_id`, workspaceId)} AND v.version_id = p.version_id OFFSET 0) d
    )
    SELECT r.chunk_id, r.document_id, r.score, r.document_score, r.similarity,
      p.title AS document_title, p.path AS document_path, p.chunk_no, p.type, p.text, p.heading, p.page, p.language, p.terms
    FROM ranked r LEFT JOIN titled p ON p.chunk_id = r.chunk_id
    ORDER BY r.score DESC, r.chunk_id`
  return candidateRowsOf(await db.rows(prepared(statement, scoring.chunks)))
}

function candidateRowsOf(rows: readonly (Candidate & (HitRow | { text: null }))[]): CandidateRows {
  return {
    candidates: rows.map(({ chunk_id, document_id, score, document_score, similarity }) => ({
      chunk_id,
      document_id,
      score,
      document_score,
      similarity,
    })),
    hits: rows.flatMap((row) => (row.text === null ? [] : [hitOf(row)])),
  }
}

/** CTE `ranked`: the best chunks by words, with the scores of their documents and their similarities by meaning. */
const rankedChunks = (
  workspaceId: string,
  { from, conditions, distance }: ReturnType<typeof scoredChunks>,
  { queryVector, meaning, limit }: ScoringRequest,
): Sql => sql`
    c AS MATERIALIZED (
      SELECT ${workspaceId}::uuid AS workspace_id, c.version_id, c.chunk_no, c.id AS chunk_id, d.id AS document_id,
        d.title, d.path, ${distance} AS distance
      FROM ${from}
      ${where(conditions)}
      ORDER BY distance, c.id
      LIMIT ${limit}
    ), whole AS MATERIALIZED (
      SELECT found.version_id, v.distance
      FROM (SELECT DISTINCT version_id FROM c WHERE distance < 0) found
      CROSS JOIN LATERAL (
        SELECT lex <#> ${queryVector}::sparsevec AS distance FROM version
        WHERE workspace_id = ${workspaceId} AND id = found.version_id OFFSET 0) v
    ), ranked AS MATERIALIZED (
      SELECT c.*, -c.distance AS score, -whole.distance AS document_score,
        ${meaning ? similarity(workspaceId, meaning.query) : sql`NULL::float8`} AS similarity
      FROM c JOIN whole ON whole.version_id = c.version_id
      WHERE c.distance < 0
    )`

/**
 * CTE `passage`: the whole chunks with the highest sum of scores, as fusion.ts computes it. Materialised, because a planner
 * that expects one candidate would read the chunks again for each candidate, which took three times as long.
 */
const bestPassages = (
  workspaceId: string,
  { meaning, resultCount }: Pick<ScoringRequest, 'meaning' | 'resultCount'>,
): Sql => sql`
    summed AS MATERIALIZED (
      SELECT version_id, chunk_no, chunk_id, similarity, ${1 - DOCUMENT_SHARE}::float8 * score
        + ${DOCUMENT_SHARE}::float8 * coalesce(document_score, score) AS total FROM ranked
    ), foremost AS MATERIALIZED (
      SELECT s.chunk_id, s.version_id, s.chunk_no FROM summed s
      ORDER BY s.total ${meaning ? meaningScore(meaning.factor) : empty} DESC, s.chunk_id LIMIT ${resultCount}
    ), passage AS MATERIALIZED (
      SELECT f.chunk_id, f.version_id, ${chunkColumns} FROM foremost f
      ${joinChunk(workspaceId, sql`v.version_id = f.version_id AND v.chunk_no = f.chunk_no`)}
    )`

const meaningScore = (factor: number): Sql =>
  sql`+ ${factor}::float8 * greatest(0, coalesce(s.similarity, 0))`

// The maximum number of chunks with the text that are scored. A text in more chunks is not a name.
const MAX_CHUNKS_WITH_TEXT = 1000

/** Chunks that contain the text as whole words, ignoring letter case. Occurrences in the same case count three times. */
export const selectChunksWithText = (
  db: Queryable,
  workspaceId: string,
  request: ResultConditions & { text: string; limit: number },
): Promise<Candidate[]> => {
  const { from, conditions } = sourceOfAllChunks(workspaceId, request)
  const asWords = (pattern: string): string => `(?<![[:alnum:]])${pattern}(?![[:alnum:]])`
  const pattern = asWords(patternOf(request.text))
  const anyCase = asWords(patternInAnyCase(request.text))
  return db.rows(sql`
    SELECT chunk_id, document_id, times / (times + 3.0) AS score, NULL::float8 AS document_score,
      NULL::float8 AS similarity
    FROM (
      SELECT chunk_id, document_id,
        (2 * regexp_count(whole, ${pattern}) + regexp_count(whole, ${anyCase}))::float8 AS times
      FROM (
        SELECT c.id AS chunk_id, d.id AS document_id, concat_ws(' ', d.title, c.heading, c.text) AS whole
        FROM ${from} ${where(conditions)}
      ) every_chunk
      WHERE whole ~ ${anyCase} ORDER BY chunk_id LIMIT ${MAX_CHUNKS_WITH_TEXT}
    ) matching
    ORDER BY score DESC, chunk_id LIMIT ${request.limit}`)
}
