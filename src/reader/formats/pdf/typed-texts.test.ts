// What somebody typed onto the pages of a PDF with a viewer.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { grid, makePdf, prose } from '../../../../test/support/files/pdf.ts'
import type { BBox, Block } from '../../block.ts'
import { addTypedTexts } from './typed-texts.ts'

test('typed text is read once, on its page and at its place; hidden text, and what the page says anyway, is not', async () => {
  const text = Array.from(
    { length: 8 },
    (_, i) => `Name and berth of keeper ${i} of the harbour, in block letters:`,
  )
  const bytes = makePdf([prose(text), prose(text.slice(0, 7))], {
    typed: [
      { x: 300, y: 100, text: 'Ann Lee, berth 12' },
      { x: 300, y: 60, text: 'to be removed', hidden: true },
      { x: 72, y: 658, text: 'keeper 3' },
    ],
  })
  const { blocks } = await parseBytes('pdf', bytes)
  const typed = blocks.filter(({ bbox }) => bbox !== undefined && bbox[1] > 600)
  expect(typed.map(({ kind, text, page, bbox }) => [kind, text, page, bbox])).toEqual([
    ['paragraph', 'Ann Lee, berth 12', 1, [300, 678, 500, 692]],
    ['paragraph', 'Ann Lee, berth 12', 2, [300, 678, 500, 692]],
  ])
  expect(blocks.map(({ text }) => text).join()).not.toContain('removed')
})

test('answers whose words the page has elsewhere are read, each in its field', async () => {
  const text = Array.from({ length: 7 }, (_, i) => `Does keeper ${i} hold a key of the harbour, yes or no?`)
  const bytes = makePdf([prose([...text, 'Name of the keeper and of whoever pays:'])], {
    typed: ['Yes', 'Ann Lee', 'Ann Lee', '6'].map((answer, i) => ({ x: 300, y: 200 - 40 * i, text: answer })),
  })
  const { blocks } = await parseBytes('pdf', bytes)
  const typed = blocks.filter(({ bbox }) => bbox !== undefined && bbox[1] > 560)
  expect(typed.map((block) => block.text)).toEqual(['Yes', 'Ann Lee', 'Ann Lee', '6'])
})

test('a page that was recognised shows what was typed onto it, wherever recognition places it', () => {
  const typed = [
    { page: 1, text: 'Berth 12', bbox: [300, 700, 400, 712] as BBox },
    { page: 1, text: 'Berth 13', bbox: [300, 730, 400, 742] as BBox },
  ]
  const page = (recognised: boolean) => ({
    number: 1,
    height: 792,
    recognised,
    blocks: [{ kind: 'paragraph', text: 'Berth 12, Ann Lee', bbox: [72, 72, 200, 84] }] as Block[],
  })
  const pages = [page(true), page(false)]
  for (const one of pages) addTypedTexts([one], typed)
  expect(pages.map(({ blocks }) => blocks.slice(1).map(({ text }) => text))).toEqual([
    ['Berth 13'],
    ['Berth 12', 'Berth 13'],
  ])
})

test('a table goes on over the page although something is typed below it', async () => {
  const cells = (from: number, rows: number) =>
    Array.from({ length: rows }, (_, i) => [`Pier ${from + i}`, `${40 + from + i}`, `${70 + from + i}`])
  const first = grid([['Pier', 'Fee', 'Tons'], ...cells(1, 34)], [72, 200, 320], 700)
  const second = grid([['Pier', 'Fee', 'Tons'], ...cells(35, 8)], [72, 200, 320], 740)
  const bytes = makePdf([first, second], { typed: [{ x: 400, y: 40, text: 'Seen, Ann Lee' }] })
  const { blocks } = await parseBytes('pdf', bytes)
  expect(blocks.map(({ kind, page }) => [kind, page])).toEqual([
    ['table', 1],
    ['paragraph', 1],
    ['paragraph', 2],
  ])
})

test('notes are read with their author; hidden ones and copies of what they mark are not', async () => {
  const text = Array.from(
    { length: 8 },
    (_, i) => `Penalty ${i} of the contract: one per cent of the price a week.`,
  )
  const bytes = makePdf([prose(text)], {
    typed: [
      { x: 520, y: 690, text: 'Ask counsel about this rate', note: 'Text', author: 'Ann Lee' },
      { x: 72, y: 670, text: 'one per cent', note: 'Highlight' },
      { x: 72, y: 642, text: 'Too high', note: 'Highlight' },
      { x: 520, y: 600, text: 'Draft remark', note: 'Text', hidden: true },
    ],
  })
  const { blocks } = await parseBytes('pdf', bytes)
  expect(blocks.filter(({ kind }) => kind === 'note').map((block) => block.text)).toEqual([
    'Comment by Ann Lee: Ask counsel about this rate',
    'Comment: Too high',
  ])
})
