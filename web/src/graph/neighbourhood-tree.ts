// The names around an entity as a tree that grows to both sides: to the left what has a relation to it, to the right what it has a
// relation to. Names that passages only mention together with it fill the shorter side. Pure functions.

import type { Output } from '../../../src/client/client.ts'

export type Neighbourhood = Output<'getEntity'>
type Entity = Neighbourhood['entity']

/** The type of a relation that no passage states: passages name the two together more often than by chance. */
export const MENTIONED_WITH = 'mentioned_with'
export const MAX_NODES = 40
// So many names are shown at first, and for each name that is expanded.
const MAX_FIRST = 14
const MAX_BRANCHES = 7

/** A name, and the relation by which it hangs on its parent. */
export interface Branch {
  entity: Entity
  parent: string
  depth: number
  side: 'left' | 'right'
  relation: string
  /** `in`: the relation leads from this entity to its parent. A pair that is only mentioned together has no direction. */
  way: 'in' | 'out' | 'none'
  evidence: number
}

interface RankedRelation {
  entity: Entity
  relation: string
  way: Branch['way']
  evidence: number
}

/** The relations of an entity, one for each other entity: stated ones first, then by their evidence. */
export function rankedRelations({ entity, outgoing, incoming }: Neighbourhood): RankedRelation[] {
  const all: RankedRelation[] = [
    ...outgoing.map((one) => ({
      ...one,
      way: one.type === MENTIONED_WITH ? ('none' as const) : ('out' as const),
    })),
    ...incoming.map((one) => ({ ...one, way: 'in' as const })),
  ].map(({ entity: other, type, way, evidence_count }) => ({
    entity: other,
    relation: type,
    way,
    evidence: evidence_count,
  }))
  const ranked = all.sort((a, b) => weakness(a) - weakness(b) || b.evidence - a.evidence)
  const shownIds = new Set([entity.id])
  return ranked.filter((one) => {
    const isFirst = !shownIds.has(one.entity.id)
    shownIds.add(one.entity.id)
    return isFirst
  })
}

const weakness = ({ way }: { way: Branch['way'] }): number => Number(way === 'none')

/**
 * The branches of the tree, at most MAX_NODES names with the root. If there are more, the weakest names go, but none that is
 * expanded or has just been added.
 */
export function branchesOf(
  root: Neighbourhood,
  expanded: readonly string[],
  loaded: ReadonlyMap<string, Neighbourhood>,
): Branch[] {
  const branches: Branch[] = []
  const rows = { left: 0, right: 0 }
  for (const relation of rankedRelations(root).slice(0, MAX_FIRST)) {
    const shorterSide = rows.left < rows.right ? 'left' : 'right'
    const side = relation.way === 'none' ? shorterSide : relation.way === 'in' ? 'left' : 'right'
    rows[side]++
    branches.push({ ...relation, parent: root.entity.id, depth: 1, side })
  }
  // A name that was expanded, folded and expanded again may stand behind its own branches in the list.
  const waiting = [...expanded]
  for (let passes = waiting.length; passes > 0 && waiting.length > 0; passes--)
    for (const id of waiting.splice(0)) if (!expand(id)) waiting.push(id)
  return branches

  /** Returns false if the name is not in the tree, or not yet. */
  function expand(id: string): boolean {
    const parent = branches.find(({ entity }) => entity.id === id)
    const neighbourhood = loaded.get(id)
    if (!parent || !neighbourhood) return false
    const present = new Set([root.entity.id, ...branches.map(({ entity }) => entity.id)])
    const added = rankedRelations(neighbourhood)
      .filter(({ entity }) => !present.has(entity.id))
      .slice(0, MAX_BRANCHES)
      .map((relation) => ({ ...relation, parent: id, depth: parent.depth + 1, side: parent.side }))
    dropWeakest(branches, branches.length + added.length + 1 - MAX_NODES, expanded)
    branches.push(...added)
    return true
  }
}

function dropWeakest(branches: Branch[], count: number, expanded: readonly string[]): void {
  if (count <= 0) return
  const parents = new Set([...expanded, ...branches.map(({ parent }) => parent)])
  const weakest = branches
    .filter(({ entity }) => !parents.has(entity.id))
    .sort((a, b) => weakness(b) - weakness(a) || a.evidence - b.evidence)
    .slice(0, count)
  for (const branch of weakest) branches.splice(branches.indexOf(branch), 1)
}

export interface PlacedBranch extends Branch {
  /** Columns from the root. To the left they are negative. */
  column: number
  /** Rows from the top. A name with branches is in the middle of them, so this may be a fraction. */
  row: number
}

export interface PlacedTree {
  branches: PlacedBranch[]
  rootRow: number
  rows: number
  /** The outermost columns. */
  from: number
  to: number
}

/** Gives every name a place. `isOneSided`: a narrow screen has only room to the right. */
export function placeTree(root: string, branches: readonly Branch[], isOneSided: boolean): PlacedTree {
  const sides = isOneSided ? [branches] : [branches.filter(isLeft), branches.filter((one) => !isLeft(one))]
  const heights = sides.map((side) => leavesOf(side, root))
  const rows = Math.max(1, ...heights)
  const places = sides.flatMap((side, i) => placeSide(side, root, (rows - (heights[i] ?? 0)) / 2, isOneSided))
  const columns = places.map(({ column }) => column)
  return {
    branches: places,
    rootRow: (rows - 1) / 2,
    rows,
    from: Math.min(0, ...columns),
    to: Math.max(0, ...columns),
  }
}

const isLeft = ({ side }: Branch): boolean => side === 'left'

const leavesOf = (branches: readonly Branch[], root: string): number => {
  const parents = new Set(branches.map(({ parent }) => parent))
  return branches.filter(({ entity }) => entity.id !== root && !parents.has(entity.id)).length
}

function placeSide(
  branches: readonly Branch[],
  root: string,
  firstRow: number,
  isOneSided: boolean,
): PlacedBranch[] {
  const places: PlacedBranch[] = []
  let nextRow = firstRow
  const place = (branch: Branch): number => {
    const column = isOneSided || !isLeft(branch) ? branch.depth : -branch.depth
    // The tab key reaches a name before its branches.
    const placedBranch = { ...branch, column, row: 0 }
    places.push(placedBranch)
    const childRows = branches.filter(({ parent }) => parent === branch.entity.id).map(place)
    placedBranch.row = childRows.length > 0 ? ((childRows[0] ?? 0) + (childRows.at(-1) ?? 0)) / 2 : nextRow++
    return placedBranch.row
  }
  for (const branch of branches) if (branch.parent === root) place(branch)
  return places
}
