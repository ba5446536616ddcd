import { expect, test } from 'vitest'
import { faultsOf, type Listed, walkList } from './walk.ts'

const pages: Record<string, Listed> = {
  first: { data: [{ id: 'a' }, { id: 'b' }], next_cursor: 'second' },
  second: { data: [{ id: 'b' }, { id: 'd' }], next_cursor: null },
}

test('a walk reads to the last page, and tells what came twice and what was left out', async () => {
  const walk = await walkList(async (cursor) => pages[cursor ?? 'first'] as Listed)
  expect(walk.ids).toEqual(['a', 'b', 'b', 'd'])
  expect(walk.pages).toHaveLength(2)
  expect(faultsOf(walk, new Set(['a', 'b', 'c']))).toEqual({ twice: 1, missing: 1 })
  expect(faultsOf(walk, new Set(['d']))).toEqual({ twice: 1, missing: 0 })
})
