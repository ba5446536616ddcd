import type { TextItem } from '@llamaindex/liteparse'
import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { makePdf, prose } from '../../../../test/support/files/pdf.ts'
import { addBrokenWords, type BrokenWords, restoreHyphens } from './hyphens.ts'

const PROSE = 'This is what the owners of the house have had to say to us about it. '

const item = (text: string, x: number, line: number): TextItem => ({
  text,
  x,
  y: line * 12,
  width: 200,
  height: 10,
})

/** The text of a page whose lines are joined as the library does it, with its hyphens given back. */
function restored(lines: readonly string[], besides = ''): string {
  const broken: BrokenWords = new Map()
  addBrokenWords(
    lines.map((text, line) => item(text, 0, line)),
    broken,
  )
  const text = lines.reduce((joined, line) =>
    joined.endsWith('-') ? joined.slice(0, -1) + line : `${joined} ${line}`,
  )
  const block = { kind: 'paragraph' as const, text }
  restoreHyphens([block, { kind: 'paragraph', text: besides }], broken)
  return block.text
}

test('two words that are none together keep their hyphen, a broken word is whole', () => {
  expect(
    restored([PROSE, 'We like the chat-', 'optimized and garden-', 'centric house rea-', 'soning']),
  ).toBe(`${PROSE} We like the chat-optimized and garden-centric house reasoning`)
})

test('a word in the list, or one with a prefix, is whole where words are broken', () => {
  expect(restored([PROSE, 'the mark-', 'up and over-', 'fitting of embed-', 'dings rea-', 'soning'])).toBe(
    `${PROSE} the markup and overfitting of embeddings reasoning`,
  )
})

test('what the document writes elsewhere tells first', () => {
  expect(restored([PROSE, 'the chat-', 'optimized house rea-', 'soning'], 'a chatoptimized one')).toBe(
    `${PROSE} the chatoptimized house reasoning`,
  )
  expect(restored([PROSE, 'the mark-', 'up rea-', 'soning'], 'by mark-up')).toBe(
    `${PROSE} the mark-up reasoning`,
  )
})

test('a document that breaks no syllable keeps every hyphen', () => {
  const lines = [
    PROSE,
    'co-',
    'founded by a state-',
    'run long-',
    'term non-',
    'credit Zagrosian-',
    'serving house',
  ]
  expect(restored(lines)).toBe(
    `${PROSE} co-founded by a state-run long-term non-credit Zagrosian-serving house`,
  )
})

test('figures and capitals begin no syllable', () => {
  expect(restored(['die Anlage COVID-', '19 und die Rede-', 'Ordnung der Ver-', 'waltung von d-', '2'])).toBe(
    'die Anlage COVID-19 und die Rede-Ordnung der Verwaltung von d2',
  )
})

test('English words say nothing of another language', () => {
  const french = 'Il y a dans la maison des gens qui ne sont pas avec nous et que nous avons vus. une par-'
  expect(restored([french, 'tie de la sur-', 'plus'])).toBe(`${french.slice(0, -1)}tie de la surplus`)
})

test('the lines of two columns come by turns', () => {
  const broken: BrokenWords = new Map()
  const left = ['a fast-', 'paced game']
  const right = ['in a bar', 'by the sea']
  addBrokenWords(
    left.flatMap((text, line) => [item(text, 0, line), item(right[line] ?? '', 300, line)]),
    broken,
  )
  expect([...broken]).toEqual([['fastpaced', { hyphenated: 'fast-paced', breaks: 1 }]])
})

test('a word that the document writes whole is whole, in capitals or not', () => {
  const lines = [PROSE, 'Inter-', 'national and non-', 'credit houses of international noncredit', 'houses']
  expect(restored(lines, 'Inter-national non-credit')).toBe(
    `${PROSE} International and noncredit houses of international noncredit houses`,
  )
})

test('a code that a line end cut at its hyphen is whole, a hyphen left for the next word is not', async () => {
  const lines = [
    'The valve has the number VK-2093-',
    'C and its seal has the number SL-',
    '118-4. Both fit the pumps of A- and',
    'B-class boats, and the return valve of order SO-2026-',
    '77 too.',
  ]
  const { blocks } = await parseBytes('pdf', makePdf([prose(lines)]))
  expect(blocks.map(({ text }) => text).join(' ')).toBe(
    'The valve has the number VK-2093-C and its seal has the number SL-118-4. Both fit the pumps of A- and ' +
      'B-class boats, and the return valve of order SO-2026-77 too.',
  )
})
