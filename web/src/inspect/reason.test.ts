import { expect, test } from 'vitest'
import type { Hit, Inspection } from './explanation.tsx'
import { lackOf, meantWords, reasonOf } from './reason.ts'

const term = (name: string, word: string | null = name, rest: object = {}) => ({
  term: name,
  word,
  stands_for: null,
  origin: 'typed',
  weight: 1,
  chunks: 3,
  idf: 1,
  ...rest,
})
const [notice, period, tenant] = [term('notic', 'notice'), term('period'), term('tenant')]
const pair = term('notic period', 'notice period')
const inspection = (...terms: object[]) => ({ understood: { terms } }) as unknown as Inspection
const hit = (matched: object[], parts: object = {}) =>
  ({
    legs: { second_hop: null },
    shares: { words: 0.5, meaning: null },
    matched,
    indexed: { title: 'Lease', heading: '12. Notice periods', text: 'The tenant may end this lease.' },
    ...parts,
  }) as unknown as Hit

test('words in the heading and in the text are told apart, and pairs are left out', () => {
  expect(reasonOf(hit([notice, pair, period, tenant]))).toBe(
    'The passage has “notice” and “period” in its title or heading, and “tenant” in its text.',
  )
  expect(reasonOf(hit([tenant]))).toBe('The passage has “tenant” in its text.')
  const asked = inspection(notice, period, tenant, pair)
  expect(lackOf(hit([tenant]), asked)).toBe('Not in it: “notice” and “period”.')
  expect(lackOf(hit([notice, period, tenant]), asked)).toBeUndefined()
})

test('without words, the meaning or another result is the reason', () => {
  expect(reasonOf(hit([], { shares: { words: 0, meaning: 0.4 } }))).toBe(
    'The passage has none of the words, but means something similar.',
  )
  expect(reasonOf(hit([], { legs: { second_hop: { from_rank: 2 } } }))).toBe(
    'A name in result 2 leads to this passage.',
  )
})

test('a word that stands for a typed one is named with the number of its passages', () => {
  const correction = { origin: 'correction', stands_for: 'hanbook', chunks: 4 }
  const stem = term('handbook', 'handbook', correction)
  expect(meantWords(hit([tenant, stem, { ...stem, term: 'handbooks' }]))).toEqual([
    '“hanbook” is meant by “handbook” in 4 passages.',
  ])
})

test('a term that neither the query nor a result writes is not shown as a stem', () => {
  expect(reasonOf(hit([term('polici', null), tenant]))).toBe('The passage has “tenant” in its text.')
  expect(lackOf(hit([tenant]), inspection(tenant, term('polici', null)))).toBeUndefined()
})
