// Extends the leases of a worker's running tasks. A thread with its own connection does this, so that a worker with a busy event
// loop does not look dead. If the event loop is blocked for ever, the thread ends the process, and the supervisor starts a new one.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { DbConnection } from '../ports/db/connection.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Log } from '../ports/deps.ts'
import { startThread } from '../ports/thread.ts'
import { extendLeases, type Lease } from './queue.sql.ts'

/** Extends leases until it is closed. */
export interface LeaseKeeper {
  /** Sets the tasks whose leases are extended from now on. */
  hold(tasks: readonly Lease[]): void
  close(): Promise<void>
}

// A third of LEASE_SECONDS, so that tasks are not lost when one heartbeat fails.
const HEARTBEAT_MS = 10_000
const RETRY_MS = 1000

/**
 * Sends one statement every ten seconds from the caller's event loop. If it fails, calls `onFailed`, and repeats the statement
 * after `RETRY_MS`.
 */
export function keepLeases(db: Queryable, onFailed: (error: unknown) => void): LeaseKeeper {
  let heldTasks: readonly Lease[] = []
  const closeController = new AbortController()
  const { signal } = closeController
  const extend = (): Promise<boolean> =>
    extendLeases(db, heldTasks).then(
      () => true,
      (error: unknown) => {
        onFailed(error)
        return false
      },
    )
  const renewal = (async () => {
    for (let ms = HEARTBEAT_MS; ; ) {
      await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
      if (signal.aborted) return
      ms = heldTasks.length === 0 || (await extend()) ? HEARTBEAT_MS : RETRY_MS
    }
  })()
  return {
    hold: (tasks) => {
      heldTasks = tasks
    },
    close: async () => {
      closeController.abort()
      await renewal
    },
  }
}

/** The start data of the thread. */
export interface LeaseThreadData {
  connection: DbConnection
  /** One number, in shared memory, that the event loop increments every `TICK_MS`. */
  ticks: Int32Array
  silentLimitMs: number
  busyLimitMs: number
}
export type ToLeaseThread = { hold: readonly Lease[] } | { close: true }
export interface FromLeaseThread {
  failed: string
}

export const TICK_MS = 1000
// In processor time of the event loop's thread. The longest computation without a pause takes 4 to 8 s.
const BUSY_LIMIT_MS = 30_000
// By the clock, because an event loop that waits for ever uses no processor time.
const SILENT_LIMIT_MS = 300_000
const RESTART_MS = 1000
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 }

/**
 * Starts the thread. The process is ended when the event loop has been blocked for `busyMs` of its processor time, or for
 * `silentMs` by the clock.
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
  let isClosed = false
  const sendMessage = (message: ToLeaseThread): void => thread?.postMessage(message)
  const start = (): Promise<void> =>
    new Promise((resolve) => {
      thread = startThread('./leases-thread', import.meta.url, { workerData, resourceLimits })
      thread.unref()
      thread.on('message', ({ failed }: FromLeaseThread) => log.warn({ reason: failed }, 'heartbeat failed'))
      thread.on('error', (error) => log.error({ err: error }, 'the thread that keeps leases failed'))
      thread.once('exit', () => resolve())
      sendMessage({ hold: heldTasks })
    })
  const renewal = (async () => {
    for (;;) {
      await start()
      if (isClosed) return
      await sleep(RESTART_MS)
      // A thread that starts after `close` would never end.
      if (isClosed) return
    }
  })()
  const timer = setInterval(() => Atomics.add(ticks, 0, 1), TICK_MS).unref()
  return {
    hold: (tasks) => {
      heldTasks = tasks.map(({ id, attempt }) => ({ id, attempt }))
      sendMessage({ hold: heldTasks })
    },
    close: async () => {
      isClosed = true
      clearInterval(timer)
      thread?.ref()
      sendMessage({ close: true })
      await renewal
    },
  }
}
