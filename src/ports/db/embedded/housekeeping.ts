// Does the background work that a PostgreSQL server does by itself: a checkpoint when the log has grown, ANALYZE and VACUUM. Each
// step is small, and most steps are taken only while no client waits.

import { checkpoint, maintainTable, neglectedTables, walSinceCheckpoint } from './engine.sql.ts'

/** What housekeeping needs from the engine. */
export interface HousekeepingEngine {
  query<T>(sql: string): Promise<{ rows: T[] }>
  runAlone<T>(work: () => Promise<T>): Promise<T>
  /** How many units of clients' messages wait (protocol/units.ts). */
  waitingUnits(): number
  /** True while a copy is made (daily-copy.ts). Then no checkpoint may shorten the log. */
  isLogKept?(): boolean
}

interface NeglectedTable {
  name: string
  vacuum: boolean
  needs_analyze: boolean
}

const MAX_WAL_BYTES = 64 * 1024 * 1024 // a checkpoint of this much takes about 80 ms
const MAX_BUSY_ROUNDS = 12 // after this many rounds, a table is maintained even if clients wait

/**
 * Takes at most one step and returns its name. While clients wait, it maintains a table only if `isUrgent` is set or the table has
 * grown far beyond its statistics. Outdated statistics are worse than a short wait: during a large upload, a query of the graph
 * took 165 ms instead of 20.
 */
export async function runHousekeepingStep(
  engine: HousekeepingEngine,
  isUrgent: boolean,
): Promise<'busy' | 'nothing' | 'checkpoint' | 'analysed' | 'table'> {
  return await engine.runAlone(async () => {
    const [wal] = (await engine.query<{ bytes: number }>(walSinceCheckpoint)).rows
    if (wal && wal.bytes > MAX_WAL_BYTES && !engine.isLogKept?.()) {
      await engine.query(checkpoint)
      return 'checkpoint'
    }
    const [table] = (await engine.query<NeglectedTable>(neglectedTables)).rows
    if (!table) return 'nothing'
    if (table.needs_analyze) {
      await engine.query(maintainTable(table.name, false))
      return 'analysed'
    }
    if (engine.waitingUnits() > 0 && !isUrgent) return 'busy'
    await engine.query(maintainTable(table.name, table.vacuum))
    return 'table'
  })
}

/**
 * Takes steps until every table that has outgrown its statistics is analysed, and then one step more. So a table that keeps growing
 * does not delay the others.
 */
export async function runHousekeepingRound(
  engine: HousekeepingEngine,
  isUrgent: boolean,
): ReturnType<typeof runHousekeepingStep> {
  let lastStep = await runHousekeepingStep(engine, isUrgent)
  while (lastStep === 'analysed') lastStep = await runHousekeepingStep(engine, isUrgent)
  return lastStep
}

/**
 * Calls `runHousekeepingRound` every `everyMs`. After an error it calls `onError` and continues. Returns a function that stops it.
 */
export function startHousekeeping(
  engine: HousekeepingEngine,
  everyMs: number,
  onError: (error: unknown) => void,
): () => void {
  let busyRounds = 0
  let isRunning = false
  async function round() {
    if (isRunning) return // the previous round still waits for a client's transaction
    isRunning = true
    try {
      const lastStep = await runHousekeepingRound(engine, busyRounds >= MAX_BUSY_ROUNDS)
      busyRounds = lastStep === 'busy' ? busyRounds + 1 : 0
    } catch (error) {
      onError(error)
    } finally {
      isRunning = false
    }
  }
  const timer = setInterval(() => void round(), everyMs)
  return () => clearInterval(timer)
}
