import { expect, test } from 'vitest'
import { makeLimiter } from './limiter.ts'

test('what comes beyond is refused with a time to come back, until something has ended', () => {
  const { acquire } = makeLimiter({ maxConcurrent: 1, message: 'Too many at once.', retrySeconds: 2 })
  const release = acquire()
  expect(acquire).toThrow(
    expect.objectContaining({ status: 503, message: 'Too many at once.', extras: { retryAfter: 2 } }),
  )
  release()
  acquire()
})
