// Limits how many operations of one kind run at once: of all callers together, or also one of each caller.

import { unavailable } from '../../errors.ts'

export interface Limiter {
  /** Returns a function that is called once, when the operation has ended. @throws ApiError 503 */
  acquire(): () => void
}

export function makeLimiter({
  maxConcurrent,
  message,
  retrySeconds,
}: {
  maxConcurrent: number
  message: string
  retrySeconds: number
}): Limiter {
  let runningCount = 0
  return {
    acquire: () => {
      if (runningCount >= maxConcurrent) throw unavailable(message, retrySeconds)
      runningCount++
      return () => void runningCount--
    },
  }
}

export interface CallerLimiter {
  /** Returns a function that is called once, when the caller's operation has ended. @throws ApiError 503 */
  acquireFor(caller: string): () => void
}

/** Limits a caller to one operation at once, so that no caller takes all slots. */
export function makeCallerLimiter({
  ownMessage,
  ...options
}: Parameters<typeof makeLimiter>[0] & { ownMessage: string }): CallerLimiter {
  const limiter = makeLimiter(options)
  const callers = new Set<string>()
  return {
    acquireFor: (caller) => {
      if (callers.has(caller)) throw unavailable(ownMessage, options.retrySeconds)
      const release = limiter.acquire()
      callers.add(caller)
      return () => {
        callers.delete(caller)
        release()
      }
    },
  }
}
