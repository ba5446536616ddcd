// The thread that keeps a worker's leases, and looks whether the worker's event loop still turns.

import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { type DbConnection, openDb } from '../../../ports/db/postgres.ts'
import { type Moment, ownClock, ownMs } from '../../../processes/starved.ts'
import type { Lease } from '../queue.sql.ts'
import { keepLeases, TICK_MS } from './beat.ts'

/** What the thread is started with. `ticks` holds one number, raised by the event loop every `TICK_MS` while it turns. */
export interface LeasesTask {
  connection: DbConnection
  ticks: Int32Array
  silentLimitMs: number
}

export type ToThread = { hold: readonly Lease[] } | { close: true }
export interface FromThread {
  failed: string
}

// A process that was stopped as a whole did not stand still by itself: what passes between two looks counts no longer.
const MOST_A_LOOK_MS = 2 * TICK_MS
const STANDARD_ERROR = 2

function main({ connection, ticks, silentLimitMs }: LeasesTask): void {
  const db = openDb(connection, { max: 1, applicationName: 'kenning leases' })
  const tell = (message: FromThread): void => parentPort?.postMessage(message)
  const leases = keepLeases(db, (error) => tell({ failed: error instanceof Error ? error.message : '' }))
  const look = setInterval(silenceOf(ticks, silentLimitMs), TICK_MS)
  const close = async (): Promise<void> => {
    clearInterval(look)
    await leases.close()
    await db.close()
    parentPort?.close()
  }
  parentPort?.on('message', (message: ToThread) => {
    if ('hold' in message) leases.hold(message.hold)
    else void close()
  })
}

/** Looks whether the loop has turned since the last look, and ends the process once it has not for its limit. */
function silenceOf(ticks: Int32Array, limitMs: number): () => void {
  let seen = Atomics.load(ticks, 0)
  const clock = ownClock(process.pid)
  let last: Moment | undefined
  let silentMs = 0
  return () => {
    const now = Atomics.load(ticks, 0)
    const moment = now === seen ? clock.now() : undefined
    silentMs = moment && last ? silentMs + Math.min(MOST_A_LOOK_MS, ownMs(last, moment)) : 0
    last = moment
    seen = now
    if (silentMs >= limitMs) end()
  }
}

/** The log is the event loop's, which stands still. */
function end(): void {
  writeSync(STANDARD_ERROR, 'worker: its event loop stands still, so the process is ended\n')
  process.kill(process.pid, 'SIGKILL')
}

main(workerData)
