import { expect, it } from 'vitest'
import { unitAround } from './unit.ts'

const sentences = (...lengths: number[]) => lengths.map((length) => ({ text: 'x'.repeat(length) }))

it('takes what stands behind a sentence before what stands before it, while there is room', () => {
  expect(unitAround(sentences(100, 100, 100, 100), 1)).toEqual({ from: 0, to: 4 })
  expect(unitAround(sentences(100, 200, 100, 100), 1)).toEqual({ from: 1, to: 4 })
  expect(unitAround(sentences(100, 500, 100), 1)).toEqual({ from: 1, to: 2 })
})

it('takes nothing that is shown already', () => {
  expect(unitAround(sentences(10, 10, 10), 1, (at) => at > 0)).toEqual({ from: 1, to: 3 })
})
