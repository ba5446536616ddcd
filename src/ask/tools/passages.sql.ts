// The SQL for passages by their position in a document, and for relations with the passages that state them.

import sql, { type Sql } from 'sql-template-tag'
import { membersOf, rootOf } from '../../graph/clusters.sql.ts'
import type { Language } from '../../language/language.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { Passage } from '../../search/passage.ts'

/** The score is 0, because these passages are read by their position and not found by search. */
const passageColumns = sql`
  c.id AS chunk_id, d.id AS document_id, d.title AS document_title,
  d.path AS document_path, c.chunk_no, c.type, c.text, c.heading, c.page,
  c.language, 0::float8 AS score`

/** The position of a chunk of the live version. */
export async function selectPosition(
  db: Queryable,
  workspaceId: string,
  chunkId: string,
): Promise<{ document_id: string; chunk_no: number } | undefined> {
  const [row] = await db.rows<{ document_id: string; chunk_no: number }>(sql`
    SELECT d.id AS document_id, c.chunk_no FROM chunk c
    JOIN document d ON d.workspace_id = c.workspace_id AND d.version_id = c.version_id
    WHERE c.workspace_id = ${workspaceId} AND c.id = ${chunkId}`)
  return row
}

/** The live chunks of a document from one position to another, both included, in reading order. */
export const selectBetween = (
  db: Queryable,
  workspaceId: string,
  documentId: string,
  { from, to }: { from: number; to: number },
): Promise<Passage[]> =>
  db.rows(sql`
    SELECT ${passageColumns} FROM document d
    JOIN chunk c ON c.workspace_id = d.workspace_id AND c.version_id = d.version_id
    WHERE d.workspace_id = ${workspaceId} AND d.id = ${documentId} AND c.chunk_no BETWEEN ${from} AND ${to}
    ORDER BY c.chunk_no`)

/**
 * The live chunks of a document in reading order, at most `limit`: all chunks if the document has no more than that,
 * otherwise only its tables.
 */
export const selectTablePassages = (
  db: Queryable,
  workspaceId: string,
  documentId: string,
  limit: number,
): Promise<(Passage & { chunk_count: number })[]> =>
  db.rows(sql`
    SELECT ${passageColumns}, d.chunk_count FROM document d
    JOIN chunk c ON c.workspace_id = d.workspace_id AND c.version_id = d.version_id
    WHERE d.workspace_id = ${workspaceId} AND d.id = ${documentId}
      AND (d.chunk_count < ${limit} OR c.type = 'table')
    ORDER BY c.chunk_no LIMIT ${limit}`)

export interface NamedDocumentRow {
  id: string
  title: string
  /** The path of its file. */
  path: string
  /** The text of its first passage. */
  beginning: string
  language: Language
}

// The number of documents that are read for one beginning of a title.
const MAX_DOCUMENTS_PER_NAME = 24

/** The documents with these ids, and those whose titles begin with one of the texts, each with its first passage. */
export const selectNamed = (
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
  prefixes: readonly string[],
): Promise<NamedDocumentRow[]> =>
  db.rows(sql`
    SELECT d.id, d.title, d.path, c.text AS beginning, c.language
    FROM (
      SELECT unnest(${[...ids]}::uuid[]) AS id
      UNION
      SELECT o.id FROM unnest(${[...prefixes]}::text[]) AS name (beginning)
      CROSS JOIN LATERAL (
        SELECT id FROM document
        WHERE workspace_id = ${workspaceId} AND title_key >= name.beginning
          AND title_key < name.beginning || ${'\u{10ffff}'}
        ORDER BY title_key, id LIMIT ${MAX_DOCUMENTS_PER_NAME}) o
    ) named
    JOIN document d ON d.workspace_id = ${workspaceId} AND d.id = named.id
    JOIN chunk c ON c.workspace_id = d.workspace_id AND c.version_id = d.version_id AND c.chunk_no = 0
    ORDER BY d.title_key, d.id`)

export interface NeighbourRow {
  type: string
  evidence_count: number
  /** `out`: the requested entity is the head. */
  direction: 'out' | 'in'
  entity: { id: string; name: string; type: string }
  passage: Passage
}

const membersArray = (workspaceId: string, id: Sql): Sql =>
  sql`ARRAY(SELECT member.id FROM ${membersOf(workspaceId, id)} AS member)`

/** The relations of an entity with most evidence, each with the first passage that states it. */
export const selectNeighbours = (
  db: Queryable,
  workspaceId: string,
  entityId: string,
  limit: number,
): Promise<NeighbourRow[]> => {
  const rootEntity = sql`(SELECT ${rootOf(workspaceId, sql`${entityId}::uuid`)})`
  return db.rows(sql`
    WITH strongest AS (
      SELECT head, type, tail, evidence_count, 'out' AS direction, tail AS other FROM edge
      WHERE workspace_id = ${workspaceId} AND head = ${rootEntity}
      UNION ALL
      SELECT head, type, tail, evidence_count, 'in', head FROM edge
      WHERE workspace_id = ${workspaceId} AND tail = ${rootEntity}
      ORDER BY evidence_count DESC, other, type, direction LIMIT ${limit}
    )
    SELECT e.type, e.evidence_count, e.direction,
      json_build_object('id', n.id, 'name', n.name, 'type', n.type) AS entity, to_json(p) AS passage
    FROM strongest e
    JOIN entity n ON n.workspace_id = ${workspaceId} AND n.id = e.other
    CROSS JOIN LATERAL (
      SELECT r.version_id, r.chunk_no FROM relation_evidence r
      JOIN document_graph g ON g.workspace_id = r.workspace_id AND g.version_id = r.version_id AND g.state = 'live'
      WHERE r.workspace_id = ${workspaceId} AND r.type = e.type
        AND r.head = ANY (${membersArray(workspaceId, sql`e.head`)})
        AND r.tail = ANY (${membersArray(workspaceId, sql`e.tail`)})
      ORDER BY g.document_id, r.chunk_no LIMIT 1
    ) first
    CROSS JOIN LATERAL (
      SELECT ${passageColumns} FROM document d
      JOIN chunk c ON c.workspace_id = d.workspace_id AND c.version_id = d.version_id
      WHERE d.workspace_id = ${workspaceId} AND d.version_id = first.version_id AND c.chunk_no = first.chunk_no
    ) p
    ORDER BY e.evidence_count DESC, n.id, e.type, e.direction`)
}
