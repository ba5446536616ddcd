import { expect, test } from 'vitest'
import { type Found, mergeWorkspaces } from './across.ts'

const list = (workspaceId: string, ...texts: string[]): Found[] =>
  texts.map((text, no) => ({
    workspaceId,
    chunk: { id: `${workspaceId}${no}`, text, document_title: '', type: 'text' },
  }))
const merged = (query: string, ...lists: Found[][]): string[] =>
  mergeWorkspaces(query, lists).map(({ chunk }) => chunk.id)

test('one workspace keeps its order', () => {
  expect(merged('crane', [], list('a', 'Nothing.', 'A crane.'))).toEqual(['a0', 'a1'])
})

test('the workspace that holds more of the query comes first, wherever it stands', () => {
  const about = list('b', 'The slipway crane lifts twelve tonnes.', 'A crane.')
  const other = list('a', 'Twelve people met.', 'A boat.')
  expect(merged('How many tonnes does the slipway crane lift?', other, about)[0]).toBe('b0')
  expect(merged('How many tonnes does the slipway crane lift?', about, other)[0]).toBe('b0')
})

test('words that stand everywhere say little', () => {
  const many = list('a', 'The harbour crane.', 'The harbour crane.', 'The harbour crane.')
  const rare = list('b', 'The harbour capstan.', 'The harbour crane.')
  expect(merged('harbour capstan', many, rare)[0]).toBe('b0')
})

test('each is there once', () => {
  const found = merged('tide', list('a', 'tide', 'x', 'y'), list('b', 'tide'), list('c'))
  expect(found.toSorted()).toEqual(['a0', 'a1', 'a2', 'b0'])
})
