// Property tests draw the same cases on every run, so that a landing never fails by luck. KENNING_TEST_SEED=random
// draws new ones (or a number draws those again): run it so before a release.

import { configureGlobal } from 'fast-check'

const DEFAULT_SEED = 20_261_121
const seed = process.env.KENNING_TEST_SEED ?? String(DEFAULT_SEED)

/** Undefined: draw new cases. */
export const SEED = seed === 'random' ? undefined : Number(seed)

if (SEED !== undefined) configureGlobal({ seed: SEED })
