// Which documents keep the folders in which they are.

import { expect, test } from 'vitest'
import { isWithin } from './folders.ts'
import { belowOf, deepPathOf, inOrderOfMove, newPathOf, type SelectedFrom } from './selected-from.ts'

const from = (folder: string, isWholeFolder: boolean, ...paths: string[]): SelectedFrom => ({
  folder,
  pathById: new Map(paths.map((path) => [path, path])),
  isWholeFolder,
})

test('all of a folder keeps the folders below it; some documents, and a folder without folders, lose none or all', () => {
  expect(belowOf(from('a', true, 'a/x.md', 'a/b/y.md'))).toBe('a')
  expect(belowOf(from('', true, 'x.md', 'a/y.md'))).toBe('')
  expect(belowOf(from('a', false, 'a/b/y.md'))).toBeUndefined()
  expect(belowOf(from('a', true, 'a/x.md', 'a/y.md'))).toBeUndefined()
  expect(belowOf(from('', true, 'x.md'))).toBeUndefined()
  expect(deepPathOf(from('a', false, 'a/x.md', 'a/b/y.md'))).toBe('a/b/y.md')
})

test('documents of another folder keep no places below the one that is shown', () => {
  expect(deepPathOf(from('c', false, 'a/b/x.md'))).toBeUndefined()
  expect(deepPathOf(from('a', false, 'a/b/x.md', 'ab/c/y.md'))).toBeUndefined()
  expect(belowOf(from('c', true, 'a/b/x.md'))).toBeUndefined()
})

test('the new path of a document is below its destination, with the folders that it keeps', () => {
  expect(newPathOf('a/b/x.md', 'c/d', undefined)).toBe('c/d/x.md')
  expect(newPathOf('a/b/x.md', 'c', 'a')).toBe('c/b/x.md')
  expect(newPathOf('a/b/x.md', 'c', '')).toBe('c/a/b/x.md')
  expect(newPathOf('a/b/x.md', '', 'a')).toBe('b/x.md')
  expect(newPathOf('x.md', '', undefined)).toBe('x.md')
})

test('documents that keep their folders are moved in an order in which no other one of them has the new path', () => {
  const paths = ['x.md', 'A/x.md', 'A/A/A/x.md', 'A/A/x.md', 'A/b/x.md', 'b/x.md']
  const pathById = new Map(paths.map((path, index) => [String(index), path]))
  for (const [destination, below] of [
    ['A', ''],
    ['A/A', ''],
    ['A/A', 'A'],
    ['', 'A'],
    ['A', 'A/A'],
    ['b', 'A'],
  ] as const) {
    const ids = [...pathById].filter(([, path]) => isWithin(path, below)).map(([id]) => id)
    const remainingPaths = new Set(ids.map((id) => pathById.get(id) ?? ''))
    const order = inOrderOfMove(ids, pathById, { destination: `${destination}/`, below })
    expect(order.toSorted()).toEqual(ids.toSorted())
    for (const id of order) {
      const path = pathById.get(id) ?? ''
      remainingPaths.delete(path)
      expect(remainingPaths, `${path} to ${destination}`).not.toContain(newPathOf(path, destination, below))
    }
  }
})
