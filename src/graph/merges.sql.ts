// SQL for merges of entities. Merges are changed under the lock of the workspace. The affected entities and edges are aggregated
// after the commit (resolve/aggregate.ts).

import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'
import { isActive, membersOf, rootOf } from './clusters.sql.ts'
import type { EdgeKey } from './resolve/canonical.ts'

/** Until the transaction ends, nobody else changes the merges of the workspace. */
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
  /** The merged name as documents write it. Null if no document contains it any more. */
  name: string | null
}

const columns = (
  workspaceId: string,
): Sql => sql`from_id, into_id, from_key, into_key, root_id, state, reason, (
  SELECT surface FROM entity_part p WHERE p.workspace_id = ${workspaceId} AND p.entity_id = m.from_id
  ORDER BY own DESC, mentions DESC, length(surface) DESC, surface LIMIT 1) AS name`

/** All merges, in effect or undone, with one of the entities at either end. */
export function selectDecisions(
  db: Queryable,
  workspaceId: string,
  entityIds: string[],
): Promise<MergeRow[]> {
  return db.rows(sql`
    SELECT ${columns(workspaceId)} FROM entity_merge m
    WHERE workspace_id = ${workspaceId} AND state <> 'lapsed'
      AND (from_id = ANY (${entityIds}::uuid[]) OR into_id = ANY (${entityIds}::uuid[]))
    ORDER BY from_id, into_id`)
}

/** The merges into the entity, and its undone merges, ordered by name. */
export function selectMergesOf(
  db: Queryable,
  workspaceId: string,
  rootId: string,
  limit: number,
): Promise<MergeRow[]> {
  return db.rows(sql`
    SELECT ${columns(workspaceId)} FROM entity_merge m
    WHERE workspace_id = ${workspaceId} AND (
      root_id = ${rootId} AND ${isActive(sql`m`)} OR state = 'undone' AND ${rootId} IN (from_id, into_id))
    ORDER BY from_key COLLATE "C", from_id, into_id LIMIT ${limit}`)
}

/** The merge in effect of the name `fromId` into the entity `rootId`. */
export async function selectActiveMerge(
  db: Queryable,
  workspaceId: string,
  fromId: string,
  rootId: string,
): Promise<MergeRow | undefined> {
  const [row] = await db.rows<MergeRow>(sql`
    SELECT ${columns(workspaceId)} FROM entity_merge m
    WHERE workspace_id = ${workspaceId} AND from_id = ${fromId} AND root_id = ${rootId} AND ${isActive(sql`m`)}`)
  return row
}

type NewMerge = Pick<MergeRow, 'from_id' | 'into_id' | 'from_key' | 'into_key' | 'state' | 'reason'>

export const insertMerge = (tx: Queryable, workspaceId: string, merge: NewMerge): Promise<unknown> =>
  tx.rows(sql`
    INSERT INTO entity_merge (workspace_id, from_id, into_id, from_key, into_key, root_id, root_key, state, reason)
    VALUES (${workspaceId}, ${merge.from_id}, ${merge.into_id}, ${merge.from_key}, ${merge.into_key},
      ${merge.into_id}, ${merge.into_key}, ${merge.state}, ${merge.reason})
    ON CONFLICT (workspace_id, from_id, into_id) DO UPDATE SET
      state = excluded.state, reason = excluded.reason, settled = false,
      root_id = excluded.root_id, root_key = excluded.root_key`)

/**
 * Ends a merge. An `undone` merge is remembered, and a `lapsed` merge will be deleted. The row keeps its root, which must be
 * aggregated again.
 */
export const endMerge = (
  tx: Queryable,
  workspaceId: string,
  fromId: string,
  state: 'undone' | 'lapsed',
): Promise<unknown> =>
  tx.rows(sql`
    UPDATE entity_merge m SET state = ${state}, settled = false
    WHERE workspace_id = ${workspaceId} AND from_id = ${fromId} AND ${isActive(sql`m`)}`)

/**
 * Sets the root of each merge in effect to the end of its chain. It starts at the ends, so that each merge is visited once.
 * Starting from each merge would take half a million steps for an imported chain of a thousand.
 */
export const updateRoots = (tx: Queryable, workspaceId: string): Promise<unknown> =>
  tx.rows(sql`
    WITH RECURSIVE down AS (
      SELECT m.from_id, m.into_id AS root, m.into_key AS key FROM entity_merge m
      WHERE m.workspace_id = ${workspaceId} AND ${isActive(sql`m`)} AND NOT EXISTS (
        SELECT 1 FROM entity_merge next
        WHERE next.workspace_id = ${workspaceId} AND next.from_id = m.into_id AND ${isActive(sql`next`)})
      UNION ALL
      SELECT m.from_id, down.root, down.key FROM down
      JOIN entity_merge m ON m.workspace_id = ${workspaceId} AND m.into_id = down.from_id AND ${isActive(sql`m`)}
    )
    UPDATE entity_merge m SET root_id = down.root, root_key = down.key FROM down
    WHERE m.workspace_id = ${workspaceId} AND m.from_id = down.from_id AND ${isActive(sql`m`)}
      AND m.root_id <> down.root`)

// Capitals and digits; resolve/short-forms.ts decides which of them are short forms.
const SHORT_FORM_PATTERN = sql`'^[A-Z0-9]{2,10}$'`

/**
 * Short forms whose automatic merge these versions may change: short forms in the versions, and short forms of the entities that
 * they mention.
 */
export async function selectAffectedShortForms(
  db: Queryable,
  workspaceId: string,
  versionIds: string[],
): Promise<string[]> {
  const inVersions = sql`workspace_id = ${workspaceId} AND version_id = ANY (${versionIds}::uuid[])`
  const rows = await db.rows<{ short: string }>(sql`
    SELECT lower(surface) AS short FROM mention WHERE ${inVersions} AND NOT own AND surface ~ ${SHORT_FORM_PATTERN}
    UNION SELECT key FROM mention WHERE ${inVersions} AND key ~ '^[a-z0-9]{2,10}$'
    UNION SELECT lower(p.surface) FROM entity_part p
    WHERE p.workspace_id = ${workspaceId} AND NOT p.own AND p.surface ~ ${SHORT_FORM_PATTERN}
      AND p.entity_id IN (SELECT entity_id FROM mention WHERE ${inVersions})`)
  return rows.map(({ short }) => short)
}

/** The expansions that documents give for the short forms. */
export function selectExpansions(
  db: Queryable,
  workspaceId: string,
  shortForms: string[],
): Promise<{ short: string; id: string; key: string }[]> {
  return db.rows(sql`
    SELECT lower(surface) AS short, entity_id AS id, min(key) AS key FROM entity_part
    WHERE workspace_id = ${workspaceId} AND NOT own AND surface ~ ${SHORT_FORM_PATTERN} AND lower(surface) = ANY (${shortForms}::text[])
    GROUP BY 1, 2 ORDER BY 1, 2`)
}

/** The qualified keys of persons (names.ts) that these versions mention. */
export async function selectQualifiedKeys(
  db: Queryable,
  workspaceId: string,
  versionIds: string[],
): Promise<string[]> {
  const rows = await db.rows<{ key: string }>(sql`
    SELECT DISTINCT key FROM mention
    WHERE workspace_id = ${workspaceId} AND version_id = ANY (${versionIds}::uuid[]) AND key LIKE '% (%'`)
  return rows.map(({ key }) => key)
}

export interface Namesake {
  id: string
  key: string
  /** How many documents have this key. */
  documents: number
}

/** The qualified keys of the name in the evidence. */
export const selectNamesakes = (db: Queryable, workspaceId: string, name: string): Promise<Namesake[]> =>
  db.rows(sql`
    SELECT p.id, p.key, (
      SELECT count(*)::int FROM entity_counted c
      WHERE c.workspace_id = ${workspaceId} AND c.entity_id = p.id) AS documents
    FROM (
      SELECT entity_id AS id, min(key) AS key FROM entity_part
      WHERE workspace_id = ${workspaceId} AND key LIKE '% (%' AND split_part(key, ' (', 1) = ${name}
      GROUP BY entity_id) AS p
    ORDER BY p.key COLLATE "C"`)

/** Groups of these entities. The documents of a group mention another entity in common. */
export async function selectRelated(
  db: Queryable,
  workspaceId: string,
  entityIds: string[],
): Promise<string[][]> {
  const rows = await db.rows<{ ids: string[] }>(sql`
    SELECT DISTINCT array_agg(DISTINCT c.entity_id) AS ids
    FROM entity_counted c
    JOIN mention o ON o.workspace_id = c.workspace_id AND o.version_id = c.version_id
    WHERE c.workspace_id = ${workspaceId} AND c.entity_id = ANY (${entityIds}::uuid[])
      AND o.type <> 'concept' AND o.entity_id <> ALL (${entityIds}::uuid[])
    GROUP BY o.entity_id HAVING count(DISTINCT c.entity_id) > 1`)
  return rows.map(({ ids }) => ids)
}

interface UnaggregatedMerge {
  from_id: string
  into_id: string
  root_id: string
  from_key: string
  root_key: string
  state: string
  /** Identifies this version of the row. */
  written: string
}

export const selectUnaggregatedMerges = (db: Queryable, workspaceId: string): Promise<UnaggregatedMerge[]> =>
  db.rows(sql`
    SELECT from_id, into_id, root_id, from_key, root_key, state, xmin::text AS written FROM entity_merge
    WHERE workspace_id = ${workspaceId} AND NOT settled ORDER BY from_id, into_id LIMIT 100`)

/** Changes nothing if the row has changed since it was read. The next run aggregates that change. */
export async function markMergeAggregated(
  db: Queryable,
  workspaceId: string,
  merge: UnaggregatedMerge,
): Promise<void> {
  const mergeCondition = sql`workspace_id = ${workspaceId} AND from_id = ${merge.from_id} AND into_id = ${merge.into_id}
    AND xmin::text = ${merge.written}`
  await db.rows(
    merge.state === 'lapsed'
      ? sql`DELETE FROM entity_merge WHERE ${mergeCondition}`
      : sql`UPDATE entity_merge SET settled = true WHERE ${mergeCondition}`,
  )
}

/** The roots of the entities. An entity that is not merged is its own root. */
export function selectRoots(
  db: Queryable,
  workspaceId: string,
  entityKeys: { id: string; key: string }[],
): Promise<{ id: string; key: string }[]> {
  return db.rows(sql`
    SELECT coalesce(m.root_id, r.id) AS id, min(coalesce(m.root_key, r.key)) AS key
    FROM unnest(${entityKeys.map((e) => e.id)}::uuid[], ${entityKeys.map((e) => e.key)}::text[]) AS r (id, key)
    LEFT JOIN entity_merge m ON m.workspace_id = ${workspaceId} AND m.from_id = r.id AND ${isActive(sql`m`)}
    GROUP BY 1 ORDER BY 1`)
}

/** The edges of the rows of relation_evidence that meet the condition, between roots. */
const edgesFromEvidence = (workspaceId: string, condition: Sql): Sql => sql`
  SELECT DISTINCT ${rootOf(workspaceId, sql`e.head`)} AS head, e.type COLLATE "C" AS type,
    ${rootOf(workspaceId, sql`e.tail`)} AS tail
  FROM (SELECT DISTINCT head, type, tail FROM relation_evidence
        WHERE workspace_id = ${workspaceId} AND ${condition}) AS e`

export function selectAffectedEdges(
  db: Queryable,
  workspaceId: string,
  versionIds: string[],
): Promise<EdgeKey[]> {
  return db.rows(sql`
    ${edgesFromEvidence(workspaceId, sql`version_id = ANY (${versionIds}::uuid[])`)} ORDER BY 1, 2, 3`)
}

/** The edges that a change of merges may affect: the existing edges, and those that the evidence states now. */
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
    UNION ${edgesFromEvidence(workspaceId, sql`head IN ${members}`)}
    UNION ${edgesFromEvidence(workspaceId, sql`tail IN ${members}`)}
    ORDER BY 1, 2, 3`)
}
