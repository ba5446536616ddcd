import { expect, test } from 'vitest'
import { analyse } from '../../language/analyse.ts'
import { analysedText } from '../../language/analysed-text.ts'
import { joinableWords, termsByPart } from './joined.ts'

const term = (text: string, df: number) => ({ term: text, df, idf: 1, weight: 1 })

/** The joined words of a query of which the workspace has only these words. */
function joinedIn(query: string, knownWords: string) {
  const known = new Set(analyse(knownWords, 'en').map((each) => each.term))
  const terms = analyse(query, 'en').map((each) => term(each.term, known.has(each.term) ? 3 : 0))
  return joinableWords(analysedText(query), ['en'], terms)
}

test('a word that no chunk has is joined with the words beside it', () => {
  expect(
    joinedIn('What does Wolfgang Schulz recommend?', 'wolfgang recommend').map(({ words }) => words),
  ).toEqual([
    ['Wolfgang', 'Schulz'],
    ['Schulz', 'recommend'],
  ])
  expect(joinedIn('health care', 'health')).toEqual([{ words: ['health', 'care'], terms: ['healthcar'] }])
})

test('words that chunks have are not joined, nor are words with a sign between them', () => {
  expect(joinedIn('home office', 'home office')).toEqual([])
  expect(joinedIn('Wolfgang, Schulz', 'wolfgang')).toEqual([])
  expect(joinedIn('"Wolfgang Schulz"', 'wolfgang')).toEqual([])
})

test('a stop word, a number and a single letter are not joined, because the word would be another one', () => {
  expect(joinedIn('turnover in direct sales', 'turnover sales')).toEqual([
    { words: ['direct', 'sales'], terms: ['directsal'] },
  ])
  expect(joinedIn('a typical time', 'time').map(({ words }) => words)).toEqual([['typical', 'time']])
  expect(joinedIn('a 4 day pass', 'pass day')).toEqual([])
})

test('a query of unknown words has a limited number of joined words', () => {
  expect(joinedIn(Array.from({ length: 300 }, (_, n) => `qx${n}z`).join(' '), '')).toHaveLength(16)
})

test('each of two joined words has the terms of both joins that it is in', () => {
  const joined = [
    { words: ['a', 'b'], terms: ['ab'] },
    { words: ['b', 'c'], terms: ['bc'] },
  ] as const
  expect([...termsByPart(joined)]).toEqual([
    ['a', ['ab']],
    ['b', ['ab', 'bc']],
    ['c', ['bc']],
  ])
})
