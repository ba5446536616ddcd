// The tables of a backup, read from the catalogue, so that a new one is in it by itself; and their rows as JSON, which both
// databases write and read, so that a backup of one can be restored to the other.

import sql, { join, raw, type Sql } from 'sql-template-tag'
import { acrossWorkspaces } from '../../ports/db/across.sql.ts'
import { batchesOf } from '../../ports/db/cursor.sql.ts'
import type { Queryable } from '../../ports/db/db.ts'

export interface Table {
  name: string
  /** Those that are stored; not the ones that the database computes. */
  columns: string[]
  /** Columns numbered by the database, whose counters have to go on behind the restored rows. */
  numbered: string[]
  /** Tables that its rows refer to. */
  needs: string[]
}

// Which migrations were applied stands in the manifest.
const LEDGER = 'schema_migration'

/** In an order in which rows can be inserted: what they refer to comes first. */
export async function selectTables(db: Queryable): Promise<Table[]> {
  const tables = await db.rows<Table>(sql`
    SELECT c.relname AS name,
      (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
      (SELECT coalesce(array_agg(a.attname::text), '{}') FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attidentity <> '') AS numbered,
      (SELECT coalesce(array_agg(DISTINCT r.relname::text), '{}') FROM pg_constraint f JOIN pg_class r ON r.oid = f.confrelid
        WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid) AS needs
    FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname <> ${LEDGER}
      AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
    ORDER BY c.relname`)
  return inOrder(tables)
}

/** Each after those it needs. @throws Error when two need each other */
export function inOrder(tables: readonly Table[]): Table[] {
  const orderedNames = new Set<string>()
  const ordered: Table[] = []
  for (let rest = [...tables]; rest.length > 0; ) {
    const ready = rest.filter(({ needs }) => needs.every((name) => orderedNames.has(name)))
    if (ready.length === 0)
      throw new Error(`tables refer to each other: ${rest.map(({ name }) => name).join(', ')}`)
    for (const table of ready) orderedNames.add(table.name)
    ordered.push(...ready)
    rest = rest.filter((table) => !ready.includes(table))
  }
  return ordered
}

const quoted = (name: string): Sql => raw(`"${name.replaceAll('"', '""')}"`)
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
const list = (names: readonly string[]): Sql => join(names.map(quoted))

/** Rows of about 10 kB (chunks with their lexical side): so many are 2 MB. */
const ROWS_AT_ONCE = 200

/** The rows of a table as JSON texts, in batches, in the transaction's state. */
export async function* rowsOf(tx: Queryable, { name, columns }: Table): AsyncGenerator<string[]> {
  // By columns: of a whole row Citus loses the workspace (docs/decisions/0039-citus.md).
  const pairs = join(columns.map((column) => sql`${raw(literal(column))}, ${quoted(column)}`))
  const rows = acrossWorkspaces(sql`SELECT jsonb_build_object(${pairs})::text AS row FROM ${quoted(name)}`)
  for await (const batch of batchesOf<{ row: string }>(tx, rows, ROWS_AT_ONCE))
    yield batch.map(({ row }) => row)
}

/** The hashes of all files that rows name: documents, their earlier versions, uploads that are still to be read. */
export const selectNamedBlobs = async (tx: Queryable): Promise<string[]> => {
  const rows = await tx.rows<{ hash: string }>(
    acrossWorkspaces(sql`
    SELECT content_hash AS hash FROM document
    UNION SELECT content_hash FROM document_version
    UNION SELECT content_hash FROM job_file WHERE status IN ('queued', 'running')
    ORDER BY 1`),
  )
  return rows.map(({ hash }) => hash)
}

/** Whether tables of it are distributed by Citus. */
export async function isSpread(db: Queryable): Promise<boolean> {
  const [distribution] = await db.rows<{ spread: boolean }>(
    sql`SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS spread`,
  )
  if (distribution?.spread !== true) return false
  const rows = await db.rows(sql`SELECT 1 FROM pg_dist_partition LIMIT 1`)
  return rows.length > 0
}

/** The first table that has rows; undefined in a database that nobody has used. */
export async function findUsed(db: Queryable, tables: readonly Table[]): Promise<string | undefined> {
  for (const { name } of tables) {
    // Made by the migration.
    if (name === 'installation') continue
    const [row] = await db.rows(sql`SELECT 1 FROM ${quoted(name)} LIMIT 1`)
    if (row) return name
  }
  return undefined
}

/**
 * Counters and rules that rows were already counted and checked by are not asked again until the transaction ends.
 * @param isSpreadOut on Citus a table is changed shard by shard then, by one connection to a node, which rows are sent by after it
 */
export async function withoutTriggers(
  tx: Queryable,
  tables: readonly Table[],
  isSpreadOut: boolean,
  work: () => Promise<void>,
): Promise<void> {
  if (isSpreadOut) {
    await tx.rows(sql`SET LOCAL citus.enable_unsafe_triggers = on`)
    await tx.rows(sql`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`)
  }
  for (const { name } of tables) await tx.rows(sql`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`)
  await work()
  for (const { name } of tables) await tx.rows(sql`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`)
}

export const emptyInstallation = (tx: Queryable): Promise<unknown> => tx.rows(sql`DELETE FROM installation`)

/** `rows`: JSON objects of the table's columns. */
export const insertRows = (
  tx: Queryable,
  { name, columns }: Table,
  rows: readonly string[],
): Promise<unknown> =>
  tx.rows(sql`
    INSERT INTO ${quoted(name)} (${list(columns)}) OVERRIDING SYSTEM VALUE
    SELECT ${list(columns)} FROM jsonb_populate_recordset(NULL::${quoted(name)}, ${`[${rows.join(',')}]`}::jsonb)`)

/** Lets the counters go on behind the restored rows. */
export async function setCounters(tx: Queryable, tables: readonly Table[]): Promise<void> {
  for (const { name, numbered } of tables)
    for (const column of numbered)
      await tx.rows(sql`
        SELECT setval(pg_get_serial_sequence(${`"${name}"`}, ${column}), m.most)
        FROM (SELECT max(${quoted(column)}) AS most FROM ${quoted(name)}) m WHERE m.most IS NOT NULL`)
}

/** The planner knows nothing of restored rows until it has looked at them. */
export const analyse = (db: Queryable): Promise<unknown> => db.rows(sql`ANALYZE`)
