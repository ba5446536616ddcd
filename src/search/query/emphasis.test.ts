import { expect, test } from 'vitest'
import { analysedText } from '../../language/analysed-text.ts'
import { emphasisOf } from './emphasis.ts'

test('an everyday word counts less, a repeated one more, a name as it is', () => {
  const factors = emphasisOf(
    analysedText('What work did the union do, and which work of Work Safe did the union sign?'),
    ['en'],
  )
  expect(factors.get('union')).toBeCloseTo(Math.SQRT2)
  // Work is a part of a name too.
  expect(factors.get('work')).toBeCloseTo(Math.sqrt(3))
  const plain = emphasisOf(analysedText('How has the turbidity of the harbour changed over time?'), ['en'])
  expect(plain.get('time')).toBeLessThan(1)
  expect(plain.has('turbid')).toBe(false)
  expect(plain.has('harbor')).toBe(false)
})
