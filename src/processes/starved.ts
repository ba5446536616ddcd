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

/**
 * How long the threads of `pid` stood ready to run and had no processor: the second field of schedstat, in nanoseconds
 * (Linux, Documentation/scheduler/sched-stats.rst). 0 where nothing tells: then only the clock counts.
 */
export function starvedMs(pid: number | undefined): number {
  if (process.platform !== 'linux' || pid === undefined) return 0
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.reduce((sum, thread) => sum + threadMs(`/proc/${pid}/task/${thread}/schedstat`), 0)
  } catch {
    return 0
  }
}

function threadMs(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8').split(' ')[1]) / 1e6 || 0
  } catch {
    return 0 // It ended meanwhile.
  }
}

/** Now, for `pid`. */
export const momentOf = (pid: number | undefined): Moment => ({
  at: performance.now(),
  starvedMs: starvedMs(pid),
})

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
