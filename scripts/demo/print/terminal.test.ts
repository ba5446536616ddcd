import fc from 'fast-check'
import { expect, test } from 'vitest'
import { columns, cut, printable, wrap } from './terminal.ts'

test('wrapping keeps every letter and no line is wider than asked', () => {
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

test('a document cannot move the cursor or turn the text around', () => {
  expect(printable('a\x1b[2Jb\x07c\u202ed\r\ne')).toBe('a[2Jbcd\ne')
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      (text) => !/\p{Cc}/u.test(printable(text).replaceAll('\n', '')),
    ),
  )
})

test('cutting leaves short text alone and marks what it cut', () => {
  expect(cut('lease.pdf', 9)).toBe('lease.pdf')
  expect(cut('lease.pdf', 6)).toBe('lease…')
})
