// Counts of mentions are updated incrementally, so that the ten thousand mentions of a hub are not read again for each document.
// The table entity_counted lists the versions that are included, so that every mention is counted exactly once. The table
// entity_part contains the counts, one row per entity, surface and type.

import sql from 'sql-template-tag'
import type { Queryable } from '../../ports/db/db.ts'
import type { SurfaceCount } from './canonical.ts'

/** An entity that a version mentions. */
interface MentionedEntity {
  version_id: string
  id: string
  key: string
}

/**
 * Adds the mentions of the versions to the counts, unless they are already included or the version is retired. It runs three
 * statements, because Citus returns wrong rows if several parts of one statement read the same list.
 */
export async function addMentionCounts(
  tx: Queryable,
  workspaceId: string,
  mentionedEntities: readonly MentionedEntity[],
): Promise<void> {
  const versions = [...new Set(mentionedEntities.map(({ version_id }) => version_id))]
  // The lock delays retiring a version, so that its counts are subtracted only after they were added.
  const liveVersions = await tx.rows<{ version_id: string }>(sql`
    SELECT version_id FROM document_graph
    WHERE workspace_id = ${workspaceId} AND version_id = ANY (${versions}::uuid[]) AND state = 'live'
    ORDER BY version_id FOR SHARE`)
  const liveIds = new Set(liveVersions.map(({ version_id }) => version_id))
  const liveRows = mentionedEntities.filter(({ version_id }) => liveIds.has(version_id))
  if (liveRows.length === 0) return
  const includedRows = await tx.rows<{ entity_id: string; version_id: string }>(sql`
    INSERT INTO entity_counted (workspace_id, entity_id, version_id)
    SELECT ${workspaceId}::uuid, r.entity_id, r.version_id
    FROM unnest(${liveRows.map(({ id }) => id)}::uuid[], ${liveRows.map(({ version_id }) => version_id)}::uuid[])
      AS r (entity_id, version_id)
    ORDER BY r.entity_id, r.version_id
    ON CONFLICT DO NOTHING RETURNING entity_id, version_id`)
  if (includedRows.length === 0) return
  await tx.rows(sql`
    INSERT INTO entity_part AS p (workspace_id, entity_id, key, surface, own, type, mentions)
    SELECT ${workspaceId}::uuid, m.entity_id, min(m.key), m.surface, m.own, m.type, count(*)::int
    FROM unnest(${includedRows.map(({ entity_id }) => entity_id)}::uuid[],
      ${includedRows.map(({ version_id }) => version_id)}::uuid[]) AS a (entity_id, version_id)
    CROSS JOIN LATERAL (
      SELECT entity_id, key, surface, own, type FROM mention
      WHERE workspace_id = ${workspaceId} AND entity_id = a.entity_id AND version_id = a.version_id OFFSET 0) m
    GROUP BY m.entity_id, m.surface, m.own, m.type
    ORDER BY m.entity_id, md5(m.surface), m.own, m.type
    ON CONFLICT (workspace_id, entity_id, md5(surface), own, type)
      DO UPDATE SET mentions = p.mentions + excluded.mentions`)
}

/** Subtracts the mentions of these entities in the version from the counts, if they are included. */
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

/** The entities that the versions mention. */
export const selectMentionedEntities = (
  db: Queryable,
  workspaceId: string,
  versionIds: readonly string[],
): Promise<MentionedEntity[]> =>
  db.rows(sql`
    SELECT version_id, entity_id AS id, min(key) AS key FROM mention
    WHERE workspace_id = ${workspaceId} AND version_id = ANY (${[...versionIds]}::uuid[])
    GROUP BY entity_id, version_id ORDER BY entity_id, version_id`)

/** The counts of each entity under its own key, without the entities that were merged into it. */
export const selectUnmergedSurfaceCounts = (
  db: Queryable,
  workspaceId: string,
  entityIds: string[],
): Promise<SurfaceCount[]> =>
  db.rows(sql`
    SELECT entity_id AS id, surface, own, type, mentions FROM entity_part
    WHERE workspace_id = ${workspaceId} AND entity_id = ANY (${entityIds}::uuid[])`)
