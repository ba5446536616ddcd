// How fast a body must come. Its sender has credit for a while of silence, spends it with time and earns it back with
// bytes: so a body has a total time for its size, and a stalled one ends soon.

import type { IncomingMessage } from 'node:http'

export interface PaceLimits {
  /** What must come, on the whole. */
  bytesPerSecond: number
  /** The credit at the start, and the most there can be. */
  graceMs: number
  /** However fast it comes. */
  mostMs?: number
}

export interface Pace {
  /** What came since the last time, and whether it was the sender we waited for. False: too slow, the body is over. */
  tick(bytes: number, waited: boolean): boolean
  /** Until a body of which so much is to come has ended, whole or cut off, if it comes on as it came so far. */
  endsInMs(bytesToCome: number): number
}

// 8 Mbit/s.
const USUAL_BYTES_PER_MS = 1000

/** @param now milliseconds; tests give a clock of their own */
export function makePace(limits: PaceLimits, now: () => number = Date.now): Pace {
  const { bytesPerSecond, graceMs, mostMs = Number.POSITIVE_INFINITY } = limits
  const start = now()
  let before = start
  let credit = graceMs
  let come = 0
  const earned = (bytes: number): number => (bytes / bytesPerSecond) * 1000
  return {
    tick: (bytes, waited) => {
      // Of a machine that stood still nobody knows who was slow.
      if (waited) credit -= Math.min(now() - before, LONGEST_TICK_MS)
      before = now()
      come += bytes
      credit = Math.min(graceMs, credit + earned(bytes))
      return credit > 0 && before - start < mostMs
    },
    endsInMs: (bytesToCome) => {
      // Of one that has just begun nothing is known.
      const bytesPerMs = before > start ? come / (before - start) : USUAL_BYTES_PER_MS
      const lost = 1 - earned(bytesPerMs)
      const cutOff = Math.min(lost > 0 ? before + credit / lost : Number.POSITIVE_INFINITY, start + mostMs)
      return Math.max(0, Math.min(cutOff, before + bytesToCome / bytesPerMs) - now())
    },
  }
}

const TICK_MS = 1000
const LONGEST_TICK_MS = 2 * TICK_MS

/**
 * Watches a request whose body is being read; `onSlow` is called once, when it comes too slowly.
 * @param bytes how many the body has
 * @returns how to stop, and until when it should have ended
 */
export function watchPace(
  request: IncomingMessage,
  limits: PaceLimits,
  bytes: number,
  onSlow: () => void,
): { stop: () => void; endsInMs: () => number } {
  const pace = makePace(limits)
  // A request without a socket (of a test) has come already.
  const readSoFar = (): number => request.socket.bytesRead || 0
  const start = readSoFar()
  let before = start
  const timer = setInterval(() => {
    const read = readSoFar()
    // Bytes in our buffer: it is our disk that is slow.
    const waited = request.readableLength === 0 && !request.complete
    const isFine = pace.tick(read - before, waited)
    before = read
    if (isFine || request.complete) return
    clearInterval(timer)
    onSlow()
  }, TICK_MS)
  timer.unref()
  return {
    stop: () => clearInterval(timer),
    // Looked at every second only.
    endsInMs: () => pace.endsInMs(Math.max(0, bytes - (before - start))) + LONGEST_TICK_MS,
  }
}
