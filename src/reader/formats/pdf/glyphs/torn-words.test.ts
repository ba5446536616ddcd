import type { ParsedPage, TextItem } from '@llamaindex/liteparse'
import { expect, test } from 'vitest'
import { withLigatures, withWholeWords } from './torn-words.ts'

/** An item of words given with the gap before each, in points; each letter is 6 wide and 12 high. */
function item(text: string, words: readonly [gap: number, text: string][], x = 0, height = 12): TextItem {
  let at = x
  const boxes = words.map(([gap, word]) => {
    const box = { text: word, x: at + gap, y: 0, width: word.length * 6, height }
    at = box.x + box.width
    return box
  })
  return { text, x, y: 0, width: at - x, height, words: boxes }
}

const page = (textItems: TextItem[], text: string): ParsedPage => ({
  pageNum: 1,
  width: 600,
  height: 800,
  text: '',
  markdown: '',
  textItems,
  blocks: [{ kind: 'paragraph', text }],
})

// As Chrome prints it and PDFium hands it over: each glyph by itself, a space after some of them.
const torn = item('Table w it h rules:', [
  [0, 'Ta'],
  [0, 'b'],
  [0.001, 'l'],
  [0.01, 'e'],
  [3.5, 'w'],
  [0.01, 'i'],
  [0.01, 't'],
  [0.01, 'h'],
  [3.5, 'r'],
  [-0.001, 'u'],
  [0, 'l'],
  [0.01, 'e'],
  [0.01, 's:'],
])

test('a space between letters that touch is none, in lines, words and blocks', () => {
  const whole = withWholeWords(page([torn], 'See Table w it h rules: and more'))
  expect(whole.textItems[0]?.text).toBe('Table with rules:')
  expect(whole.textItems[0]?.words?.map(({ text }) => text)).toEqual(['Table', 'with', 'rules:'])
  expect(whole.textItems[0]?.words?.[1]).toMatchObject({ x: torn.words?.[4]?.x, height: 12 })
  expect(whole.blocks?.[0]?.text).toBe('See Table with rules: and more')
})

test('words set tightly, raised signs and figures stay apart', () => {
  const tight = item('Appointment of Agent', [
    [0, 'Appointment'],
    [3, 'of'],
    [0, 'Agent'],
  ])
  const raised = item('m n 2 3', [
    [0, 'm'],
    [3, 'n'],
    [0, '2'],
    [0, '3'],
  ])
  const plain = page([tight, raised], 'Appointment of Agent m n 2 3')
  expect(withWholeWords(plain)).toBe(plain)
})

test('the ligature of a TeX font that is read as a return key is ff, in items and in all of the blocks', () => {
  const place = { x: 0, y: 0, width: 50, height: 10 }
  const page: ParsedPage = {
    pageNum: 1,
    width: 600,
    height: 800,
    text: '',
    markdown: '',
    textItems: [{ text: 'recent e↵orts', ...place }],
    blocks: [
      { kind: 'paragraph', text: 'recent e↵orts' },
      { kind: 'code', lines: ['recent e↵orts', '↵'] },
    ],
  }
  const { textItems, blocks } = withLigatures(page)
  expect(textItems.map(({ text }) => text)).toEqual(['recent efforts'])
  expect(blocks?.map(({ text, lines }) => text ?? lines)).toEqual(['recent efforts', ['recent efforts', '↵']])
})

test('a heading with white between its letters has words, the names of columns stay letters', () => {
  const spaced = (text: string): TextItem =>
    item(
      text.replaceAll('', ' ').trim().replace(/ {2,}/g, ' '),
      Array.from(text).flatMap((letter, i): [number, string][] =>
        letter === ' ' ? [] : [[text[i - 1] === ' ' ? 9 : 3, letter]],
      ),
    )
  const read = (text: string): string | undefined =>
    withWholeWords(page([spaced(text)], '')).textItems[0]?.text
  expect(read('Rules of the harbour 2026')).toBe('Rules of the harbour 2026')
  expect(read('ABCDEF')).toBe('A B C D E F')
  expect(read('12345678')).toBe('1 2 3 4 5 6 7 8')
})
