// Listings on real PDFs: their lines, in order and indented, as one code block; prose in the same type stays prose.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../../test/support/files/parse.ts'
import { makePdf, type PdfText, prose } from '../../../../../test/support/files/pdf.ts'

const sentence = 'The gauges of the northern harbours are read each hour by their keepers, day and night.'
const typed = (lines: readonly string[], top: number): PdfText[] =>
  lines.map((text, i) => ({
    x: 90 + (text.length - text.trimStart().length) * 6,
    y: top - i * 12,
    text: text.trim(),
    size: 10,
    font: 'typewriter',
  }))

const program = [
  'import gauges as g',
  'levels = g.read("north")',
  'for level in levels:',
  '    if level > 4.2:',
  '        warn(level)',
  'print(len(levels))',
]

test('a listing between paragraphs is one code block with its line breaks and indents', async () => {
  const page = [
    ...prose(Array(4).fill(sentence), 740),
    ...typed(program, 670),
    ...prose(Array(4).fill(sentence), 580),
  ]
  const { blocks } = await parseBytes('pdf', makePdf([page]))
  expect(blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'code', 'paragraph'])
  expect(blocks[1]?.text).toBe(program.join('\n'))
})

test('numbers of lines beside a listing stay with their lines', async () => {
  const numbers = program.map((_, i): PdfText => ({ x: 72, y: 670 - i * 12, text: String(i + 1), size: 6 }))
  const page = [
    ...prose(Array(6).fill(sentence), 780),
    ...typed(program, 670),
    ...numbers,
    ...prose(Array(6).fill(sentence), 580),
  ]
  const { blocks } = await parseBytes('pdf', makePdf([page]))
  const code = blocks.filter(({ kind }) => kind === 'code')
  expect(code).toHaveLength(1)
  expect(code[0]?.text.split('\n').map((line) => line.replace(/\s+/g, ' '))).toEqual(
    program.map((line, i) => `${i + 1} ${line.trim()}`),
  )
})

test('a letter in typewriter type is text', async () => {
  const letter = typed(
    Array(8).fill('Dear keeper, the gauge of the northern harbour stands still since Monday,'),
    700,
  )
  const alone = await parseBytes('pdf', makePdf([letter]))
  const quoted = await parseBytes('pdf', makePdf([[...letter, ...prose(Array(20).fill(sentence), 560)]]))
  for (const { blocks } of [alone, quoted])
    expect(blocks.every(({ kind }) => kind === 'paragraph')).toBe(true)
})

test('an address in typewriter type is no listing', async () => {
  const page: PdfText[] = [
    { x: 72, y: 740, text: 'The office of the harbour' },
    { x: 72, y: 726, text: 'keeper@harbour.example.org', font: 'typewriter' },
    ...prose(Array(3).fill('The gauges of the northern harbours are read each hour.'), 700),
  ]
  const { blocks } = await parseBytes('pdf', makePdf([page]))
  expect(blocks.filter(({ kind }) => kind === 'code')).toEqual([])
})
