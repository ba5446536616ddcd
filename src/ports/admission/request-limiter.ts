// Limits how many requests are answered at once. So an overload ends when its cause ends: no requests are waiting whose senders
// have given up.

import { type ApiError, unavailable } from '../../errors.ts'

// Ten database connections answer about a hundred short requests a second, so no request waits much longer than a second.
const MAX_REQUESTS = 128
// One caller must leave room for others. Through HTTP/2, browsers send up to a hundred requests at once, but most of these are
// files and pages, which are not counted.
const MAX_REQUESTS_PER_CALLER = 64
const RETRY_SECONDS = 1

export interface RequestLimiter {
  /**
   * Counts a request by its credential, which is not verified yet. Returns a function that is called when the request has
   * ended. @throws ApiError 503
   */
  acquire(credential: string): () => void
  /** Counts a request for its caller, who may have several credentials. */
  acquireFor(caller: string): () => void
}

export function makeRequestLimiter(
  maxRequests = MAX_REQUESTS,
  maxPerCaller = MAX_REQUESTS_PER_CALLER,
): RequestLimiter {
  let total = 0
  const byCredential = new Map<string, number>()
  const byCaller = new Map<string, number>()
  const countUp = (counts: Map<string, number>, key: string): (() => void) => {
    const count = counts.get(key) ?? 0
    if (count >= maxPerCaller)
      throw busy(`More than ${maxPerCaller} of your requests at once; wait for some of them.`)
    counts.set(key, count + 1)
    return () => {
      const remaining = (counts.get(key) ?? 1) - 1
      if (remaining > 0) counts.set(key, remaining)
      else counts.delete(key)
    }
  }
  return {
    acquire: (credential) => {
      if (total >= maxRequests) throw busy('Too many requests at once; try again in a second.')
      const release = countUp(byCredential, credential)
      total++
      return () => {
        release()
        total--
      }
    },
    acquireFor: (caller) => countUp(byCaller, caller),
  }
}

const busy = (message: string): ApiError => unavailable(message, RETRY_SECONDS)
