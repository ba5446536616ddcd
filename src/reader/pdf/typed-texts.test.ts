// What somebody typed onto the pages of a PDF with a viewer.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../test/support/files/parse.ts'
import { makePdf, prose } from '../../../test/support/files/pdf.ts'

test('typed text is read once, on its page and at its place; hidden text, and what the page says anyway, is not', async () => {
  const text = Array.from(
    { length: 8 },
    (_, i) => `Name and berth of keeper ${i} of the harbour, in block letters:`,
  )
  const bytes = makePdf([prose(text), prose(text.slice(0, 7))], {
    typed: [
      { x: 300, y: 100, text: 'Ann Lee, berth 12' },
      { x: 300, y: 60, text: 'to be removed', hidden: true },
      { x: 300, y: 40, text: 'keeper 3' },
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
