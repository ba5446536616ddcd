// Boxes and buttons of a form: what is chosen, and what for.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { makePdf } from '../../../../test/support/files/pdf.ts'

const labels = [
  { x: 72, y: 700, text: 'Berth' },
  { x: 200, y: 700, text: 'Inner basin' },
  { x: 320, y: 700, text: 'Outer basin' },
  { x: 72, y: 670, text: 'Mooring' },
  { x: 200, y: 670, text: 'Bow first' },
  { x: 320, y: 670, text: 'Stern first' },
  { x: 100, y: 640, text: 'Shore power' },
  { x: 100, y: 610, text: 'Fresh water' },
]

test('a chosen button is told although its label is printed, each choice after its line', async () => {
  const bytes = makePdf([labels], {
    buttons: [
      { x: 180, y: 697, name: 'berth', title: 'Berth', value: 'Inner basin', isRadio: true },
      { x: 300, y: 697, name: 'berth', value: 'Outer basin', isRadio: true, isChosen: true },
      { x: 180, y: 667, name: 'mooring', title: 'Mooring', value: '0', isRadio: true, isChosen: true },
      { x: 300, y: 667, name: 'mooring', value: '1', isRadio: true },
      { x: 80, y: 637, name: 'CheckBox3', value: 'On' },
      { x: 80, y: 607, name: 'CheckBox4', value: '1', isChosen: true },
    ],
  })
  const { blocks } = await parseBytes('pdf', bytes)
  const texts = blocks.map(({ text }) => text)
  expect(texts.filter((text) => text.includes(':')).sort()).toEqual([
    'Berth: Outer basin',
    'Fresh water: ☒',
    'Mooring: Bow first',
  ])
  expect(texts.indexOf('Berth: Outer basin')).toBeGreaterThan(
    texts.findIndex((text) => text.includes('Inner basin')),
  )
})
