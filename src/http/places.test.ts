import { expect, test } from 'vitest'
import { makePlaces } from './places.ts'

test('what comes beyond is refused with a time to come back, and let in when a place is free', () => {
  const { enter } = makePlaces(2, 2)
  const leave = enter()
  enter()
  expect(enter).toThrow(expect.objectContaining({ status: 503, extras: { retryAfter: 1 } }))
  leave()
  enter()
  expect(enter).toThrow('Too many requests')
})

test('one caller has a share; who leaves is forgotten', () => {
  const { enterFor } = makePlaces(4, 2)
  const leave = [enterFor('a'), enterFor('a')]
  expect(() => enterFor('a')).toThrow('More than 2 of your requests')
  enterFor('b')
  for (const go of leave) go()
  enterFor('a')
  enterFor('a')
  expect(() => enterFor('a')).toThrow()
})
