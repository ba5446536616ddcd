// The content of a workspace without the ids that differ between workspaces: two that were given the same files must be equal,
// whatever happened on the way.

import sql, { raw } from 'sql-template-tag'
import type { Queryable } from '../../src/ports/db/db.ts'

export interface Holdings {
  documents: object[]
  chunks: object[]
  terms: object[]
  entities: object[]
  edges: object[]
  mentions: object[]
  relations: object[]
  versions: object[]
  subjects: object[]
  files: object[]
  tasks: object[]
}

export async function holdings(db: Queryable, workspaceId: string): Promise<Holdings> {
  const here = sql`workspace_id = ${workspaceId}`
  return {
    documents: await db.rows(sql`
      SELECT path, title, provider, kind, content_hash, language, pages, chunk_count, has_tables FROM document
      WHERE ${here} ORDER BY path`),
    chunks: await db.rows(sql`
      SELECT d.path, c.chunk_no, c.type, c.text, c.heading, c.page, c.lex::text, c.terms
      FROM chunk c LEFT JOIN document d ON d.workspace_id = c.workspace_id AND d.version_id = c.version_id
      WHERE c.workspace_id = ${workspaceId} ORDER BY 1, 2`),
    terms: await db.rows(sql`SELECT term, word, df FROM term_stat WHERE ${here} ORDER BY term`),
    entities: await db.rows(sql`
      SELECT key, name, type, mention_count, document_count, aliases FROM entity WHERE ${here} ORDER BY key, type`),
    edges: await db.rows(sql`
      SELECT h.name AS head, e.type, t.name AS tail, e.evidence_count
      FROM edge e
      JOIN entity h ON h.workspace_id = e.workspace_id AND h.id = e.head
      JOIN entity t ON t.workspace_id = e.workspace_id AND t.id = e.tail
      WHERE e.workspace_id = ${workspaceId} ORDER BY 1, 2, 3`),
    mentions: await db.rows(sql`
      SELECT key, surface, chunk_no, start_at FROM mention WHERE ${here} ORDER BY 1, 2, 3, 4`),
    relations: await db.rows(sql`
      SELECT type, chunk_no, start_at FROM relation_evidence WHERE ${here} ORDER BY 1, 2, 3`),
    versions: await db.rows(sql`
      SELECT state, folded >= 1 AS folded, settled FROM version WHERE ${here} ORDER BY 1, 2, 3`),
    subjects: await db.rows(sql`
      SELECT d.path, s.term, s.weight
      FROM version_subject s LEFT JOIN document d ON d.workspace_id = s.workspace_id AND d.version_id = s.version_id
      WHERE s.workspace_id = ${workspaceId} ORDER BY 1, 2`),
    files: await db.rows(sql`SELECT path, status, error FROM job_file WHERE ${here} ORDER BY path, job_id`),
    // Whoever reads a workspace of their own may queue suggested questions, which changes nothing of what it holds.
    tasks: await db.rows(sql`SELECT kind FROM task WHERE ${here} AND kind <> 'suggest' ORDER BY kind`),
  }
}

/** Counters that are not what they count. */
export const wrongCounts = (db: Queryable, workspaceId: string): Promise<object[]> =>
  db.rows(sql`
    SELECT 'chunks of a document' AS what, d.path AS of, d.chunk_count AS says, count(c.*)::int AS is
    FROM document d LEFT JOIN chunk c ON c.workspace_id = d.workspace_id AND c.version_id = d.version_id
    WHERE d.workspace_id = ${workspaceId} GROUP BY d.path, d.chunk_count HAVING d.chunk_count <> count(c.*)
    UNION ALL
    SELECT 'mentions of an entity', e.name, e.mention_count, count(m.*)::int
    FROM entity e LEFT JOIN mention m ON m.workspace_id = e.workspace_id AND m.entity_id = e.id
    WHERE e.workspace_id = ${workspaceId} GROUP BY e.id, e.name, e.mention_count
    HAVING e.mention_count <> count(m.*)`)

/** How many rows of the workspace each table has; tables without any are left out. */
export async function rowsLeft(db: Queryable, workspaceId: string): Promise<Record<string, number>> {
  const tables = await db.rows<{ table_name: string }>(sql`
    SELECT table_name FROM information_schema.columns
    WHERE column_name = 'workspace_id' AND table_schema = 'public' ORDER BY 1`)
  const counts: Record<string, number> = {}
  for (const { table_name } of tables) {
    const [row] = await db.rows<{ n: number }>(
      sql`SELECT count(*)::int AS n FROM ${raw(table_name)} WHERE workspace_id = ${workspaceId}`,
    )
    if (row?.n) counts[table_name] = row.n
  }
  const [row] = await db.rows<{ n: number }>(
    sql`SELECT count(*)::int AS n FROM workspace WHERE id = ${workspaceId}`,
  )
  if (row?.n) counts.workspace = row.n
  return counts
}

/** How many rows each table of the database has; empty tables are left out. */
export async function rowCounts(db: Queryable): Promise<Record<string, number>> {
  const tables = await db.rows<{ table_name: string }>(sql`
    SELECT table_name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`)
  const counts: Record<string, number> = {}
  for (const { table_name } of tables) {
    const [row] = await db.rows<{ n: number }>(sql`SELECT count(*)::int AS n FROM ${raw(`"${table_name}"`)}`)
    if (row?.n) counts[table_name] = row.n
  }
  return counts
}

/** The hashes of the files of all documents. */
export async function namedBlobs(db: Queryable): Promise<string[]> {
  const rows = await db.rows<{ hash: string }>(
    sql`SELECT DISTINCT content_hash COLLATE "C" AS hash FROM document ORDER BY 1`,
  )
  return rows.map(({ hash }) => hash)
}

/** The files that are being read, by which worker. */
export const heldFiles = (db: Queryable): Promise<{ worker: string; job_id: string }[]> =>
  db.rows(sql`
    SELECT worker, subject ->> 'job_id' AS job_id FROM task WHERE kind = 'ingest' AND lease_until > now()`)

/** Lets the leases of all tasks of a worker expire. */
export const expireLeases = (db: Queryable, worker: string): Promise<unknown> =>
  db.rows(sql`UPDATE task SET lease_until = now() - interval '1 s' WHERE worker = ${worker}`)

/** The workspace's tasks as the queue sees them. */
export const taskStates = (
  db: Queryable,
  workspaceId: string,
): Promise<{ kind: string; attempt: number; failures: number; leased: boolean }[]> =>
  db.rows(sql`
    SELECT kind, attempt, failures, coalesce(lease_until > now(), false) AS leased FROM task
    WHERE workspace_id = ${workspaceId} ORDER BY kind`)

/** Tasks of files that are marked as taking long. */
export const claimedLong = (db: Queryable): Promise<{ id: string }[]> =>
  db.rows(sql`SELECT id FROM task WHERE kind = 'ingest' AND subject ? 'long'`)
