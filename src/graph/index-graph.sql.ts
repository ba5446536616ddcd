// SQL that writes evidence and its aggregates. Rows are locked and inserted in key order, so that workers never deadlock. A
// statement writes some hundred rows, because on the embedded engine everybody waits for a transaction.

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

/** A version of a document whose graph is built or published. */
export type GraphVersion = Omit<GraphTarget, 'workspaceId'>

type GraphState = 'building' | 'live' | 'retired'

/**
 * Registers the versions as being built, unless they are already registered.
 * @returns the state of each version, and whether it is new
 */
export async function startGraphs(
  tx: Queryable,
  workspaceId: string,
  versions: readonly GraphVersion[],
): Promise<Map<string, { state: GraphState; isNew: boolean }>> {
  const ids = versions.map(({ versionId }) => versionId)
  const insertedVersions = await tx.rows<{ version_id: string }>(sql`
    INSERT INTO document_graph (workspace_id, version_id, document_id, state)
    SELECT ${workspaceId}::uuid, r.version_id, r.document_id, 'building'
    FROM unnest(${ids}::uuid[], ${versions.map(({ documentId }) => documentId)}::uuid[]) AS r (version_id, document_id)
    ORDER BY r.version_id
    ON CONFLICT (workspace_id, version_id) DO NOTHING RETURNING version_id`)
  const newIds = new Set(insertedVersions.map(({ version_id }) => version_id))
  const rows = await tx.rows<{ version_id: string; state: GraphState }>(sql`
    SELECT version_id, state FROM document_graph
    WHERE workspace_id = ${workspaceId} AND version_id = ANY (${ids}::uuid[])`)
  return new Map(rows.map(({ version_id: id, state }) => [id, { state, isNew: newIds.has(id) }]))
}

// Rows are inserted only for versions that are being built, so that a worker which lost its task adds nothing to a published graph.
// The lock delays the retirement of the version, so that no row is inserted after its evidence was deleted.
const onlyWhileBuilding = (workspaceId: string): Sql => sql`
  JOIN document_graph g ON g.workspace_id = ${workspaceId} AND g.version_id = r.version_id AND g.state = 'building'
  FOR SHARE OF g
  ON CONFLICT DO NOTHING`

type NumberedMention = Mention & { versionId: string; mention_no: number; entity_id: string }

export const insertMentions = (
  db: Queryable,
  workspaceId: string,
  rows: readonly NumberedMention[],
): Promise<unknown> =>
  db.rows(sql`
    INSERT INTO mention (workspace_id, version_id, chunk_no, mention_no, entity_id, key, surface, own, type,
      start_at, end_at)
    SELECT ${workspaceId}::uuid, r.* FROM unnest(${rows.map((r) => r.versionId)}::uuid[],
      ${rows.map((r) => r.chunk_no)}::int[], ${rows.map((r) => r.mention_no)}::int[],
      ${rows.map((r) => r.entity_id)}::uuid[], ${rows.map((r) => r.key)}::text[],
      ${rows.map((r) => r.surface)}::text[], ${rows.map((r) => r.own)}::boolean[],
      ${rows.map((r) => r.type)}::text[], ${rows.map((r) => r.start)}::int[], ${rows.map((r) => r.end)}::int[]
    ) AS r (version_id, chunk_no, mention_no, entity_id, key, surface, own, type, start_at, end_at)
    ${onlyWhileBuilding(workspaceId)}`)

type NumberedRelation = RelationEvidence & { versionId: string; relation_no: number }

export const insertRelations = (
  db: Queryable,
  workspaceId: string,
  rows: readonly NumberedRelation[],
): Promise<unknown> =>
  db.rows(sql`
    INSERT INTO relation_evidence (workspace_id, version_id, chunk_no, relation_no, head, type, tail, start_at, end_at)
    SELECT ${workspaceId}::uuid, r.* FROM unnest(${rows.map((r) => r.versionId)}::uuid[],
      ${rows.map((r) => r.chunk_no)}::int[], ${rows.map((r) => r.relation_no)}::int[],
      ${rows.map((r) => r.head)}::uuid[], ${rows.map((r) => r.type)}::text[], ${rows.map((r) => r.tail)}::uuid[],
      ${rows.map((r) => r.start)}::int[], ${rows.map((r) => r.end)}::int[]
    ) AS r (version_id, chunk_no, relation_no, head, type, tail, start_at, end_at)
    ${onlyWhileBuilding(workspaceId)}`)

/** Deletes up to `limit` mentions and `limit` relations of the version. @returns the number of deleted rows */
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

/**
 * Publishes the graphs of the versions and retires the graphs of all other versions. Returns false if one of them is not being
 * built.
 */
export async function publishGraphs(
  tx: Queryable,
  workspaceId: string,
  versions: readonly GraphVersion[],
): Promise<boolean> {
  const ids = versions.map(({ versionId }) => versionId)
  await tx.rows(sql`
    UPDATE document_graph SET state = 'retired'
    WHERE workspace_id = ${workspaceId} AND document_id = ANY (${versions.map(({ documentId }) => documentId)}::uuid[])
      AND version_id <> ALL (${ids}::uuid[])`)
  const publishedRows = await tx.rows(sql`
    UPDATE document_graph SET state = 'live', settled = false
    WHERE workspace_id = ${workspaceId} AND version_id = ANY (${ids}::uuid[]) AND state = 'building'
    RETURNING 1`)
  return publishedRows.length === ids.length
}

/** Retires all graphs of a deleted document. If the document was uploaded again, the graph of its current version stays. */
export const retireGraphs = (db: Queryable, workspaceId: string, documentId: string): Promise<unknown> =>
  db.rows(sql`
    UPDATE document_graph g SET state = 'retired'
    WHERE g.workspace_id = ${workspaceId} AND g.document_id = ${documentId} AND NOT EXISTS (
      SELECT 1 FROM document d
      WHERE d.workspace_id = ${workspaceId} AND d.id = g.document_id AND d.version_id = g.version_id)`)

export interface UnaggregatedVersion {
  version_id: string
  state: GraphState
}

/** Versions of the documents whose evidence was published or retired since the last aggregation. */
export const selectUnaggregated = (
  db: Queryable,
  workspaceId: string,
  documentIds: readonly string[],
): Promise<UnaggregatedVersion[]> =>
  db.rows(sql`
    SELECT version_id, state FROM document_graph
    WHERE workspace_id = ${workspaceId} AND document_id = ANY (${[...documentIds]}::uuid[])
      AND (state = 'retired' OR state = 'live' AND NOT settled)
    ORDER BY version_id`)

/**
 * Until the transaction ends, nobody else aggregates entities or edges of the workspace. To lock the rows instead, each new row
 * would have to be written twice, with all its indexes.
 */
export const lockAggregates = (tx: Queryable, workspaceId: string): Promise<unknown> =>
  tx.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`aggregates ${workspaceId}`}, 0))`)

// With an array the index is used for each entity. For a join the planner hashes all names of the workspace.
const membersArray = (workspaceId: string, id: Sql): Sql =>
  sql`ANY (ARRAY(SELECT member.id FROM ${membersOf(workspaceId, id)} AS member))`

/** The surfaces and types of each entity in live evidence, with counts. A merged entity has no rows. */
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

// Reads an index: for the 10,000 documents of a hub this takes 11 to 26 ms, instead of at least 720 ms for its 100,000 mentions
// (embedded engine).
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

/** Writes the entities, in the order of their ids. */
export function writeEntities(tx: Queryable, workspaceId: string, rows: EntityRow[]): Promise<unknown> {
  return tx.rows(sql`
    INSERT INTO entity (workspace_id, id, key, name, name_key, type, mention_count, document_count, aliases, keys, words)
    SELECT ${workspaceId}::uuid, r.* FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (id uuid, key text,
      name text, name_key text, type text, mention_count int, document_count int, aliases text[], keys text[],
      words text[])
    ORDER BY r.id
    ON CONFLICT (workspace_id, id) DO UPDATE SET name = excluded.name, name_key = excluded.name_key,
      type = excluded.type, mention_count = excluded.mention_count, document_count = excluded.document_count,
      aliases = excluded.aliases, keys = excluded.keys, words = excluded.words`)
}

export const deleteEntities = (tx: Queryable, workspaceId: string, entityIds: string[]): Promise<unknown> =>
  tx.rows(sql`DELETE FROM entity WHERE workspace_id = ${workspaceId} AND id = ANY (${entityIds}::uuid[])`)

const edgeRows = (edges: EdgeKey[]): Sql => sql`
  unnest(${edges.map((e) => e.head)}::uuid[], ${edges.map((e) => e.type)}::text[], ${edges.map((e) => e.tail)}::uuid[])
    AS r (head, type, tail)`

/** Counts the evidence of the edges again. Edges without evidence are deleted. */
export async function recountEdges(tx: Queryable, workspaceId: string, edges: EdgeKey[]): Promise<void> {
  const edgeCounts = await tx.rows<EdgeKey & { n: number }>(sql`
    SELECT r.head, r.type, r.tail, (
      SELECT count(*)::int
      FROM relation_evidence e
      JOIN document_graph g ON g.workspace_id = e.workspace_id AND g.version_id = e.version_id AND g.state = 'live'
      WHERE e.workspace_id = ${workspaceId} AND r.head <> r.tail AND e.type = r.type
        AND e.head = ${membersArray(workspaceId, sql`r.head`)}
        AND e.tail = ${membersArray(workspaceId, sql`r.tail`)}) AS n
    FROM ${edgeRows(edges)}`)
  const remainingEdges = edgeCounts.filter(({ n }) => n > 0)
  const emptyEdges = edgeCounts.filter(({ n }) => n === 0)
  if (remainingEdges.length)
    await tx.rows(sql`
      INSERT INTO edge (workspace_id, head, type, tail, evidence_count)
      SELECT ${workspaceId}::uuid, r.* FROM unnest(${remainingEdges.map((e) => e.head)}::uuid[],
        ${remainingEdges.map((e) => e.type)}::text[], ${remainingEdges.map((e) => e.tail)}::uuid[], ${remainingEdges.map((e) => e.n)}::int[])
        AS r (head, type, tail, n)
      ORDER BY r.head, r.type COLLATE "C", r.tail
      ON CONFLICT (workspace_id, head, type, tail) DO UPDATE SET evidence_count = excluded.evidence_count`)
  if (emptyEdges.length)
    await tx.rows(sql`
      DELETE FROM edge USING ${edgeRows(emptyEdges)}
      WHERE edge.workspace_id = ${workspaceId}
        AND edge.head = r.head AND edge.type = r.type AND edge.tail = r.tail`)
}

export const markAggregated = (
  db: Queryable,
  workspaceId: string,
  versionIds: readonly string[],
): Promise<unknown> =>
  db.rows(sql`
    UPDATE document_graph SET settled = true
    WHERE workspace_id = ${workspaceId} AND version_id = ANY (${[...versionIds]}::uuid[]) AND state = 'live'`)

export const deleteGraph = (db: Queryable, workspaceId: string, versionId: string): Promise<unknown> =>
  db.rows(sql`
    DELETE FROM document_graph
    WHERE workspace_id = ${workspaceId} AND version_id = ${versionId} AND state = 'retired'`)
