// The fourth stage: one order by words, meaning and the documents that the query names. Several documents are preferred to many
// chunks of one. Pure.

import type { Candidate } from '../candidates/candidates.sql.ts'
import { diversify, type Ranked, withMeaning, withPreference } from '../fusion.ts'
import { isLong } from '../query/query.ts'
import type { ParsedQuery } from './parse.ts'

export interface Fusion {
  /** The order by words and meaning. Undefined if the query has no vector. */
  byMeaning: readonly Ranked[] | undefined
  /** The order in which documents that the query names are preferred. Undefined if it names none. */
  byTargets: readonly Ranked[] | undefined
  ranked: readonly Ranked[]
}

export function fuse({ terms, meaning, targets }: ParsedQuery, scored: readonly Candidate[]): Fusion {
  const byMeaning = meaning && withMeaning(scored, meaning.factor)
  const fused = byMeaning ?? scored
  const byTargets = targets.factors.size > 0 ? withPreference(fused, targets.factors) : undefined
  return { byMeaning, byTargets, ranked: diversify(byTargets ?? fused, isLong(terms), targets.best) }
}
