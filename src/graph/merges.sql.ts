// Which names are one entity, as SQL. Whoever changes the map holds the workspace's lock on it; what a change touched
// is summed anew after it is committed (settle.ts).

import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'
import { active, membersOf, rootOf } from './clusters.sql.ts'
import type { EdgeKey } from './resolve/canonical.ts'

/** Until the end of the transaction nobody else changes which names of the workspace are one. */
export const lockMerges = (tx: Queryable, workspaceId: string): Promise<unknown> =>
  tx.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`entity_merge ${workspaceId}`}, 0))`)

export interface MergeRow {
  from_id: string
  into_id: string
  from_key: string
  into_key: string
  root_id: string
  state: 'automatic' | 'manual' | 'undone' | 'lapsed'
  reason: string
  /** How documents write the merged name; null when none does any more. */
  name: string | null
}

const columns = sql`from_id, into_id, from_key, into_key, root_id, state, reason, (
  SELECT surface FROM entity_part p WHERE p.workspace_id = m.workspace_id AND p.entity_id = m.from_id
  ORDER BY own DESC, mentions DESC, length(surface) DESC, surface LIMIT 1) AS name`

/** All that was ever decided with one of the entities at either end. */
export function selectDecisions(
  db: Queryable,
  workspaceId: string,
  entityIds: string[],
): Promise<MergeRow[]> {
  return db.rows(sql`
    SELECT ${columns} FROM entity_merge m
    WHERE workspace_id = ${workspaceId} AND state <> 'lapsed'
      AND (from_id = ANY (${entityIds}::uuid[]) OR into_id = ANY (${entityIds}::uuid[]))
    ORDER BY from_id, into_id`)
}

/** What counts for the entity, and what was undone with it; by name. */
export function selectMergesOf(
  db: Queryable,
  workspaceId: string,
  rootId: string,
  limit: number,
): Promise<MergeRow[]> {
  return db.rows(sql`
    SELECT ${columns} FROM entity_merge m
    WHERE workspace_id = ${workspaceId} AND (
      root_id = ${rootId} AND ${active(sql`m`)} OR state = 'undone' AND ${rootId} IN (from_id, into_id))
    ORDER BY from_key COLLATE "C", from_id, into_id LIMIT ${limit}`)
}

/** The merge by which a name counts for the entity now. */
export async function selectActive(
  db: Queryable,
  workspaceId: string,
  fromId: string,
  rootId: string,
): Promise<MergeRow | undefined> {
  const [row] = await db.rows<MergeRow>(sql`
    SELECT ${columns} FROM entity_merge m
    WHERE workspace_id = ${workspaceId} AND from_id = ${fromId} AND root_id = ${rootId} AND ${active(sql`m`)}`)
  return row
}

type Join = Pick<MergeRow, 'from_id' | 'into_id' | 'from_key' | 'into_key' | 'state' | 'reason'>

export const insertMerge = (tx: Queryable, workspaceId: string, merge: Join): Promise<unknown> =>
  tx.rows(sql`
    INSERT INTO entity_merge (workspace_id, from_id, into_id, from_key, into_key, root_id, root_key, state, reason)
    VALUES (${workspaceId}, ${merge.from_id}, ${merge.into_id}, ${merge.from_key}, ${merge.into_key},
      ${merge.into_id}, ${merge.into_key}, ${merge.state}, ${merge.reason})
    ON CONFLICT (workspace_id, from_id, into_id) DO UPDATE SET
      state = excluded.state, reason = excluded.reason, settled = false,
      root_id = excluded.root_id, root_key = excluded.root_key`)

/** Ends an active merge: `undone` is remembered, `lapsed` goes. The row keeps its root, whose sums it touched. */
export const endMerge = (
  tx: Queryable,
  workspaceId: string,
  fromId: string,
  state: 'undone' | 'lapsed',
): Promise<unknown> =>
  tx.rows(sql`
    UPDATE entity_merge m SET state = ${state}, settled = false
    WHERE workspace_id = ${workspaceId} AND from_id = ${fromId} AND ${active(sql`m`)}`)

/** Points every active merge at the end of its chain. Chains are short: people make them. */
export const reroot = (tx: Queryable, workspaceId: string): Promise<unknown> =>
  tx.rows(sql`
    WITH RECURSIVE up AS (
      SELECT m.from_id, m.into_id AS at, m.into_key AS key, 1 AS step FROM entity_merge m
      WHERE m.workspace_id = ${workspaceId} AND ${active(sql`m`)}
      UNION ALL
      SELECT up.from_id, m.into_id, m.into_key, up.step + 1 FROM up
      JOIN entity_merge m ON m.workspace_id = ${workspaceId} AND m.from_id = up.at AND ${active(sql`m`)}
      WHERE up.step < 1000
    ), last AS (SELECT DISTINCT ON (from_id) from_id, at, key FROM up ORDER BY from_id, step DESC)
    UPDATE entity_merge m SET root_id = last.at, root_key = last.key FROM last
    WHERE m.workspace_id = ${workspaceId} AND m.from_id = last.from_id AND ${active(sql`m`)}
      AND m.root_id <> last.at`)

// Capitals and digits: acronyms.ts decides which of them count.
const SHORT = sql`'^[A-Z0-9]{2,10}$'`

/** Short forms whose merge may come or go with these versions: theirs, and those of the entities they touch. */
export async function selectTouchedShorts(
  db: Queryable,
  workspaceId: string,
  versionIds: string[],
): Promise<string[]> {
  const here = sql`workspace_id = ${workspaceId} AND version_id = ANY (${versionIds}::uuid[])`
  const rows = await db.rows<{ short: string }>(sql`
    SELECT lower(surface) AS short FROM mention WHERE ${here} AND NOT own AND surface ~ ${SHORT}
    UNION SELECT key FROM mention WHERE ${here} AND key ~ '^[a-z0-9]{2,10}$'
    UNION SELECT lower(p.surface) FROM entity_part p
    WHERE p.workspace_id = ${workspaceId} AND NOT p.own AND p.surface ~ ${SHORT}
      AND p.entity_id IN (SELECT entity_id FROM mention WHERE ${here})`)
  return rows.map(({ short }) => short)
}

/** What documents say the short forms stand for. */
export function selectLongs(
  db: Queryable,
  workspaceId: string,
  shorts: string[],
): Promise<{ short: string; id: string; key: string }[]> {
  return db.rows(sql`
    SELECT lower(surface) AS short, entity_id AS id, min(key) AS key FROM entity_part
    WHERE workspace_id = ${workspaceId} AND NOT own AND surface ~ ${SHORT} AND lower(surface) = ANY (${shorts}::text[])
    GROUP BY 1, 2 ORDER BY 1, 2`)
}

export interface UnsettledMerge {
  from_id: string
  into_id: string
  root_id: string
  from_key: string
  root_key: string
  state: string
  /** Which writing of the row this is. */
  written: string
}

export const selectUnsettledMerges = (db: Queryable, workspaceId: string): Promise<UnsettledMerge[]> =>
  db.rows(sql`
    SELECT from_id, into_id, root_id, from_key, root_key, state, xmin::text AS written FROM entity_merge
    WHERE workspace_id = ${workspaceId} AND NOT settled ORDER BY from_id, into_id LIMIT 100`)

/** Only when nobody wrote it since it was read: a change in between is summed by who comes next. */
export async function markMergeSettled(
  db: Queryable,
  workspaceId: string,
  merge: UnsettledMerge,
): Promise<void> {
  const same = sql`workspace_id = ${workspaceId} AND from_id = ${merge.from_id} AND into_id = ${merge.into_id}
    AND xmin::text = ${merge.written}`
  await db.rows(
    merge.state === 'lapsed'
      ? sql`DELETE FROM entity_merge WHERE ${same}`
      : sql`UPDATE entity_merge SET settled = true WHERE ${same}`,
  )
}

/** The entities that the names count for now. */
export function selectRoots(
  db: Queryable,
  workspaceId: string,
  named: { id: string; key: string }[],
): Promise<{ id: string; key: string }[]> {
  return db.rows(sql`
    SELECT coalesce(m.root_id, r.id) AS id, min(coalesce(m.root_key, r.key)) AS key
    FROM unnest(${named.map((e) => e.id)}::uuid[], ${named.map((e) => e.key)}::text[]) AS r (id, key)
    LEFT JOIN entity_merge m ON m.workspace_id = ${workspaceId} AND m.from_id = r.id AND ${active(sql`m`)}
    GROUP BY 1 ORDER BY 1`)
}

/** Edges that show what these rows of relation_evidence say, ends merged. */
const shownEdges = (workspaceId: string, which: Sql): Sql => sql`
  SELECT DISTINCT ${rootOf(workspaceId, sql`e.head`)} AS head, e.type COLLATE "C" AS type,
    ${rootOf(workspaceId, sql`e.tail`)} AS tail
  FROM (SELECT DISTINCT head, type, tail FROM relation_evidence
        WHERE workspace_id = ${workspaceId} AND ${which}) AS e`

export function selectTouchedEdges(
  db: Queryable,
  workspaceId: string,
  versionIds: string[],
): Promise<EdgeKey[]> {
  return db.rows(sql`
    ${shownEdges(workspaceId, sql`version_id = ANY (${versionIds}::uuid[])`)} ORDER BY 1, 2, 3`)
}

/** Edges that a change of the map may have made, changed or ended: as they stand, and as evidence says now. */
export const selectEdgesAround = (
  db: Queryable,
  workspaceId: string,
  entityIds: string[],
): Promise<EdgeKey[]> => {
  const members = sql`(SELECT member.id FROM unnest(${entityIds}::uuid[]) AS r (id)
    CROSS JOIN ${membersOf(workspaceId, sql`r.id`)} AS member UNION SELECT unnest(${entityIds}::uuid[]))`
  return db.rows(sql`
    SELECT head, type, tail FROM edge WHERE workspace_id = ${workspaceId}
      AND (head = ANY (${entityIds}::uuid[]) OR tail = ANY (${entityIds}::uuid[]))
    UNION ${shownEdges(workspaceId, sql`head IN ${members}`)}
    UNION ${shownEdges(workspaceId, sql`tail IN ${members}`)}
    ORDER BY 1, 2, 3`)
}
