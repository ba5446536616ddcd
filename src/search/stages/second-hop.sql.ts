// SQL for the passages that a second hop leads to.

import sql, { join } from 'sql-template-tag'
import { membersOf, rootOf } from '../../graph/clusters.sql.ts'
import type { Queryable } from '../../ports/db/db.ts'
import { documentConditions, type ResultConditions } from '../candidates/filter.sql.ts'

/** A passage whose names are followed. */
interface HopStart {
  chunk_id: string
  document_id: string
  /** The vector of those terms of the query that the passage does not have. */
  queryVector: string
}

/** A chunk to which a name leads. */
export interface HopTarget {
  /** The chunk id of the start that led to this target. */
  from: string
  chunk_id: string
  document_id: string
  /** Whether the name is in the document's title, so that the document is about it. */
  about: boolean
  /** How many documents have the rarest of the shared names. */
  shared: number
  /** BM25 of the whole query. */
  score: number
  /** BM25 of the part of the query that the start does not cover. */
  rest: number
}

// Names in more documents, or in a larger share of the workspace's documents, do not lead to relevant passages. R@5 of MuSiQue is
// .651, .665 and .657 with at most 20, 30 and 60 documents.
const MAX_DOCUMENTS = 30
const MAX_SHARE = 0.02
// Only names of these types are followed. With concepts and names without a type, scifact lost .008 and FinanceBench .06.
const FOLLOWED_TYPES = ['person', 'organization', 'location', 'event', 'work']

/** Chunks of other documents that share a rare name with a start, in any of its forms. At most `limit`, rarest names first. */
export const selectHopTargets = (
  db: Queryable,
  workspaceId: string,
  hop: ResultConditions & {
    starts: readonly HopStart[]
    queryVector: string
    documents: number
    limit: number
  },
): Promise<HopTarget[]> => {
  const { starts, queryVector, documents, limit } = hop
  const maxDocuments = Math.max(2, Math.min(MAX_DOCUMENTS, Math.floor(documents * MAX_SHARE)))
  return db.rows(sql`
    WITH origin AS (
      SELECT c.id AS chunk_id, c.workspace_id, c.version_id, c.chunk_no, c.document_id, s.side
      FROM unnest(${starts.map((s) => s.chunk_id)}::uuid[], ${starts.map((s) => s.queryVector)}::sparsevec[])
        AS s (chunk_id, side)
      JOIN chunk c ON c.workspace_id = ${workspaceId} AND c.id = s.chunk_id
      JOIN document_graph g ON g.workspace_id = c.workspace_id AND g.version_id = c.version_id AND g.state = 'live'
    ), name AS (
      SELECT DISTINCT origin.chunk_id, origin.document_id, e.id AS entity_id, e.document_count
      FROM origin
      JOIN mention m ON m.workspace_id = ${workspaceId} AND m.version_id = origin.version_id
        AND m.chunk_no = origin.chunk_no
      JOIN entity e ON e.workspace_id = ${workspaceId} AND e.id = ${rootOf(workspaceId, sql`m.entity_id`)}
      WHERE e.type = ANY (${FOLLOWED_TYPES}::text[]) AND e.document_count BETWEEN 2 AND ${maxDocuments}
    ), target AS (
      SELECT name.chunk_id AS "from", d.id AS document_id, m.version_id, m.chunk_no,
        bool_or(m.chunk_no = 0 AND m.start_at < char_length(d.title)) AS about, min(name.document_count) AS shared
      FROM name
      CROSS JOIN ${membersOf(workspaceId, sql`name.entity_id`)} AS member
      JOIN mention m ON m.workspace_id = ${workspaceId} AND m.entity_id = member.id
      JOIN document_graph g ON g.workspace_id = m.workspace_id AND g.version_id = m.version_id AND g.state = 'live'
      JOIN document d ON d.workspace_id = m.workspace_id AND d.version_id = m.version_id
      WHERE ${join([sql`g.document_id <> name.document_id`, ...documentConditions(workspaceId, hop.filter)], ' AND ')}
      GROUP BY name.chunk_id, d.id, m.version_id, m.chunk_no
      ORDER BY about DESC, shared, m.version_id, m.chunk_no, name.chunk_id LIMIT ${limit}
    )
    SELECT l."from", c.id AS chunk_id, l.document_id, l.about, l.shared, -(c.lex <#> ${queryVector}::sparsevec) AS score,
      -(c.lex <#> origin.side) AS rest
    FROM target l
    JOIN origin ON origin.chunk_id = l."from"
    JOIN chunk c ON c.workspace_id = ${workspaceId} AND c.version_id = l.version_id AND c.chunk_no = l.chunk_no`)
}
