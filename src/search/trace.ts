// What each step of a search did, noted by the search itself when the inspector asks. A search without a trace notes nothing.

import type { SearchStep } from '../contract/inspection.ts'
import type { SemanticQuery } from '../embed/embed.ts'
import type { Nearest } from '../embed/nearest.sql.ts'
import type { Candidate } from './candidates/candidates.sql.ts'
import type { Source } from './candidates/candidates.ts'
import type { Required } from './candidates/filter.sql.ts'
import type { Ranked } from './fusion.ts'
import type { Understood } from './query/query.ts'
import type { HopTarget } from './second-hop.sql.ts'

export interface Trace {
  known?: Understood
  required?: Required
  meaning?: SemanticQuery | undefined
  /** In the order of their score by words. */
  candidates: readonly Candidate[]
  source: Source
  /** By a strong meaning. */
  nearest: readonly Nearest[]
  mayHop: boolean
  /** By the chunk that each raised. */
  hops: ReadonlyMap<string, HopTarget>
  steps: { step: SearchStep; ranking: readonly Ranked[] }[]
  nearDuplicates: number
}

export const newTrace = (): Trace => ({
  candidates: [],
  source: 'none',
  nearest: [],
  mayHop: false,
  hops: new Map(),
  steps: [],
  nearDuplicates: 0,
})

/** Among many near-duplicates the candidates are ranked once more: what was noted of the first time is dropped. */
export const startAgain = (trace: Trace | undefined): void => {
  if (trace) Object.assign(trace, { ...newTrace(), mayHop: trace.mayHop })
}
