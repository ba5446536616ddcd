import fc from 'fast-check'
import { expect, test } from 'vitest'
import { columns, cut, printable, wrap } from './terminal.ts'

test('wrapping keeps every letter, and no line is too wide', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.integer({ min: 10, max: 80 }),
      (raw, width) => {
        const text = printable(raw)
        const lines = wrap(text, width, '  ')
        expect(lines.every((line) => columns(line) <= width)).toBe(true)
        expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
      },
    ),
  )
})

test('text of a document cannot move the cursor or change the direction of writing', () => {
  expect(printable('a\x1b[2Jb\x07c\u202ed\r\ne')).toBe('a[2Jbcd\ne')
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      (text) => !/\p{Cc}/u.test(printable(text).replaceAll('\n', '')),
    ),
  )
})

test('only long text is cut, and marked with an ellipsis', () => {
  expect(cut('lease.pdf', 9)).toBe('lease.pdf')
  expect(cut('lease.pdf', 6)).toBe('lease…')
})
