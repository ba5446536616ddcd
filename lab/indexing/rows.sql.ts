// What the rows of a workspace take on disk, table by table, as SQL.

import sql from 'sql-template-tag'
import type { DbConnection } from '../../src/ports/db/connection.ts'
import { openDb } from '../../src/ports/db/postgres.ts'

export interface Relation {
  name: string
  rows: number
  /** Bytes of the table with what was moved out of its rows, and of its indexes. */
  table: number
  indexes: number
}

/** The product's tables, the largest first. */
export async function relations(connection: DbConnection): Promise<Relation[]> {
  const db = openDb(connection, { max: 1 })
  try {
    // The list of terms that wait for the GIN index would be counted twice.
    await db.rows(sql`VACUUM ANALYZE`)
    return await db.rows<Relation>(sql`
      SELECT c.relname AS name, c.reltuples::float8 AS rows, pg_table_size(c.oid)::float8 AS table,
        pg_indexes_size(c.oid)::float8 AS indexes
      FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
      ORDER BY pg_total_relation_size(c.oid) DESC`)
  } finally {
    await db.close()
  }
}

export interface Column {
  name: string
  /** Bytes of a chunk, compressed as it is stored. */
  bytes: number
}

export async function chunkColumns(connection: DbConnection): Promise<Column[]> {
  const db = openDb(connection, { max: 1 })
  try {
    const [row = {}] = await db.rows<Record<string, number>>(sql`
      SELECT avg(pg_column_size(text))::float8 AS text, avg(pg_column_size(lex))::float8 AS lex,
        avg(pg_column_size(terms))::float8 AS terms, avg(pg_column_size(words))::float8 AS words,
        avg(pg_column_size(heading))::float8 AS heading, avg(cardinality(terms))::float8 AS "number of terms"
      FROM chunk`)
    return Object.entries(row).map(([name, bytes]) => ({ name, bytes }))
  } finally {
    await db.close()
  }
}
