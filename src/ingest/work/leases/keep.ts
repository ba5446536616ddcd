// Keeps the leases from a thread of its own, with a connection of its own: an event loop that is busy, or seldom let run on
// a machine with too much to do, misses no heartbeat, and so is not taken for dead. What stands still for good is: then
// the thread ends the process, whose supervisor starts another.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { DbConnection } from '../../../ports/db/postgres.ts'
import type { Log } from '../../../ports/deps.ts'
import { startThread } from '../../../ports/thread.ts'
import type { Lease } from '../queue.sql.ts'
import { type LeaseKeeper, TICK_MS } from './beat.ts'
import type { FromThread, LeasesTask, ToThread } from './thread.ts'

// Of the process's own time. The longest stretch known without a pause is the graph of 4 million characters, 4 to 8 s.
const SILENT_LIMIT_MS = 300_000
const RESTART_MS = 1000
// It runs one statement every ten seconds.
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 }

/** `silentLimitMs`: how long the event loop may stand still until the process is ended. */
export function keepLeasesInThread(
  connection: DbConnection,
  log: Log,
  silentLimitMs = SILENT_LIMIT_MS,
): LeaseKeeper {
  const ticks = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const workerData: LeasesTask = { connection, ticks, silentLimitMs }
  let held: readonly Lease[] = []
  let thread: Worker | undefined
  let closed = false
  const say = (message: ToThread): void => thread?.postMessage(message)
  const start = (): Promise<void> =>
    new Promise((resolve) => {
      thread = startThread('./thread', import.meta.url, { workerData, resourceLimits })
      thread.unref()
      thread.on('message', ({ failed }: FromThread) => log.warn({ reason: failed }, 'heartbeat failed'))
      thread.on('error', (error) => log.error({ err: error }, 'the thread that keeps leases failed'))
      thread.once('exit', () => resolve())
      say({ hold: held })
    })
  const kept = (async () => {
    for (;;) {
      await start()
      if (closed) return
      await sleep(RESTART_MS)
      // Closed meanwhile: a thread begun now would never hear of it.
      if (closed) return
    }
  })()
  const timer = setInterval(() => Atomics.add(ticks, 0, 1), TICK_MS).unref()
  return {
    hold: (tasks) => {
      held = tasks.map(({ id, attempt }) => ({ id, attempt }))
      say({ hold: held })
    },
    close: async () => {
      closed = true
      clearInterval(timer)
      thread?.ref()
      say({ close: true })
      await kept
    },
  }
}
