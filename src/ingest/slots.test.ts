// Upload slots: half of them for one caller, and a Retry-After that follows how long uploads take.

import { expect, test } from 'vitest'
import { ApiError } from '../errors.ts'
import { makeSlots, type Slots } from './slots.ts'

function refused(slots: Slots, who: string): number | undefined {
  try {
    slots.take(who)()
  } catch (error) {
    if (error instanceof ApiError && error.status === 503) return error.extras.retryAfter
    throw error
  }
  throw new Error('accepted')
}

test('four slots a caller, eight in all; what is given back is free, also when it is given back twice', () => {
  const slots = makeSlots()
  const own = Array.from({ length: 4 }, () => slots.take('a'))
  expect(refused(slots, 'a')).toBeGreaterThan(0)
  const others = Array.from({ length: 4 }, () => slots.take('b'))
  expect(refused(slots, 'c')).toBeGreaterThan(0)
  own[0]?.()
  own[0]?.()
  others.push(slots.take('c'))
  expect(refused(slots, 'd')).toBeGreaterThan(0)
})

test('Retry-After is when the oldest upload should be through, from 1 to 60 seconds', () => {
  let now = 0
  const slots = makeSlots(() => now)
  // Uploads take 20 s here.
  for (let no = 0; no < 40; no++) {
    const leave = slots.take('slow')
    now += 20_000
    leave()
  }
  for (let no = 0; no < 4; no++) slots.take('a')
  expect(refused(slots, 'a')).toBe(20)
  now += 15_000
  expect(refused(slots, 'a')).toBe(5)
  now += 15_000
  expect(refused(slots, 'a')).toBe(30)
  now += 1e9
  expect(refused(slots, 'a')).toBe(60)
})
