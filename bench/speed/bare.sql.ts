// The two statements a search cannot do without, as short as they can be written: how often the words stand in the
// workspace, and the ten best of the candidates. What search does beyond them is access, correction, fusion, duplicates.

import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Db } from '../../src/ports/db/db.ts'
import { idf, querySide, queryWeights, termHash } from '../../src/search/weights.ts'

const LIMIT = 10
// As in search.ts: below this every chunk is scored, above candidates come from the rarest terms.
const SCAN_BELOW = 3000
const CANDIDATE_SUM = 3000

export interface Bare {
  /** Ids of the ten best. */
  ids: string[]
  ms: number
}

/** @param exact score every chunk of the workspace, whatever its size */
export async function bareSearch(
  db: Db,
  workspace: { id: string; chunks: number },
  query: string,
  exact = false,
): Promise<Bare> {
  const weights = [...queryWeights(query, ['en'])].map(([term, weight]) => ({ term: termHash(term), weight }))
  const started = performance.now()
  const rows = await db.rows<{ term: number; df: number }>(sql`
    SELECT term, df FROM term_stat
    WHERE workspace_id = ${workspace.id} AND term = ANY (${weights.map(({ term }) => term)}::int[])`)
  const df = new Map(rows.map((row) => [row.term, row.df]))
  const known = weights.filter(({ term }) => df.has(term))
  const side = querySide(
    known.map(({ term, weight }) => ({ term, weight: weight * idf(df.get(term) ?? 0, workspace.chunks) })),
  )
  const narrow = exact || workspace.chunks < SCAN_BELOW ? empty : candidates(known, df)
  const found = await db.rows<{ id: string }>(sql`
    SELECT c.id, c.text, d.title FROM document d
    JOIN chunk c ON c.workspace_id = d.workspace_id AND c.version_id = d.version_id
    WHERE d.workspace_id = ${workspace.id} ${narrow}
    ORDER BY c.lex <#> ${side}::sparsevec, c.id LIMIT ${LIMIT}`)
  return { ids: found.map(({ id }) => id), ms: performance.now() - started }
}

function candidates(known: { term: number }[], df: ReadonlyMap<number, number>): Sql {
  const chosen: number[] = []
  let sum = 0
  for (const { term } of [...known].sort((a, b) => (df.get(a.term) ?? 0) - (df.get(b.term) ?? 0))) {
    sum += df.get(term) ?? 0
    if (sum > CANDIDATE_SUM && chosen.length) break
    chosen.push(term)
  }
  return sql`AND (c.version_id, c.chunk_no) IN (SELECT k.version_id, k.chunk_no FROM chunks_holding(${chosen}::int[]) k)`
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
