import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/support/full.ts'
import { codePoints } from '../../contract/fields.ts'
import { windowAround } from './window.ts'

const text = fc
  .array(fc.constantFrom('a', 'word', '😀', 'é', '水', ' ', ' ', '\n', '.', '👩‍👧'), { maxLength: 200 })
  .map((parts) => parts.join(''))

describe('windowAround', () => {
  it('is a verbatim, well formed part of the text within the bound, and holds the middle when that fits', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 120 }), (source, a, b, most) => {
        const [start, end] = [a % (source.length + 1), b % (source.length + 1)].sort((x, y) => x - y) as [
          number,
          number,
        ]
        const shown = windowAround(source, start, end, most)
        expect(source).toContain(shown)
        expect(codePoints(shown)).toBeLessThanOrEqual(most)
        expect(shown.isWellFormed()).toBe(true)
        if (codePoints(source) <= most) expect(shown).toBe(source)
        else if (
          isWhole(source, start) &&
          isWhole(source, end) &&
          codePoints(source.slice(start, end)) <= most
        ) {
          expect(shown).toContain(source.slice(start, end).trim())
        }
      }),
      { numRuns: runs(5000) },
    )
  })

  it('cuts between words', () => {
    const source = 'alpha beta gamma delta epsilon zeta eta theta'
    const at = source.indexOf('delta')
    expect(windowAround(source, at, at + 5, 20)).toMatch(/^(?:\S+ )*delta(?: \S+)*$/)
    expect(source.split(' ')).toEqual(expect.arrayContaining(windowAround(source, at, at + 5, 20).split(' ')))
  })
})

const isWhole = (source: string, at: number): boolean =>
  !(/[\ud800-\udbff]/.test(source[at - 1] ?? '') && /[\udc00-\udfff]/.test(source[at] ?? ''))
