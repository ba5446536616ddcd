// The two statements a search cannot do without, as short as they can be written, and the rest of the bench's SQL.

import sql, { raw, type Sql } from 'sql-template-tag'
import { idf, queryWeights, termHash } from '../../src/index/weights.ts'
import { analysedText } from '../../src/language/analysed-text.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { prepared } from '../../src/ports/db/prepared.sql.ts'
import { scoredChunks } from '../../src/search/candidates/candidates.sql.ts'
import { selectCombinations } from '../../src/search/candidates/narrow.ts'
import { queryVectorOf, type WeightedTerm } from '../../src/search/query/query.ts'
import { MAX_CANDIDATES } from '../../src/search/stages/candidates.ts'

const LIMIT = 10

/** What is searched. */
export interface Asked {
  id: string
  chunks: number
  share: number
}

/**
 * Milliseconds of a search by words alone: how often the words stand in the workspace, and the ten best of the candidates.
 * What search does beyond them is access, correction, documents, meaning, fusion, duplicates.
 */
export async function bareWords(db: Db, workspace: Asked, query: string): Promise<number> {
  const asked = termsOf(query)
  const started = performance.now()
  // Its plan is kept as that of search is.
  const rows = await db.rows<Frequency>(
    prepared(sql`
    SELECT term, df FROM term_stat
    WHERE workspace_id = ${workspace.id} AND term = ANY (${asked.map(({ hash }) => hash)}::int[])`),
  )
  const known = weighed(asked, rows, workspace)
  const { from, distance, isHeld } = candidatesOf(workspace, known)
  await db.rows(
    preparedIf(
      isHeld,
      sql`
    SELECT best.id, c.text, best.title FROM (
      SELECT c.id, d.title FROM ${from}
      WHERE d.workspace_id = ${workspace.id}
      ORDER BY ${distance}, c.id LIMIT ${LIMIT}
    ) best JOIN chunk c ON c.workspace_id = ${workspace.id} AND c.id = best.id`,
    ),
  )
  return performance.now() - started
}

/**
 * The same with what the order of this search needs: one statement in which the hundred best candidates meet the score of their
 * document, by whose plain sum the ten best are shown. What search does beyond is access, spelling, typing errors, meaning,
 * passages of several documents before those of one, near-duplicates.
 */
export async function bareRanked(db: Db, workspace: Asked, query: string): Promise<number> {
  const asked = termsOf(query)
  const { id } = workspace
  const started = performance.now()
  const rows = await db.rows<Frequency>(
    prepared(sql`
    SELECT term, df FROM term_stat
    WHERE workspace_id = ${id} AND term = ANY (${asked.map(({ hash }) => hash)}::int[])`),
  )
  const known = weighed(asked, rows, workspace)
  const { from, distance, isHeld } = candidatesOf(workspace, known)
  await db.rows(
    preparedIf(
      isHeld,
      sql`
    SELECT best.id, t.text, best.title FROM (
      SELECT c.id, c.title FROM (
        SELECT d.workspace_id, c.version_id, c.chunk_no, c.id, d.title, ${distance} AS distance FROM ${from}
        WHERE d.workspace_id = ${id}
        ORDER BY distance, c.id LIMIT ${MAX_CANDIDATES}
      ) c CROSS JOIN LATERAL (
        SELECT lex <#> ${queryVectorOf(known)}::sparsevec AS distance FROM version
        WHERE workspace_id = c.workspace_id AND id = c.version_id OFFSET 0) v
      ORDER BY c.distance + v.distance, c.id LIMIT ${LIMIT}
    ) best JOIN chunk t ON t.workspace_id = ${id} AND t.id = best.id`,
    ),
  )
  return performance.now() - started
}

interface Frequency {
  term: number
  df: number
}

const termsOf = (query: string): { term: string; weight: number; hash: number }[] =>
  [...queryWeights(analysedText(query), ['en'])].map(([term, weight]) => ({
    term,
    weight,
    hash: termHash(term),
  }))

function weighed(
  asked: readonly { term: string; weight: number; hash: number }[],
  rows: readonly Frequency[],
  { chunks }: Asked,
): WeightedTerm[] {
  const frequencies = new Map(rows.map((row) => [row.term, row.df]))
  return asked.flatMap((term) => {
    const df = frequencies.get(term.hash)
    return df === undefined ? [] : [{ ...term, df, idf: idf(df, chunks) }]
  })
}

/** The candidates that search begins with, without its second look where they do not do. */
function candidatesOf(
  workspace: Asked,
  known: readonly WeightedTerm[],
): { from: Sql; distance: Sql; isHeld: boolean } {
  const holding = selectCombinations(known, workspace)?.termFilter
  const open = { filter: {}, phrases: [] }
  return {
    ...scoredChunks(workspace.id, open, { queryVector: queryVectorOf(known), termFilter: holding }),
    isHeld: holding !== undefined,
  }
}

const preparedIf = (isHeld: boolean, statement: Sql): Sql => (isHeld ? prepared(statement) : statement)

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

/** The number, on its own machine, of the server's process that runs this statement, and the database it serves. */
export async function servingProcess(db: Db): Promise<{ pid: number; database: string }> {
  const [row] = await db.rows<{ pid: number; database: string }>(
    sql`SELECT pg_backend_pid() AS pid, current_database()::text AS database`,
  )
  return row ?? { pid: 0, database: '' }
}
