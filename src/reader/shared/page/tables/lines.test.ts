// Words put into lines by their places.

import { expect, test } from 'vitest'
import type { BBox } from '../../../block.ts'
import { textLines } from './lines.ts'

const word = (text: string, bbox: BBox) => {
  const [x, y, right, bottom] = bbox
  return { text, bbox, item: { text, x, y, width: right - x, height: bottom - y } }
}

test('a raised mark behind a label does not part it from its figures', () => {
  const lines = textLines([
    word('Sales', [60, 161, 80, 166.4]),
    word('318', [240, 161.4, 250, 166.8]),
    word('Exports', [60, 169.11, 88, 174.51]),
    word('(4)', [90, 167.61, 95, 171.23]),
    word('41', [240, 169.47, 246, 174.87]),
    word('39', [290, 169.47, 296, 174.87]),
  ])
  expect(lines.map(({ segments }) => segments.map(({ text }) => text))).toEqual([
    ['Sales', '318'],
    ['Exports (4)', '41', '39'],
  ])
})
