// Which chunks are scored at all: in a small workspace all, in a large one those that hold the query's rarest terms.

import type { WeighedTerm } from './query/query.ts'

// Below this many chunks a scan of the workspace beats candidates by GIN: 2.3 against 4.5 ms at 1k, PostgreSQL 18; on the
// embedded engine, words of one passage / whole questions: 1,000 chunks 40 against 29 / 23 against 37 ms, 3,000 74
// against 28 / 47 against 45, 4,500 47 against 29 / 56 against 41.
const SCAN_BELOW = 3000
// Rarest terms first until their frequencies sum to this: overlap@10 with the full scan .998 at 60k chunks.
const CANDIDATE_SUM = 3000
// So many at least, even if the term that brings them is common: results must be full.
const LEAST_CANDIDATES = 500
// More candidates than this cost more than a scan in order.
const MOST_CANDIDATES = 12_000

/** Numbers of the terms to take candidates from; undefined: score every chunk. */
export function narrow(terms: readonly WeighedTerm[], chunks: number): number[] | undefined {
  if (chunks < SCAN_BELOW) return undefined
  const chosen: number[] = []
  let sum = 0
  for (const { hash, df } of terms.filter((term) => term.df > 0).sort((a, b) => a.df - b.df)) {
    if (sum + df > CANDIDATE_SUM && sum >= LEAST_CANDIDATES) break
    if (sum + df > MOST_CANDIDATES) return undefined
    chosen.push(hash)
    sum += df
  }
  return chosen
}
