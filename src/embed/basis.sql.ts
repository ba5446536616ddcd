// The sample of chunks that a fit reads, and the basis that it writes, a row per term, so that a query reads a dozen rows
// and not five megabytes.

import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'
import type { Basis, BasisRow } from './fit.ts'

export interface SampledChunk {
  id: string
  /** As `sparsevec_send` gives it. */
  lex: Buffer
  /** Numbers of its single words, as `array_send` gives them. */
  words: Buffer
}

/** Live chunks in the order of their ids, which are hashes: the first ones are a random sample, always the same. */
export const selectSample = (
  db: Queryable,
  workspaceId: string,
  after: string,
  most: number,
): Promise<SampledChunk[]> =>
  db.rows(sql`
    SELECT c.id, sparsevec_send(c.lex) AS lex, array_send(CASE c.pairs WHEN 0 THEN c.terms ELSE ARRAY(
      SELECT t.term FROM unnest(c.terms, c.words) AS t (term, word) WHERE strpos(t.word, ' ') = 0) END) AS words
    FROM chunk c
    JOIN document d ON d.workspace_id = c.workspace_id AND d.version_id = c.version_id
    WHERE c.workspace_id = ${workspaceId} AND c.id > ${after}
    ORDER BY c.id LIMIT ${most}`)

/** Writes rows of the basis; false when the space is no longer being fitted, for example because its workspace was deleted. */
export async function insertBasis(
  db: Queryable,
  key: { workspaceId: string; spaceId: number },
  basis: Basis,
  { from, upto }: { from: number; upto: number },
): Promise<boolean> {
  const { dimensions, terms, scales, vectors } = basis
  const places = Array.from({ length: Math.min(upto, terms.length) - from }, (_, i) => from + i)
  const parts = places.map((at) => Buffer.from(vectors.subarray(at * dimensions, (at + 1) * dimensions)))
  const rows = await db.rows(sql`
    INSERT INTO lexical_basis (workspace_id, space_id, term, scale, v)
    SELECT w.workspace_id, w.space_id, r.*
    FROM workspace_space w CROSS JOIN unnest(${places.map((at) => terms[at])}::int[],
      ${places.map((at) => scales[at])}::real[], ${parts}::bytea[]) AS r
    WHERE w.workspace_id = ${key.workspaceId} AND w.space_id = ${key.spaceId} AND w.state = 'fitting'
    FOR SHARE OF w
    RETURNING 1`)
  return rows.length === places.length
}

/** Marks the basis as complete: the space may be filled. */
export async function finishFit(
  db: Queryable,
  key: { workspaceId: string; spaceId: number },
): Promise<boolean> {
  const rows = await db.rows(sql`
    UPDATE workspace_space SET state = 'filling'
    WHERE workspace_id = ${key.workspaceId} AND space_id = ${key.spaceId} AND state = 'fitting' RETURNING 1`)
  return rows.length > 0
}

/** Joins the rows of the basis, `b.scale` and `b.v`, to the terms of `q`, each looked up by its key. */
export const basisOf = (workspaceId: string, spaceId: number): Sql => sql`
  LEFT JOIN LATERAL (
    SELECT scale, v FROM lexical_basis
    WHERE workspace_id = ${workspaceId} AND space_id = ${spaceId} AND term = q.term OFFSET 0) b ON true`

export const basisRow = ({ scale, v }: { scale: number; v: Buffer }): BasisRow => ({
  scale,
  v: new Int8Array(v.buffer, v.byteOffset, v.length),
})

export async function selectBasis(
  db: Queryable,
  key: { workspaceId: string; spaceId: number },
  terms: number[],
): Promise<Map<number, BasisRow>> {
  const rows = await db.rows<{ term: number; scale: number; v: Buffer }>(sql`
    SELECT term, scale, v FROM lexical_basis
    WHERE workspace_id = ${key.workspaceId} AND space_id = ${key.spaceId} AND term = ANY (${terms}::int[])`)
  return new Map(rows.map((row) => [row.term, basisRow(row)]))
}

/** Removes some rows of a retired space's basis; true when all are gone. */
export async function sweepBasis(
  db: Queryable,
  key: { workspaceId: string; spaceId: number },
): Promise<boolean> {
  // By their last term: a list of terms was joined row by row where the node of a Citus had no statistics yet, 1.2 s a call.
  const deletedRows = await db.rows(sql`
    DELETE FROM lexical_basis
    WHERE workspace_id = ${key.workspaceId} AND space_id = ${key.spaceId} AND term <= (
      SELECT max(first.term) FROM (
        SELECT term FROM lexical_basis WHERE workspace_id = ${key.workspaceId} AND space_id = ${key.spaceId}
        ORDER BY term LIMIT 1000) first)
    RETURNING 1`)
  return deletedRows.length === 0
}
