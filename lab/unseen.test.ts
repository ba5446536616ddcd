import { expect, test } from 'vitest'
import { referenceOf, shareHeld } from './unseen/reference.ts'
import { published } from './unseen/xquad.ts'

const question = 'What were the net sales of the harbour?'

test('the figures of a reference are looked for, scaled and rounded, without dates and sources', () => {
  const answer = 'On June 25, 2022 they were $82,959 million and 12.50 %. (SOURCE: 2022 Q3 HARB.pdf)'
  const reference = referenceOf({ text: question, answer })
  expect(reference).toEqual({ kind: 'figures', wanted: new Set(['82959', '12.5']) })
  expect(shareHeld(reference, 'Net sales 82,959 | 12.5 %')).toBe(1)
  expect(shareHeld(reference, 'Net sales of 82.96 thousand million')).toBe(0.5)
  expect(shareHeld(reference, 'Net sales of 82.5')).toBe(0)
})

test('an answer without figures is looked for by the words that its question does not say', () => {
  const reference = referenceOf({
    text: question,
    answer: 'Net sales fell because winter storms closed the locks.',
  })
  expect(reference.kind).toBe('words')
  expect(shareHeld(reference, 'Storms in winter closed locks; sales fell because of it.')).toBe(1)
  expect(shareHeld(reference, 'net sales of the harbour')).toBe(0)
})

test('XQuAD as it is published: a document a paragraph, with the ids of the folders', () => {
  const qas = [{ id: 'q1', question: 'Где стоит маяк?', answers: [] }]
  const article = { title: 'Lights', paragraphs: [{ context: 'Маяк стоит на скале.', qas }] }
  const { documents, questions } = published({ data: [article, article] }, 'ru')
  expect(documents.map(({ id }) => id)).toEqual(['ru00_00', 'ru01_00'])
  expect(questions[1]).toEqual({ id: 'ruq1', text: 'Где стоит маяк?', documents: new Set(['ru01_00']) })
})
