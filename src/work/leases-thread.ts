// The thread that keeps a worker's leases, and watches whether the worker's event loop still turns.

import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { openDb } from '../ports/db/postgres.ts'
import { type Moment, ownClock, ownMs, threadsOf } from '../processes/own-time.ts'
import {
  type FromLeaseThread,
  keepLeases,
  type LeaseThreadData,
  TICK_MS,
  type ToLeaseThread,
} from './leases.ts'

// A process that was stopped as a whole was not blocked by itself: time beyond this between two looks does not count.
const MOST_A_LOOK_MS = 2 * TICK_MS
const STANDARD_ERROR = 2

function main({ connection, ticks, ...limits }: LeaseThreadData): void {
  const db = openDb(connection, { max: 1, applicationName: 'kenning leases' })
  const tell = (message: FromLeaseThread): void => parentPort?.postMessage(message)
  const leases = keepLeases(db, (error) => tell({ failed: error instanceof Error ? error.message : '' }))
  const look = setInterval(silenceOf(ticks, limits), TICK_MS)
  const close = async (): Promise<void> => {
    clearInterval(look)
    await leases.close()
    await db.close()
    parentPort?.close()
  }
  parentPort?.on('message', (message: ToLeaseThread) => {
    if ('hold' in message) leases.hold(message.hold)
    else void close()
  })
}

/**
 * Checks whether the loop has turned since the last look, and ends the process once it has not for the limit: of processor time of
 * its own, so that a busy machine is no fault of it, or by the clock where it only waits.
 */
function silenceOf(
  ticks: Int32Array,
  { silentLimitMs, busyLimitMs }: Pick<LeaseThreadData, 'silentLimitMs' | 'busyLimitMs'>,
): () => void {
  let lastTicks = Atomics.load(ticks, 0)
  let ranAtTurnMs = ranMs()
  const clock = ownClock(process.pid)
  let last: Moment | undefined
  let silentMs = 0
  return () => {
    const now = Atomics.load(ticks, 0)
    const moment = now === lastTicks ? clock.now() : undefined
    const ran = ranMs()
    if (!moment) ranAtTurnMs = ran
    silentMs = moment && last ? silentMs + Math.min(MOST_A_LOOK_MS, ownMs(last, moment)) : 0
    last = moment
    lastTicks = now
    if (silentMs >= silentLimitMs || ran - ranAtTurnMs >= busyLimitMs) end()
  }
}

/** Processor time of the thread of the event loop; of all threads where the system does not tell. */
function ranMs(): number {
  const { user, system } = process.cpuUsage()
  return threadsOf(process.pid).get(String(process.pid))?.ranMs ?? (user + system) / 1000
}

/** Written directly: the log belongs to the event loop, which is blocked. */
function end(): void {
  writeSync(STANDARD_ERROR, 'worker: the event loop is blocked for good, so the process is ended\n')
  process.kill(process.pid, 'SIGKILL')
}

main(workerData)
