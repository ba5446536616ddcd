// When the time of a file is up.

import { expect, test } from 'vitest'
import { deadlineMs, parserLimits, reachedTimeLimit, roundLength } from './limits.ts'

const start = { processorMs: 500, idleMs: 100 }
const allowed = { start, processorLimitMs: 10_500, idleAtProgressMs: 100 }
const limits = { capMs: 60_000, hangMs: 5000, timeSliceMs: Number.POSITIVE_INFINITY }

test('time is up by processor time, whatever the clock says', () => {
  expect(reachedTimeLimit(allowed, { processorMs: 10_499, idleMs: 0 }, limits)).toBeUndefined()
  expect(reachedTimeLimit(allowed, { processorMs: 10_500, idleMs: 0 }, limits)).toBe('deadline')
  const moving = { ...allowed, processorLimitMs: 1e9 }
  expect(reachedTimeLimit(moving, { processorMs: 60_499, idleMs: 0 }, limits)).toBeUndefined()
  expect(reachedTimeLimit(moving, { processorMs: 60_500, idleMs: 0 }, limits)).toBe('deadline')
})

test('one that only waits and says nothing new hangs', () => {
  expect(reachedTimeLimit(allowed, { processorMs: 600, idleMs: 5099 }, limits)).toBeUndefined()
  expect(reachedTimeLimit(allowed, { processorMs: 600, idleMs: 5100 }, limits)).toBe('deadline')
  const heard = { ...allowed, idleAtProgressMs: 5000 }
  expect(reachedTimeLimit(heard, { processorMs: 600, idleMs: 5100 }, limits)).toBeUndefined()
})

test('a turn ends after so much work and waiting', () => {
  const turn = { ...limits, timeSliceMs: 1000 }
  expect(reachedTimeLimit(allowed, { processorMs: 1000, idleMs: 599 }, turn)).toBeUndefined()
  expect(reachedTimeLimit(allowed, { processorMs: 1000, idleMs: 600 }, turn)).toBe('slice')
})

test('a round of a short scan is short, and a long one holds others up for four times as long at most', () => {
  expect([0, 20, 300, 2000].map((pages) => roundLength(1000, pages))).toEqual([1000, 1200, 4000, 4000])
})

test('the deadline grows with bytes and pages, up to the cap', () => {
  expect(deadlineMs(parserLimits, 0)).toBe(30_000)
  expect(deadlineMs(parserLimits, 10e6, 20, 2)).toBe(30_000 + 10_000 + 10_000 + 20_000)
  expect(deadlineMs(parserLimits, 1e12)).toBe(parserLimits.capMs)
})
