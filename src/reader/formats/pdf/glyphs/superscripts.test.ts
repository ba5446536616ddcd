import type { ParsedPage } from '@llamaindex/liteparse'
import { expect, test } from 'vitest'
import { parseBytes } from '../../../../../test/support/files/parse.ts'
import { makePdf, type PdfText } from '../../../../../test/support/files/pdf.ts'
import { withSuperscripts } from './superscripts.ts'

interface Drawn {
  text: string
  /** Points from the foot of its line, and the height of its box. */
  rise?: number
  height?: number
}

/** A line whose words stand side by side; those without a space before them touch. */
function pageOf(drawn: readonly Drawn[]): ParsedPage {
  let text = ''
  const words = drawn.map(({ text: own, rise = 0, height = 12 }) => {
    const word = own.trim()
    const x = 6 * (text.length + own.length - word.length)
    text += own
    return { text: word, x, y: 100 - rise - height, width: 6 * word.length, height }
  })
  const place = { x: 0, y: 88, width: 6 * text.length, height: 12 }
  return {
    pageNum: 1,
    width: 600,
    height: 800,
    text: '',
    markdown: '',
    textItems: [{ text, ...place, words }],
    blocks: [{ kind: 'paragraph', text: `Before. ${text} Of 106 boats.` }],
  }
}

test('a raised figure does not change the number before it, nor the same number elsewhere', () => {
  const mark = { rise: 6, height: 7 }
  const page = pageOf([
    { text: 'moves' },
    { text: ' 10' },
    { text: '6', ...mark },
    { text: ' litres at €1,250.00' },
    { text: '1', ...mark },
    { text: '.' },
  ])
  const { textItems, blocks } = withSuperscripts(page)
  const read = 'moves 10⁶ litres at €1,250.00¹.'
  expect(textItems[0]?.text).toBe(read)
  expect(textItems[0]?.words?.map(({ text }) => text)).toEqual([
    'moves',
    '10',
    '⁶',
    'litres at €1,250.00',
    '¹',
    '.',
  ])
  expect(blocks?.[0]?.text).toBe(`Before. ${read} Of 106 boats.`)
})

test('a figure on the line, below it, behind a space or behind a word stays', () => {
  const lines = [
    [{ text: '10' }, { text: '6' }],
    [{ text: '10' }, { text: '6', rise: -2, height: 7 }],
    [{ text: '10' }, { text: ' 6', rise: 6, height: 7 }],
    [{ text: 'contract' }, { text: '6', rise: 6, height: 7 }],
  ]
  for (const line of lines) {
    const page = pageOf(line)
    expect(withSuperscripts(page)).toBe(page)
  }
})

test('a number that stands alone changes where it stands: not in other blocks, not inside other numbers', () => {
  const page = pageOf([{ text: '12' }, { text: '1', rise: 6, height: 7 }])
  const [item] = page.textItems
  if (item === undefined) throw new Error('no item')
  const { x, y, width, height } = item
  const texts = withSuperscripts({
    ...page,
    blocks: [
      { kind: 'paragraph', text: 'Of 5,121 boats 121 came.', bbox: { x, y: y + 200, width, height } },
      { kind: 'paragraph', text: 'Of 5,121 or 121.5 boats, 121.', bbox: { x, y, width, height } },
    ],
  }).blocks?.map(({ text }) => text)
  expect(texts).toEqual(['Of 5,121 boats 121 came.', 'Of 5,121 or 121.5 boats, 12¹.'])
})

test('a raised figure in one box with its word: that box begins higher', () => {
  const unit = pageOf([{ text: 'current' }, { text: ' (A/cm2', height: 14 }, { text: ')' }])
  expect(withSuperscripts(unit).blocks?.[0]?.text).toBe('Before. current (A/cm²) Of 106 boats.')
  const note = pageOf([{ text: '3We', height: 14 }, { text: ' refer' }, { text: ' to' }])
  expect(withSuperscripts(note).textItems[0]?.text).toBe('3 We refer to')
  expect(withSuperscripts(note).blocks?.[0]?.text).toBe('Before. 3 We refer to Of 106 boats.')
  const level = [
    [{ text: 'current' }, { text: ' (A/cm2' }, { text: ')' }],
    [{ text: 'current' }, { text: ' contract2', height: 14 }, { text: ')' }],
    [{ text: 'sum', height: 9 }, { text: ' Q2' }, { text: ' due' }],
  ]
  for (const line of level) expect(withSuperscripts(pageOf(line)).textItems).toEqual(pageOf(line).textItems)
})

// Fractions in small figures on real PDFs, as typesetters draw them: the numerator raised, the bar over part of it.

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
