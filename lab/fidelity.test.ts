import { expect, test } from 'vitest'
import type { Chunk } from '../src/contract/resources.ts'
import { compare } from './fidelity.ts'

const chunk = (page: number | null, text: string, type: Chunk['type'] = 'text'): Chunk => ({
  id: text,
  text,
  page,
  type,
})

test('words are a multiset: what stands twice must be read back twice', () => {
  const found = compare(['one two two three'], [chunk(1, 'Three, two. ONE'), chunk(1, '| x |', 'table')])
  expect(found).toEqual({ pages: 1, missed: 0, words: 4, found: 3, tables: 1 })
})

test('a chunk that begins on the page before counts, words of other pages do not', () => {
  const pages = ['alpha', 'beta gamma', '', 'alpha']
  expect(compare(pages, [chunk(1, 'alpha beta'), chunk(2, 'gamma')])).toEqual({
    pages: 3,
    missed: 1,
    words: 4,
    found: 3,
    tables: 0,
  })
})
