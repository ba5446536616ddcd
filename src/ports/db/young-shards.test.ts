import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepYoungShards } from './young-shards.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const errors: unknown[] = []
const keep = (analyse: () => Promise<boolean>) => keepYoungShards(analyse, (error) => errors.push(error))
const MINUTE_MS = 60_000

test('where nothing grows, and where few rows do, nothing is asked', async () => {
  const analyse = vi.fn(async () => true)
  const young = keep(analyse)
  young.grew(50)
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS)
  expect(analyse).not.toHaveBeenCalled()
})

test('while tables grow they are looked at again and again, and once more after the last row', async () => {
  const analyse = vi.fn(async () => true)
  const young = keep(analyse)
  for (let second = 0; second < 30; second++) {
    for (let n = 0; n < 20; n++) young.grew(10)
    await vi.advanceTimersByTimeAsync(1000)
  }
  expect(analyse).toHaveBeenCalledTimes(30)
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS)
  // What the last sessions had not told their server yet.
  expect(analyse).toHaveBeenCalledTimes(31)
  young.grew(51)
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS)
  expect(analyse).toHaveBeenCalledTimes(33)
})

test('a look that takes long takes a tenth of the time, and there is one at a time', async () => {
  let most = 0
  let underway = 0
  const analyse = vi.fn(async () => {
    most = Math.max(most, ++underway)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    underway--
    return true
  })
  const young = keep(analyse)
  for (let n = 0; n < 1000; n++) {
    young.grew(100)
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(most).toBe(1)
  expect(analyse.mock.calls.length).toBeLessThanOrEqual(11)
  expect(analyse.mock.calls.length).toBeGreaterThan(8)
})

test('while another process is at it this one waits for its turn, and a failure is told and is not the end', async () => {
  const outcomes = [false, false, 'failed', true] as const
  const analyse = vi.fn(async () => {
    const outcome = outcomes[analyse.mock.calls.length - 1] ?? true
    if (outcome === 'failed') throw new Error(outcome)
    return outcome
  })
  const young = keep(analyse)
  young.grew(100)
  await vi.advanceTimersByTimeAsync(5000)
  expect(analyse).toHaveBeenCalledTimes(3)
  expect(errors).toEqual([new Error('failed')])
  young.grew(100)
  await vi.advanceTimersByTimeAsync(1000)
  expect(analyse).toHaveBeenCalledTimes(4)
})

test('once it is stopped nothing is asked, also when it is stopped during a look', async () => {
  const young = keep(async () => {
    young.stop()
    return false
  })
  young.grew(100)
  await vi.advanceTimersByTimeAsync(1000)
  young.grew(100)
  expect(vi.getTimerCount()).toBe(0)
})

test('that a look fails because it was stopped is not told', async () => {
  const told = vi.fn()
  const young = keepYoungShards(async () => {
    young.stop()
    throw new Error('closed')
  }, told)
  young.grew(100)
  await vi.advanceTimersByTimeAsync(1000)
  expect(told).not.toHaveBeenCalled()
})
