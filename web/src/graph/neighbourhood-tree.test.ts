import { describe, expect, test } from 'vitest'
import {
  branchesOf,
  MAX_NODES,
  type Neighbourhood,
  placeTree,
  rankedRelations,
} from './neighbourhood-tree.ts'

const entity = (id: string) => ({ id, name: id.toUpperCase(), type: 'person' })
const relation = (id: string, type: string, evidence_count = 1) => ({
  type,
  evidence_count,
  entity: entity(id),
})

const ROOT: Neighbourhood = {
  entity: entity('root'),
  depth: 1,
  outgoing: [
    relation('near', 'mentioned_with', 9),
    relation('tenant', 'leases_to', 2),
    relation('town', 'located_in'),
  ],
  incoming: [relation('chair', 'leads', 3), relation('tenant', 'signed_with', 1)],
}

/** An entity with relations to `count` others. */
const crowd = (id: string, count: number): Neighbourhood => ({
  entity: entity(id),
  depth: 1,
  outgoing: Array.from({ length: count }, (_, i) => relation(`${id}-${i}`, 'supplies', count - i)),
  incoming: [],
})

test('each name appears once, by its strongest stated relation, before names that are only mentioned together', () => {
  expect(rankedRelations(ROOT).map(({ entity: { id }, relation, way }) => [id, relation, way])).toEqual([
    ['chair', 'leads', 'in'],
    ['tenant', 'leases_to', 'out'],
    ['town', 'located_in', 'out'],
    ['near', 'mentioned_with', 'none'],
  ])
})

describe('the branches', () => {
  test('what leads to the name is left, what it leads to right, and pairs fill the shorter side', () => {
    const sides = branchesOf(ROOT, [], new Map()).map(({ entity: { id }, side }) => [id, side])
    expect(sides).toEqual([
      ['chair', 'left'],
      ['tenant', 'right'],
      ['town', 'right'],
      ['near', 'left'],
    ])
  })

  test('an expanded name shows its relations beside it, without names that are there already', () => {
    const tenant = { ...crowd('tenant', 2), incoming: [relation('root', 'leases_to')] }
    const branches = branchesOf(ROOT, ['tenant'], new Map([['tenant', tenant]]))
    expect(
      branches.filter(({ parent }) => parent === 'tenant').map(({ entity: { id }, depth }) => [id, depth]),
    ).toEqual([
      ['tenant-0', 2],
      ['tenant-1', 2],
    ])
    expect(branches.filter(({ entity: { id } }) => id === 'root')).toEqual([])
  })

  test('there are never more than forty names, and the weakest go', () => {
    const root = crowd('root', 14)
    const expanded = ['root-0', 'root-1', 'root-2', 'root-3', 'root-4']
    const loaded = new Map(expanded.map((id) => [id, crowd(id, 7)]))
    const branches = branchesOf(root, expanded, loaded)
    const ids = branches.map(({ entity: { id } }) => id)
    expect(ids).toHaveLength(MAX_NODES - 1)
    expect(new Set(ids).size).toBe(MAX_NODES - 1)
    expect(ids).toEqual(expect.arrayContaining([...expanded, 'root-4-0', 'root-4-6']))
    expect(ids).not.toContain('root-13')
  })
})

describe('the places', () => {
  test('no two names have the same place, and a name is in the middle of its branches', () => {
    const branches = branchesOf(crowd('root', 5), ['root-1'], new Map([['root-1', crowd('root-1', 3)]]))
    const tree = placeTree('root', branches, false)
    expect(new Set(tree.branches.map(({ column, row }) => `${column} ${row}`)).size).toBe(branches.length)
    const rowOf = (id: string) => tree.branches.find((branch) => branch.entity.id === id)?.row
    expect(rowOf('root-1')).toBe(rowOf('root-1-1'))
    expect([tree.from, tree.to, tree.rows]).toEqual([0, 2, 7])
  })

  test('on a narrow screen all names are to the right', () => {
    const tree = placeTree('root', branchesOf(ROOT, [], new Map()), true)
    expect(tree.branches.map(({ column }) => column)).toEqual([1, 1, 1, 1])
    expect([tree.from, tree.to, tree.rows]).toEqual([0, 1, 4])
  })
})
