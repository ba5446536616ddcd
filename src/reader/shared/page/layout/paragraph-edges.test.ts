// Paragraphs that the layout pass runs together, parted by what stands between their lines.

import { expect, test } from 'vitest'
import type { PlacedBlock } from './boxes.ts'
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

function cut(lines: readonly Set[], kind: 'paragraph' | 'list' = 'paragraph'): string[] {
  const items = lines.map(place)
  const block: PlacedBlock = {
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
  return cutBlock(block, items).map((piece) => `${piece.kind}: ${piece.text}`)
}

test('bare numbers that stand out begin a paragraph each', () => {
  const lines = [
    { text: '1 Gauges that are read. The keepers read them', y: 100, x: 100 },
    { text: 'each hour of the day and the night.', y: 111, x: 112 },
    { text: '2 Gauges that are not. Nobody reads these as', y: 123, x: 100 },
    { text: 'far as the keepers of the harbour know.', y: 134, x: 112 },
  ]
  expect(cut(lines)).toEqual([
    `paragraph: ${lines[0]?.text} ${lines[1]?.text}`,
    `paragraph: ${lines[2]?.text} ${lines[3]?.text}`,
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
