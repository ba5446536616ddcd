// Gives the embedded engine the background care that a PostgreSQL server has: a checkpoint when the log has grown,
// fresh statistics and vacuumed tables, one small step at a time and only while no client waits.

import { checkpoint, neglectedTables, tidyTable, walSinceCheckpoint } from './engine.sql.ts'

/** The engine as housekeeping sees it: runs a statement outside the clients' turns. */
export interface Household {
  query<T>(sql: string): Promise<{ rows: T[] }>
  between<T>(work: () => Promise<T>): Promise<T>
  /** How many units of clients wait now. */
  waiting(): number
}

const walLimitBytes = 64 * 1024 * 1024 // a checkpoint of so much takes about 80 ms
const patience = 12 // rounds in which tables wait for clients; ANALYZE of 30k chunks takes 130 ms, VACUUM 0.5 s

/** Takes at most one step; resolves to what it did. While clients wait, tables come only if `insist` says so. */
export async function keepHouse(
  house: Household,
  insist: boolean,
): Promise<'busy' | 'nothing' | 'checkpoint' | 'table'> {
  return await house.between(async () => {
    const [wal] = (await house.query<{ bytes: number }>(walSinceCheckpoint)).rows
    if (wal && wal.bytes > walLimitBytes) {
      await house.query(checkpoint)
      return 'checkpoint'
    }
    if (house.waiting() > 0 && !insist) return 'busy'
    const [table] = (await house.query<{ name: string; vacuum: boolean }>(neglectedTables)).rows
    if (!table) return 'nothing'
    await house.query(tidyTable(table.name, table.vacuum))
    return 'table'
  })
}

/** Calls `keepHouse` every `everyMs`; returns how to stop. Errors are told to `onError` and tried again later. */
export function startHousekeeping(
  house: Household,
  everyMs: number,
  onError: (error: unknown) => void,
): () => void {
  let busyRounds = 0
  let underway = false
  async function round() {
    if (underway) return // a long transaction of a client holds the last one up
    underway = true
    try {
      const done = await keepHouse(house, busyRounds >= patience)
      busyRounds = done === 'busy' ? busyRounds + 1 : 0
    } catch (error) {
      onError(error)
    } finally {
      underway = false
    }
  }
  const timer = setInterval(() => void round(), everyMs)
  return () => clearInterval(timer)
}
