// Two columns whose lines do not meet, as leaflets set them.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { makePdf, type PdfText } from '../../../../test/support/files/pdf.ts'
import { missingItems } from './missing-text.ts'
import { sideBySide, withoutTangles } from './mixed-lines.ts'

const item = (text: string, x: number, y: number) => ({ text, x, y, width: text.length * 5, height: 10 })

test('a line of the right column that stands half a line lower is no part of the line on the left', () => {
  const left = item('From the first to the last day', 20, 380)
  const right = item('and of gift cards bought', 290, 385)
  const bbox: [number, number, number, number] = [20, 380, 410, 395]
  const block = { kind: 'paragraph' as const, text: `${left.text} ${right.text}`, bbox, page: 1 }
  expect(sideBySide(block, [left, right]).map(({ text }) => text)).toEqual([left.text, right.text])
  const same = [left, { ...right, y: 381 }]
  expect(sideBySide(block, same)).toEqual([block])
})

test('the second line of a heading whose place is that of its first is not read twice', () => {
  const first = item('Harbours and piers', 20, 24)
  const second = [item('1.5%', 20, 38), item('less', 45, 38)]
  const heading = {
    text: 'Harbours and piers 1.5% less',
    bbox: [20, 24, 110, 34] as [number, number, number, number],
  }
  expect(missingItems([first, ...second], [heading]).size).toBe(0)
  const other = item('more', 45, 38)
  expect(missingItems([first, ...second.slice(0, 1), other], [heading]).has(other)).toBe(true)
})

test('signs at the end of a line stay on it', async () => {
  const lines = ['- q5 = {Coke} x {July} = { }', '- q6 = {Pepsi} x {August}', '- q7 = {Soda} x {Paris}']
  const texts = lines.map((text, i): PdfText => ({ x: 72, y: 700 - i * 12, text, size: 10 }))
  const { blocks } = await parseBytes('pdf', makePdf([texts]))
  expect(blocks.flatMap(({ text }) => text.split('\n'))).toEqual(lines)
})

test('words in bold below the first line of a text are no part of the heading above it', () => {
  const lines = [
    'Results of the test',
    'Two of the animals gave none (ear tags UK 341',
    '00417 and UK 341) and none was positive.',
    'What this means for you:',
  ]
  const items = lines.map((text, i) => item(text, 20, 100 + i * 12))
  const layout = (kind: 'heading' | 'paragraph', top: number, bottom: number, ...own: number[]) => ({
    kind,
    text: own.map((i) => lines[i]).join(' '),
    bbox: { x: 20, y: top, width: 230, height: bottom - top },
  })
  const tangled = [layout('heading', 100, 134, 0, 2), layout('paragraph', 112, 146, 1, 3)]
  expect(withoutTangles(tangled, items).map(({ text }) => text)).toEqual([lines[0], lines.slice(1).join(' ')])
  // A heading of two lines above its text.
  const apart = [layout('heading', 100, 122, 0, 1), layout('paragraph', 124, 146, 2, 3)]
  expect(withoutTangles(apart, items)).toEqual(apart)
})
