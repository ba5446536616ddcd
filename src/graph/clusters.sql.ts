// Entity clusters: the names that evidence mentions, and the entities that they were merged into (their roots).

import sql, { type Sql } from 'sql-template-tag'

/** A condition for rows of entity_merge with this alias: the merge is in effect. */
export const isActive = (alias: Sql): Sql => sql`${alias}.state IN ('automatic', 'manual')`

/** The root of `id` (an SQL expression), which is the entity for which its evidence counts. */
export const rootOf = (workspaceId: string, id: Sql): Sql => sql`
  coalesce((SELECT up.root_id FROM entity_merge up
    WHERE up.workspace_id = ${workspaceId} AND up.from_id = ${id} AND ${isActive(sql`up`)}), ${id})`

/** A lateral table of the ids whose evidence counts for the entity `id` (an SQL expression). It is empty for a merged id. */
export const membersOf = (workspaceId: string, id: Sql): Sql => sql`
  LATERAL (
    SELECT ${id} AS id WHERE NOT EXISTS (SELECT 1 FROM entity_merge up
      WHERE up.workspace_id = ${workspaceId} AND up.from_id = ${id} AND ${isActive(sql`up`)})
    UNION ALL
    SELECT low.from_id FROM entity_merge low
    WHERE low.workspace_id = ${workspaceId} AND low.root_id = ${id} AND ${isActive(sql`low`)}
  )`

/** An array of all ids in the clusters of `ids`. */
export const allMembersOf = (workspaceId: string, ids: readonly string[]): Sql => sql`
  ARRAY(
    SELECT member.id
    FROM (SELECT DISTINCT ${rootOf(workspaceId, sql`asked.id`)} AS id
          FROM unnest(${[...ids]}::uuid[]) AS asked (id)) AS root
    CROSS JOIN ${membersOf(workspaceId, sql`root.id`)} AS member
  )`
