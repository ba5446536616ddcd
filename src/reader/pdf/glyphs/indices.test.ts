// Marks above and below their line, as PDFs draw them: each a text of its own in smaller type.

import type { ParsedPage, TextItem } from '@llamaindex/liteparse'
import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { makePdf, type PdfText } from '../../../../test/support/files/pdf.ts'
import { withIndices } from './indices.ts'
import { lostFigures } from './lost-texts.ts'

const SIZE = 10

// Widths of Helvetica's letters in thousandths of the type's size, as far as they are used here.
const WIDTHS: Record<string, number> = { i: 222, j: 222, l: 222, t: 278, ' ': 278, ',': 278, '.': 278 }
const WIDE: Record<string, number> = { S: 667, L: 556, m: 833, c: 500, s: 500, r: 333, f: 278, '=': 584 }
const widthOf = (text: string, size: number): number =>
  [...text].reduce((sum, letter) => sum + (WIDTHS[letter] ?? WIDE[letter] ?? 556), 0) * (size / 1000)

/** Texts behind each other on one line; `_` before one lowers it, `^` raises it. */
function line(y: number, ...texts: string[]): PdfText[] {
  let x = 72
  return texts.map((text) => {
    const isMark = /^[_^]/.test(text)
    const own = isMark ? text.slice(1) : text
    const size = isMark ? 6 : SIZE
    const drawn: PdfText = { x, y: y + (text[0] === '_' ? -5 : text[0] === '^' ? 5 : 0), text: own, size }
    x += widthOf(own, size)
    return drawn
  })
}

const item = (text: string, x: number, height = 10, y = 100): TextItem => {
  const place = { x, y, width: text.length * 5, height }
  return { text, ...place, fontName: 'Helvetica', words: [{ text, ...place }] }
}

const pageOf = (text: string, textItems: TextItem[], paragraph: string): ParsedPage => ({
  pageNum: 1,
  width: 600,
  height: 800,
  markdown: '',
  text,
  textItems,
  blocks: [{ kind: 'paragraph', text: paragraph, bbox: { x: 50, y: 100, width: 230, height: 10 } }],
})

const read = async (...lines: PdfText[][]): Promise<string[]> =>
  (await parseBytes('pdf', makePdf([lines.flat()]))).blocks.map(({ text }) => text)

test('the indices of a formula stand behind their letters, and its paragraph is whole', async () => {
  const texts = await read(
    line(700, 'Let every dimension of the cube have a schema of its own, which is called'),
    line(686, 'the set S = L', '_i', ', of which each member is one constant of the union L', '_j', ', and'),
    line(672, 'let no member of the first be a member of any other set that is named here.'),
  )
  expect(texts).toEqual([
    'Let every dimension of the cube have a schema of its own, which is called the set S = Li, of which each member is ' +
      'one constant of the union Lj, and let no member of the first be a member of any other set that is named here.',
  ])
})

test('a mark stands behind the letter it touches, of several alike', async () => {
  const texts = await read(
    line(
      700,
      'of all members m, the member m of the dimension and this one, m',
      '_i',
      ', is the first of those',
    ),
  )
  expect(texts).toEqual([
    'of all members m, the member m of the dimension and this one, mi, is the first of those',
  ])
})

test('a figure keeps its value: what stands above or below it is an exponent or an index', () => {
  for (const [y, read] of [
    [97, 'sold for 19⁹⁹.'],
    [106, 'sold for 19₉₉.'],
  ] as const) {
    const [text, mark] = [item('sold for 19', 50), item('99', 105, 6, y)]
    const page = pageOf('', [text, mark], 'sold for 19 .')
    page.blocks?.push({ kind: 'paragraph', text: '99', bbox: { x: 105, y, width: 10, height: 6 } })
    expect(withIndices(page).blocks?.map((block) => block.text)).toEqual([read])
  }
})

test('short texts that touch no larger word stay where they are', async () => {
  const texts = await read(line(700, 'The harbour is open from morning to night'), line(640, '_12'))
  expect(texts).toEqual(['The harbour is open from morning to night', '12'])
})

test('the mark of a note behind a name comes back where the layout pass drops it as a page number', () => {
  const page = pageOf(
    'Melissa Dell3, Jacob Carlson3, and Weining Li5\n',
    [item('Melissa Dell3, Jacob Carlson', 50), item(', and Weining Li5', 195)],
    'Melissa Dell3, Jacob Carlson , and Weining Li5',
  )
  expect(lostFigures(page)).toEqual(['3'])
  const { fontName: _, ...mark } = item('3', 190, 6, 99)
  const read = withIndices({ ...page, textItems: [...page.textItems, mark] })
  expect(read.blocks?.map(({ text }) => text)).toEqual(['Melissa Dell3, Jacob Carlson3, and Weining Li5'])
  expect(lostFigures({ ...page, textItems: [...page.textItems, mark] })).toEqual([])
})

test('a figure in two texts that touch is not lost, one in two cells is', () => {
  const text = 'Exhibit 31.1 of the year'
  const parts = (gap: number) => [item('31', 50), item('.1', 60 + gap), item('of the year', 90)]
  expect(lostFigures(pageOf(text, parts(2), text))).toEqual([])
  expect(lostFigures(pageOf(text, parts(9), text))).toEqual(['31.1'])
})
