// Repeats writes while the database cannot be reached.

import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable } from '../ports/db/db-errors.ts'
import type { Log } from '../ports/deps.ts'

const MAX_AWAY_MS = 60_000
const RETRY_MS = 500

/**
 * Repeats `work` while the database cannot be reached, for at most MAX_AWAY_MS: an engine restarts within seconds, and failing
 * would lose minutes of work on a long file. Use this only for work that may be done twice. `isRepeat` is true from the second
 * time on.
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

/** Repeats a small write while the database cannot be reached, until the signal is aborted. Then the lease of the task expires. */
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
