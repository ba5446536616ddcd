// Watches a child process. It sends a ping at an interval, and reports if the child has been silent for too long, measured in
// the child's own time. Measured by the clock, an engine on a machine with a load of 20 was killed in the middle of its work,
// because it had not answered for 30 s.

import { type Moment, ownMs } from './own-time.ts'

/** How to watch. `ask` resolves when the child has answered. Its signal aborts when the answer is too late. */
export interface Watch {
  ask(signal: AbortSignal): Promise<void>
  everyMs: number
  /** Read after each question, since the limit is higher while a migration runs. */
  silentLimitMs(): number
}

// A question is repeated after this time, since the limit of silence may have changed.
const QUESTION_MS = 30_000
const RETRY_MS = 250 // after a question that failed at once, for example without a socket

/**
 * Asks every `everyMs`. Calls `onSilent` once when no question was answered for `silentLimitMs` of the child's own time, as
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
    const question = new AbortController()
    const interruption = new Promise<never>((_, reject) => {
      interrupt = () => {
        question.abort()
        reject(new Error('no answer'))
      }
    })
    const timer = setTimeout(() => interrupt(), limitMs)
    try {
      await Promise.race([watch.ask(question.signal), interruption])
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
      const hasAnswered = await ask(Math.min(QUESTION_MS, Math.max(remainingMs, RETRY_MS)))
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
