// What the gate leaves to `npm run test:full`: long rounds of killing, damage, recognition and load, of which the gate runs
// one each, and the full numbers of property tests. On a server (DATABASE_URL) the gate repeats what the embedded engine's
// run beside it does, so that it takes a part of each series there.

import { test } from 'vitest'

export const FULL = process.env.KENNING_TESTS === 'full'
const ON_SERVER = process.env.DATABASE_URL !== undefined

/** A test that only `npm run test:full` runs. */
export const thorough = test.runIf(FULL)

const MOST_RUNS_IN_THE_GATE = ON_SERVER ? 25 : 100

/** Runs of a property test. @param gate where each of them takes long, or there is one for each of many things */
export const runs = (full: number, gate = MOST_RUNS_IN_THE_GATE): number =>
  FULL ? full : Math.min(full, gate, MOST_RUNS_IN_THE_GATE)

/** Of moments at which something may happen, such as a worker's calls to the database: the gate takes every third, or sixth. */
export const EVERY = FULL ? 1 : ON_SERVER ? 6 : 3

/** The same where the full suite takes every `full`-th, and the gate needs all of those on one engine. */
export const everyOnServer = (full: number): number => (FULL || !ON_SERVER ? full : full * 3)
