// Type by the widths of its letters.

import type { TextItem } from '@llamaindex/liteparse'
import { expect, test } from 'vitest'
import { findMonospacedItems } from './line-fonts.ts'

const words = ['SELECT', 'harbour', 'FROM', 'basins', 'WHERE', 'depth', 'ORDER', 'keeper']
const line = (fontName: string, widthOf: (text: string, i: number) => number, y: number): TextItem => ({
  text: words.join(' '),
  fontName,
  x: 50,
  y,
  width: 300,
  height: 10,
  words: words.map((text, i) => ({ text, x: 50 + i * 40, y, width: widthOf(text, i), height: 10 })),
})

test('letters of one width are typewriter type, whatever the name of their font', () => {
  const code = [0, 12, 24].map((y) => line('BookMaster', (text) => text.length * 5, y))
  const prose = [50, 62, 74].map((y) => line('Serif', (text, i) => text.length * (4 + (i % 3)), y))
  const short = [line('Sans', (text) => text.length * 5, 100)]
  const named = [line('Courier-Bold', (text, i) => text.length * (4 + i), 120)]
  expect(findMonospacedItems([...code, ...prose, ...short, ...named])).toEqual(new Set([...code, ...named]))
})
