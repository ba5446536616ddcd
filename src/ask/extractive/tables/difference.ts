// What lies between the two sides of a comparison, where each is told by a row and both rows have the column asked for. Pure.

import type { Passage } from '../../../search/passage.ts'
import { compute } from '../../compute/compute.ts'
import { isColumnOf } from '../answer-type.ts'
import type { Scored, Wanted } from '../ranking.ts'
import { spaced } from './columns.ts'

export interface Difference {
  column: string
  /** The side with the higher value; undefined when both have the same. */
  higher?: string
  /** Without a sign, with its unit. */
  difference: string
  /** What it was calculated from, each once. */
  passages: Passage[]
}

interface Side {
  side?: string
  wanted: Wanted
  chosen: readonly Scored[]
}

/** Undefined unless there are two sides, a row each, and exactly one column of the kind asked for in both. */
export function differenceOf(sides: readonly Side[]): Difference | undefined {
  const [one, other] = sides
  const [a, b] = [one?.chosen[0]?.evidence, other?.chosen[0]?.evidence]
  if (sides.length !== 2 || !one?.side || !other?.side || !a?.cells || !b?.cells) return undefined
  const shared = a.cells.filter(({ header }) => header && b.cells?.some((cell) => cell.header === header))
  const asked = shared.filter(({ header }) => isColumnOf(one.wanted.type, spaced(header)))
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
