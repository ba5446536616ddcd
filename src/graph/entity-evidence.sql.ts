// The chunks that mention an entity, or that state its relation to another.

import sql, { empty, type Sql } from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'
import { allMembersOf } from './clusters.sql.ts'
import { MENTIONED_WITH, nearMentions } from './mentioned-with.sql.ts'

export interface PassagePosition {
  documentId: string
  chunkNo: number
}

export interface PassageRow {
  document_id: string
  title: string
  chunk_id: string
  chunk_no: number
  page: number | null
  text: string
  spans: { start: number; end: number }[]
}

export interface PassageQuery {
  entityId: string
  withEntity: string | undefined
  /**
   * Limits the passages to those that state this relation from `entityId` to `withEntity`, or for `mentioned_with` name both near
   * each other.
   */
  relationType?: string
  after: PassagePosition | undefined
  limit: number
}

/**
 * Ordered by document and position. The spans are the mentions of the entity. With another entity they are the sentences that
 * relate the two or, if there is no such sentence, the text from one name to the other. Offsets are UTF-16 units into the text.
 */
export function selectPassages(
  db: Queryable,
  workspaceId: string,
  passageQuery: PassageQuery,
): Promise<PassageRow[]> {
  const { entityId, withEntity, relationType, after, limit } = passageQuery
  const evidence =
    withEntity === undefined
      ? mentionsOf(workspaceId, entityId)
      : relationType === undefined
        ? pairEvidenceOf(workspaceId, entityId, withEntity)
        : relationEvidenceOf(workspaceId, { head: entityId, type: relationType, tail: withEntity })
  return db.rows(sql`
    SELECT c.document_id, d.title, c.id AS chunk_id, c.chunk_no, c.page, c.text, s.spans
    FROM (
      SELECT g.document_id, e.version_id, e.chunk_no,
        json_agg(DISTINCT jsonb_build_object('start', e.start_at, 'end', e.end_at)) AS spans
      FROM ${evidence}
      JOIN document_graph g
        ON g.workspace_id = e.workspace_id AND g.version_id = e.version_id AND g.state = 'live'
      WHERE e.workspace_id = ${workspaceId}
        ${after ? sql`AND (g.document_id, e.chunk_no) > (${after.documentId}::uuid, ${after.chunkNo})` : empty}
      GROUP BY 1, 2, 3 ORDER BY 1, 3 LIMIT ${limit}
    ) s
    JOIN chunk c ON c.workspace_id = ${workspaceId} AND c.version_id = s.version_id AND c.chunk_no = s.chunk_no
    JOIN document d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
    ORDER BY s.document_id, s.chunk_no`)
}

const mentionsOf = (workspaceId: string, entityId: string): Sql => sql`
  (SELECT * FROM mention
   WHERE workspace_id = ${workspaceId} AND entity_id = ANY (${allMembersOf(workspaceId, [entityId])})) AS e`

/** The evidence of all relations between the two, in either direction. */
const pairEvidenceOf = (workspaceId: string, entityId: string, otherEntityId: string): Sql => {
  const memberIds = allMembersOf(workspaceId, [entityId])
  const otherMemberIds = allMembersOf(workspaceId, [otherEntityId])
  const sentencesOfPair = sql`
    SELECT workspace_id, version_id, chunk_no, start_at, end_at FROM relation_evidence
    WHERE workspace_id = ${workspaceId}
      AND (head = ANY (${memberIds}) AND tail = ANY (${otherMemberIds}) OR head = ANY (${otherMemberIds}) AND tail = ANY (${memberIds}))`
  return sql`
    (${sentencesOfPair} UNION ALL SELECT * FROM ${nearMentions(workspaceId, entityId, otherEntityId)} AS together
     WHERE NOT EXISTS (${sentencesOfPair})) AS e`
}

const relationEvidenceOf = (
  workspaceId: string,
  { head, type, tail }: { head: string; type: string; tail: string },
): Sql =>
  type === MENTIONED_WITH
    ? sql`${nearMentions(workspaceId, head, tail)} AS e`
    : sql`
  (SELECT workspace_id, version_id, chunk_no, start_at, end_at FROM relation_evidence
   WHERE workspace_id = ${workspaceId} AND type = ${type}
     AND head = ANY (${allMembersOf(workspaceId, [head])}) AND tail = ANY (${allMembersOf(workspaceId, [tail])})) AS e`
