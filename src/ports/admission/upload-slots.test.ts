// Upload slots are fair to callers and open to small bodies, and their Retry-After is true.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../../errors.ts'
import { makeUploadSlots, type UploadBody, type UploadSlots } from './upload-slots.ts'

const MINUTE = 60_000
const large = (bytes: number | undefined = 2 ** 30): UploadBody => ({ bytes, endsInMs: () => MINUTE })
const small: UploadBody = { bytes: 2 ** 20, endsInMs: () => MINUTE }

/** The seconds after which to try again. Undefined if there was a slot, which is released again. */
function refused(slots: UploadSlots, who: string, body: UploadBody): number | undefined {
  try {
    slots.take(who, body)()
    return undefined
  } catch (error) {
    if (error instanceof ApiError && error.status === 503) return error.extras.retryAfter
    throw error
  }
}

test('four slots per caller, eight in all; a slot given back is free once, even if it is given back twice', () => {
  const slots = makeUploadSlots()
  const own = Array.from({ length: 4 }, () => slots.take('a', large()))
  expect(refused(slots, 'a', large())).toBe(60)
  for (const who of ['b', 'c', 'd', 'e']) slots.take(who, large())
  expect(refused(slots, 'f', large())).toBe(60)
  own[0]?.()
  own[0]?.()
  slots.take('f', large())
  expect(refused(slots, 'g', large())).toBe(60)
})

test('two callers cannot shut out a third: the last two slots are for callers without one', () => {
  const slots = makeUploadSlots()
  for (const who of ['a', 'a', 'a', 'a', 'b', 'b']) slots.take(who, large(undefined))
  expect(refused(slots, 'b', large())).toBe(60)
  slots.take('c', large())
  expect(refused(slots, 'c', large())).toBe(60)
  slots.take('d', large())
})

test('a small upload is accepted however full it is, up to four per caller', () => {
  const slots = makeUploadSlots()
  for (const who of ['a', 'a', 'a', 'a', 'b', 'c', 'd', 'e']) slots.take(who, large())
  for (const who of ['a', 'f', 'f', 'f', 'f']) slots.take(who, small)
  expect(refused(slots, 'f', small)).toBe(60)
  expect(refused(slots, 'g', { ...small, bytes: 2 ** 20 + 1 })).toBe(60)
})

test('Retry-After is right: after that time there is a free slot, if no other upload came', () => {
  const upload = fc.record({
    who: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    bytes: fc.option(fc.integer({ min: 1, max: 2 ** 31 }), { nil: undefined }),
    ms: fc.integer({ min: 1, max: 10_000_000 }),
    pause: fc.integer({ min: 0, max: 100_000 }),
  })
  fc.assert(
    fc.property(fc.array(upload, { maxLength: 60 }), (uploads) => {
      let now = 0
      const slots = makeUploadSlots()
      let running: { end: number; leave: () => void }[] = []
      const pass = (ms: number): void => {
        now += ms
        for (const { end, leave } of running) if (end <= now) leave()
        running = running.filter(({ end }) => end > now)
      }
      for (const { who, bytes, ms, pause } of uploads) {
        const end = now + ms
        const body: UploadBody = { bytes, endsInMs: () => end - now }
        const seconds = refused(slots, who, body)
        if (seconds !== undefined) {
          expect(seconds).toBeGreaterThanOrEqual(1)
          pass(seconds * 1000)
        }
        const later = now + ms
        running.push({ end: later, leave: slots.take(who, { bytes, endsInMs: () => later - now }) })
        pass(pause)
      }
    }),
  )
})
