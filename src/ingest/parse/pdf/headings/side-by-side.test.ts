// Two columns whose lines do not meet, as leaflets set them.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../../test/support/files/parse.ts'
import { makePdf, type PdfText } from '../../../../../test/support/files/pdf.ts'
import { missingItems } from '../layout/missing-text.ts'
import { sideBySide } from './side-by-side.ts'

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
