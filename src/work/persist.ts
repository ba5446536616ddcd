// Retries writes while the database is down for a moment.

import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable } from '../ports/db/db-errors.ts'
import type { Log } from '../ports/deps.ts'

const MAX_AWAY_MS = 60_000
const RETRY_MS = 500

/**
 * Repeats `work`, with `isRepeat`, while the database is down. An engine restarts within seconds, while a long file may have
 * taken three minutes already. Only for work that may be done twice.
 */
export async function retryWhileAway<T>(
  signal: AbortSignal,
  work: (isRepeat: boolean) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + MAX_AWAY_MS
  for (let isRepeat = false; ; isRepeat = true) {
    try {
      return await work(isRepeat)
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > deadline) throw error
      await sleep(RETRY_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}

/** Repeats a small write while the database is down. At the signal it gives up silently, and the lease expires. */
export async function persist(
  { log }: { log: Log },
  signal: AbortSignal,
  write: () => Promise<unknown>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await write()
      return
    } catch (error) {
      if (!isUnavailable(error)) return log.error({ err: error }, 'could not write the state of a task')
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
}
