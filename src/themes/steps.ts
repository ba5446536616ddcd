// Runs long calculations in short steps, so that the process answers other requests meanwhile.

import { setImmediate as nextTurn } from 'node:timers/promises'

const MAX_STEP_MS = 10

/** Runs the work to its end. After every MAX_STEP_MS other work has its turn. */
export async function runInSteps<T>(work: Generator<void, T>): Promise<T> {
  for (let startedAt = performance.now(); ; ) {
    const { done, value } = work.next()
    if (done) return value
    if (performance.now() - startedAt < MAX_STEP_MS) continue
    await nextTurn()
    startedAt = performance.now()
  }
}
