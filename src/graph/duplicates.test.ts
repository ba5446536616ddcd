import { expect, test } from 'vitest'
import { findSimilarPairs } from './duplicates.ts'
import type { NamedEntity } from './graph.sql.ts'
import { nameKey } from './names.ts'

const entity = (name: string, type: string, mention_count: number): NamedEntity => {
  const key = nameKey(name)
  return { id: name, name, type, mention_count, key, keys: [key] }
}

test('names that are alike come in pairs, the surest and most mentioned first', () => {
  const pairs = findSimilarPairs([
    entity('Halden Harbour Authority', 'organization', 9),
    entity('HHA', 'organization', 4),
    entity('Rafael Quintero', 'person', 7),
    entity('Rafael Quintera', 'person', 1),
    entity('Quintero', 'person', 3),
    entity('Halden', 'location', 5),
    entity('TG-40', 'product', 5),
    entity('TG-41', 'product', 5),
  ])
  expect(pairs.map(({ entity, other, reason }) => [entity.name, other.name, reason])).toEqual([
    ['Rafael Quintero', 'Rafael Quintera', 'spelling'],
    ['Halden Harbour Authority', 'HHA', 'initials'],
    ['Rafael Quintero', 'Quintero', 'part'],
  ])
})

test('codes and initials that differ are no misspellings of each other', () => {
  const names = ['HL-2', 'HL-2R', 'CAL-1', 'CAL-1X', 'SVC-A', 'SVC-D', 'J. Marsh', 'K. Marsh']
  names.push('KVR Station', 'KVT Station')
  const spelt = findSimilarPairs(names.map((name) => entity(name, 'other', 1))).filter(
    ({ reason }) => reason === 'spelling',
  )
  expect(spelt).toEqual([])
})

test('a word that very many names have makes none of them alike', () => {
  const many = Array.from({ length: 40 }, (_, i) => entity(`Committee Number${i}x`, 'organization', 1))
  expect(findSimilarPairs([...many, entity('Committee', 'organization', 3)])).toEqual([])
})
