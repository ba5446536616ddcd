// Reads what documents are grouped by, and what describes a group: its passages and names.
//
// A workspace that is being filled is not in the statistics of its tables. The planner then takes any index that begins with the
// workspace, even to look up a single row, and a join may compare each row with each. So rows are selected by an array of ids,
// which reads a table at most once in a statement, or in an order that only the right index has.

import sql from 'sql-template-tag'
import { isActive } from '../graph/clusters.sql.ts'
import type { Queryable } from '../ports/db/db.ts'

export interface GroupedDocument {
  id: string
  version_id: string
  title: string
  chunks: number
}

/**
 * Changes when something may not be shown any more: when a document was deleted or changed, or a person merged names or undid that.
 * Documents that are only added do not change it: each adds one to the changes and one to the documents. But every change of a
 * document counts, also one that takes nothing away: a move, a new title, the words of pictures, a file that is sent again. So does
 * the first document of a language, whose count begins anywhere. This reads few rows, however large the library is.
 */
export async function selectRemovals(db: Queryable, workspaceId: string): Promise<string> {
  const [row] = await db.rows<{ removals: string }>(sql`
    SELECT concat_ws(' ',
      (SELECT sum(changes) - sum(documents) FROM workspace_language WHERE workspace_id = ${workspaceId}),
      (SELECT concat_ws(' ', count(*) FILTER (WHERE NOT m.settled),
         sum(hashtext(m.state || m.from_id || m.root_id)::bigint))
       FROM entity_merge m WHERE m.workspace_id = ${workspaceId} AND m.state IN ('manual', 'undone'))
    ) AS removals`)
  return row?.removals ?? ''
}

export interface LibraryState {
  /**
   * Changes with everything that groups are made of: documents, vectors, names, and which names are merged. A graph or merge whose
   * sums are still to be made (not `settled`) changes it a second time when they are.
   */
  state: string
  documents: number
  space_id: number | null
  /** The model of the vectors that search uses now (state `serving`). */
  embedder: string | null
}

/** This reads a row or two for each document. */
export async function selectState(db: Queryable, workspaceId: string): Promise<LibraryState> {
  const [row] = await db.rows<LibraryState>(sql`
    WITH space AS (
      SELECT w.space_id, e.embedder FROM workspace_space w JOIN vector_space e ON e.id = w.space_id
      WHERE w.workspace_id = ${workspaceId} AND w.state = 'serving'
    )
    SELECT concat_ws(' ',
        (SELECT sum(changes) FROM workspace_language WHERE workspace_id = ${workspaceId}),
        (SELECT space_id FROM space),
        (SELECT count(*) FROM document d
         CROSS JOIN LATERAL (
           SELECT FROM version_space v
           WHERE v.workspace_id = ${workspaceId} AND v.version_id = d.version_id
             AND v.space_id = (SELECT space_id FROM space) AND v.state = 'filled' OFFSET 0
         ) AS filled_space
         WHERE d.workspace_id = ${workspaceId}),
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
    WITH d AS MATERIALIZED (
      SELECT id, version_id, title FROM document
      WHERE workspace_id = ${workspaceId} AND version_id = ANY (${[...versionIds]}::uuid[])
    )
    SELECT d.id AS document_id, d.version_id, d.title, c.id AS chunk_id, c.page, c.text, c.language
    FROM d CROSS JOIN LATERAL (
      SELECT id, chunk_no, page, text, language FROM chunk
      WHERE workspace_id = ${workspaceId} AND version_id = d.version_id AND type = 'text'
      ORDER BY chunk_no LIMIT ${passagesPerDocument}) c
    ORDER BY d.id, c.chunk_no`)

export interface GroupName {
  id: string
  name: string
  type: string
  /** How many of the given documents name the entity. */
  group_documents: number
  /** How often they name it. */
  mentions: number
  /** How many documents of the workspace name it. */
  document_count: number
}

/** The names in documents of a group, of each document the first `mentionsPerDocument` mentions. */
export const selectNames = (
  db: Queryable,
  workspaceId: string,
  versionIds: readonly string[],
  limit: { mentionsPerDocument: number; names: number },
): Promise<GroupName[]> =>
  db.rows(sql`
    WITH live_version AS MATERIALIZED (
      SELECT version_id FROM document_graph
      WHERE workspace_id = ${workspaceId} AND version_id = ANY (${[...versionIds]}::uuid[]) AND state = 'live'
    ), name_count AS MATERIALIZED (
      SELECT m.version_id, m.entity_id, count(*) AS mentions
      FROM live_version CROSS JOIN LATERAL (
        SELECT version_id, entity_id FROM mention
        WHERE workspace_id = ${workspaceId} AND version_id = live_version.version_id
        ORDER BY chunk_no, mention_no LIMIT ${limit.mentionsPerDocument}
      ) AS m
      GROUP BY 1, 2
    ), survivor AS MATERIALIZED (
      SELECT up.from_id, up.root_id FROM entity_merge up
      WHERE up.workspace_id = ${workspaceId} AND up.from_id = ANY (ARRAY(SELECT DISTINCT entity_id FROM name_count))
        AND ${isActive(sql`up`)}
    ), entity_count AS MATERIALIZED (
      SELECT coalesce(survivor.root_id, name_count.entity_id) AS id,
        count(DISTINCT name_count.version_id)::int AS group_documents, sum(name_count.mentions)::int AS mentions
      FROM name_count LEFT JOIN survivor ON survivor.from_id = name_count.entity_id
      GROUP BY 1 ORDER BY 2 DESC, 3 DESC, 1 LIMIT ${limit.names}
    ), shown_entity AS MATERIALIZED (
      SELECT id, name, type, document_count FROM entity
      WHERE workspace_id = ${workspaceId} AND id = ANY (ARRAY(SELECT id FROM entity_count))
    )
    SELECT e.id, e.name, e.type, r.group_documents, r.mentions, e.document_count
    FROM entity_count r JOIN shown_entity e ON e.id = r.id
    ORDER BY r.group_documents DESC, r.mentions DESC, r.id`)
