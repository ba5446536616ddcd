// How certain a mean over queries is: the percentile bootstrap for one run (Efron and Tibshirani 1993), the paired
// randomization test for two (Smucker, Allan and Carterette 2007: on retrieval metrics it agrees with the t-test and the
// bootstrap, and the sign and rank tests do not). Pure, with a fixed seed.

import { drawIndex, seededRandom } from './random.ts'

const SEED = 20_261_121
const RESAMPLES = 4000
const CONFIDENCE = 0.95

/** A mean with its 95 % interval. */
export interface Estimate {
  mean: number
  low: number
  high: number
}

export const meanOf = (values: readonly number[]): number =>
  values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : Number.NaN

/** The nearest-rank quantile; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

/** The mean of `values` with the percentile bootstrap interval of 4,000 resamples over queries. */
export function estimate(values: readonly number[]): Estimate {
  const random = seededRandom(SEED)
  const resampledMeans = Array.from({ length: RESAMPLES }, () => {
    let sum = 0
    for (let i = 0; i < values.length; i++) sum += values[drawIndex(random, values.length)] ?? 0
    return sum / values.length
  })
  const tail = (1 - CONFIDENCE) / 2
  return {
    mean: meanOf(values),
    low: quantile(resampledMeans, tail),
    high: quantile(resampledMeans, 1 - tail),
  }
}

/**
 * The two-sided p value for a mean of paired differences of 0: the share of 4,000 draws in which random signs give a mean
 * at least as far from 0. The observed mean counts as a draw, so p is never 0.
 */
export function randomizationTest(differences: readonly number[]): number {
  const observedDifference = Math.abs(meanOf(differences))
  const random = seededRandom(SEED)
  let extremeCount = 1
  for (let draw = 0; draw < RESAMPLES; draw++) {
    let sum = 0
    for (const difference of differences) sum += random() < 0.5 ? difference : -difference
    // The margin allows for rounding: sums in another order differ in their last bits.
    if (Math.abs(sum / differences.length) >= observedDifference - 1e-12) extremeCount++
  }
  return extremeCount / (RESAMPLES + 1)
}
