// Folders with the folders around them, and how many documents each contains.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normaliseFolder, withAncestors } from './folders.ts'

const ALL = Number.POSITIVE_INFINITY

test('a folder counts its own documents and those below it; folders between are listed, too', () => {
  const folders = [
    { path: 'Reports/2023/Q3', document_count: 2 },
    { path: 'Reports', document_count: 1 },
    { path: 'Reports2', document_count: 5 },
  ]
  expect(withAncestors(folders, ALL)).toEqual([
    { path: 'Reports', document_count: 3 },
    { path: 'Reports/2023', document_count: 2 },
    { path: 'Reports/2023/Q3', document_count: 2 },
    { path: 'Reports2', document_count: 5 },
  ])
})

test('beyond the limit the deepest folders are left out', () => {
  const folders = ['b/c/d', 'a'].map((path) => ({ path, document_count: 1 }))
  expect(withAncestors(folders, 3).map(({ path }) => path)).toEqual(['a', 'b', 'b/c'])
})

test('for any paths: each folder once, with as many documents as paths begin with it', () => {
  const step = fc.constantFrom('a', 'b', 'a%', '_', 'ä b')
  const path = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => steps.join('/'))
  fc.assert(
    fc.property(fc.array(path), (paths) => {
      const counts = new Map<string, number>()
      for (const each of paths) counts.set(each, (counts.get(each) ?? 0) + 1)
      const folders = [...counts].map(([path, document_count]) => ({ path, document_count }))
      const result = withAncestors(folders, ALL)
      expect(new Set(result.map(({ path }) => path)).size).toBe(result.length)
      for (const { path, document_count } of result)
        expect(paths.filter((each) => `${each}/`.startsWith(`${path}/`)).length).toBe(document_count)
      for (const each of paths) expect(result.some(({ path }) => path === each)).toBe(true)
    }),
  )
})

test('a folder is written without a slash at its ends; the root is empty', () => {
  expect(['/Reports/2023/', 'Reports\\2023', '/', ''].map(normaliseFolder)).toEqual([
    'Reports/2023',
    'Reports/2023',
    '',
    '',
  ])
})
