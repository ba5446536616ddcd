import { expect, test } from 'vitest'
import { makePlaces } from './places.ts'

test('what comes beyond is refused with a time to come back, and let in when a place is free', () => {
  const { enter } = makePlaces(2, 2)
  const leave = enter('a')
  enter('b')
  expect(() => enter('c')).toThrow(expect.objectContaining({ status: 503, extras: { retryAfter: 1 } }))
  leave()
  enter('c')
  expect(() => enter('d')).toThrow('Too many requests')
})

test('one credential has a share before anybody is asked whose it is', () => {
  const { enter } = makePlaces(3, 2)
  const leave = enter('a')
  enter('a')
  expect(() => enter('a')).toThrow('More than 2 of your requests')
  enter('b')
  leave()
  enter('a')
  expect(() => enter('b')).toThrow('Too many requests')
})

test('one caller has a share; who leaves is forgotten', () => {
  const { enterFor } = makePlaces(3, 2)
  const leave = [enterFor('a'), enterFor('a')]
  expect(() => enterFor('a')).toThrow('More than 2 of your requests')
  enterFor('b')
  for (const go of leave) go()
  enterFor('a')
  enterFor('a')
  expect(() => enterFor('a')).toThrow()
})
