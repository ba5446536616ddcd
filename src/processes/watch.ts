// Watches a child process: sends a ping at an interval, and reports if the child has been silent for too long. Silence is measured
// in the child's own time (own-time.ts), because a healthy child on an overloaded machine may not answer for 30 s.

import { type Moment, ownMs } from './own-time.ts'

/** How to watch. `ask` resolves when the child has answered. Its signal aborts when the answer is too late. */
export interface Watch {
  ask(signal: AbortSignal): Promise<void>
  everyMs: number
  /** Read before each ping, because the limit is higher while a migration runs. */
  silentLimitMs(): number
}

// A ping is repeated after this time, because the limit of silence may have changed.
const PING_MS = 30_000
// The pause after a ping that failed at once, for example because there is no socket yet.
const RETRY_MS = 250

/**
 * Sends a ping every `everyMs`. Calls `onSilent` once when no ping was answered for `silentLimitMs` of the child's own time, as
 * measured by `now`. Returns a function that ends the watch.
 */
export function startWatch(
  watch: Watch,
  now: () => Moment,
  onSilent: (silentMs: number) => void,
): () => void {
  let hasEnded = false
  let interrupt = () => {}

  async function ask(limitMs: number): Promise<boolean> {
    const ping = new AbortController()
    const interruption = new Promise<never>((_, reject) => {
      interrupt = () => {
        ping.abort()
        reject(new Error('no answer'))
      }
    })
    const timer = setTimeout(() => interrupt(), limitMs)
    try {
      await Promise.race([watch.ask(ping.signal), interruption])
      return true
    } catch {
      return false
    } finally {
      clearTimeout(timer)
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      interrupt = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function follow() {
    let answeredAt = now()
    while (!hasEnded) {
      const remainingMs = watch.silentLimitMs() - ownMs(answeredAt, now())
      const hasAnswered = await ask(Math.min(PING_MS, Math.max(remainingMs, RETRY_MS)))
      if (hasEnded) return
      const askedAt = now()
      if (hasAnswered) answeredAt = askedAt
      const limitMs = watch.silentLimitMs()
      if (ownMs(answeredAt, askedAt) >= limitMs) return onSilent(limitMs)
      await pause(hasAnswered ? watch.everyMs : Math.min(RETRY_MS, limitMs / 4))
    }
  }

  void follow()
  return () => {
    hasEnded = true
    interrupt()
  }
}
