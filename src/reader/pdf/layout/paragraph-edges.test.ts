// Paragraphs that the layout pass runs together, parted by what stands between their lines.

import { expect, test } from 'vitest'
import type { Block } from '../../block.ts'
import { cutBlock } from './cut-blocks.ts'

interface Set {
  text: string
  y: number
  x?: number
  fontName?: string
}

const place = ({ text, y, x = 100, fontName = 'Serif' }: Set) => ({
  text,
  x,
  y,
  width: text.length * 5,
  height: 12,
  fontName,
})

function cut(
  lines: readonly Set[],
  kind: 'paragraph' | 'list' = 'paragraph',
  beside: readonly Set[] = [],
): string[] {
  const items = lines.map(place)
  const block: Block = {
    kind,
    text: lines.map(({ text }) => text).join(' '),
    page: 1,
    bbox: [
      Math.min(...items.map(({ x }) => x)),
      Math.min(...items.map(({ y }) => y)),
      Math.max(...items.map(({ x, width }) => x + width)),
      Math.max(...items.map(({ y, height }) => y + height)),
    ],
  }
  return cutBlock(block, [...items, ...beside.map(place)]).map((piece) => `${piece.kind}: ${piece.text}`)
}

const long = 'The gauges of the harbours are read each hour'

test('lines of one pitch are parted where a sentence begins half a line further down', () => {
  // As TeX sets them: boxes higher than the pitch.
  const lines = [100, 110.9, 121.8, 132.7].map((y) => ({ text: long, y }))
  const [last, next] = [
    { text: 'by day and by night.', y: 143.6 },
    { text: long, y: 160 },
  ]
  const whole = `paragraph: ${[...lines, last].map(({ text }) => text).join(' ')}`
  expect(cut([...lines, last, next])).toEqual([whole, `paragraph: ${long}`])
  // A formula takes as much room in the middle of a sentence.
  expect(cut([...lines, { ...last, text: 'by day and by' }, next])).toHaveLength(1)
})

test('bare numbers that stand out and count are entries of a list', () => {
  const lines = [
    { text: '1 Gauges that are read. The keepers read them', y: 100, x: 100 },
    { text: 'each hour of the day and the night.', y: 111, x: 112 },
    { text: '2 Gauges that are not. Nobody reads these as', y: 123, x: 100 },
    { text: 'far as the keepers of the harbour know.', y: 134, x: 112 },
  ]
  expect(cut(lines)).toEqual([
    `list: ${lines[0]?.text} ${lines[1]?.text}`,
    `list: ${lines[2]?.text} ${lines[3]?.text}`,
  ])
  // Numbers on the edge of their lines are part of their sentences.
  const flush = lines.map(({ text, y }) => ({ text: text.replace(/night\.$/, 'night at'), y }))
  expect(cut(flush)).toHaveLength(1)
})

test('two lines with a blank one between are two where a sentence ends, or both are in bold', () => {
  const lines = (fontName: string, ...texts: string[]): Set[] =>
    texts.map((text, i) => ({ text, y: 100 + i * 24, fontName }))
  const ends = [
    'that was read in the year before (2016).',
    '10.3 The keepers of the harbour and of its locks',
  ]
  expect(cut(lines('Serif', ...ends))).toEqual(ends.map((text) => `paragraph: ${text}`))
  const titles = ['Item 2. Ships of the harbour and their keepers', 'Repairs of ships']
  expect(cut(lines('Serif-Bold', ...titles))).toEqual(titles.map((text) => `heading: ${text}`))
  expect(cut(lines('Serif', 'and which the keepers', 'Of the harbour had read'))).toHaveLength(1)
})

test('notes on one edge that count are one each, below the end of a sentence', () => {
  const notes = ['(1) Gauges that are read each hour.', '(2) Gauges of the piers.', '(3) Gauges of locks,']
  const lines = (...texts: string[]): Set[] => texts.map((text, i) => ({ text, y: 100 + i * 12 }))
  expect(cut(lines(...notes))).toEqual(notes.map((text) => `paragraph: ${text}`))
  // Marks in the middle of a sentence.
  expect(cut(lines('They are read as told in', '(1) and, of the locks, as', '(2) says.'))).toHaveLength(1)
  const raised = ['1 Gauges that are read each hour', '2 Gauges of the piers', '3 Gauges of locks']
  expect(cut(lines(...raised))).toHaveLength(3)
})

test('what stands a blank line below an entry of a list is the next one, or no part of it', () => {
  const lines = [
    { text: '1. Gauges. The keepers read them as follows,', y: 100 },
    { text: 'by day and by night:', y: 112, x: 130 },
    { text: '(a) those of the piers, and', y: 136, x: 130 },
    { text: 'None of them is read on the first of January.', y: 160 },
  ]
  const [first, second, third, last] = lines.map(({ text }) => text)
  expect(cut(lines, 'list')).toEqual([`list: ${first} ${second}`, `list:   ${third}`, `paragraph: ${last}`])
})

test('below a question with its boxes another one begins, though hardly lower than the next line', () => {
  const lines = [
    { text: 'Indicate whether the keeper has read the gauges of each harbour in the', y: 100 },
    { text: 'month before. Yes ☒ No', y: 112 },
    { text: 'Indicate whether the keeper has read them at night and in the winter, when', y: 126 },
    { text: 'the piers are closed. Yes ☐ No ☒', y: 138 },
  ]
  const [first, second, third, last] = lines.map(({ text }) => text)
  expect(cut(lines)).toEqual([`paragraph: ${first} ${second}`, `paragraph: ${third} ${last}`])
})

test('a short line in italics that stands off the text below it is a block of its own', () => {
  const italic = { fontName: 'Serif,Italic' }
  const text = [
    { text: 'Gauges of the northern harbours, which are read each hour of the day by', y: 116 },
    { text: 'the keepers of the piers, are made of bronze and oak.', y: 128 },
  ]
  const title = { text: 'Gauges', y: 100, x: 105, ...italic }
  expect(cut([title, ...text])).toHaveLength(2)
  // On the pitch of the text it is the beginning of it.
  expect(cut([{ ...title, y: 104 }, ...text])).toHaveLength(1)
})

const filled = 'The gauges of the harbours are read each hour of the day by them'

test('a sentence below one that left much room begins a paragraph, though no higher than a line', () => {
  const ends = 'the keepers of the piers.'
  const lines = (end: string, next: string): Set[] =>
    [filled, end, next, filled].map((text, i) => ({ text, y: 100 + i * 12 }))
  const begins = 'None of the gauges is made of bronze, but for those of the piers.'
  expect(cut(lines(ends, begins))).toEqual([`paragraph: ${filled} ${ends}`, `paragraph: ${begins} ${filled}`])
  // No sentence ends, or its line is full.
  expect(cut(lines('the keepers of the', begins))).toHaveLength(1)
  expect(cut(lines('the keepers of the piers and of the locks behind all of them.', begins))).toHaveLength(1)
})

test('entries and sentences that the layout pass ran into an entry are apart where a line left room', () => {
  const lines = [
    { text: '2. Gauges of the piers', y: 100, x: 100 },
    { text: '2.1 The gauges were read by day and by night.', y: 112, x: 120 },
    { text: '(a) by the keepers', y: 124, x: 140 },
    { text: '- Piers', y: 136, x: 120 },
    { text: 'that are old.', y: 148, x: 120 },
    { text: 'None of them is read on the first of January, nor on any other day.', y: 160, x: 100 },
  ]
  expect(cut(lines, 'list')).toEqual([
    `list: ${lines[0]?.text}`,
    `list:   ${lines[1]?.text}`,
    `list:   ${lines[2]?.text}`,
    'list: - Piers that are old.',
    `paragraph: ${lines[5]?.text}`,
  ])
})

test('lines that are set to one edge are broken there, however far the text below them reaches', () => {
  const set = [
    'The gauges are read each hour of the day',
    'by the keepers. To them the harbours owe',
    'that ships are told how deep it is today.',
  ]
  const abstract = [...set, 'To promote their use all of it is printed.'].map((text, i) => ({
    text: text.padEnd(42, '.').slice(0, 42),
    y: 100 + i * 12,
    x: 130,
  }))
  const body = Array.from({ length: 4 }, (_, i) => ({ text: long.repeat(2), y: 200 + i * 12 }))
  expect(cut(abstract, 'paragraph', body)).toHaveLength(1)
})
