// The fourth stage: one order by words, meaning and the documents that the query names. It prefers several documents to many
// chunks of one. Pure.

import type { Candidate } from '../candidates/candidates.sql.ts'
import { type Ranked, spread, withMeaning, withPreference } from '../fusion.ts'
import { isLong } from '../query/query.ts'
import type { ParsedQuery } from './parse.ts'

export interface Fusion {
  /** The order with meaning added. Undefined if the query has no comparable vector. */
  byMeaning: readonly Ranked[] | undefined
  /** The order in which documents that the query names are preferred. Undefined if it names none. */
  byTargets: readonly Ranked[] | undefined
  ranked: readonly Ranked[]
}

export function fuse({ terms, meaning, targets }: ParsedQuery, scored: readonly Candidate[]): Fusion {
  const byMeaning = meaning && withMeaning(scored, meaning.factor)
  const fused = byMeaning ?? scored
  const byTargets = targets.factors.size > 0 ? withPreference(fused, targets.factors) : undefined
  return { byMeaning, byTargets, ranked: spread(byTargets ?? fused, isLong(terms), targets.best) }
}
