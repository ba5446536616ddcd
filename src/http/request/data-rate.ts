// Minimum data rate of request bodies. A sender has a credit of time: waiting uses it up, and received bytes earn it back. So a
// large body may take longer than a small one, and a body that stalls is ended soon.

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
  /**
   * Called regularly. Returns false if the body is too slow.
   * @param bytes received since the last call
   * @param waitedForSender whether that time was spent waiting for the sender, and not for our disk
   */
  tick(bytes: number, waitedForSender: boolean): boolean
  /**
   * Estimates from the rate so far in how many milliseconds the body ends: when the missing `bytesToCome` have arrived, or when it
   * is ended because it is too slow.
   */
  endsInMs(bytesToCome: number): number
}

// 8 Mbit/s, assumed before anything has arrived.
const TYPICAL_BYTES_PER_MS = 1000

/** @param now clock in milliseconds, replaced in tests */
export function makeRateMeter(limits: RateLimits, now: () => number = Date.now): RateMeter {
  const { bytesPerSecond, graceMs, maxMs = Number.POSITIVE_INFINITY } = limits
  const start = now()
  let lastTickAt = start
  let credit = graceMs
  let receivedBytes = 0
  const creditOf = (bytes: number): number => (bytes / bytesPerSecond) * 1000
  return {
    tick: (bytes, waitedForSender) => {
      // At most MAX_TICK_MS: if this machine was suspended, the sender is not to blame for the time.
      if (waitedForSender) credit -= Math.min(now() - lastTickAt, MAX_TICK_MS)
      lastTickAt = now()
      receivedBytes += bytes
      credit = Math.min(graceMs, credit + creditOf(bytes))
      return credit > 0 && lastTickAt - start < maxMs
    },
    endsInMs: (bytesToCome) => {
      const bytesPerMs = lastTickAt > start ? receivedBytes / (lastTickAt - start) : TYPICAL_BYTES_PER_MS
      // Negative if the body arrives faster than the minimum rate.
      const creditLossPerMs = 1 - creditOf(bytesPerMs)
      const endedAt = Math.min(
        creditLossPerMs > 0 ? lastTickAt + credit / creditLossPerMs : Number.POSITIVE_INFINITY,
        start + maxMs,
      )
      return Math.max(0, Math.min(endedAt, lastTickAt + bytesToCome / bytesPerMs) - now())
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
  const meter = makeRateMeter(limits)
  // A request without a socket, as in tests, has already arrived.
  const socketBytes = (): number => request.socket.bytesRead || 0
  const bytesAtStart = socketBytes()
  let bytesAtLastTick = bytesAtStart
  const timer = setInterval(() => {
    const bytesNow = socketBytes()
    // If there are bytes in the buffer, our disk is slow and not the sender.
    const waitedForSender = request.readableLength === 0 && !request.complete
    const isFastEnough = meter.tick(bytesNow - bytesAtLastTick, waitedForSender)
    bytesAtLastTick = bytesNow
    if (isFastEnough || request.complete) return
    clearInterval(timer)
    onSlow()
  }, TICK_MS)
  timer.unref()
  return {
    stop: () => clearInterval(timer),
    // Plus MAX_TICK_MS, since the meter is updated only once a tick.
    endsInMs: () => meter.endsInMs(Math.max(0, bytes - (bytesAtLastTick - bytesAtStart))) + MAX_TICK_MS,
  }
}
