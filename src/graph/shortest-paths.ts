// The shortest paths between two entities in a small graph of links.

import { MENTIONED_WITH } from './mentioned-with.sql.ts'
import type { Link } from './paths.sql.ts'

/** A link that is followed from its source to its target, or in reverse. */
interface Step {
  link: Link
  isReversed: boolean
}

export type Path = readonly Step[]

interface PathQuery {
  from: string
  to: string
  maxSteps: number
  limit: number
  /** The number of mentions of each entity. A path through an often mentioned entity means little. */
  mentionCounts: ReadonlyMap<string, number>
}

/**
 * At most `limit` of the paths with the fewest steps, and no path with more than `maxSteps`. First come the paths with more steps
 * that sentences state, then those with more evidence and with rarer names between the ends. Between two entities only the best
 * link is used.
 */
export function shortestPaths(links: readonly Link[], query: PathQuery): Path[] {
  const stepsFrom = bestSteps(links)
  const distances = distancesTo(query.to, stepsFrom, query.maxSteps)
  const length = distances.get(query.from)
  if (!length) return []
  let paths: Path[] = [[]]
  for (let remainingSteps = length - 1; remainingSteps >= 0; remainingSteps--)
    paths = paths.flatMap((path) =>
      [...(stepsFrom.get(endOf(path) ?? query.from)?.values() ?? [])]
        .filter((step) => distances.get(targetOf(step)) === remainingSteps)
        .map((step) => [...path, step]),
    )
  return paths
    .map((path) => ({ path, ids: path.map(targetOf).join(' '), ...rankOf(path, query.mentionCounts) }))
    .sort((a, b) => b.statedSteps - a.statedSteps || b.strength - a.strength || (a.ids < b.ids ? -1 : 1))
    .slice(0, query.limit)
    .map(({ path }) => path)
}

/** The number of steps from each entity to `to`, if it is at most `maxSteps`. It is found by a breadth-first search from `to`. */
function distancesTo(
  to: string,
  stepsFrom: ReadonlyMap<string, ReadonlyMap<string, Step>>,
  maxSteps: number,
): Map<string, number> {
  const distances = new Map([[to, 0]])
  let frontier = [to]
  for (let distance = 1; distance <= maxSteps; distance++) {
    const next = new Set(frontier.flatMap((id) => [...(stepsFrom.get(id)?.keys() ?? [])]))
    frontier = [...next].filter((id) => !distances.has(id))
    for (const id of frontier) distances.set(id, distance)
  }
  return distances
}

const sourceOf = ({ link, isReversed }: Step): string => (isReversed ? link.target.id : link.source.id)
const targetOf = ({ link, isReversed }: Step): string => (isReversed ? link.source.id : link.target.id)
const endOf = (path: Path): string | undefined => path.map(targetOf).at(-1)

/** The best step from each entity to each of its neighbours. */
function bestSteps(links: readonly Link[]): Map<string, Map<string, Step>> {
  const stepsFrom = new Map<string, Map<string, Step>>()
  for (const link of links)
    for (const isReversed of [false, true]) {
      const step = { link, isReversed }
      const steps = stepsFrom.get(sourceOf(step)) ?? new Map<string, Step>()
      const other = steps.get(targetOf(step))
      if (!other || isBetter(link, other.link)) steps.set(targetOf(step), step)
      stepsFrom.set(sourceOf(step), steps)
    }
  return stepsFrom
}

const isStated = ({ type }: Link): boolean => type !== MENTIONED_WITH

const isBetter = (a: Link, b: Link): boolean =>
  isStated(a) === isStated(b) ? a.evidence_count > b.evidence_count : isStated(a)

function rankOf(path: Path, mentionCounts: ReadonlyMap<string, number>) {
  const innerNodes = path.slice(0, -1).map(targetOf)
  const evidence = path.map(({ link }) => Math.log1p(link.evidence_count))
  const frequency = innerNodes.map((id) => Math.log1p(mentionCounts.get(id) ?? 1))
  return {
    statedSteps: path.filter(({ link }) => isStated(link)).length,
    strength: sum(evidence) - sum(frequency),
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
