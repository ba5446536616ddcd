// Ranges, validators and file names of sent bytes, case by case of RFC 9110 and RFC 6266.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { disposition, isNotModified, rangeOf } from './file.ts'

const ETAG = '"abc"'
const range = (header: string | undefined, size = 100, ifRange = '') => rangeOf(header, ifRange, ETAG, size)

test.each([
  [undefined, undefined],
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=0-', { start: 0, end: 99 }],
  ['bytes=99-', { start: 99, end: 99 }],
  ['bytes=10-19', { start: 10, end: 19 }],
  ['Bytes= 10-19 ', { start: 10, end: 19 }],
  ['bytes=10-5000', { start: 10, end: 99 }],
  ['bytes=-1', { start: 99, end: 99 }],
  ['bytes=-5000', { start: 0, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=100-200', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  // These are ignored: another unit, several ranges, the end before the start, invalid text.
  ['lines=0-1', undefined],
  ['bytes=0-1,5-6', undefined],
  ['bytes=5-4', undefined],
  ['bytes=-', undefined],
  ['bytes=', undefined],
  ['bytes=a-b', undefined],
  ['bytes=0-9999999999999999999', undefined],
  ['bytes=1e1-', undefined],
])('%s of 100 bytes', (header, expected) => {
  expect(range(header)).toEqual(expected)
})

test('of an empty file no range is satisfiable', () => {
  for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-5']) expect(range(header, 0)).toBe('unsatisfiable')
})

test('If-Range: only these very bytes give a part; a date or a weak validator gives the whole', () => {
  expect(range('bytes=1-2', 100, ETAG)).toEqual({ start: 1, end: 2 })
  for (const other of ['"abd"', 'W/"abc"', 'Sat, 21 Nov 2026 18:00:00 GMT'])
    expect(range('bytes=1-2', 100, other)).toBeUndefined()
})

test('whatever is asked for lies within the file', () => {
  const text = fc.oneof(
    fc.string(),
    fc.tuple(fc.nat(), fc.nat()).map(([a, b]) => `bytes=${a}-${b}`),
  )
  fc.assert(
    fc.property(text, fc.nat(1000), (header, size) => {
      const found = range(header, size)
      if (found === undefined || found === 'unsatisfiable') return
      expect(0 <= found.start && found.start <= found.end && found.end < size).toBe(true)
    }),
  )
})

test('If-None-Match: one of a list, weak or strong, or any', () => {
  for (const header of [ETAG, `W/${ETAG}`, '"x", "abc"', '*', ' * '])
    expect(isNotModified(header, ETAG)).toBe(true)
  for (const header of [undefined, '', 'abc', '"ab"', '"x", "y"'])
    expect(isNotModified(header, ETAG)).toBe(false)
})

test.each([
  ['report.pdf', 'attachment; filename="report.pdf"; filename*=UTF-8\'\'report.pdf'],
  ['Über uns.pdf', 'attachment; filename="_ber uns.pdf"; filename*=UTF-8\'\'%C3%9Cber%20uns.pdf'],
  ['a"b\\c%d.txt', 'attachment; filename="a_b_c_d.txt"; filename*=UTF-8\'\'a%22b%5Cc%25d.txt'],
  ["it's (1)*!.md", "attachment; filename=\"it's (1)*!.md\"; filename*=UTF-8''it%27s%20%281%29%2A%21.md"],
  ['\r\n\u202e', 'attachment; filename="file"; filename*=UTF-8\'\'file'],
])('%j is offered as', (name, expected) => {
  expect(disposition(name)).toBe(expected)
})

test('no name makes a header that breaks', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      expect(disposition(name)).toMatch(
        /^attachment; filename="[\x20-\x21\x23-\x5b\x5d-\x7e]+"; filename\*=UTF-8''[\w%.~-]+$/,
      )
    }),
  )
})
