// Minimum data rate of request bodies. A sender has a credit of time, which waiting uses up and received bytes earn back. So the
// total time depends on the body's size, and a stalled body is ended soon.

import type { IncomingMessage } from 'node:http'

export interface RateLimits {
  /** The minimum on average. */
  bytesPerSecond: number
  /** The initial and maximum credit. */
  graceMs: number
  /** The limit of the total time, however fast the body arrives. */
  maxMs?: number
}

interface RateMeter {
  /** @param bytes received since the last call @param waitedForSender for the sender, not for our disk @returns false if too slow */
  tick(bytes: number, waitedForSender: boolean): boolean
  /** Estimated time until a body with this many bytes left has arrived or is cut off, at the rate so far. */
  endsInMs(bytesToCome: number): number
}

// 8 Mbit/s.
const TYPICAL_BYTES_PER_MS = 1000

/** @param now clock in milliseconds, replaced in tests */
export function rateMeter(limits: RateLimits, now: () => number = Date.now): RateMeter {
  const { bytesPerSecond, graceMs, maxMs = Number.POSITIVE_INFINITY } = limits
  const start = now()
  let lastTickAt = start
  let credit = graceMs
  let receivedBytes = 0
  const creditOf = (bytes: number): number => (bytes / bytesPerSecond) * 1000
  return {
    tick: (bytes, waitedForSender) => {
      // If this machine was suspended, the rate of the sender is unknown.
      if (waitedForSender) credit -= Math.min(now() - lastTickAt, MAX_TICK_MS)
      lastTickAt = now()
      receivedBytes += bytes
      credit = Math.min(graceMs, credit + creditOf(bytes))
      return credit > 0 && lastTickAt - start < maxMs
    },
    endsInMs: (bytesToCome) => {
      // The rate of a body that has just begun is not known yet.
      const bytesPerMs = lastTickAt > start ? receivedBytes / (lastTickAt - start) : TYPICAL_BYTES_PER_MS
      const lostShare = 1 - creditOf(bytesPerMs)
      const cutOff = Math.min(
        lostShare > 0 ? lastTickAt + credit / lostShare : Number.POSITIVE_INFINITY,
        start + maxMs,
      )
      return Math.max(0, Math.min(cutOff, lastTickAt + bytesToCome / bytesPerMs) - now())
    },
  }
}

const TICK_MS = 1000
const MAX_TICK_MS = 2 * TICK_MS

/**
 * Watches a request whose body is being read, and calls `onSlow` once if it arrives too slowly.
 * @param bytes size of the body
 * @returns `stop`, and the estimated time until the body has arrived
 */
export function watchDataRate(
  request: IncomingMessage,
  limits: RateLimits,
  bytes: number,
  onSlow: () => void,
): { stop: () => void; endsInMs: () => number } {
  const meter = rateMeter(limits)
  // A request without a socket, as in tests, has already arrived.
  const readSoFar = (): number => request.socket.bytesRead || 0
  const start = readSoFar()
  let lastTickAt = start
  const timer = setInterval(() => {
    const read = readSoFar()
    // With bytes in the buffer it is our disk that is slow, not the sender.
    const waitedForSender = request.readableLength === 0 && !request.complete
    const isFine = meter.tick(read - lastTickAt, waitedForSender)
    lastTickAt = read
    if (isFine || request.complete) return
    clearInterval(timer)
    onSlow()
  }, TICK_MS)
  timer.unref()
  return {
    stop: () => clearInterval(timer),
    // Plus one tick, since the meter is updated once a second.
    endsInMs: () => meter.endsInMs(Math.max(0, bytes - (lastTickAt - start))) + MAX_TICK_MS,
  }
}
