// What counts as a revision. The limits were measured on real documents (docs/decisions/0028-name-conflicts.md).

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeSketcher, revisionShare, type Sketch } from './resemblance.ts'

const sketchOf = (...pieces: string[]): Sketch => {
  const sketcher = makeSketcher()
  for (const piece of pieces) sketcher.add(piece)
  return sketcher.sketch()
}
const kept = (before: string, after: string): number | undefined =>
  revisionShare(sketchOf(before), sketchOf(after))

/** Sentences that are all different. */
const prose = (from: number, sentences: number): string =>
  Array.from({ length: sentences }, (_, no) => {
    const word = (place: number): string => `w${'abcdefghij'[place]}${letters(from + no)}`
    return `The ${word(0)} ${word(1)} moors ${word(2)} beside ${word(3)} and ${word(4)} at ${(from + no) * 7}.`
  }).join(' ')
const letters = (no: number): string => [...String(no)].map((digit) => 'qrstuvwxyz'[Number(digit)]).join('')

test('a text with a few sentences changed, added or removed is a revision; the same words in another order are not', () => {
  const before = prose(0, 40)
  expect(kept(before, before)).toBe(1)
  expect(kept(before, `${prose(100, 4)} ${prose(4, 36)}`)).toBeGreaterThan(0.8)
  expect(kept(before, `${before} ${prose(500, 400)}`)).toBe(1)
  expect(kept(before, prose(0, 32))).toBeGreaterThan(0.7)
  expect(kept(before, prose(0, 8))).toBeUndefined()
  expect(kept(before, prose(100, 40))).toBeUndefined()
  expect(kept(before, before.split(' ').sort().join(' '))).toBeUndefined()
})

test('a template filled in with other dates, numbers and amounts is another document, however much wording it shares', () => {
  const terms =
    'Please pay within thirty days without deduction. Goods remain ours until they are paid. '.repeat(2)
  const invoice = (no: string, day: string, amount: string, order: string): string =>
    `Invoice ${no} of ${day} for order ${order}. Mooring at the north quay ${amount} EUR. ${terms} Our terms apply.`
  expect(
    kept(invoice('317', '3 March', '1,230.00', 'A-771'), invoice('422', '9 April', '870.00', 'A-803')),
  ).toBe(undefined)
  // One of its numbers is corrected.
  const sent = invoice('317', '3 March', '1,230.00', 'A-771')
  expect(kept(sent, sent.replace('317', '318').replace('A-771', 'A-772'))).toBeUndefined()
  expect(kept(sent, invoice('317', '3 March', '1,320.00', 'A-771'))).toBeGreaterThan(0.6)
})

test('very short texts: one that is still there completely is a revision; an empty one has none', () => {
  expect(kept('Call Anna', 'Call Anna. Then call Jonas about the crane')).toBeUndefined()
  expect(kept('Call Anna about Friday', 'Call Anna about Friday. Buy milk')).toBe(1)
  expect(kept('Finance minutes', 'Works council minutes')).toBeUndefined()
  expect(kept('', 'Works council minutes')).toBeUndefined()
  expect(kept('… — …', '… — …')).toBeUndefined()
  expect(kept('Works council minutes', '')).toBeUndefined()
})

test('scripts without spaces are compared by their characters', () => {
  const before = '港口管理规则适用于所有停泊在北码头的船只。船长必须在抵达前通知港口办公室。'
  expect(kept(before, `${before}违者将被罚款。`)).toBe(1)
  expect(kept(before, '工作委员会今天讨论了新的轮班计划和停车位的分配问题，没有作出决定。')).toBeUndefined()
})

test('samples of long texts agree: a copy is complete in them, and a part has its share', () => {
  const long = prose(0, 8000)
  const [before, half] = [sketchOf(long), sketchOf(prose(0, 4000))]
  expect(before.vocabulary.hashes.size).toBeLessThanOrEqual(4096)
  expect(revisionShare(before, sketchOf(long))).toBe(1)
  expect(revisionShare(half, before)).toBe(1)
  expect(revisionShare(before, half)).toBeUndefined()
  expect(revisionShare(before, sketchOf(prose(1600, 6400)))).toBeGreaterThan(0.75)
})

test('it does not matter between which words a piece ends', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1000 }),
      fc.array(fc.integer({ min: 0, max: 30 })),
      (from, cuts) => {
        const text = prose(from, 5).split(' ')
        const pieces: string[] = []
        for (const cut of cuts) pieces.push(text.splice(0, cut).join(' '))
        expect(sketchOf(...pieces, text.join(' '))).toEqual(sketchOf(prose(from, 5)))
      },
    ),
  )
})
