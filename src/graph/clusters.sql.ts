// From the names that evidence knows to the entities that readers see, and back.

import sql, { type Sql } from 'sql-template-tag'

/** Condition on a row of entity_merge under this alias: its evidence counts for another entity now. */
export const active = (alias: Sql): Sql => sql`${alias}.state IN ('automatic', 'manual')`

/** The entity that `id` (an SQL expression) counts for. */
export const rootOf = (workspaceId: string, id: Sql): Sql => sql`
  coalesce((SELECT up.root_id FROM entity_merge up
    WHERE up.workspace_id = ${workspaceId} AND up.from_id = ${id} AND ${active(sql`up`)}), ${id})`

/** A lateral table `id` of the names whose evidence counts for the entity `id` (an SQL expression); none if merged. */
export const membersOf = (workspaceId: string, id: Sql): Sql => sql`
  LATERAL (
    SELECT ${id} AS id WHERE NOT EXISTS (SELECT 1 FROM entity_merge up
      WHERE up.workspace_id = ${workspaceId} AND up.from_id = ${id} AND ${active(sql`up`)})
    UNION ALL
    SELECT low.from_id FROM entity_merge low
    WHERE low.workspace_id = ${workspaceId} AND low.root_id = ${id} AND ${active(sql`low`)}
  )`

/** An array of all names of the entities that `ids` stand for; an id that was merged away stands for its survivor. */
export const familyOf = (workspaceId: string, ids: readonly string[]): Sql => sql`
  ARRAY(
    SELECT member.id
    FROM (SELECT DISTINCT ${rootOf(workspaceId, sql`asked.id`)} AS id
          FROM unnest(${[...ids]}::uuid[]) AS asked (id)) AS root
    CROSS JOIN ${membersOf(workspaceId, sql`root.id`)} AS member
  )`
