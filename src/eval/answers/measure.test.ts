import { describe, expect, test } from 'vitest'
import { citationsHold, measureAnswer, type ReceivedAnswer } from './measure.ts'
import type { KnownQuestion } from './questions.ts'

const known: KnownQuestion = {
  id: 'q',
  text: 'What does the pump cost?',
  answers: ['£1,480', '1480 pounds'],
  documents: new Set(['prices.pdf', 'letter.docx']),
  facts: ['The pump costs £1,480.', 'The price holds until May.'],
  pages: [{ document: 'prices.pdf', page: 2 }],
}
const citation = (number: number, text: string, document = 'prices.pdf', page: number | null = 2) => ({
  number,
  text,
  page,
  documents: [document],
  verbatim: true,
})

describe('measureAnswer', () => {
  test('an answer with one of two facts and one irrelevant citation', () => {
    const received: ReceivedAnswer = {
      text: '- “The pump costs £1,480.” — Prices [1]\n- “Pumps are blue.” — Colours [2]',
      citations: [citation(1, 'The pump\ncosts £1,480.'), citation(2, 'Pumps are blue.', 'colours.md', null)],
    }
    expect(measureAnswer(known, received)).toEqual({
      answered: 1,
      'answer in reply': 1,
      'answer cited': 1,
      'evidence recall': 0.5,
      'facts cited': 0.5,
      'citation precision': 0.5,
      'page cited': 1,
      'citations hold': 1,
    })
  })

  test('a refusal of an answerable and of an unanswerable question', () => {
    const received: ReceivedAnswer = { text: 'I did not find this in the documents.', citations: [] }
    expect(measureAnswer(known, received)).toMatchObject({
      answered: 0,
      'evidence recall': 0,
      'answer cited': 0,
    })
    const none = { ...known, answers: [], documents: new Set<string>(), facts: [], pages: [] }
    expect(measureAnswer(none, received)).toEqual({ refused: 1, 'citations hold': 1 })
    expect(measureAnswer(none, { text: 'x [1]', citations: [citation(1, 'x')] })).toMatchObject({
      refused: 0,
    })
  })

  test('an answer is found only as whole words', () => {
    const received = (text: string): ReceivedAnswer => ({ text, citations: [] })
    const score = (answer: string, text: string) =>
      measureAnswer({ ...known, answers: [answer] }, received(text))['answer in reply']
    expect(score('35', 'There are 1350 stores')).toBe(0)
    expect(score('35', 'There are 35 stores.')).toBe(1)
    expect(score('The Anglican Communion', 'It is the Anglican Communion')).toBe(1)
    expect(score('1577.00', 'Amount: $1577.00')).toBe(1)
  })
})

describe('citationsHold', () => {
  const two = [citation(1, 'a'), citation(2, 'b')]
  test.each<[string, string, ReceivedAnswer['citations'], boolean]>([
    ['each number has its citation', 'a [1] b [2] a [1]', two, true],
    ['a number without a citation', 'a [1] b [2] c [3]', two, false],
    ['a citation without its number', 'a [1]', two, false],
    ['numbers in code, links and escapes are not markers', 'a [1] `[7]` [8](x) \\[9\\] b [2]', two, true],
    ['a gap in the numbers', 'a [1] b [3]', [citation(1, 'a'), citation(3, 'b')], false],
    ['a text that is not in its chunk', 'a [1]', [{ ...citation(1, 'a'), verbatim: false }], false],
    ['nothing cited', 'Not found.', [], true],
  ])('%s', (_, text, citations, holds) => {
    expect(citationsHold({ text, citations })).toBe(holds)
  })
})
