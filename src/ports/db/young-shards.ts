// Statistics of tables that grow fast, where the database is a Citus. Its nodes plan each statement anew, by the statistics of
// their shards, and a server makes those after a minute: until then a new shard took 8.3 s of the nodes' processor time for a
// thousand chunks, with them 5.1 (docs/decisions/0039-citus.md).

// No table outgrows its statistics with fewer rows (outgrown.sql.ts).
const LEAST_ROWS = 50
const LEAST_PAUSE_MS = 1000
// Between two looks passes so many times what the first took.
const SHARE = 9
// A session tells the server what it has written a second later, or ten if it does nothing more.
const TOLD_MS = 11_000

export interface YoungShards {
  /** So many rows were inserted by this process. */
  grew(rows: number): void
  stop(): void
}

/**
 * Has tables analysed while this process fills them, and does nothing while it does not.
 * @param analyse analyses what has outgrown its statistics; false when another process is at it
 */
export function keepYoungShards(
  analyse: () => Promise<boolean>,
  onError: (error: unknown) => void,
): YoungShards {
  let rows = 0
  let next: { timer: NodeJS.Timeout; isLast: boolean } | undefined
  let pauseMs = LEAST_PAUSE_MS
  let isStopped = false
  let isLooking = false

  function plan(ms: number, isLast: boolean): void {
    if (isStopped) return
    clearTimeout(next?.timer)
    next = { timer: setTimeout(() => void look(isLast), ms).unref(), isLast }
  }

  async function look(isLast: boolean): Promise<void> {
    next = undefined
    isLooking = true
    const [before, started] = [rows, performance.now()]
    rows = 0
    const isDone = await analyse().catch((error: unknown) => {
      // A look that begins while the pool is closed finds it closed.
      if (!isStopped) onError(error)
      return true
    })
    pauseMs = Math.max(LEAST_PAUSE_MS, SHARE * (performance.now() - started))
    isLooking = false
    if (!isDone) rows += before
    if (rows > LEAST_ROWS) plan(pauseMs, false)
    else if (!isLast) plan(TOLD_MS, true)
  }

  return {
    grew: (more) => {
      rows += more
      if (rows > LEAST_ROWS && !isLooking && (next === undefined || next.isLast)) plan(pauseMs, false)
    },
    stop: () => {
      isStopped = true
      clearTimeout(next?.timer)
    },
  }
}
