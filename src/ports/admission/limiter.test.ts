import { expect, test } from 'vitest'
import { makeCallerLimiter, makeLimiter } from './limiter.ts'

test('what comes beyond is refused with a time to come back, until something has ended', () => {
  const { acquire } = makeLimiter({ maxConcurrent: 1, message: 'Too many at once.', retrySeconds: 2 })
  const release = acquire()
  expect(acquire).toThrow(
    expect.objectContaining({ status: 503, message: 'Too many at once.', extras: { retryAfter: 2 } }),
  )
  release()
  acquire()
})

test('one caller has one at once, whatever room there is', () => {
  const { acquireFor } = makeCallerLimiter({
    maxConcurrent: 2,
    message: 'Too many at once.',
    ownMessage: 'Yours still runs.',
    retrySeconds: 2,
  })
  const release = acquireFor('a')
  expect(() => acquireFor('a')).toThrow(
    expect.objectContaining({ status: 503, message: 'Yours still runs.', extras: { retryAfter: 2 } }),
  )
  acquireFor('b')
  expect(() => acquireFor('c')).toThrow('Too many at once.')
  release()
  acquireFor('a')
})
