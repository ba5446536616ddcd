// Measures a process's own time: without the time in which it waited for a processor, or for a disk without running. On an
// overloaded machine, a process may be silent only because other processes were running.

import { readdirSync, readFileSync } from 'node:fs'

/** A moment, and how long the process had waited in all for a processor, or for a disk without running, in milliseconds. */
export interface Moment {
  at: number
  starvedMs: number
}

// At least this share of the time is own time, so that a process that hangs is ended even on a busy machine.
const MIN_SHARE = 0.1

/**
 * Milliseconds between two moments, without the time in which the process waited for a processor, or for a disk without running.
 */
export function ownMs(since: Moment, until: Moment): number {
  const wall = until.at - since.at
  return Math.max(wall * MIN_SHARE, wall - Math.max(0, until.starvedMs - since.starvedMs))
}

/** The kernel's statistics of a thread, in milliseconds. */
export interface Thread {
  ranMs: number
  /** How long the thread has waited for a processor, without a wait that has not ended yet. */
  waitedMs: number
  /** Whether the thread runs, or waits for a processor or a disk. */
  isRunningOrWaiting: boolean
}

/** `currentWaitMs`: the duration so far of a wait that has not ended yet. */
type ThreadWithWait = Thread & { currentWaitMs: number }

/**
 * Adds to each thread its wait that has not ended yet, because the kernel counts a wait only when it ends. `passedMs` is the time
 * since the previous measurement. A thread that runs or waits (`isRunningOrWaiting`) and has neither run nor ended a wait since
 * then was waiting for the whole time.
 */
export function withCurrentWaits(
  previousThreads: ReadonlyMap<string, ThreadWithWait>,
  now: ReadonlyMap<string, Thread>,
  passedMs: number,
): Map<string, ThreadWithWait> {
  const threads = new Map<string, ThreadWithWait>()
  for (const [id, thread] of now) {
    const previous = previousThreads.get(id)
    const isStillWaiting =
      thread.isRunningOrWaiting && previous?.ranMs === thread.ranMs && previous.waitedMs === thread.waitedMs
    threads.set(id, { ...thread, currentWaitMs: isStillWaiting ? previous.currentWaitMs + passedMs : 0 })
  }
  return threads
}

/** The waits of threads that have ended, whose statistics the kernel drops. */
export function waitOfEndedThreads(
  previousThreads: ReadonlyMap<string, ThreadWithWait>,
  now: ReadonlyMap<string, Thread>,
): number {
  let waitedMs = 0
  for (const [id, thread] of previousThreads)
    if (!now.has(id)) waitedMs += thread.waitedMs + thread.currentWaitMs
  return waitedMs
}

/** The clock of a process's own time. */
interface OwnClock {
  now: () => Moment
  /** Stops the timer of the clock. */
  end: () => void
}

const CHECK_INTERVAL_MS = 1000

export function ownClock(pid: number | undefined): OwnClock {
  let measuredAt = performance.now()
  let threads = withCurrentWaits(new Map(), threadsOf(pid), 0)
  let endedMs = 0
  const now = (): Moment => {
    const passedMs = performance.now() - measuredAt
    measuredAt += passedMs
    const current = withCurrentWaits(threads, threadsOf(pid), passedMs)
    endedMs += waitOfEndedThreads(threads, current)
    threads = current
    let starvedMs = endedMs
    for (const { waitedMs, currentWaitMs } of threads.values()) starvedMs += waitedMs + currentWaitMs
    return { at: measuredAt, starvedMs }
  }
  const timer = setInterval(now, CHECK_INTERVAL_MS).unref()
  return { now, end: () => clearInterval(timer) }
}

/**
 * The threads of `pid`. Run and wait time are the first two fields of schedstat, in nanoseconds (Linux,
 * Documentation/scheduler/sched-stats.rst). Empty on a system without these statistics.
 */
export function threadsOf(pid: number | undefined): Map<string, Thread> {
  if (process.platform !== 'linux' || pid === undefined) return new Map()
  try {
    const ids = readdirSync(`/proc/${pid}/task`)
    return new Map(ids.flatMap((id) => threadAt(`/proc/${pid}/task/${id}`).map((thread) => [id, thread])))
  } catch {
    return new Map()
  }
}

function threadAt(folder: string): Thread[] {
  try {
    const [ran, waited] = readFileSync(`${folder}/schedstat`, 'utf8').split(' ')
    const stat = readFileSync(`${folder}/stat`, 'utf8')
    // The state follows the name, which may contain brackets and spaces.
    const isRunningOrWaiting = /^[RD]/.test(stat.slice(stat.lastIndexOf(')') + 2))
    return [{ ranMs: Number(ran) / 1e6 || 0, waitedMs: Number(waited) / 1e6 || 0, isRunningOrWaiting }]
  } catch {
    return [] // The thread has ended meanwhile.
  }
}
