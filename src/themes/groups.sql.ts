// Reads what documents are grouped by, and what describes a group: its passages and names.

import sql from 'sql-template-tag'
import { isActive } from '../graph/clusters.sql.ts'
import type { Queryable } from '../ports/db/db.ts'

export interface GroupedDocument {
  id: string
  version_id: string
  title: string
  chunks: number
}

export interface LibraryState {
  /**
   * Changes with everything that groups are made of: documents, vectors, names and which of them are one. What is not settled
   * changes it once more when its sums are made.
   */
  state: string
  documents: number
  space_id: number | null
  /** The model of the vectors that serve. */
  embedder: string | null
}

export async function selectState(db: Queryable, workspaceId: string): Promise<LibraryState> {
  const [row] = await db.rows<LibraryState>(sql`
    WITH space AS (
      SELECT w.space_id, e.embedder FROM workspace_space w JOIN vector_space e ON e.id = w.space_id
      WHERE w.workspace_id = ${workspaceId} AND w.state = 'serving'
    )
    SELECT concat_ws(' ',
        (SELECT sum(changes) FROM workspace_language WHERE workspace_id = ${workspaceId}),
        (SELECT space_id FROM space),
        (SELECT count(*) FROM document d JOIN version_space v
           ON v.workspace_id = d.workspace_id AND v.version_id = d.version_id
         JOIN space s ON s.space_id = v.space_id
         WHERE d.workspace_id = ${workspaceId} AND v.state = 'filled'),
        (SELECT concat_ws(' ', count(*), count(*) FILTER (WHERE g.state = 'retired' OR g.state = 'live' AND NOT g.settled))
         FROM document_graph g WHERE g.workspace_id = ${workspaceId}),
        (SELECT concat_ws(' ', count(*) FILTER (WHERE NOT m.settled),
           sum(hashtext(m.from_id::text || m.root_id)::bigint) FILTER (WHERE ${isActive(sql`m`)}))
         FROM entity_merge m WHERE m.workspace_id = ${workspaceId})
      ) AS state,
      (SELECT count(*)::int FROM document
       WHERE workspace_id = ${workspaceId} AND chunk_count > 0) AS documents,
      (SELECT space_id FROM space) AS space_id, (SELECT embedder FROM space) AS embedder`)
  return row ?? { state: '', documents: 0, space_id: null, embedder: null }
}

/** Documents that have passages, at most `limit`. Their ids are random, so the first ones are a random sample. */
export const selectGroupedDocuments = (
  db: Queryable,
  workspaceId: string,
  limit: number,
): Promise<GroupedDocument[]> =>
  db.rows(sql`
    SELECT id, version_id, title, chunk_count AS chunks FROM document
    WHERE workspace_id = ${workspaceId} AND chunk_count > 0 ORDER BY id LIMIT ${limit}`)

/** The terms of documents in the binary form of a sparse vector. A document of one chunk has those of its chunk. */
export const selectTerms = (
  db: Queryable,
  workspaceId: string,
  versionIds: readonly string[],
): Promise<{ version_id: string; terms: Buffer }[]> =>
  db.rows(sql`
    SELECT version_id, sparsevec_send(lex) AS terms
    FROM (
      SELECT v.id AS version_id, coalesce(v.lex, (
        SELECT c.lex FROM chunk c WHERE c.workspace_id = ${workspaceId} AND c.version_id = v.id
        ORDER BY c.chunk_no LIMIT 1)) AS lex
      FROM version v WHERE v.workspace_id = ${workspaceId} AND v.id = ANY (${[...versionIds]}::uuid[])
      OFFSET 0) terms
    WHERE lex IS NOT NULL`)

/** The mean vector of each document, of at most `chunksPerDocument` chunks that are spread over it. */
export const selectMeans = (
  db: Queryable,
  workspaceId: string,
  spaceId: number,
  documents: { versionIds: readonly string[]; chunkCounts: readonly number[]; chunksPerDocument: number },
): Promise<{ version_id: string; mean: Buffer }[]> =>
  db.rows(sql`
    SELECT asked.id AS version_id, vector_send(s.mean) AS mean
    FROM unnest(${[...documents.versionIds]}::uuid[], ${[...documents.chunkCounts]}::int[]) AS asked (id, chunks)
    CROSS JOIN LATERAL (
      SELECT avg(v) AS mean FROM chunk_vector
      WHERE workspace_id = ${workspaceId} AND space_id = ${spaceId} AND version_id = asked.id AND v IS NOT NULL
        AND chunk_no % greatest(1, ceil(asked.chunks::float8 / ${documents.chunksPerDocument})::int) = 0
      OFFSET 0) s
    WHERE s.mean IS NOT NULL`)

export interface GroupPassage {
  document_id: string
  version_id: string
  title: string
  chunk_id: string
  page: number | null
  text: string
  language: string
}

/** The first passages of prose of documents, at most `passagesPerDocument` of each. */
export const selectFirstPassages = (
  db: Queryable,
  workspaceId: string,
  versionIds: readonly string[],
  passagesPerDocument: number,
): Promise<GroupPassage[]> =>
  db.rows(sql`
    SELECT d.id AS document_id, d.version_id, d.title, c.id AS chunk_id, c.page, c.text, c.language
    FROM unnest(${[...versionIds]}::uuid[]) AS asked (id)
    JOIN document d ON d.workspace_id = ${workspaceId} AND d.version_id = asked.id
    CROSS JOIN LATERAL (
      SELECT id, chunk_no, page, text, language FROM chunk
      WHERE workspace_id = ${workspaceId} AND version_id = asked.id AND type = 'text'
      ORDER BY chunk_no LIMIT ${passagesPerDocument}) c
    ORDER BY d.id, c.chunk_no`)

export interface GroupName {
  /** The group, as a position in the list. */
  place: number
  id: string
  name: string
  type: string
  /** How many of the group's documents that were read name the entity, how often, and how many of the workspace do. */
  group_documents: number
  mentions: number
  document_count: number
}

/** The names in the given documents of each group. */
export const selectNames = (
  db: Queryable,
  workspaceId: string,
  documents: { versionIds: readonly string[]; places: readonly number[]; namesPerGroup: number },
): Promise<GroupName[]> =>
  db.rows(sql`
    WITH counted AS (
      SELECT asked.place, coalesce(up.root_id, m.entity_id) AS id,
        count(DISTINCT m.version_id)::int AS group_documents, count(*)::int AS mentions
      FROM unnest(${[...documents.versionIds]}::uuid[], ${[...documents.places]}::int[]) AS asked (id, place)
      JOIN document_graph g
        ON g.workspace_id = ${workspaceId} AND g.version_id = asked.id AND g.state = 'live'
      JOIN mention m ON m.workspace_id = g.workspace_id AND m.version_id = g.version_id
      LEFT JOIN entity_merge up
        ON up.workspace_id = m.workspace_id AND up.from_id = m.entity_id AND ${isActive(sql`up`)}
      GROUP BY 1, 2
    ), ranked AS (
      SELECT *, row_number() OVER (PARTITION BY place ORDER BY group_documents DESC, mentions DESC, id) AS rank
      FROM counted
    )
    SELECT r.place, e.id, e.name, e.type, r.group_documents, r.mentions, e.document_count
    FROM ranked r JOIN entity e ON e.workspace_id = ${workspaceId} AND e.id = r.id
    WHERE r.rank <= ${documents.namesPerGroup}
    ORDER BY r.place, r.rank`)
