// The leases of what a worker holds. They are kept by a thread with a connection of its own, so that a busy event loop, or
// one that a loaded machine seldom lets run, misses no heartbeat and is not taken for dead. The thread also ends the
// process when its event loop is blocked for good; the supervisor then starts another.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { Queryable } from '../ports/db/db.ts'
import type { DbConnection } from '../ports/db/postgres.ts'
import type { Log } from '../ports/deps.ts'
import { startThread } from '../ports/thread.ts'
import { extendLeases, type Lease } from './queue.sql.ts'

/** Keeps the leases of what is held. */
export interface LeaseKeeper {
  /** All that is held from now on. */
  hold(tasks: readonly Lease[]): void
  close(): Promise<void>
}

// A lease is 30 s long: one missed heartbeat takes none away, and one that failed is tried again soon.
const EVERY_MS = 10_000
const AGAIN_MS = 1000

/** Sends one statement every ten seconds from the event loop it is called in. `onFailed`: the database may be away. */
export function keepLeases(db: Queryable, onFailed: (error: unknown) => void): LeaseKeeper {
  let heldTasks: readonly Lease[] = []
  const closing = new AbortController()
  const { signal } = closing
  const extend = (): Promise<boolean> =>
    extendLeases(db, heldTasks).then(
      () => true,
      (error: unknown) => {
        onFailed(error)
        return false
      },
    )
  const running = (async () => {
    for (let ms = EVERY_MS; ; ) {
      await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
      if (signal.aborted) return
      ms = heldTasks.length === 0 || (await extend()) ? EVERY_MS : AGAIN_MS
    }
  })()
  return {
    hold: (tasks) => {
      heldTasks = tasks
    },
    close: async () => {
      closing.abort()
      await running
    },
  }
}

/** What the thread is started with. `ticks` holds one number, raised by the event loop every `TICK_MS` while it turns. */
export interface LeaseThreadData {
  connection: DbConnection
  ticks: Int32Array
  silentLimitMs: number
  busyLimitMs: number
}
export type ToLeaseThread = { hold: readonly Lease[] } | { close: true }
export interface FromLeaseThread {
  failed: string
}

/** How often the event loop shows the thread that it turns. */
export const TICK_MS = 1000
// Of processor time of the event loop's thread. The longest stretch known without a pause is the graph of 4 million characters, 4
// to 8 s.
const BUSY_LIMIT_MS = 30_000
// Of the process's own time: what waits for something that never comes uses no processor time.
const SILENT_LIMIT_MS = 300_000
const RESTART_MS = 1000
// It runs one statement every ten seconds.
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 }

/**
 * Limits: how long the event loop may be blocked until the process is ended. `busyMs` of processor time of its own, `silentMs` by
 * the clock.
 */
export function keepLeasesInThread(
  connection: DbConnection,
  log: Log,
  { silentMs = SILENT_LIMIT_MS, busyMs = BUSY_LIMIT_MS } = {},
): LeaseKeeper {
  const ticks = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const workerData: LeaseThreadData = {
    connection,
    ticks,
    silentLimitMs: silentMs,
    busyLimitMs: busyMs,
  }
  let heldTasks: readonly Lease[] = []
  let thread: Worker | undefined
  let closed = false
  const tell = (message: ToLeaseThread): void => thread?.postMessage(message)
  const start = (): Promise<void> =>
    new Promise((resolve) => {
      thread = startThread('./leases-thread', import.meta.url, { workerData, resourceLimits })
      thread.unref()
      thread.on('message', ({ failed }: FromLeaseThread) => log.warn({ reason: failed }, 'heartbeat failed'))
      thread.on('error', (error) => log.error({ err: error }, 'the thread that keeps leases failed'))
      thread.once('exit', () => resolve())
      tell({ hold: heldTasks })
    })
  const running = (async () => {
    for (;;) {
      await start()
      if (closed) return
      await sleep(RESTART_MS)
      // A thread started after `close` would never hear of it.
      if (closed) return
    }
  })()
  const timer = setInterval(() => Atomics.add(ticks, 0, 1), TICK_MS).unref()
  return {
    hold: (tasks) => {
      heldTasks = tasks.map(({ id, attempt }) => ({ id, attempt }))
      tell({ hold: heldTasks })
    },
    close: async () => {
      closed = true
      clearInterval(timer)
      thread?.ref()
      tell({ close: true })
      await running
    },
  }
}
