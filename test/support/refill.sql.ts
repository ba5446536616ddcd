// Resets a database to its first state: a digest of its schema, and its tables with the rows they had.

import sql, { raw } from 'sql-template-tag'
import type { Db } from '../../src/ports/db/db.ts'

/** A digest of what a test may have changed besides rows: relations, columns, functions, triggers, policies, constraints. */
export async function schemaOf(db: Db): Promise<string> {
  const [row] = await db.rows<{ digest: string }>(sql`
    SELECT md5(concat_ws('|',
      (SELECT string_agg(format('%s %s %s %s', oid, relname, relowner, relrowsecurity), ',' ORDER BY oid)
        FROM pg_class WHERE relnamespace = 'public'::regnamespace),
      (SELECT string_agg(format('%s %s %s', attrelid, attname, atttypid), ',' ORDER BY attrelid, attnum)
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE relnamespace = 'public'::regnamespace),
      (SELECT string_agg(format('%s %s', oid, md5(prosrc)), ',' ORDER BY oid)
        FROM pg_proc WHERE pronamespace = 'public'::regnamespace),
      (SELECT string_agg(format('%s %s', oid, tgenabled), ',' ORDER BY oid) FROM pg_trigger),
      (SELECT string_agg(format('%s', oid), ',' ORDER BY oid) FROM pg_policy),
      (SELECT string_agg(format('%s', oid), ',' ORDER BY oid) FROM pg_constraint)
    )) AS digest`)
  return row?.digest ?? ''
}

/** All rows by table, as JSON: for a new database, which has few. */
export async function allRows(db: Db): Promise<Map<string, unknown[]>> {
  const tables = await db.rows<{ name: string }>(sql`
    SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`)
  const rowsByTable = new Map<string, unknown[]>()
  for (const { name } of tables) {
    const rows = await db.rows<{ row: unknown }>(raw(`SELECT to_jsonb(t) AS row FROM "${name}" t`))
    rowsByTable.set(
      name,
      rows.map(({ row }) => row),
    )
  }
  return rowsByTable
}

/** Empties every table and inserts these rows; the planner's statistics are deleted too. */
export async function refill(db: Db, rows: ReadonlyMap<string, unknown[]>): Promise<void> {
  const tables = [...rows.keys()].map((name) => `"${name}"`).join(', ')
  await db.tx(async (tx) => {
    await tx.rows(raw('SET LOCAL session_replication_role = replica')) // without the triggers that keep tables append-only
    await tx.rows(raw(`TRUNCATE ${tables} RESTART IDENTITY`))
    for (const [name, kept] of rows)
      if (kept.length)
        await tx.rows(
          sql`INSERT INTO ${raw(`"${name}"`)} SELECT * FROM jsonb_populate_recordset(NULL::${raw(`"${name}"`)}, ${JSON.stringify(kept)}::jsonb)`,
        )
    await tx.rows(sql`
      DELETE FROM pg_statistic WHERE starelid IN
        (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)`)
  })
}
