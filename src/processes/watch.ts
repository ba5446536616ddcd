// Watches a child from outside: asks at an interval, and tells when it has been silent for too long of its own time: on a
// machine with a load of 20 the engine had no answer for 30 s, was killed in the middle of its work, and had it to do again.

import { type Moment, ownMs } from './own-time.ts'

/** How to watch: `ask` resolves when the child answered; its signal tells that nobody waits any more. */
export interface Watch {
  ask(signal: AbortSignal): Promise<void>
  everyMs: number
  /** Read anew whenever a question ends: while a migration runs silence is no fault. */
  silentLimitMs(): number
}

// A question is put anew after so long: how long silence may last can have changed meanwhile.
const questionMs = 30_000
const retryMs = 250 // after a question that failed at once, as while the socket is away

/**
 * Asks every `everyMs`; calls `onSilent` once when no question was answered for `silentLimitMs` of the child's own time, which
 * `now` tells. Returns how to end.
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
      const left = watch.silentLimitMs() - ownMs(answeredAt, now())
      const answered = await ask(Math.min(questionMs, Math.max(left, retryMs)))
      if (ended) return
      const asked = now()
      if (answered) answeredAt = asked
      const limitMs = watch.silentLimitMs()
      if (ownMs(answeredAt, asked) >= limitMs) return onSilent(limitMs)
      await pause(answered ? watch.everyMs : Math.min(retryMs, limitMs / 4))
    }
  }

  void follow()
  return () => {
    ended = true
    interrupt()
  }
}
