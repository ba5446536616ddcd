// Watches a child from outside. It asks at an interval, and reports when the child has been silent for too long, measured in
// the child's own time. Measured by the clock, an engine on a machine with a load of 20 was killed in the middle of its work,
// because it had not answered for 30 s.

import { type Moment, ownMs } from './own-time.ts'

/** How to watch. `ask` resolves when the child has answered. Its signal aborts when the answer is no longer awaited. */
export interface Watch {
  ask(signal: AbortSignal): Promise<void>
  everyMs: number
  /** Read after each question, since the limit is higher while a migration runs. */
  silentLimitMs(): number
}

// A question is repeated after this time, since the limit of silence may have changed.
const questionMs = 30_000
const retryMs = 250 // after a question that failed at once, for example without a socket

/**
 * Asks every `everyMs`. Calls `onSilent` once when no question was answered for `silentLimitMs` of the child's own time, as
 * measured by `now`. Returns a function that ends the watch.
 */
export function startWatch(
  watch: Watch,
  now: () => Moment,
  onSilent: (silentMs: number) => void,
): () => void {
  let ended = false
  let interrupt = () => {}

  async function ask(limitMs: number): Promise<boolean> {
    const question = new AbortController()
    const unanswered = new Promise<never>((_, reject) => {
      interrupt = () => {
        question.abort()
        reject(new Error('no answer'))
      }
    })
    const timer = setTimeout(() => interrupt(), limitMs)
    try {
      await Promise.race([watch.ask(question.signal), unanswered])
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
    while (!ended) {
      const remainingMs = watch.silentLimitMs() - ownMs(answeredAt, now())
      const answered = await ask(Math.min(questionMs, Math.max(remainingMs, retryMs)))
      if (ended) return
      const questionedAt = now()
      if (answered) answeredAt = questionedAt
      const limitMs = watch.silentLimitMs()
      if (ownMs(answeredAt, questionedAt) >= limitMs) return onSilent(limitMs)
      await pause(answered ? watch.everyMs : Math.min(retryMs, limitMs / 4))
    }
  }

  void follow()
  return () => {
    ended = true
    interrupt()
  }
}
