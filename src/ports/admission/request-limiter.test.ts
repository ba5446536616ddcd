import { expect, test } from 'vitest'
import { makeRequestLimiter } from './request-limiter.ts'

test('what comes beyond is refused with a time to come back, and let in when another has ended', () => {
  const { acquire } = makeRequestLimiter(2, 2)
  const release = acquire('a')
  acquire('b')
  expect(() => acquire('c')).toThrow(expect.objectContaining({ status: 503, extras: { retryAfter: 1 } }))
  release()
  acquire('c')
  expect(() => acquire('d')).toThrow('Too many requests')
})

test('one credential has a share before anybody is asked whose it is', () => {
  const { acquire } = makeRequestLimiter(3, 2)
  const release = acquire('a')
  acquire('a')
  expect(() => acquire('a')).toThrow('More than 2 of your requests')
  acquire('b')
  release()
  acquire('a')
  expect(() => acquire('b')).toThrow('Too many requests')
})

test('one caller has a share; who has none left is forgotten', () => {
  const { acquireFor } = makeRequestLimiter(3, 2)
  const releases = [acquireFor('a'), acquireFor('a')]
  expect(() => acquireFor('a')).toThrow('More than 2 of your requests')
  acquireFor('b')
  for (const go of releases) go()
  acquireFor('a')
  acquireFor('a')
  expect(() => acquireFor('a')).toThrow()
})
