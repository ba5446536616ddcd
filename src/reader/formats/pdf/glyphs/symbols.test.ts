import type { ParsedPage } from '@llamaindex/liteparse'
import { expect, test } from 'vitest'
import { withCheckboxes, withMinusSigns } from './symbols.ts'

const page = (text: string, fontName: string): ParsedPage => ({
  pageNum: 1,
  width: 600,
  height: 800,
  text: '',
  markdown: '',
  textItems: [
    {
      text,
      x: 0,
      y: 0,
      width: 40,
      height: 10,
      fontName,
      words: [{ text, x: 0, y: 0, width: 40, height: 10 }],
    },
  ],
  blocks: [{ kind: 'paragraph', text: `from ${text} to 2` }],
})

test('a minus that a font gives as a control character is a minus; an unknown sign is shown as one', () => {
  const known = withMinusSigns(page('\u00030.9393', 'AdvMacMthSyN'))
  expect([known.textItems[0]?.text, known.textItems[0]?.words?.[0]?.text, known.blocks?.[0]?.text]).toEqual([
    '\u22120.9393',
    '\u22120.9393',
    'from \u22120.9393 to 2',
  ])
  expect(withMinusSigns(page('\u00020.5', 'Unknown')).textItems[0]?.text).toBe('\ufffd0.5')
})

test('a page without such signs is left alone; a control character in a word is none', () => {
  const plain = page('0.9393 a\u00032', 'AdvMacMthSyN')
  expect(withMinusSigns(plain)).toBe(plain)
})

const boxed = (...texts: [text: string, fontName?: string][]): ParsedPage =>
  withCheckboxes({
    ...page('', 'Arial'),
    textItems: texts.map(([text, fontName = 'Arial'], y) => ({
      text,
      x: 0,
      y,
      width: 40,
      height: 10,
      fontName,
    })),
    blocks: texts.map(([text]) => ({ kind: 'paragraph', text })),
  })
const read = (...texts: [text: string, fontName?: string][]): (string | undefined)[] =>
  boxed(...texts).blocks?.map(({ text }) => text) ?? []

test('boxes to be ticked are signs, whether their font gives private characters or letters', () => {
  expect(read(['Is it so? **Yes \uf078** No \uf06f'])).toEqual(['Is it so? **Yes ☒** No ☐'])
  expect(read(['¨ First'], ['Yes x No ¨'], ['by 2 x 3'])).toEqual(['☐ First', 'Yes ☒ No ☐', 'by 2 x 3'])
  expect(read(['Large? Yes o No x'], ['Small? Yes x No o'], ['x o'])).toEqual([
    'Large? Yes ☐ No ☒',
    'Small? Yes ☒ No ☐',
    'x o',
  ])
  expect(boxed(['x', 'ABCDEF+Wingdings']).textItems[0]?.text).toBe('☒')
})

test('letters and Greek ones of another font stay', () => {
  expect(read(['Yes x is a variable'], ['o, x and þorn'])).toEqual(['Yes x is a variable', 'o, x and þorn'])
  expect(read(['\uf078 = 2', 'SymbolMT'])).toEqual(['\uf078 = 2'])
})

test('bullets of the same font make no boxes of letters', () => {
  expect(read(['\uf0a7', 'Wingdings-Regular'], ['from x to y'], ['người dân ý kiến'])).toEqual([
    '\uf0a7',
    'from x to y',
    'người dân ý kiến',
  ])
  expect(read(['¨ First'], ['người dân ý kiến'])[1]).toBe('người dân ý kiến')
})
