// The thread that extends a worker's leases and watches whether the worker's event loop is blocked.

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

// A longer pause between two checks means that the whole process was suspended. Only this much of it counts as silence.
const MAX_CHECK_PAUSE_MS = 2 * TICK_MS
const STANDARD_ERROR = 2

function main({ connection, ticks, ...limits }: LeaseThreadData): void {
  const db = openDb(connection, { max: 1, applicationName: 'kenning leases' })
  const sendMessage = (message: FromLeaseThread): void => parentPort?.postMessage(message)
  const leases = keepLeases(db, (error) =>
    sendMessage({ failed: error instanceof Error ? error.message : '' }),
  )
  const silenceTimer = setInterval(checkSilence(ticks, limits), TICK_MS)
  const close = async (): Promise<void> => {
    clearInterval(silenceTimer)
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
 * Returns a check that ends the process when the event loop has been blocked for too long: for `busyLimitMs` of its thread's
 * processor time, so that waiting on a busy machine does not count, or for `silentLimitMs` by the clock.
 */
function checkSilence(
  ticks: Int32Array,
  { silentLimitMs, busyLimitMs }: Pick<LeaseThreadData, 'silentLimitMs' | 'busyLimitMs'>,
): () => void {
  let lastTicks = Atomics.load(ticks, 0)
  let processorMsAtLastTick = processorMs()
  const clock = ownClock(process.pid)
  let lastMoment: Moment | undefined
  let silentMs = 0
  return () => {
    const currentTicks = Atomics.load(ticks, 0)
    const moment = currentTicks === lastTicks ? clock.now() : undefined
    const currentProcessorMs = processorMs()
    if (!moment) processorMsAtLastTick = currentProcessorMs
    silentMs = moment && lastMoment ? silentMs + Math.min(MAX_CHECK_PAUSE_MS, ownMs(lastMoment, moment)) : 0
    lastMoment = moment
    lastTicks = currentTicks
    if (silentMs >= silentLimitMs || currentProcessorMs - processorMsAtLastTick >= busyLimitMs) endProcess()
  }
}

/** The processor time of the event loop's thread, or of all threads if the system does not report it for each thread. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return threadsOf(process.pid).get(String(process.pid))?.ranMs ?? (user + system) / 1000
}

/** Ends the process. Writes to standard error directly, because the log needs the blocked event loop. */
function endProcess(): void {
  writeSync(STANDARD_ERROR, 'worker: the event loop is blocked for good, so the process is ended\n')
  process.kill(process.pid, 'SIGKILL')
}

main(workerData)
