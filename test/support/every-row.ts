import { rowsOf, selectTables } from '../../src/backup/tables.sql.ts'
import type { Db } from '../../src/ports/db/db.ts'

/** Every row of every table, as JSON, sorted. */
export const everyRow = (db: Db): Promise<Record<string, string[]>> =>
  db.tx(async (tx) => {
    const rowsByTable: Record<string, string[]> = {}
    for (const table of await selectTables(tx)) {
      const rows: string[] = []
      for await (const batch of rowsOf(tx, table)) rows.push(...batch)
      rowsByTable[table.name] = rows.sort()
    }
    return rowsByTable
  })
