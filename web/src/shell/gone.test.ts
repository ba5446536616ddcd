// What the console forgets after a 404.

import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { forgetGone } from './gone.ts'
import { forgetVisits, recent, rememberVisit } from './recent.ts'

const queries = new QueryClient()

const KEYS = [
  ['workspace', 'w'],
  ['workspace', 'w', 'documents', '', '', '', 'title', 'asc'],
  ['workspace', 'w', 'document', 'd1'],
  ['workspace', 'w', 'document', 'd1', 'details'],
  ['workspace', 'w', 'document', 'd2'],
  ['workspace', 'w', 'entity', 'e1', 1],
  ['workspace', 'w', 'entity', 'e2', 1],
  ['workspace', 'w', 'threads'],
  ['workspace', 'w', 'thread', 't'],
  ['workspace', 'v', 'document', 'd3'],
]

beforeEach(() => {
  for (const key of KEYS) queries.setQueryData(key, 'data')
  for (const path of ['/w/w/d/d1', '/w/w/d/d2', '/w/w/graph/e1', '/w/w/graph/e2', '/w/v/d/d3'])
    rememberVisit(path, {})
})

afterEach(() => {
  queries.clear()
  for (const id of ['w', 'v']) forgetVisits(id)
})

const visits = (): string[] => recent().map(({ id }) => id)
const lostKeys = (): unknown[] => KEYS.filter((key) => queries.getQueryData(key) === undefined)

test('a document that is gone is forgotten with the lists, and other documents and entities stay', () => {
  forgetGone(queries, ['workspace', 'w', 'document', 'd1', 'details'])
  expect(visits()).toEqual(['d3', 'e2', 'e1', 'd2'])
  expect(lostKeys()).toEqual([...KEYS.slice(0, 4), ['workspace', 'w', 'threads']])
})

test('a scope that is gone, a turn of a conversation and an image of a page take nothing with them', () => {
  for (const key of [
    ['workspace', 'w', 'documents', '', 'gone', '', 'title', 'asc'],
    ['workspace', 'w', 'thread', 't', 'citations', 3],
    ['workspace', 'w', 'page', 'd1', 7],
  ])
    forgetGone(queries, key)
  expect(visits()).toEqual(['d3', 'e2', 'e1', 'd2', 'd1'])
  expect(lostKeys()).toEqual([])
})

test('a conversation that is gone is forgotten with the list of conversations only', () => {
  forgetGone(queries, ['workspace', 'w', 'thread', 't'])
  expect(visits()).toEqual(['d3', 'e2', 'e1', 'd2', 'd1'])
  expect(lostKeys()).toEqual([
    ['workspace', 'w', 'threads'],
    ['workspace', 'w', 'thread', 't'],
  ])
})

test('a connection to an entity that is gone does not forget the one from which it was asked for', () => {
  forgetGone(queries, ['workspace', 'w', 'entity', 'e1', 'paths', 'gone'])
  expect(visits()).toContain('e1')
  expect(lostKeys()).toEqual([])
})

test('a workspace that is gone is forgotten with all that is in it', () => {
  forgetGone(queries, ['workspace', 'w'])
  expect(visits()).toEqual(['d3'])
  expect(lostKeys()).toEqual(KEYS.slice(0, -1))
})
