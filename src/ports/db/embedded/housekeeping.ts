// Does the background work that a PostgreSQL server does by itself: a checkpoint when the log has grown, ANALYZE and VACUUM. It
// takes one small step at a time, while no client waits.

import { checkpoint, neglectedTables, tidyTable, walSinceCheckpoint } from './engine.sql.ts'

/** What housekeeping needs of the engine. */
export interface HousekeepingEngine {
  query<T>(sql: string): Promise<{ rows: T[] }>
  between<T>(work: () => Promise<T>): Promise<T>
  /** How many statements of clients wait. */
  waiting(): number
  /** True while a copy is made, when the log must not become shorter (daily-copy.ts). */
  isLogKept?(): boolean
}

interface Neglected {
  name: string
  vacuum: boolean
  outgrown: boolean
}

const walLimitBytes = 64 * 1024 * 1024 // a checkpoint of this much takes about 80 ms
const MAX_BUSY_ROUNDS = 12 // after this many, a table is not postponed any more; ANALYZE of 30k chunks takes 130 ms, VACUUM 0.5 s

/**
 * Takes at most one step and returns which. While clients wait, it does no table unless `insist` is set or the table has
 * outgrown its statistics. In the first minute of a large upload, without statistics, counting the evidence of 60 edges read
 * the graph of every document for each of them: 165 ms instead of 20.
 */
export async function runHousekeepingStep(
  engine: HousekeepingEngine,
  insist: boolean,
): Promise<'busy' | 'nothing' | 'checkpoint' | 'outgrown' | 'table'> {
  return await engine.between(async () => {
    const [wal] = (await engine.query<{ bytes: number }>(walSinceCheckpoint)).rows
    if (wal && wal.bytes > walLimitBytes && !engine.isLogKept?.()) {
      await engine.query(checkpoint)
      return 'checkpoint'
    }
    const [table] = (await engine.query<Neglected>(neglectedTables)).rows
    if (!table) return 'nothing'
    if (table.outgrown) {
      await engine.query(tidyTable(table.name, false))
      return 'outgrown'
    }
    if (engine.waiting() > 0 && !insist) return 'busy'
    await engine.query(tidyTable(table.name, table.vacuum))
    return 'table'
  })
}

/**
 * Steps until every table that has outgrown its statistics is analysed, then takes one more, so that a table that keeps growing
 * does not hold up the others.
 */
export async function runHousekeepingRound(
  engine: HousekeepingEngine,
  insist: boolean,
): ReturnType<typeof runHousekeepingStep> {
  let done = await runHousekeepingStep(engine, insist)
  while (done === 'outgrown') done = await runHousekeepingStep(engine, insist)
  return done
}

/** Calls `runHousekeepingRound` every `everyMs`. Errors go to `onError`, and it continues. Returns a function that stops it. */
export function startHousekeeping(
  engine: HousekeepingEngine,
  everyMs: number,
  onError: (error: unknown) => void,
): () => void {
  let busyRounds = 0
  let underway = false
  async function round() {
    if (underway) return // the last round still waits for a client's transaction
    underway = true
    try {
      const done = await runHousekeepingRound(engine, busyRounds >= MAX_BUSY_ROUNDS)
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
