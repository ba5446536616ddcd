// Limits how many operations of one kind run at once, over all callers.

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
  let running = 0
  return {
    acquire: () => {
      if (running >= maxConcurrent) throw unavailable(message, retrySeconds)
      running++
      return () => void running--
    },
  }
}
