// SQL for whole passages, which are read by their ids or together with the candidates.

import sql, { type Sql } from 'sql-template-tag'
import { int32s } from '../ports/db/binary.ts'
import type { Queryable } from '../ports/db/db.ts'
import { inWorkspace, prepared } from '../ports/db/prepared.sql.ts'
import type { Passage } from './passage.ts'

/** A passage without a score. `terms`: the numbers of its terms, ascending. */
export type Hit = Omit<Passage, 'score'> & { terms: Int32Array }

/** A passage as it is read from the database, with its terms as bytes. */
export type HitRow = Omit<Hit, 'terms'> & { terms: Buffer }

/** Joins `c`, the whole chunk that meets this condition on `visible_chunk v`. */
export const joinChunk = (workspaceId: string, condition: Sql): Sql => sql`
  CROSS JOIN LATERAL (
    SELECT v.*, sparsevec_send(v.lex) AS weights FROM visible_chunk v
    WHERE ${inWorkspace(sql`v.workspace_id`, workspaceId)} AND ${condition} OFFSET 0) c`

/**
 * The columns of a hit from the `c` of `joinChunk`. The terms are taken from the sparse vector, which is stored in the row itself:
 * in pgvector's binary form they are the first half after twelve bytes.
 */
export const chunkColumns = sql`c.chunk_no, c.type, c.text, c.heading, c.page, c.language,
  substring(c.weights FROM 13 FOR (octet_length(c.weights) - 12) / 2) AS terms`

/** Terms are sent as bytes, which takes a tenth of the time of a list of numbers as text. */
export const hitOf = (row: HitRow): Hit => ({
  chunk_id: row.chunk_id,
  document_id: row.document_id,
  document_title: row.document_title,
  document_path: row.document_path,
  chunk_no: row.chunk_no,
  type: row.type,
  text: row.text,
  heading: row.heading,
  page: row.page,
  language: row.language,
  terms: int32s(row.terms).map((index) => index + 1),
})

/** Whole passages of live chunks, in any order. Ids of chunks that have been replaced or deleted are ignored. */
export const selectPassages = async (
  db: Queryable,
  workspaceId: string,
  chunkIds: readonly string[],
  chunks: number,
): Promise<Hit[]> => {
  const rows = await db.rows<HitRow>(
    prepared(
      sql`
    SELECT c.id AS chunk_id, d.id AS document_id, d.title AS document_title, d.path AS document_path,
      ${chunkColumns}
    FROM unnest(${[...chunkIds]}::uuid[]) AS wanted (id)
    ${joinChunk(workspaceId, sql`v.id = wanted.id`)}
    CROSS JOIN LATERAL (
      SELECT v.id, v.title, v.path FROM visible_document v
      WHERE ${inWorkspace(sql`v.workspace_id`, workspaceId)} AND v.version_id = c.version_id OFFSET 0) d`,
      chunks,
    ),
  )
  return rows.map(hitOf)
}
