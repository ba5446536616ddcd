// The heartbeat of a worker: one small statement every ten seconds for all that it holds.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Queryable } from '../../../ports/db/db.ts'
import { extendLeases, type Lease } from '../queue.sql.ts'

/** Keeps the leases of what is held. */
export interface LeaseKeeper {
  /** All that is held from now on. */
  hold(tasks: readonly Lease[]): void
  close(): Promise<void>
}

// A lease is 30 s long: one missed beat takes none away, and one that failed is tried again soon.
const EVERY_MS = 10_000
const AGAIN_MS = 1000
/** How often an event loop shows the thread beside it that it turns. */
export const TICK_MS = 1000

/** Beats in the event loop it is called in. `onFailed` is told of each beat that failed: the database may be away. */
export function keepLeases(db: Queryable, onFailed: (error: unknown) => void): LeaseKeeper {
  let held: readonly Lease[] = []
  const closing = new AbortController()
  const { signal } = closing
  const beat = (): Promise<boolean> =>
    extendLeases(db, held).then(
      () => true,
      (error: unknown) => {
        onFailed(error)
        return false
      },
    )
  const beating = (async () => {
    for (let ms = EVERY_MS; ; ) {
      await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
      if (signal.aborted) return
      ms = held.length === 0 || (await beat()) ? EVERY_MS : AGAIN_MS
    }
  })()
  return {
    hold: (tasks) => {
      held = tasks
    },
    close: async () => {
      closing.abort()
      await beating
    },
  }
}
