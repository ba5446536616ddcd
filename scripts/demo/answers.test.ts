// Which answers make the demo fail.

import { expect, test } from 'vitest'
import type { Answer } from '../../src/contract/resources.ts'
import { problemsOf } from './answers.ts'

const citation = (number: number, text: string, document_id = `d${number}`) => ({ number, text, document_id })
const answerOf = (answer: string, ...citations: Answer['citations']): Answer => ({
  thread_id: 't',
  answer,
  citations,
})

test('an answer whose markers and citations agree has no problem', () => {
  const answer = answerOf(
    'Six months [1], now three [2], as said [1].',
    citation(1, 'six'),
    citation(2, 'three'),
  )
  expect(problemsOf(answer, undefined)).toEqual([])
  expect(problemsOf(answer, { cited: ['six', 'three'], documents: 2 })).toEqual([])
})

test('a marker without a citation, a citation without a marker or text', () => {
  expect(problemsOf(answerOf('Three [2].', citation(1, ' ')), undefined)).toEqual([
    '[2] has no citation.',
    'citation 1 is not marked in the answer.',
    'citation 1 has no text.',
  ])
})

test('an unanswerable question must have no citations', () => {
  const expectation = { cited: [], documents: 0 }
  expect(problemsOf(answerOf('The documents do not say.'), expectation)).toEqual([])
  expect(problemsOf(answerOf('Two vans [1].', citation(1, 'two')), expectation)).toHaveLength(1)
})

test('a two-document question needs both documents and both facts', () => {
  const one = answerOf('[1] [2]', citation(1, 'six\nmonths', 'lease'), citation(2, 'rent', 'lease'))
  expect(problemsOf(one, { cited: ['six months', 'three months'], documents: 2 })).toEqual([
    'no cited passage contains “three months”.',
    '1 document(s) cited, expected 2.',
  ])
})
