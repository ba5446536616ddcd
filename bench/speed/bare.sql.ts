// The two statements a search cannot do without, as short as they can be written: how often the words stand in the
// workspace, and the ten best of the candidates. What search does beyond them is access, correction, fusion, duplicates.

import sql, { raw } from 'sql-template-tag'
import type { Db } from '../../src/ports/db/db.ts'
import { kept } from '../../src/ports/db/kept.sql.ts'
import { scoredChunks } from '../../src/search/candidates/candidates.sql.ts'
import { narrow } from '../../src/search/candidates/narrow.ts'
import { sideOf } from '../../src/search/query/query.ts'
import { idf, queryWeights, termHash } from '../../src/search/weights.ts'

const LIMIT = 10

/** Milliseconds of both. */
export async function bareSearch(
  db: Db,
  workspace: { id: string; chunks: number; share: number },
  query: string,
): Promise<number> {
  const weights = [...queryWeights(query, ['en'])].map(([term, weight]) => ({
    term,
    weight,
    hash: termHash(term),
  }))
  const started = performance.now()
  // Its plan is kept as that of search is.
  const rows = await db.rows<{ term: number; df: number }>(
    kept(sql`
    SELECT term, df FROM term_stat
    WHERE workspace_id = ${workspace.id} AND term = ANY (${weights.map(({ hash }) => hash)}::int[])`),
  )
  const frequencies = new Map(rows.map((row) => [row.term, row.df]))
  const known = weights.flatMap((term) => {
    const df = frequencies.get(term.hash)
    return df === undefined ? [] : [{ ...term, df, idf: idf(df, workspace.chunks) }]
  })
  // The candidates that search begins with, without its second look where they do not do.
  const holding = narrow(known, workspace)[0]?.holding
  const open = { filter: {}, phrases: [] }
  const { from, distance } = scoredChunks(workspace.id, open, { side: sideOf(known), holding })
  const statement = sql`
    SELECT best.id, c.text, best.title FROM (
      SELECT c.id, d.title FROM ${from}
      WHERE d.workspace_id = ${workspace.id}
      ORDER BY ${distance}, c.id LIMIT ${LIMIT}
    ) best JOIN chunk c ON c.workspace_id = ${workspace.id} AND c.id = best.id`
  await db.rows(holding ? kept(statement) : statement)
  return performance.now() - started
}

/** Tasks that only the graph needs: this bench measures search. */
export const dropGraphTasks = (db: Db): Promise<unknown> =>
  db.rows(sql`DELETE FROM task WHERE kind = 'graph' AND lease_until IS NULL`)

export async function countChunks(db: Db, workspaceId: string): Promise<number> {
  const [row] = await db.rows<{ count: number }>(
    sql`SELECT coalesce(sum(chunk_count), 0)::int AS count FROM document WHERE workspace_id = ${workspaceId}`,
  )
  return row?.count ?? 0
}

/** One document in so many, by path, at least one; and what they hold. */
export async function oneIn(
  db: Db,
  workspaceId: string,
  fraction: number,
): Promise<{ ids: string[]; chunks: number }> {
  const rows = await db.rows<{ id: string; chunks: number }>(sql`
    SELECT id, chunk_count AS chunks FROM (
      SELECT id, chunk_count, row_number() OVER (ORDER BY path COLLATE "C", id) AS place FROM document
      WHERE workspace_id = ${workspaceId}
    ) d WHERE place % ${fraction}::int = 1`)
  return { ids: rows.map(({ id }) => id), chunks: rows.reduce((sum, { chunks }) => sum + chunks, 0) }
}

// Names beside the one that is asked for: where there is no other, every index on names leads to all mentions.
const OTHER_NAMES = 400

/** A name that stands in one chunk of so many all over the workspace, as the graph would know it; what it is in. */
export async function nameOneIn(
  db: Db,
  workspaceId: string,
  fraction: number,
): Promise<{ id: string; chunks: number }> {
  const id = `00000000-0000-4000-8000-${String(fraction).padStart(12, '0')}`
  await db.rows(sql`
    INSERT INTO document_graph (workspace_id, version_id, document_id, state, settled)
    SELECT workspace_id, version_id, id, 'live', true FROM document WHERE workspace_id = ${workspaceId}
    ON CONFLICT DO NOTHING`)
  await db.rows(sql`
    INSERT INTO mention (workspace_id, version_id, chunk_no, mention_no, entity_id, key, surface, own, type, start_at,
      end_at)
    SELECT workspace_id, version_id, chunk_no, n, id, 'bench', 'bench', true, 'work', 0, 1
    FROM (
      SELECT d.workspace_id, d.version_id, n AS chunk_no, row_number() OVER (ORDER BY d.path COLLATE "C", d.id, n) AS place
      FROM document d CROSS JOIN LATERAL generate_series(0, d.chunk_count - 1) AS n WHERE d.workspace_id = ${workspaceId}
    ) every_chunk CROSS JOIN LATERAL (VALUES
      (0, md5((place % ${OTHER_NAMES}::int)::text)::uuid, true),
      (${fraction}::int, ${id}::uuid, place % ${fraction}::int = 1)) AS name (n, id, named)
    WHERE named ON CONFLICT DO NOTHING`)
  const [row] = await db.rows<{ chunks: number }>(sql`
    INSERT INTO entity (workspace_id, id, key, name, name_key, type, mention_count, document_count, aliases, keys, words)
    SELECT ${workspaceId}, ${id}, ${id}::text, 'bench', 'bench', 'work', count(*), count(DISTINCT version_id), '{}', '{}',
      '{}'
    FROM mention WHERE workspace_id = ${workspaceId} AND entity_id = ${id}
    ON CONFLICT (workspace_id, id) DO UPDATE SET mention_count = excluded.mention_count
    RETURNING mention_count AS chunks`)
  return { id, chunks: row?.chunks ?? 0 }
}

export const analyseFilters = (db: Db): Promise<unknown> =>
  db.rows(sql`ANALYZE scope, scope_document, document_graph, mention, entity`)

export async function databaseBytes(db: Db): Promise<number> {
  const [row] = await db.rows<{ bytes: number }>(sql`SELECT pg_database_size(current_database()) AS bytes`)
  return row?.bytes ?? 0
}

/** Fresh statistics for the planner, as autovacuum makes them a minute later on a server. */
export const analyse = (db: Db): Promise<unknown> => db.rows(sql`ANALYZE`)

export interface ChunkRow {
  id: string
  title: string
  text: string
}

/** A workspace's chunks after a position, for the engines measured beside. */
export const selectChunks = (
  db: Db,
  workspaceId: string,
  after: string,
  limit: number,
): Promise<ChunkRow[]> =>
  db.rows(sql`
    SELECT c.id, d.title, c.text FROM document d
    JOIN chunk c ON c.workspace_id = d.workspace_id AND c.version_id = d.version_id
    WHERE d.workspace_id = ${workspaceId} AND c.id > ${after}::uuid ORDER BY c.id LIMIT ${limit}`)

export const createDatabase = (db: Db, name: string): Promise<unknown> =>
  db.rows(raw(`CREATE DATABASE ${name}`))

export const dropDatabase = (db: Db, name: string): Promise<unknown> =>
  db.rows(raw(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
