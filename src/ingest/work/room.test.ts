import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mayBegin } from './room.ts'

const room = (concurrency: number, behind: number, has = true) => ({
  concurrency,
  behind,
  hasRoom: () => has,
})

test('of three the last is begun while there is room; more only for files that are being written', () => {
  const usual = room(3, 3)
  expect([0, 1, 2, 3].map((begun) => mayBegin(begun, 0, usual))).toEqual([true, true, true, false])
  expect([3, 4, 5, 6].map((begun) => mayBegin(begun, begun - 1, usual))).toEqual([true, true, true, false])
  expect(mayBegin(3, 1, usual)).toBe(false)
  expect([0, 1, 2, 3].map((begun) => mayBegin(begun, begun, room(3, 3, false)))).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect([0, 1].map((begun) => mayBegin(begun, begun, room(1, 0)))).toEqual([true, false])
  expect([0, 1, 2].map((begun) => mayBegin(begun, 0, room(5, 3, false)))).toEqual([true, true, false])
})

test('however tasks are begun, parsed and ended, no more than `concurrency` are being read', () => {
  const move = fc.constantFrom('begin' as const, 'parse' as const, 'end' as const)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.nat(4), fc.array(move), (concurrency, behind, moves) => {
      let begun = 0
      let parsed = 0
      for (const what of moves) {
        if (what === 'begin' && mayBegin(begun, parsed, room(concurrency, behind))) begun++
        if (what === 'parse' && parsed < begun) parsed++
        if (what === 'end' && parsed > 0) {
          begun--
          parsed--
        }
        expect(begun - parsed).toBeLessThanOrEqual(concurrency)
        expect(begun).toBeLessThanOrEqual(concurrency + behind)
      }
    }),
  )
})
