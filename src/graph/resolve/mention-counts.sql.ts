// Incremental counts of mentions, so that the ten thousand mentions of a hub are not read again for each document.
// entity_counted records which versions are included, so that every mention is counted exactly once.

import sql from 'sql-template-tag'
import type { Queryable } from '../../ports/db/db.ts'
import type { SurfaceCount } from './canonical.ts'

/**
 * Adds the version's mentions of these entities to the counts, unless they are included already or the version is
 * retired.
 */
export const addMentionCounts = (
  tx: Queryable,
  workspaceId: string,
  versionId: string,
  entityIds: string[],
): Promise<unknown> =>
  // The lock delays retiring the version, so that its counts are subtracted only after they were added.
  tx.rows(sql`
    WITH live AS (
      SELECT 1 FROM document_graph
      WHERE workspace_id = ${workspaceId} AND version_id = ${versionId} AND state = 'live' FOR SHARE
    ), added AS (
      INSERT INTO entity_counted (workspace_id, entity_id, version_id)
      SELECT ${workspaceId}::uuid, r.id, ${versionId}::uuid
      FROM unnest(${entityIds}::uuid[]) AS r (id) CROSS JOIN live ORDER BY r.id
      ON CONFLICT DO NOTHING RETURNING entity_id
    )
    INSERT INTO entity_part AS p (workspace_id, entity_id, key, surface, own, type, mentions)
    SELECT ${workspaceId}::uuid, m.entity_id, min(m.key), m.surface, m.own, m.type, count(*)::int
    FROM added a
    JOIN mention m ON m.workspace_id = ${workspaceId} AND m.entity_id = a.entity_id AND m.version_id = ${versionId}
    GROUP BY m.entity_id, m.surface, m.own, m.type
    ORDER BY m.entity_id, md5(m.surface), m.own, m.type
    ON CONFLICT (workspace_id, entity_id, md5(surface), own, type)
      DO UPDATE SET mentions = p.mentions + excluded.mentions`)

/** Subtracts the version's mentions of these entities from the counts, where they are included. */
export async function subtractMentionCounts(
  tx: Queryable,
  workspaceId: string,
  versionId: string,
  entityIds: string[],
): Promise<void> {
  await tx.rows(sql`
    SELECT 1 FROM entity_part WHERE workspace_id = ${workspaceId} AND entity_id = ANY (${entityIds}::uuid[])
    ORDER BY entity_id, md5(surface), own, type FOR UPDATE`)
  await tx.rows(sql`
    WITH gone AS (
      DELETE FROM entity_counted
      WHERE workspace_id = ${workspaceId} AND entity_id = ANY (${entityIds}::uuid[]) AND version_id = ${versionId}
      RETURNING entity_id
    ), share AS (
      SELECT m.entity_id, m.surface, m.own, m.type, count(*)::int AS mentions
      FROM gone
      JOIN mention m
        ON m.workspace_id = ${workspaceId} AND m.entity_id = gone.entity_id AND m.version_id = ${versionId}
      GROUP BY m.entity_id, m.surface, m.own, m.type
    )
    UPDATE entity_part p SET mentions = p.mentions - s.mentions FROM share s
    WHERE p.workspace_id = ${workspaceId} AND p.entity_id = s.entity_id AND md5(p.surface) = md5(s.surface)
      AND p.own = s.own AND p.type = s.type`)
  await tx.rows(sql`
    DELETE FROM entity_part
    WHERE workspace_id = ${workspaceId} AND entity_id = ANY (${entityIds}::uuid[]) AND mentions = 0`)
}

export const selectTouchedEntities = (
  db: Queryable,
  workspaceId: string,
  versionId: string,
): Promise<{ id: string; key: string }[]> =>
  db.rows(sql`
    SELECT entity_id AS id, min(key) AS key FROM mention
    WHERE workspace_id = ${workspaceId} AND version_id = ${versionId}
    GROUP BY entity_id ORDER BY entity_id`)

/** The counts of each entity under its own key, regardless of merges. */
export const selectOwnSurfaceCounts = (
  db: Queryable,
  workspaceId: string,
  entityIds: string[],
): Promise<SurfaceCount[]> =>
  db.rows(sql`
    SELECT entity_id AS id, surface, own, type, mentions FROM entity_part
    WHERE workspace_id = ${workspaceId} AND entity_id = ANY (${entityIds}::uuid[])`)
