// Compares two runs over the same queries: which is better, by how much, and whether that may be chance. Pure.

import { METRICS, type Metric, type Scores } from './metrics.ts'
import { type Estimate, estimate, randomizationTest } from './statistics.ts'

/** The scores of one query in both runs. */
export interface Pair {
  id: string
  text: string
  ours: Scores
  theirs: Scores
}

export interface MetricComparison {
  metric: Metric
  /** Means over the shared queries. */
  ours: number
  theirs: number
  difference: Estimate
  /** Two-sided p value of the paired randomization test. */
  p: number
  better: number
  worse: number
  equalCount: number
}

// Scores are sums of a few fractions, so a smaller difference is rounding.
const ROUNDING_ERROR = 1e-9

/** A comparison for each metric, over the queries that have it in both runs. */
export const compareRuns = (pairs: readonly Pair[]): MetricComparison[] =>
  METRICS.flatMap((metric) => {
    const scorePairs = pairs.flatMap(({ ours, theirs }) => {
      const [a, b] = [ours[metric], theirs[metric]]
      return a === undefined || b === undefined ? [] : [{ a, b }]
    })
    return scorePairs.length ? [compareMetric(metric, scorePairs)] : []
  })

function compareMetric(metric: Metric, scorePairs: { a: number; b: number }[]): MetricComparison {
  const differences = scorePairs.map(({ a, b }) => a - b)
  const betterCount = differences.filter((difference) => difference > ROUNDING_ERROR).length
  const worseCount = differences.filter((difference) => difference < -ROUNDING_ERROR).length
  const ourMean = scorePairs.reduce((sum, { a }) => sum + a, 0) / scorePairs.length
  const theirMean = scorePairs.reduce((sum, { b }) => sum + b, 0) / scorePairs.length
  return {
    metric,
    ours: ourMean,
    theirs: theirMean,
    difference: estimate(differences),
    p: randomizationTest(differences),
    better: betterCount,
    worse: worseCount,
    equalCount: scorePairs.length - betterCount - worseCount,
  }
}
