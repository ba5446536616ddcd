// Fractions in small figures on real PDFs: as typesetters draw them, the numerator raised, the bar over a part of it.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { makePdf, type PdfText } from '../../../../test/support/files/pdf.ts'

const read = async (...texts: PdfText[]): Promise<string[]> =>
  (await parseBytes('pdf', makePdf([texts]))).blocks.map(({ text }) => text)

const at = (x: number, text: string, small = false, rise = 0): PdfText => ({
  x,
  y: 700 + rise,
  text,
  size: small ? 5.5 : 10,
})

const BEFORE = 'the most common ranges in size for No. 6 up to'
// Where the line goes on behind it, in Helvetica.
const END = 72 + 212

test.each([1, 2])(
  'a numerator that the bar overlaps is read (the bar %s points behind its left edge)',
  async (dx) => {
    const texts = await read(
      at(72, BEFORE),
      at(END, '1', true, 3.2),
      { x: END + dx, y: 700, text: '⁄', size: 10, font: 'unicode' },
      at(END + 4.2, '4', true),
      at(END + 7, ' inch, the rest is thicker'),
    )
    expect(texts).toEqual([`${BEFORE} 1⁄4 inch, the rest is thicker`])
  },
)

test.each(['⁄', '/'])('a fraction behind a whole number is not a part of it: 2 1%s4', async (bar) => {
  const texts = await read(
    at(72, 'The plank is of 2'),
    at(150.37, '1', true, 3.2),
    { x: 153.43, y: 700, text: bar, size: 10, ...(bar === '⁄' && { font: 'unicode' }) },
    at(bar === '⁄' ? 159.43 : 156.21, '4', true),
    at(bar === '⁄' ? 162.49 : 159.27, ' inch thick and two wide.'),
  )
  expect(texts).toEqual([`The plank is of 2 1${bar}4 inch thick and two wide.`])
})

test('dates, paths and fractions in the type of their line stay as they are', async () => {
  const line = 'On 3/14 the share was 1/4 or 21/4 of /24 and and/or more.'
  expect(await read(at(72, line))).toEqual([line])
})
