import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../test/support/full.ts'
import { words } from '../../language/words.ts'
import { splitText } from './split.ts'

const MAX_WORDS = 40
const MAX_CHARACTERS = 300

const line = fc.oneof(
  fc.lorem({ maxCount: 30 }),
  fc.lorem({ mode: 'sentences', maxCount: 4 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constant('Ines: Hello! See you at ten.'),
  fc.constant('-'.repeat(400)),
  fc.constant('a '.repeat(120).trim()),
  fc.constant(''),
)

test('each piece is a part of the text as it stands, within the limits, and nothing is left out', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const text = lines.join('\n').trim()
      let at = 0
      for (const piece of splitText(text, MAX_WORDS, MAX_CHARACTERS)) {
        expect(piece.length).toBeLessThanOrEqual(MAX_CHARACTERS)
        expect([...words(piece)].length, piece).toBeLessThanOrEqual(MAX_WORDS)
        const start = text.indexOf(piece, at)
        expect(start, piece).toBeGreaterThanOrEqual(at)
        expect(text.slice(at, start).trim()).toBe('')
        at = start + piece.length
      }
      expect(text.slice(at).trim()).toBe('')
    }),
    { numRuns: runs(300) },
  )
})

test('the turns of a long conversation stay lines, and none is cut', () => {
  const turns = Array.from({ length: 30 }, (_, i) =>
    i % 2
      ? `Ines: Number ${i} is mine! I keep it. Do you?`
      : `Joachim: I never had number ${i}. It is yours.`,
  )
  const pieces = [...splitText(turns.join('\n'), MAX_WORDS, 6000)]
  expect(pieces.length).toBeGreaterThan(5)
  expect(pieces.flatMap((piece) => piece.split('\n'))).toEqual(turns)
})
