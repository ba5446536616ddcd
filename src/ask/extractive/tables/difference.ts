// The difference between the two sides of a comparison, when each is quoted by a table row and both rows have the
// column asked for. Pure.

import type { Passage } from '../../../search/passage.ts'
import { compute } from '../../compute/compute.ts'
import { isColumnOf } from '../answer-type.ts'
import type { Criteria } from '../features.ts'
import type { ScoredEvidence } from '../ranking.ts'
import { splitHeader } from './columns.ts'

export interface Difference {
  column: string
  /** The side with the higher value; undefined when both have the same. */
  higher?: string
  /** The absolute difference with its unit. */
  difference: string
  /** The passages it was calculated from, each once. */
  passages: Passage[]
}

interface Side {
  side?: string
  criteria: Criteria
  quotes: readonly ScoredEvidence[]
}

/** Undefined unless there are two sides with a row each, and exactly one common column of the type asked for. */
export function differenceOf(sides: readonly Side[]): Difference | undefined {
  const [one, other] = sides
  const [a, b] = [one?.quotes[0]?.evidence, other?.quotes[0]?.evidence]
  if (sides.length !== 2 || !one?.side || !other?.side || !a?.cells || !b?.cells) return undefined
  const shared = a.cells.filter(({ header }) => header && b.cells?.some((cell) => cell.header === header))
  const asked = shared.filter(({ header }) => isColumnOf(one.criteria.type, splitHeader(header)))
  const [column] = asked
  if (!column || asked.length !== 1) return undefined
  const rows = [{ cells: a.cells }, { cells: b.cells }]
  const between = compute(
    rows,
    { operation: 'difference', columns: [column.header] },
    a.found.passage.language,
  )
  if (between.kind !== 'value' || between.unit === 'days') return undefined
  const higher = between.value.startsWith('-')
    ? other.side
    : /[1-9]/.test(between.value)
      ? one.side
      : undefined
  return {
    column: column.header,
    ...(higher !== undefined && { higher }),
    difference: `${between.value.replace('-', '')}${between.unit ? ` ${between.unit}` : ''}`,
    passages: [...new Set([a.found.passage, b.found.passage])],
  }
}
