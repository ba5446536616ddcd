// What the gate leaves to `npm run test:full`: long rounds of killing, damage, recognition and load, of which the gate runs
// one each, and the full numbers of property tests.

import { test } from 'vitest'

export const FULL = process.env.KENNING_TESTS === 'full'

/** A test that only `npm run test:full` runs. */
export const thorough = test.runIf(FULL)

const MOST_RUNS_IN_THE_GATE = 100

/** Runs of a property test. */
export const runs = (full: number): number => (FULL ? full : Math.min(full, MOST_RUNS_IN_THE_GATE))
