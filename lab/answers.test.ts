import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openKept } from './answers/kept.ts'
import { scoresOf } from './answers/search.ts'
import { figuresOf, sampled } from './answers/sets.ts'

test('a sample is the same on every run, in order, and part of a larger one', () => {
  const items = Array.from({ length: 500 }, (_, i) => i)
  const [small, large] = [sampled(items, 50), sampled(items, 200)]
  expect(sampled(items, 50)).toEqual(small)
  expect(small).toHaveLength(50)
  expect(small).toEqual([...small].sort((a, b) => a - b))
  expect(small.every((item) => large.includes(item))).toBe(true)
  expect(sampled(items, undefined)).toEqual(items)
})

test('the figures of an answer, years and single digits aside', () => {
  expect(figuresOf('$1,577.00 in FY2018, up 3 points from 2017')).toEqual(['1577.00', '1577'])
  expect(figuresOf('No, it fell from 36.8% to 34.6%')).toEqual(['36.8', '36.8', '34.6', '34.6'])
  expect(figuresOf('It grew by 120')).toEqual(['120', '120'])
})

test('results of a run that was killed in the middle of a line are taken up again, in whole lines', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kenning-kept-'))
  const file = join(folder, 'more', 'answers.jsonl')
  const first = await openKept<{ id: string; n: number }>(file)
  await first.keep({ id: 'a', n: 1 })
  appendFileSync(file, '{"id":"b","n"')
  const second = await openKept<{ id: string; n: number }>(file)
  expect([...second.results.keys()]).toEqual(['a'])
  await second.keep({ id: 'b', n: 2 })
  expect(readFileSync(file, 'utf8')).toBe('{"id":"a","n":1}\n{"id":"b","n":2}\n')
  rmSync(folder, { recursive: true })
})

test('search: pages among the first five pages, else documents and evidence sentences', () => {
  const passage = (documents: string[], page: number | null, text = 'x') => ({ documents, page, text })
  const filing = [1, 1, 2, 3, 4, 5, 6].map((page) => passage(['a.pdf'], page))
  const pages = [5, 6].map((page) => ({ document: 'a.pdf', page }))
  const documents = new Set(['a.pdf'])
  expect(scoresOf(filing, { documents, facts: [], pages })).toEqual({ 'pages@5': 0.5 })
  const found = [passage(['b'], null, 'Boats sail.'), passage(['c'], null, 'None.')]
  const known = { documents: new Set(['b', 'd']), facts: ['Boats sail.', 'They sink.'], pages: [] }
  expect(scoresOf(found, known)).toEqual({ 'recall@5': 0.5, 'facts@10': 0.5, 'facts@20': 0.5 })
})
