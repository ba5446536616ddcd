import { describe, expect, test } from 'vitest'
import { citationsHold, type Given, measureAnswer } from './measure.ts'
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
  test('an answer with one of two facts and one citation beside the point', () => {
    const given: Given = {
      text: '- “The pump costs £1,480.” — Prices [1]\n- “Pumps are blue.” — Colours [2]',
      citations: [citation(1, 'The pump\ncosts £1,480.'), citation(2, 'Pumps are blue.', 'colours.md', null)],
    }
    expect(measureAnswer(known, given)).toEqual({
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

  test('a refusal where there is an answer, and where there is none', () => {
    const given: Given = { text: 'I did not find this in the documents.', citations: [] }
    expect(measureAnswer(known, given)).toMatchObject({
      answered: 0,
      'evidence recall': 0,
      'answer cited': 0,
    })
    const none = { ...known, answers: [], documents: new Set<string>(), facts: [], pages: [] }
    expect(measureAnswer(none, given)).toEqual({ refused: 1, 'citations hold': 1 })
    expect(measureAnswer(none, { text: 'x [1]', citations: [citation(1, 'x')] })).toMatchObject({
      refused: 0,
    })
  })

  test('an answer is found as whole words only', () => {
    const given = (text: string): Given => ({ text, citations: [] })
    const score = (answer: string, text: string) =>
      measureAnswer({ ...known, answers: [answer] }, given(text))['answer in reply']
    expect(score('35', 'There are 1350 stores')).toBe(0)
    expect(score('35', 'There are 35 stores.')).toBe(1)
    expect(score('The Anglican Communion', 'It is the Anglican Communion')).toBe(1)
    expect(score('1577.00', 'Amount: $1577.00')).toBe(1)
  })
})

describe('citationsHold', () => {
  const two = [citation(1, 'a'), citation(2, 'b')]
  test.each<[string, string, Given['citations'], boolean]>([
    ['each number there and back', 'a [1] b [2] a [1]', two, true],
    ['a number nobody cites', 'a [1] b [2] c [3]', two, false],
    ['a citation nobody mentions', 'a [1]', two, false],
    ['code, links and escapes are no markers', 'a [1] `[7]` [8](x) \\[9\\] b [2]', two, true],
    ['a gap in the numbers', 'a [1] b [3]', [citation(1, 'a'), citation(3, 'b')], false],
    ['a text that is not in its chunk', 'a [1]', [{ ...citation(1, 'a'), verbatim: false }], false],
    ['nothing cited', 'Not found.', [], true],
  ])('%s', (_, text, citations, holds) => {
    expect(citationsHold({ text, citations })).toBe(holds)
  })
})
