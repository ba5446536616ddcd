// Writing evidence and its aggregates as SQL. Rows are locked and created in key order, so that workers never
// deadlock. A statement handles a few dozen rows, because on the embedded engine everyone waits for a transaction.

import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'
import { membersOf } from './clusters.sql.ts'
import type { Mention, RelationEvidence } from './extraction.ts'
import type { EdgeKey, EntityRow, SurfaceCount } from './resolve/canonical.ts'

export interface GraphTarget {
  workspaceId: string
  documentId: string
  versionId: string
}

export type GraphState = 'building' | 'live' | 'retired'

/** Registers the version as being built, unless it is registered already; returns its state. */
export async function startGraph(db: Queryable, target: GraphTarget): Promise<GraphState> {
  await db.rows(sql`
    INSERT INTO document_graph (workspace_id, version_id, document_id, state)
    VALUES (${target.workspaceId}, ${target.versionId}, ${target.documentId}, 'building')
    ON CONFLICT (workspace_id, version_id) DO NOTHING`)
  const [row] = await db.rows<{ state: GraphState }>(sql`
    SELECT state FROM document_graph
    WHERE workspace_id = ${target.workspaceId} AND version_id = ${target.versionId}`)
  return row?.state ?? 'retired'
}

// Only while the version is being built, so that a worker whose task was taken over adds nothing to a published
// graph. The lock delays retiring the version, so that no row is written after its cleanup.
const whileBuilding = (target: GraphTarget): Sql => sql`
  EXISTS (SELECT 1 FROM document_graph WHERE workspace_id = ${target.workspaceId}
          AND version_id = ${target.versionId} AND state = 'building' FOR SHARE)`

export type NumberedMention = Mention & { mention_no: number; entity_id: string }

export const insertMentions = (
  db: Queryable,
  target: GraphTarget,
  rows: NumberedMention[],
): Promise<unknown> =>
  db.rows(sql`
    INSERT INTO mention (workspace_id, version_id, chunk_no, mention_no, entity_id, key, surface, own, type,
      start_at, end_at)
    SELECT ${target.workspaceId}::uuid, ${target.versionId}::uuid, r.* FROM unnest(
      ${rows.map((r) => r.chunk_no)}::int[], ${rows.map((r) => r.mention_no)}::int[],
      ${rows.map((r) => r.entity_id)}::uuid[], ${rows.map((r) => r.key)}::text[],
      ${rows.map((r) => r.surface)}::text[], ${rows.map((r) => r.own)}::boolean[],
      ${rows.map((r) => r.type)}::text[], ${rows.map((r) => r.start)}::int[], ${rows.map((r) => r.end)}::int[]
    ) AS r
    WHERE ${whileBuilding(target)}
    ON CONFLICT DO NOTHING`)

export type NumberedRelation = RelationEvidence & { relation_no: number }

export const insertRelations = (
  db: Queryable,
  target: GraphTarget,
  rows: NumberedRelation[],
): Promise<unknown> =>
  db.rows(sql`
    INSERT INTO relation_evidence (workspace_id, version_id, chunk_no, relation_no, head, type, tail, start_at, end_at)
    SELECT ${target.workspaceId}::uuid, ${target.versionId}::uuid, r.* FROM unnest(
      ${rows.map((r) => r.chunk_no)}::int[], ${rows.map((r) => r.relation_no)}::int[],
      ${rows.map((r) => r.head)}::uuid[], ${rows.map((r) => r.type)}::text[], ${rows.map((r) => r.tail)}::uuid[],
      ${rows.map((r) => r.start)}::int[], ${rows.map((r) => r.end)}::int[]
    ) AS r
    WHERE ${whileBuilding(target)}
    ON CONFLICT DO NOTHING`)

/** Deletes up to `limit` rows of the version's evidence; returns how many. */
export async function deleteEvidence(
  db: Queryable,
  workspaceId: string,
  versionId: string,
  limit: number,
): Promise<number> {
  const mentions = await db.rows(sql`
    DELETE FROM mention WHERE workspace_id = ${workspaceId} AND version_id = ${versionId}
      AND (chunk_no, mention_no) IN (
        SELECT chunk_no, mention_no FROM mention
        WHERE workspace_id = ${workspaceId} AND version_id = ${versionId} LIMIT ${limit})
    RETURNING 1`)
  const relations = await db.rows(sql`
    DELETE FROM relation_evidence WHERE workspace_id = ${workspaceId} AND version_id = ${versionId}
      AND (chunk_no, relation_no) IN (
        SELECT chunk_no, relation_no FROM relation_evidence
        WHERE workspace_id = ${workspaceId} AND version_id = ${versionId} LIMIT ${limit})
    RETURNING 1`)
  return mentions.length + relations.length
}

/** Makes the version its document's graph and retires every other. Returns false when it is not being built. */
export async function publishGraph(tx: Queryable, target: GraphTarget): Promise<boolean> {
  await tx.rows(sql`
    UPDATE document_graph SET state = 'retired'
    WHERE workspace_id = ${target.workspaceId} AND document_id = ${target.documentId}
      AND version_id <> ${target.versionId}`)
  const published = await tx.rows(sql`
    UPDATE document_graph SET state = 'live', settled = false
    WHERE workspace_id = ${target.workspaceId} AND version_id = ${target.versionId} AND state = 'building'
    RETURNING 1`)
  return published.length > 0
}

/** Retires every graph of the document except that of its current version: it may have been uploaded again. */
export const retireGraphs = (db: Queryable, workspaceId: string, documentId: string): Promise<unknown> =>
  db.rows(sql`
    UPDATE document_graph g SET state = 'retired'
    WHERE g.workspace_id = ${workspaceId} AND g.document_id = ${documentId} AND NOT EXISTS (
      SELECT 1 FROM document d
      WHERE d.workspace_id = g.workspace_id AND d.id = g.document_id AND d.version_id = g.version_id)`)

export interface UnaggregatedVersion {
  version_id: string
  state: GraphState
}

/** Versions of the document whose evidence was published or retired since the last aggregation. */
export const selectUnaggregated = (
  db: Queryable,
  workspaceId: string,
  documentId: string,
): Promise<UnaggregatedVersion[]> =>
  db.rows(sql`
    SELECT version_id, state FROM document_graph
    WHERE workspace_id = ${workspaceId} AND document_id = ${documentId}
      AND (state = 'retired' OR state = 'live' AND NOT settled)
    ORDER BY version_id`)

/**
 * Locks the entities' rows, creating empty ones where missing, so that two workers never aggregate the same entity at
 * once.
 */
export function lockEntities(
  tx: Queryable,
  workspaceId: string,
  entities: { id: string; key: string }[],
): Promise<unknown> {
  return tx.rows(sql`
    INSERT INTO entity (workspace_id, id, key, name, name_key, type, mention_count, document_count, aliases, keys, words)
    SELECT ${workspaceId}::uuid, r.id, r.key, '', '', 'other', 0, 0, '{}', '{}', '{}'
    FROM unnest(${entities.map((e) => e.id)}::uuid[], ${entities.map((e) => e.key)}::text[]) AS r (id, key)
    ORDER BY r.id
    ON CONFLICT (workspace_id, id) DO UPDATE SET key = excluded.key`)
}

// An array, so that the index is used for each entity by itself: a join hashed all names of the workspace.
const membersArray = (workspaceId: string, id: Sql): Sql =>
  sql`ANY (ARRAY(SELECT member.id FROM ${membersOf(workspaceId, id)} AS member))`

/** The surfaces and types of each entity in live evidence, with counts; none for a merged name. */
export const selectSurfaceCounts = (
  tx: Queryable,
  workspaceId: string,
  entityIds: string[],
): Promise<SurfaceCount[]> =>
  tx.rows(sql`
    SELECT r.id, part.* FROM unnest(${entityIds}::uuid[]) AS r (id) CROSS JOIN LATERAL (
      SELECT p.surface, p.own AND p.entity_id = r.id AS own, p.type, sum(p.mentions)::int AS mentions
      FROM entity_part p
      WHERE p.workspace_id = ${workspaceId} AND p.entity_id = ${membersArray(workspaceId, sql`r.id`)}
      GROUP BY 1, 2, 3
    ) AS part`)

// From an index: the 10,000 documents of a hub take 11 to 26 ms, reading their 100,000 mentions 720 to 1,540
// (embedded engine, a very busy machine); one more document takes 74 to 100 ms in all.
export function selectDocumentCounts(
  tx: Queryable,
  workspaceId: string,
  entityIds: string[],
): Promise<{ id: string; documents: number }[]> {
  return tx.rows(sql`
    SELECT r.id, (
      SELECT count(DISTINCT c.version_id)::int FROM entity_counted c
      WHERE c.workspace_id = ${workspaceId} AND c.entity_id = ${membersArray(workspaceId, sql`r.id`)}
    ) AS documents
    FROM unnest(${entityIds}::uuid[]) AS r (id)`)
}

export function updateEntities(tx: Queryable, workspaceId: string, rows: EntityRow[]): Promise<unknown> {
  return tx.rows(sql`
    UPDATE entity e SET name = r.name, name_key = r.name_key, type = r.type, mention_count = r.mention_count,
      document_count = r.document_count, aliases = r.aliases, keys = r.keys, words = r.words
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (id uuid, name text, name_key text, type text,
      mention_count int, document_count int, aliases text[], keys text[], words text[])
    WHERE e.workspace_id = ${workspaceId} AND e.id = r.id`)
}

export const deleteEntities = (tx: Queryable, workspaceId: string, entityIds: string[]): Promise<unknown> =>
  tx.rows(sql`DELETE FROM entity WHERE workspace_id = ${workspaceId} AND id = ANY (${entityIds}::uuid[])`)

const edgeRows = (edges: EdgeKey[]): Sql => sql`
  unnest(${edges.map((e) => e.head)}::uuid[], ${edges.map((e) => e.type)}::text[], ${edges.map((e) => e.tail)}::uuid[])
    AS r (head, type, tail)`

/**
 * Locks the edges' rows, then recounts them: two statements, so that the count sees what others committed before the
 * lock.
 */
export async function recountEdges(tx: Queryable, workspaceId: string, edges: EdgeKey[]): Promise<void> {
  await tx.rows(sql`
    INSERT INTO edge (workspace_id, head, type, tail, evidence_count)
    SELECT ${workspaceId}::uuid, r.head, r.type, r.tail, 0 FROM ${edgeRows(edges)}
    ORDER BY r.head, r.type COLLATE "C", r.tail
    ON CONFLICT (workspace_id, head, type, tail) DO UPDATE SET evidence_count = edge.evidence_count`)
  await tx.rows(sql`
    UPDATE edge SET evidence_count = (
      SELECT count(*)::int
      FROM relation_evidence e
      JOIN document_graph g ON g.workspace_id = e.workspace_id AND g.version_id = e.version_id AND g.state = 'live'
      WHERE e.workspace_id = ${workspaceId} AND edge.head <> edge.tail AND e.type = edge.type
        AND e.head = ${membersArray(workspaceId, sql`edge.head`)}
        AND e.tail = ${membersArray(workspaceId, sql`edge.tail`)})
    FROM ${edgeRows(edges)}
    WHERE edge.workspace_id = ${workspaceId}
      AND edge.head = r.head AND edge.type = r.type AND edge.tail = r.tail`)
  await tx.rows(sql`
    DELETE FROM edge USING ${edgeRows(edges)}
    WHERE edge.workspace_id = ${workspaceId} AND edge.evidence_count = 0
      AND edge.head = r.head AND edge.type = r.type AND edge.tail = r.tail`)
}

export const markAggregated = (db: Queryable, workspaceId: string, versionId: string): Promise<unknown> =>
  db.rows(sql`
    UPDATE document_graph SET settled = true
    WHERE workspace_id = ${workspaceId} AND version_id = ${versionId} AND state = 'live'`)

export const deleteGraph = (db: Queryable, workspaceId: string, versionId: string): Promise<unknown> =>
  db.rows(sql`
    DELETE FROM document_graph
    WHERE workspace_id = ${workspaceId} AND version_id = ${versionId} AND state = 'retired'`)
