import { expect, test } from 'vitest'
import { scoresByName, targetsBy } from './subject.ts'

const about = (...rows: [string, number][]) =>
  rows.map(([document_id, weight]) => ({ term: 1, document_id, weight, dated: null }))

test('documents that are about a name are preferred by how much they are, the most at 1', () => {
  const found = scoresByName([about(['acme 1', 0.8], ['acme 2', 0.4], ['other', 0.08])], 100)
  expect(Object.fromEntries(found)).toEqual({ 'acme 1': 1, 'acme 2': 0.5, other: expect.closeTo(0.1) })
})

test('a name that all documents share prefers none', () => {
  expect(scoresByName([about(['a', 1], ['b', 1], ['c', 0.9])], 3).size).toBe(0)
})

test('of two names the rarer one counts more', () => {
  const common = about(['a', 1], ['b', 1], ['c', 1], ['d', 1])
  const found = scoresByName([common, about(['a', 1])], 10)
  expect(found.get('a')).toBe(1)
  expect(found.get('b')).toBeCloseTo(0.4)
})

test('no names, no preference', () => {
  expect(scoresByName([], 10).size).toBe(0)
})

test('a document that is meant by name and period goes far before those of one of them', () => {
  const { factors, best } = targetsBy(
    new Map([
      ['right', 1],
      ['other quarter', 1],
    ]),
    new Map([
      ['right', 1],
      ['other company', 1],
    ]),
  )
  expect(Object.fromEntries(factors)).toEqual({ right: 7, 'other quarter': 2, 'other company': 2 })
  expect(best).toEqual(['right'])
})
