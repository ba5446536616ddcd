import { expect, test } from 'vitest'
import type { Hit, Inspection } from './explanation.tsx'
import { lackOf, reasonOf, wordFor } from './reason.ts'

const term = (name: string, origin = 'typed') => ({ term: name, origin, weight: 1, chunks: 3, idf: 1 })
const inspection = (query: string, terms: string[]) =>
  ({ query, understood: { terms: terms.map((name) => term(name)) } }) as unknown as Inspection
const hit = (matched: string[], parts: object = {}) =>
  ({
    legs: { second_hop: null },
    shares: { words: 0.5, meaning: null },
    matched: matched.map((name) => term(name)),
    indexed: { title: 'Lease', heading: '12. Notice periods', text: 'The tenant may end this lease.' },
    ...parts,
  }) as unknown as Hit

test('words in the heading and in the text are told apart, and pairs are left out', () => {
  const asked = inspection('notice period of the tenant', ['notic', 'period', 'tenant', 'notic period'])
  expect(reasonOf(hit(['notic', 'notic period', 'period', 'tenant']), asked)).toBe(
    'The passage has “notice” and “period” in its title or heading, and “tenant” in its text.',
  )
  expect(reasonOf(hit(['tenant']), asked)).toBe('The passage has “tenant” in its text.')
  expect(lackOf(hit(['tenant']), asked)).toBe('Not in it: “notice” and “period”.')
  expect(lackOf(hit(['notic', 'period', 'tenant']), asked)).toBeUndefined()
})

test('without words, the meaning or another result is the reason', () => {
  const asked = inspection('lease payment', ['leas', 'payment'])
  expect(reasonOf(hit([], { shares: { words: 0, meaning: 0.4 } }), asked)).toBe(
    'The passage has none of the words, but means something similar.',
  )
  expect(reasonOf(hit([], { legs: { second_hop: { from_rank: 2 } } }), asked)).toBe(
    'A name in result 2 leads to this passage.',
  )
})

test('a term is shown as a word of the query or of the passage', () => {
  const indexed = { title: 'Policies', heading: '', text: 'Travelling by train' }
  expect(wordFor('polici', { query: 'policy' }, indexed)).toBe('policy')
  expect(wordFor('travel train', { query: 'policy' }, indexed)).toBe('Travelling train')
  expect(wordFor('zzz', { query: 'policy' }, indexed)).toBe('zzz')
})
