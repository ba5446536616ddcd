// What the gate leaves to `npm run test:full`: long rounds of killing, damage, recognition and load, of which the gate runs
// one each, and the full numbers of property tests.

import { test } from 'vitest'

export const FULL = process.env.KENNING_TESTS === 'full'

/** A test that only `npm run test:full` runs. */
export const thorough = test.runIf(FULL)

const MAX_RUNS_IN_THE_GATE = 100

/** Runs of a property test. @param gate where each of them takes long, or there is one for each of many things */
export const runs = (full: number, gate = MAX_RUNS_IN_THE_GATE): number =>
  FULL ? full : Math.min(full, gate, MAX_RUNS_IN_THE_GATE)

/** Of moments at which something may happen, such as a worker's calls to the database: the gate takes every third. */
export const EVERY = FULL ? 1 : 3
