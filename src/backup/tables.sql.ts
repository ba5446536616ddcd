// The statements about the tables of a backup. The tables come from the database's catalogue, so that a new table is included
// automatically. Rows are JSON, so that a backup of PostgreSQL can be restored to PGlite, and the other way round.

import sql, { join, raw, type Sql } from 'sql-template-tag'
import { acrossWorkspaces } from '../ports/db/across.sql.ts'
import { batchesOf } from '../ports/db/cursor.sql.ts'
import type { Queryable } from '../ports/db/db.ts'

export interface Table {
  name: string
  /** The columns that are stored: all except generated ones. */
  columns: string[]
  /** The identity columns. After a restore, their sequences continue after the highest restored value. */
  identityColumns: string[]
  /** The other tables to which the rows refer. */
  referencedTables: string[]
}

// The applied migrations are in the manifest. The other two tables describe this installation: its backups and its workers.
const EXCLUDED_TABLES = ['schema_migration', 'backup', 'worker_report']

/** The tables in an order in which their rows can be inserted. */
export async function selectTables(db: Queryable): Promise<Table[]> {
  const tables = await db.rows<Table>(sql`
    SELECT c.relname AS name,
      (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
      (SELECT coalesce(array_agg(a.attname::text), '{}') FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attidentity <> '') AS "identityColumns",
      (SELECT coalesce(array_agg(DISTINCT r.relname::text), '{}') FROM pg_constraint f JOIN pg_class r ON r.oid = f.confrelid
        WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid) AS "referencedTables"
    FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname <> ALL (${EXCLUDED_TABLES}::text[])
      AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
    ORDER BY c.relname`)
  return inOrder(tables)
}

/** Orders tables so that each comes after those that it refers to. @throws Error if two refer to each other */
export function inOrder(tables: readonly Table[]): Table[] {
  const orderedNames = new Set<string>()
  const ordered: Table[] = []
  for (let remaining = [...tables]; remaining.length > 0; ) {
    const independent = remaining.filter(({ referencedTables }) =>
      referencedTables.every((name) => orderedNames.has(name)),
    )
    if (independent.length === 0)
      throw new Error(`tables refer to each other: ${remaining.map(({ name }) => name).join(', ')}`)
    for (const table of independent) orderedNames.add(table.name)
    ordered.push(...independent)
    remaining = remaining.filter((table) => !independent.includes(table))
  }
  return ordered
}

const quotedName = (name: string): Sql => raw(`"${name.replaceAll('"', '""')}"`)
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
const nameList = (names: readonly string[]): Sql => join(names.map(quotedName))

// A batch is about 2 MB: the largest rows, of chunks, have about 10 kB.
const ROWS_PER_BATCH = 200

/** The rows of a table as JSON texts, in batches. */
export async function* rowsOf(tx: Queryable, { name, columns }: Table): AsyncGenerator<string[]> {
  // Each column is named, because Citus drops `workspace_id` from a whole row (docs/decisions/0039-citus.md).
  const pairs = join(columns.map((column) => sql`${raw(literal(column))}, ${quotedName(column)}`))
  const rows = acrossWorkspaces(
    sql`SELECT jsonb_build_object(${pairs})::text AS row FROM ${quotedName(name)}`,
  )
  for await (const batch of batchesOf<{ row: string }>(tx, rows, ROWS_PER_BATCH))
    yield batch.map(({ row }) => row)
}

/**
 * The hashes of all files to which rows refer: of documents, earlier versions, the trash, and uploads that have not been read yet.
 */
export const selectReferencedBlobs = async (tx: Queryable): Promise<string[]> => {
  const rows = await tx.rows<{ hash: string }>(
    acrossWorkspaces(sql`
    SELECT content_hash AS hash FROM document
    UNION SELECT content_hash FROM document_version
    UNION SELECT content_hash FROM trashed_version
    UNION SELECT content_hash FROM job_file WHERE status IN ('queued', 'running')
    ORDER BY 1`),
  )
  return rows.map(({ hash }) => hash)
}

/** Whether Citus distributes tables of the database. */
export async function hasDistributedTables(db: Queryable): Promise<boolean> {
  const [distribution] = await db.rows<{ spread: boolean }>(
    sql`SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS spread`,
  )
  if (distribution?.spread !== true) return false
  const rows = await db.rows(sql`SELECT 1 FROM pg_dist_partition LIMIT 1`)
  return rows.length > 0
}

/** The first table that has rows. Undefined if the database has not been used yet. */
export async function findFirstNonEmptyTable(
  db: Queryable,
  tables: readonly Table[],
): Promise<string | undefined> {
  for (const { name } of tables) {
    // A migration inserts the row of this table.
    if (name === 'installation') continue
    const [row] = await db.rows(acrossWorkspaces(sql`SELECT 1 FROM ${quotedName(name)} LIMIT 1`))
    if (row) return name
  }
  return undefined
}

/**
 * Disables the triggers during `work`, because they have already counted and checked the rows of a backup.
 * @param isDistributed on Citus, shards are altered one after the other, so that the inserts can use the same connection to a node
 */
export async function withoutTriggers(
  tx: Queryable,
  tables: readonly Table[],
  isDistributed: boolean,
  work: () => Promise<void>,
): Promise<void> {
  if (isDistributed) {
    await tx.rows(sql`SET LOCAL citus.enable_unsafe_triggers = on`)
    await tx.rows(sql`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`)
  }
  for (const { name } of tables) await tx.rows(sql`ALTER TABLE ${quotedName(name)} DISABLE TRIGGER USER`)
  await work()
  for (const { name } of tables) await tx.rows(sql`ALTER TABLE ${quotedName(name)} ENABLE TRIGGER USER`)
}

export const clearInstallation = (tx: Queryable): Promise<unknown> => tx.rows(sql`DELETE FROM installation`)

/** `rows` are JSON objects of the table's columns. */
export const insertRows = (
  tx: Queryable,
  { name, columns }: Table,
  rows: readonly string[],
): Promise<unknown> =>
  tx.rows(sql`
    INSERT INTO ${quotedName(name)} (${nameList(columns)}) OVERRIDING SYSTEM VALUE
    SELECT ${nameList(columns)} FROM jsonb_populate_recordset(NULL::${quotedName(name)}, ${`[${rows.join(',')}]`}::jsonb)`)

/** Lets the sequences continue after the highest restored value. */
export async function setSequences(tx: Queryable, tables: readonly Table[]): Promise<void> {
  for (const { name, identityColumns } of tables)
    for (const column of identityColumns)
      await tx.rows(sql`
        SELECT setval(pg_get_serial_sequence(${`"${name}"`}, ${column}), m.most)
        FROM (SELECT max(${quotedName(column)}) AS most FROM ${quotedName(name)}) m WHERE m.most IS NOT NULL`)
}

/** Updates the statistics of the planner, which do not contain restored rows. */
export const analyse = (db: Queryable): Promise<unknown> => db.rows(sql`ANALYZE`)
