import { describe, expect, test } from 'vitest'
import {
  contains,
  dateOf,
  intervalsOfCell,
  overlaps,
  placedIntervals,
  relativeIntervals,
} from './intervals.ts'

const dayOf = (day: number): string => dateOf(day).toISOString().slice(0, 10)

describe('intervals', () => {
  test.each([
    ['Who is on call on 6 July?', ['6 July', '2000-07-06', '2000-07-06', true]],
    ['Mon 6 Jul', ['Mon 6 Jul', '2000-07-06', '2000-07-06', true]],
    ['Monday, 6 July 2026', ['Monday, 6 July 2026', '2026-07-06', '2026-07-06', false]],
    ['Low season (Nov-Mar)', ['Nov-Mar', '2000-11-01', '2001-03-31', true]],
    ['Summer (1 Apr – 30 Sep)', ['1 Apr – 30 Sep', '2000-04-01', '2000-09-30', true]],
    ['1–7 July', ['1–7 July', '2000-07-01', '2000-07-07', true]],
    ['July 6-12', ['July 6-12', '2000-07-06', '2000-07-12', true]],
    ['29 June – 5 July 2026', ['29 June – 5 July 2026', '2026-06-29', '2026-07-05', false]],
    ['Dec 2025 – Feb 2026', ['Dec 2025 – Feb 2026', '2025-12-01', '2026-02-28', false]],
    ['du 1er juillet au 31 août', ['1er juillet au 31 août', '2000-07-01', '2000-08-31', true]],
    ['in Q3', ['Q3', '2000-07-01', '2000-09-30', true]],
  ])('of %s', (text, [said, from, to, isYearly]) => {
    const placed = placedIntervals(text).map((one) => [
      text.slice(one.start, one.end),
      dayOf(one.from),
      dayOf(one.to),
      one.isYearly === true,
    ])
    expect(placed).toEqual([[said, from, to, isYearly]])
  })

  test.each(['I may 5 go', 'version 2.5', '31 Feb', 'Wednesday', 'may', '4/5'])('%s has none', (text) => {
    expect(placedIntervals(text)).toEqual([])
  })

  test('are all that a cell says, or none of it', () => {
    expect(intervalsOfCell('Apr–Jun, Sep–Oct')).toHaveLength(2)
    expect(intervalsOfCell('Wed 8 Jul 18:00–20:00')).toHaveLength(1)
    expect(intervalsOfCell('06.07.')).toHaveLength(1)
    expect(intervalsOfCell('week of 6 July')).toHaveLength(0)
  })

  test('of every year lie in any', () => {
    const [winter, day, own, other] = ['Nov–Mar', '2 January', '2026-12-24', '5 June 2026'].map(
      (text) => placedIntervals(text)[0] ?? { from: 0, to: 0 },
    )
    if (!winter || !day || !own || !other) return
    expect([contains(winter, day), contains(winter, own), contains(winter, other)]).toEqual([
      true,
      true,
      false,
    ])
    expect([overlaps(own, winter), overlaps(day, other)]).toEqual([true, false])
  })

  test('that only the day of the question tells begin on Monday', () => {
    const today = Date.parse('2026-11-29') / 86_400_000
    const read = (text: string): string[] =>
      relativeIntervals(text, today).flatMap(({ from, to }) => [dayOf(from), dayOf(to)])
    expect(read('Who is off next week?')).toEqual(['2026-11-30', '2026-12-06'])
    expect(read('this month')).toEqual(['2026-11-01', '2026-11-30'])
    expect(read('tomorrow')).toEqual(['2026-11-30', '2026-11-30'])
  })
})
