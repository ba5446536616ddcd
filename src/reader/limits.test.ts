// When the time of a file is up: by the clock on a free machine, by processor time on a busy one.

import { expect, test } from 'vitest'
import { deadlineMs, fileTimeIsUp, parserLimits, roundLength, timeIsUp } from './limits.ts'

test('time is up by the clock, unless the child was not let run', () => {
  const stretch = { since: 1000, deadline: 11_000, processorThen: undefined, processorNow: undefined }
  expect(timeIsUp(stretch, 11_000)).toBe(false)
  expect(timeIsUp(stretch, 11_001)).toBe(true)
  const starved = { ...stretch, processorThen: 500, processorNow: 3000 }
  expect(timeIsUp(starved, 11_001)).toBe(false)
  expect(timeIsUp(starved, 41_000)).toBe(false)
  expect(timeIsUp(starved, 41_001)).toBe(true)
  expect(timeIsUp({ ...starved, processorNow: 10_500 }, 11_001)).toBe(true)
})

test('a long allowance starves for five minutes at most', () => {
  const stretch = { since: 0, deadline: 600_000, processorThen: 0, processorNow: 1 }
  expect(timeIsUp(stretch, 900_000)).toBe(false)
  expect(timeIsUp(stretch, 900_001)).toBe(true)
})

test('a file that goes on may starve for four times its processor time, and no longer', () => {
  const whole = { since: 0, deadline: parserLimits.capMs, processorThen: 0, processorNow: 170_000 }
  expect(fileTimeIsUp(whole, 2_400_000)).toBe(false)
  expect(fileTimeIsUp(whole, 2_400_001)).toBe(true)
  expect(fileTimeIsUp({ ...whole, processorNow: 600_000 }, 600_001)).toBe(true)
  const unknown = { ...whole, processorThen: undefined, processorNow: undefined }
  expect(fileTimeIsUp(unknown, 600_001)).toBe(true)
})

test('a round of a short scan is short, and a long one holds others up for four times as long at most', () => {
  expect([0, 20, 300, 2000].map((pages) => roundLength(1000, pages))).toEqual([1000, 1200, 4000, 4000])
})

test('the deadline grows with bytes and pages, up to the cap', () => {
  expect(deadlineMs(parserLimits, 0)).toBe(30_000)
  expect(deadlineMs(parserLimits, 10e6, 20, 2)).toBe(30_000 + 10_000 + 10_000 + 20_000)
  expect(deadlineMs(parserLimits, 1e12)).toBe(parserLimits.capMs)
})
