// The relations among a set of entities, for paths between two of them.

import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'
import { MENTIONED_WITH, pairsAmong } from './mentioned-with.sql.ts'

export interface PathEntity {
  id: string
  name: string
  type?: string | null | undefined
}

/** A relation from `source` to `target`; `mentioned_with` has no direction. */
export interface Link {
  source: PathEntity
  target: PathEntity
  type: string
  evidence_count: number
}

/** The number of mentions of each entity, by id. */
export async function selectMentionCounts(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.rows<{ id: string; mention_count: number }>(sql`
    SELECT id, mention_count FROM entity WHERE workspace_id = ${workspaceId} AND id = ANY (${[...ids]}::uuid[])`)
  return new Map(rows.map(({ id, mention_count }) => [id, mention_count]))
}

/** All relations between two of the entities: relations that sentences state, and pairs that passages name together. */
export const selectLinksAmong = (
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<Link[]> =>
  db.rows(sql`
    WITH node AS MATERIALIZED (
      SELECT row_number() OVER (ORDER BY id)::int - 1 AS place, id, mention_count,
        json_build_object('id', id, 'name', name, 'type', type) AS entity
      FROM entity WHERE workspace_id = ${workspaceId} AND id = ANY (${[...ids]}::uuid[])
    ),
    link AS (
      SELECT a.place AS source, b.place AS target, e.type, sum(e.evidence_count)::int AS evidence_count
      FROM node a
      CROSS JOIN LATERAL (
        SELECT type, tail, evidence_count FROM edge
        WHERE workspace_id = ${workspaceId} AND head = a.id OFFSET 0
      ) AS e
      JOIN node b ON b.id = e.tail
      GROUP BY 1, 2, 3
      UNION ALL
      SELECT source, target, ${MENTIONED_WITH}, shared FROM ${pairsAmong(workspaceId, sql`node`)} AS pair
    )
    SELECT s.entity AS source, t.entity AS target, link.type, link.evidence_count
    FROM link JOIN node s ON s.place = link.source JOIN node t ON t.place = link.target
    ORDER BY link.source, link.target, link.type`)
