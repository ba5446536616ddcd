// Lines that the layout pass runs into one and that stand by themselves on the page.

import { expect, test } from 'vitest'
import type { BBox, Block } from '../../block.ts'
import { withCentredLines } from './cut-blocks.ts'

interface Set {
  text: string
  y: number
  /** The middle of the line, or its left edge. */
  middle?: number
  left?: number
}

const place = ({ text, y, middle = 300, left = middle - text.length * 2.5 }: Set) => ({
  text,
  x: left,
  y,
  width: text.length * 5,
  height: 12,
  fontName: 'Serif',
})

const body: Block = { kind: 'paragraph', text: 'The text of the page.', page: 1, bbox: [100, 300, 500, 400] }

function read(lines: readonly Set[], box?: BBox): string[] {
  const items = lines.map(place)
  const whole: BBox = [
    Math.min(...items.map(({ x }) => x)),
    Math.min(...items.map(({ y }) => y)),
    Math.max(...items.map(({ x, width }) => x + width)),
    Math.max(...items.map(({ y, height }) => y + height)),
  ]
  const text = lines.map((line) => line.text).join(' ')
  const block: Block = { kind: 'paragraph', text, page: 1, bbox: box ?? whole }
  return withCentredLines([block, body], items)[0]?.text.split('\n') ?? []
}

const letterhead = [
  { text: 'Harbour office', y: 100 },
  { text: '12 Pier Road, Northhaven 40100', y: 115 },
  { text: 'Telephone: 555 0100', y: 130 },
]
const texts = letterhead.map(({ text }) => text)

test('lines on one axis, with room for the next word, are lines of their own', () => {
  expect(read(letterhead)).toEqual(texts)
  // The layout pass gives a title of several lines the place of its first.
  expect(read(letterhead, [265, 100, 335, 112])).toEqual(texts)
})

test('a text set in the middle that fills its width runs on, and so does a phrase', () => {
  const wide = 'A statement of the harbour master about the gauges and the tides of'
  expect(
    read([
      { text: wide, y: 100 },
      { text: 'The northern pier', y: 115 },
    ]),
  ).toHaveLength(1)
  expect(
    read([
      { text: '(State or other', y: 100 },
      { text: 'Country of registration)', y: 115 },
    ]),
  ).toHaveLength(1)
  expect(
    read([
      { text: 'The gauges and the', y: 100 },
      { text: 'tides of the north', y: 115 },
    ]),
  ).toHaveLength(1)
})

test('lines on one edge are a paragraph', () => {
  expect(read(letterhead.map((line) => ({ ...line, left: 100 })))).toHaveLength(1)
})
