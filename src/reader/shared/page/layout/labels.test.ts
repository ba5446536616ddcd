// Labels in the margin of clauses and lists.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../../test/support/files/parse.ts'
import { makePdf } from '../../../../../test/support/files/pdf.ts'
import type { BBox } from '../../../block.ts'
import type { PlacedBlock } from './boxes.ts'
import { withLabels } from './labels.ts'

const block = (text: string, bbox: BBox): PlacedBlock => ({ kind: 'paragraph', text, bbox, page: 1 })

test('labels of clauses in a column of their own join their clauses; a number beside another line stays', () => {
  const blocks = withLabels(
    [
      block('13.1', [50, 100, 70, 110]),
      block('(b)', [50, 120, 70, 130]),
      block('7', [50, 200, 60, 210]),
      block('Changes must be in writing.', [90, 100, 300, 110]),
      block('English law governs, and this goes on over two lines.', [90, 120, 300, 142]),
      block('A note that begins above the number.', [90, 180, 300, 210]),
    ],
    [],
  )
  expect(blocks.map(({ text }) => text)).toEqual([
    '7',
    '13.1 Changes must be in writing.',
    '(b) English law governs, and this goes on over two lines.',
    'A note that begins above the number.',
  ])
  expect(blocks[1]?.bbox).toEqual([50, 100, 300, 110])
})

test('labels of a list and of the list in it each begin their entry, also in a text that runs on', async () => {
  const lines: [x: number, label: string, text: string][] = [
    [72, 'a.', 'The keeper walks the mole each evening before the lamps are lit and writes'],
    [72, '', 'the state of the ladders into the book; a broken rung is roped off.'],
    [72, 'b.', 'The keeper has the following in the shed and orders what is missing within'],
    [72, '', 'three days:'],
    [108, 'i.', 'one boat hook of four metres,'],
    [108, 'ii.', 'two life belts with lines,'],
    [108, 'iii.', 'a drum of oil binder, and'],
    [108, 'iv.', 'a lantern with spare wicks.'],
    [72, 'c.', 'After a collision the keeper takes the names of both vessels and calls the'],
    [72, '', 'harbour office within the hour, whatever the damage.'],
  ]
  const texts = lines.flatMap(([x, label, text], i) => {
    const y = 700 - i * 15
    const own = { x: x + 22, y, text, size: 10 }
    return label === '' ? [own] : [{ x, y, text: label, size: 10 }, own]
  })
  const { blocks } = await parseBytes('pdf', makePdf([texts]))
  const entries = blocks.flatMap(({ text }) => text.split('\n').map((line) => line.trim()))
  for (const [, label, text] of lines.filter(([, own]) => own !== ''))
    expect(entries.some((entry) => entry.startsWith(`${label} ${text}`))).toBe(true)
  expect(entries.filter((entry) => /^(?:\w{1,3}\.\s?)+$/.test(entry))).toEqual([])
})
