// Time of a process's own: on a machine with more to do than processors, silence may only mean that others were served.

import { readdirSync, readFileSync } from 'node:fs'

/** A moment, and how long a process had waited for a processor until then; milliseconds. */
export interface Moment {
  at: number
  starvedMs: number
}

// What loops beside much else is ended all the same: waiting never counts for more than nine tenths of the clock.
const LEAST_SHARE = 0.1

/** Milliseconds between two moments in which the process ran or slept of its own accord. */
export function ownMs(since: Moment, until: Moment): number {
  const wall = until.at - since.at
  return Math.max(wall * LEAST_SHARE, wall - Math.max(0, until.starvedMs - since.starvedMs))
}

/** A thread as the kernel counts it, in milliseconds. */
export interface Thread {
  ranMs: number
  /** How long it stood in line for a processor, without the time it stands there now. */
  waitedMs: number
  /** It runs, stands in line, or waits for a disk that is busy for others. */
  isReady: boolean
}

/** With how long it has stood in line by now, as far as that is known. */
type Waiting = Thread & { standsMs: number }

/**
 * The threads as they are after `passedMs`. The kernel adds a wait to its count when it ends: at a load of 14 one of 48 s was
 * taken for the process's own time, and the engine killed at its first start. Who is ready, and has neither run nor waited
 * since, has stood in line all along.
 */
export function stillWaiting(
  before: ReadonlyMap<string, Waiting>,
  now: ReadonlyMap<string, Thread>,
  passedMs: number,
): Map<string, Waiting> {
  const after = new Map<string, Waiting>()
  for (const [id, thread] of now) {
    const then = before.get(id)
    const stood = thread.isReady && then?.ranMs === thread.ranMs && then.waitedMs === thread.waitedMs
    after.set(id, { ...thread, standsMs: stood ? then.standsMs + passedMs : 0 })
  }
  return after
}

/** What threads that have ended waited: their count goes with them, and the process's wait would shrink by it. */
export function waitedByEnded(
  before: ReadonlyMap<string, Waiting>,
  now: ReadonlyMap<string, Thread>,
): number {
  let waitedMs = 0
  for (const [id, thread] of before) if (!now.has(id)) waitedMs += thread.waitedMs + thread.standsMs
  return waitedMs
}

/** The clock of a process: moments in which its waiting is counted while it lasts. `end` stops its looks. */
export interface OwnClock {
  now: () => Moment
  end: () => void
}

const LOOK_MS = 1000

export function ownClock(pid: number | undefined): OwnClock {
  let at = performance.now()
  let threads = stillWaiting(new Map(), threadsOf(pid), 0)
  let endedMs = 0
  const now = (): Moment => {
    const passed = performance.now() - at
    at += passed
    const found = stillWaiting(threads, threadsOf(pid), passed)
    endedMs += waitedByEnded(threads, found)
    threads = found
    let starvedMs = endedMs
    for (const { waitedMs, standsMs } of threads.values()) starvedMs += waitedMs + standsMs
    return { at, starvedMs }
  }
  const timer = setInterval(now, LOOK_MS).unref()
  return { now, end: () => clearInterval(timer) }
}

/**
 * The threads of `pid`: run and waited are the first two fields of schedstat, in nanoseconds (Linux,
 * Documentation/scheduler/sched-stats.rst). None where nothing tells: then only the clock counts.
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
    // The state follows the name, which may hold brackets and spaces.
    const isReady = /^[RD]/.test(stat.slice(stat.lastIndexOf(')') + 2))
    return [{ ranMs: Number(ran) / 1e6 || 0, waitedMs: Number(waited) / 1e6 || 0, isReady }]
  } catch {
    return [] // It ended meanwhile.
  }
}

/** Calls `onDue` once so much of a process's own time has passed since the start, or the last `renew`. */
export function limitOwnTime(
  limitMs: number,
  now: () => Moment,
  onDue: () => void,
): { renew(): void; end(): void } {
  let since = now()
  let timer = setTimeout(check, limitMs)
  function check(): void {
    const left = limitMs - ownMs(since, now())
    if (left <= 0) onDue()
    else timer = setTimeout(check, Math.max(left, 1))
  }
  return {
    renew: () => {
      since = now()
    },
    end: () => clearTimeout(timer),
  }
}
