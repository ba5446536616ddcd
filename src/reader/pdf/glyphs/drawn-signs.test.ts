// Lists whose bullets are drawn, on real PDFs: what Chrome prints.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { makePdf, type PdfRule, type PdfText, prose } from '../../../../test/support/files/pdf.ts'

const before = prose(
  Array(3).fill('The gauges of the northern harbours are read each hour by their keepers.'),
  740,
)
const at = (x: number, y: number, text: string): PdfText => ({ x, y, text })

/** A disc of 4 points with its lower left corner at a place, filled or as a ring. */
const disc = (x: number, y: number, paint: 'f' | 'S' = 'f', colour = '0 0 0'): string =>
  `${colour} rg ${x} ${y + 2} m ${x} ${y + 3.1} ${x + 0.9} ${y + 4} ${x + 2} ${y + 4} c ` +
  `${x + 3.1} ${y + 4} ${x + 4} ${y + 3.1} ${x + 4} ${y + 2} c ${x + 4} ${y + 0.9} ${x + 3.1} ${y} ${x + 2} ${y} c ` +
  `${x + 0.9} ${y} ${x} ${y + 0.9} ${x} ${y + 2} c h ${paint}`

const blocksOf = async (texts: readonly PdfText[], drawn: string): Promise<string[]> => {
  const { blocks } = await parseBytes('pdf', makePdf([[...before, ...texts]], { drawn }))
  return blocks.slice(1).map(({ kind, text }) => `${kind}: ${text}`)
}

test('a list of discs and rings: its entries, what wraps in them, a level further in, the text after', async () => {
  const texts = [
    at(90, 690, 'The pier of the north, with its gauge and the keeper who'),
    at(90, 677, 'reads it each day of the year'),
    at(90, 664, 'The lock'),
    at(120, 651, 'its upper gate'),
    at(120, 638, 'its lower gate'),
    at(90, 625, 'The basin'),
    at(72, 612, 'All of them are kept by the office of the harbour, whose seat is in the old town.'),
  ]
  const drawn = [
    ...[692, 666, 627].map((y) => disc(78, y)),
    ...[653, 640].map((y) => disc(108, y, 'S')),
  ].join('\n')
  expect(await blocksOf(texts, drawn)).toEqual([
    'list: - The pier of the north, with its gauge and the keeper who reads it each day of the year\n' +
      '- The lock\n  - its upper gate\n  - its lower gate\n- The basin',
    'paragraph: All of them are kept by the office of the harbour, whose seat is in the old town.',
  ])
})

test('the swatches of a legend, and one dot alone, make no list', async () => {
  const texts = [at(90, 680, 'The pier'), at(90, 664, 'The basin'), at(90, 610, 'The lock')]
  const drawn = [disc(78, 682, 'f', '1 0 0'), disc(78, 666, 'f', '0 0 1'), disc(300, 612)].join('\n')
  expect((await blocksOf(texts, drawn)).filter((block) => block.startsWith('list'))).toEqual([])
})

// Underscores drawn as rules.

const typed = (x: number, y: number, text: string): PdfText => ({ x, y, text, size: 10, font: 'typewriter' })
const read = async (rules: PdfRule[]): Promise<string> => {
  const page = [typed(100, 700, 'harbour master@example.org')]
  return (await parseBytes('pdf', makePdf([page], { rules }))).blocks.map(({ text }) => text).join('\n')
}

test('a short rule in the gap of two words, at their foot, is an underscore', async () => {
  expect(await read([[143, 699, 147, 699]])).toBe('harbour_master@example.org')
  // A rule under both is an underline, one above the foot is something else.
  expect(await read([[100, 698, 250, 698]])).toBe('harbour master@example.org')
  expect(await read([[143, 704, 147, 704]])).toBe('harbour master@example.org')
})

test('a rule that others continue underlines the words piece by piece', async () => {
  const pieces: PdfRule[] = [
    [100, 699, 142, 699],
    [142, 699, 148, 699],
    [148, 699, 250, 699],
  ]
  expect(await read(pieces)).toBe('harbour master@example.org')
})
