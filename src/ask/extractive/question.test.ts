import { expect, test } from 'vitest'
import { isNegated } from './question.ts'

test.each([
  ['Who was not there?', true],
  ['who wasnt there', true],
  ['I dont want it', true],
  ['Quel appartement dont le loyer est de 900 € ?', false],
  ['What did the plant want?', false],
])('%s is negated: %s', (text, negated) => {
  expect(isNegated(text)).toBe(negated)
})
