// The data rate of a body: its total time depends on its size, and its end can be estimated.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeRateMeter, type RateLimits } from './data-rate.ts'
import { DRAIN_LIMITS } from './unread-body.ts'
import { uploadLimits } from './upload.ts'

const SLOW: RateLimits = { bytesPerSecond: 10_000, graceMs: 60_000 }

/** How many seconds a body lasts if `bytesIn` gives its bytes for each second, complete or cut off. */
function secondsOf(limits: RateLimits, size: number, bytesIn: (second: number) => number): number {
  let now = 0
  const pace = makeRateMeter(limits, () => now)
  let left = size
  for (let second = 0; ; second++) {
    const bytes = Math.min(left, bytesIn(second))
    left -= bytes
    now += 1000
    if (!pace.tick(bytes, true) || left === 0) return now / 1000
  }
}

test('who sends nothing is cut off after the grace, who sends at the floor is not', () => {
  expect(secondsOf(SLOW, 1e9, () => 0)).toBe(60)
  expect(secondsOf(SLOW, 1e7, () => 10_000)).toBe(1000)
  expect(secondsOf(SLOW, 1e7, () => 9_000)).toBeLessThan(1000)
})

test('a fast start buys no long silence', () => {
  expect(secondsOf(SLOW, 1e9, (second) => (second === 0 ? 1e8 : 0))).toBe(61)
})

test('however fast it comes, it ends within the most', () => {
  expect(secondsOf({ ...SLOW, maxMs: 600_000 }, 1e12, () => 1e6)).toBe(600)
})

test('a body that is only discarded ends after a minute, one of unknown length after ten', () => {
  expect(secondsOf(DRAIN_LIMITS, 1e12, () => 1e6)).toBe(60)
  expect(secondsOf(uploadLimits(undefined, SLOW), 1e12, () => 1e6)).toBe(600)
  expect(secondsOf(uploadLimits(1e9, SLOW), 1e9, () => 1e6)).toBe(1000)
})

test('law: a body ends within the time of its size and the grace', () => {
  const pieces = fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(pieces, fc.integer({ min: 1, max: 2_000_000 }), (bytes, size) => {
      const seconds = secondsOf(SLOW, size, (second) => bytes[second % bytes.length] ?? 0)
      expect(seconds).toBeLessThanOrEqual(Math.ceil(60 + size / 10_000))
    }),
  )
})

test('law: a body that comes evenly ends when it was said it would, to the second, whole or cut off', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 200_000 }),
      fc.integer({ min: 1, max: 20_000_000 }),
      (rate, size) => {
        let now = 0
        const pace = makeRateMeter(SLOW, () => now)
        const promises: number[] = []
        let left = size
        for (let isComing = true; isComing; ) {
          const bytes = Math.min(left, rate)
          left -= bytes
          now += 1000
          isComing = pace.tick(bytes, true) && left > 0
          if (isComing) promises.push(now + pace.endsInMs(left))
        }
        for (const promised of promises) expect(Math.abs(promised - now)).toBeLessThanOrEqual(1000)
      },
    ),
  )
})

test('our own disk, and a machine that stood still, count for nobody', () => {
  let now = 0
  const pace = makeRateMeter(SLOW, () => now)
  now += 3_600_000
  expect(pace.tick(0, true)).toBe(true)
  for (let second = 0; second < 1000; second++) {
    now += 1000
    expect(pace.tick(0, false)).toBe(true)
  }
})
