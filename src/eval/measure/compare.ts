// Two runs over the same queries, query by query: who won where, by how much, and whether that can be chance. Pure.

import { METRICS, type Metric, type Scores } from './metrics.ts'
import { type Estimate, estimate, randomizationTest } from './statistics.ts'

/** One query as both runs answered it. */
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
  /** Two-sided, of the paired randomization test. */
  p: number
  better: number
  worse: number
  same: number
}

// Scores are sums of a few fractions; what differs less is the same ranking.
const SAME = 1e-9

/** Every metric that both runs have for every shared query. */
export const compareRuns = (pairs: readonly Pair[]): MetricComparison[] =>
  METRICS.flatMap((metric) => {
    const both = pairs.flatMap(({ ours, theirs }) => {
      const [a, b] = [ours[metric], theirs[metric]]
      return a === undefined || b === undefined ? [] : [{ a, b }]
    })
    return both.length ? [compareMetric(metric, both)] : []
  })

function compareMetric(metric: Metric, both: { a: number; b: number }[]): MetricComparison {
  const differences = both.map(({ a, b }) => a - b)
  const better = differences.filter((difference) => difference > SAME).length
  const worse = differences.filter((difference) => difference < -SAME).length
  const ours = both.reduce((sum, { a }) => sum + a, 0) / both.length
  const theirs = both.reduce((sum, { b }) => sum + b, 0) / both.length
  return {
    metric,
    ours,
    theirs,
    difference: estimate(differences),
    p: randomizationTest(differences),
    better,
    worse,
    same: both.length - better - worse,
  }
}
