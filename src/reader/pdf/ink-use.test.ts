// How the text of a PDF is drawn, read from its streams; what cannot be read counts as drawn invisibly.

import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { inkUse } from './ink-use.ts'

const NONE = { invisible: false, faint: false }
const BOTH = { invisible: true, faint: true }

const stream = (content: string | Buffer, dictionary = '', object = '1 0 obj'): Buffer =>
  Buffer.concat([
    Buffer.from(`%PDF-1.4\n${object}\n<< /Length ${content.length} ${dictionary} >>\nstream\n`, 'latin1'),
    Buffer.from(content),
    Buffer.from('\nendstream\nendobj\n'),
  ])

test.each([
  ['BT (seen) Tj ET', NONE],
  ['BT 3 Tr (unseen) Tj ET', { invisible: true, faint: false }],
  ['1 g BT (unseen) Tj ET', { invisible: false, faint: true }],
  ['q 1 g 0 0 9 9 re f Q BT (seen) Tj ET', NONE],
  ['1 1 1 rg /Fm0 Do', { invisible: false, faint: true }],
])('%s', (content, uses) => {
  expect(inkUse(stream(content))).toEqual(uses)
  expect(inkUse(stream(deflateSync(content), '/Filter /FlateDecode'))).toEqual(uses)
})

const unseen = 'BT 3 Tr (unseen) Tj ET'
const packed = deflateSync('BT (seen) Tj ET '.repeat(500))

test.each([
  ['an unknown filter', stream('x', '/Filter /LZWDecode')],
  ['a filter that is named elsewhere', stream(packed, '/Filter 9 0 R')],
  ['a filter whose name is written otherwise', stream(packed, '/Filter /Fl#61teDecode')],
  ['a damaged stream', stream(Buffer.from('this is not deflated'), '/Filter /FlateDecode')],
  ['predicted rows', stream(packed, '/Filter /FlateDecode /DecodeParms << /Predictor 12 >>')],
  ['a dictionary that begins too far before', stream(unseen, `/Note (${'x'.repeat(20_000)})`)],
  ['more than fits', stream(deflateSync(Buffer.alloc(40 * 2 ** 20)), '/Filter /FlateDecode')],
])('%s cannot be read', (_, bytes) => {
  expect(inkUse(bytes)).toEqual(BOTH)
})

test.each([
  '/Length1 9',
  '/Subtype /XML /Type /Metadata',
  '/Subtype /Type1C',
  '/FunctionType 4',
  '/Alternate /DeviceRGB',
])('a stream that says %s is read too', (dictionary) => {
  expect(inkUse(stream(unseen, dictionary)).invisible).toBe(true)
})

test('pictures are not read, but what follows them is', () => {
  const picture = stream(unseen, '/Subtype /Image')
  expect(inkUse(picture)).toEqual(NONE)
  expect(inkUse(Buffer.concat([picture, stream(unseen, '', '2 0\nobj')])).invisible).toBe(true)
})
