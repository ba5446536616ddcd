// How the text of a PDF is drawn, read from its streams; what cannot be read counts as drawn invisibly.

import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { costRatio } from '../../../../test/support/processor-time.ts'
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

test.each([
  ['a sign', '+1 g'],
  ['signs', '+-1 g'],
  ['a zero before it', '01 g'],
  ['an array before it', '[]1 g'],
  ['a string before it', '(x)1 g'],
  ['a comment behind it', '1%x\n g'],
  ['more figures', '1.00000 1. 01.0 rg'],
  ['a colour space of inks', '/Cs1 cs 0 0 0 scn'],
  ['a colour space of one ink', '/Cs1 cs 0 scn'],
  ['a colour space of lightness', '/Lab cs 100 0 0 scn'],
  ['a pattern', '/Pattern cs /P1 scn'],
  ['the first colour of a colour space', '/Cs1 cs'],
  ['the colour space of the stream before', '0 scn'],
  ['the number of the stream before', 'g'],
  ['an operator that is ignored behind it', '1 g 0 0 0 0 rg'],
  ['an array of operators behind it', '1 g [ 0 g ]'],
  ['a dictionary that is not closed behind it', '1 g << /A 0 g'],
  ['brackets that do not fit', '1 g [ >> 0 g ]'],
  ['a comment that opens a string behind it', '1 g % (\n'],
  ['a string with brackets', '1 g (a ( ) 0 g ) pop'],
  ['outlines alone', '1 Tr 1 G'],
  ['a picture that may be closed later', '1 g BI /W 9 ID 0 g EI '],
])('white that is written with %s is seen', (_, operators) => {
  expect(inkUse(stream(`BT ${operators} (unseen) Tj ET`.replace('BT g', 'g'))).faint).toBe(true)
})

test.each([
  ['a line of text', '(1 g) Tj'],
  ['an array of text', '[(1 g) 1 (x)] TJ 0 g'],
  ['a comment', '% 1 g\n'],
  ['a name', '/g 1 d0 /rg gs'],
  ['a picture', 'BI /W 1 /CS /G /F /AHx ID 20> EI'],
  ['a colour space of the device', '/DeviceRGB cs 1 0 0 sc'],
])('%s sets no colour', (_, operators) => {
  expect(inkUse(stream(`BT ${operators} (seen) Tj ET`))).toEqual(NONE)
})

test.each([
  ['3.0 Tr', true],
  ['03 Tr', true],
  ['3 Tr 9 Tr', true],
  ['3 Tr 0 Tr', false],
])('the mode of %s', (operators, invisible) => {
  expect(inkUse(stream(`BT ${operators} (text) Tj ET`)).invisible).toBe(invisible)
})

test('the ink of a stream is that of the next one too', () => {
  const two = (first: string): Buffer => Buffer.concat([stream(first), stream('(unseen) Tj', '', '2 0 obj')])
  expect(inkUse(two('1 g')).faint).toBe(true)
  expect(inkUse(two('1 g q 0 g')).faint).toBe(true)
  expect(inkUse(two('3 Tr')).invisible).toBe(true)
  expect(inkUse(two('q 1 g Q'))).toEqual(NONE)
})

test.each(['0', '+0', '00.0', ' '.repeat(24).concat('0'), '%x\n0', '5 0 R', '(x)'])(
  'an opacity of %s is seen',
  (value) => {
    expect(inkUse(Buffer.from(`1 0 obj << /ca ${value} >> endobj`)).faint).toBe(true)
  },
)

test('other opacities, and the caption of a button, are none', () => {
  expect(inkUse(Buffer.from('1 0 obj << /ca 0.5 /CA 1 /MK << /CA (4) >> /caron 0 >> endobj'))).toEqual(NONE)
})

test.each([' '.repeat(100), ' % a comment\n', '\r\n%a\n %b\r\n', ' '.repeat(20_000)])(
  'a stream some way behind its dictionary',
  (space) => {
    expect(inkUse(Buffer.from(`1 0 obj\n<< >>${space}stream\n${unseen}\nendstream`)).invisible).toBe(true)
  },
)

test('a string of any length is read', () => {
  const long = `(${'\\('.repeat(3 * 2 ** 20)})`
  expect(inkUse(stream(deflateSync(`BT ${long} Tj 3 Tr (unseen) Tj ET`), '/Filter /FlateDecode'))).toEqual({
    invisible: true,
    faint: false,
  })
})

test.each([
  ['streams', 'stream', 2 ** 17],
  ['streams and spaces', 'stream  ', 2 ** 17],
  ['lines', '%>\nstream\n', 2 ** 17],
  ['streams of pictures that do not end', '1 0 obj/F/DCT>>stream ', 2 ** 13],
  ['streams that do not end', '1 0 obj<<>>stream\nq [', 2 ** 14],
])('a file of %s takes as long as one of other words', async (_, word, count) => {
  const hostile = Buffer.from(word.repeat(count))
  const harmless = Buffer.from(
    `1 0 obj << >> stream\n${'0 0 m 1 1 l S '.repeat(hostile.length / 14)}endstream`,
  )
  expect(
    await costRatio(
      () => inkUse(hostile),
      () => inkUse(harmless),
    ),
  ).toBeLessThan(20)
})
