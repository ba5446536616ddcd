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

export const analyseScopes = (db: Db): Promise<unknown> => db.rows(sql`ANALYZE scope, scope_document`)

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
