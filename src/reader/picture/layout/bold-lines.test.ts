// Bold lines of a scan: words stand 10 pixels a letter wide, 20 high, their strokes are given, or drawn as bars.

import { expect, test } from 'vitest'
import type { Line, OcrBlock, Word } from '../ocr/recognised.ts'
import { measureStrokes, type StrokeWidths } from '../raster/stroke-width.ts'
import { toBlocks } from './blocks.ts'

const TEXT = 4

interface Set {
  text: string
  left?: number
  top: number
  stroke?: number
}

function lineAt({ text, left = 70, top }: Set): Line {
  let x0 = left
  const words = text.split(' ').map((word) => {
    const bbox = { x0, y0: top, x1: x0 + word.length * 10, y1: top + 20 }
    x0 = bbox.x1 + 8
    return { text: word, confidence: 95, bbox } as Word
  })
  return { words, bbox: { x0: left, y0: top, x1: x0 - 8, y1: top + 20 } } as Line
}

const prose: Set[] = [
  'The rooms are let by the week, and the deposit is',
  'held until the last day of the last month of it, or',
  'until the keys are handed back, whichever comes last.',
  'A room that is let for a shorter time costs the same',
  'and the deposit is held for as long as the others are.',
].map((text, i) => ({ text, top: 300 + i * 30 }))

/** What is made of the lines, a block of Tesseract's each. */
function kinds(...lines: Set[]): [string, string][] {
  const strokes: [Word, number][] = []
  const found = [...lines, ...prose].map((set) => {
    const line = lineAt(set)
    for (const word of line.words) strokes.push([word, set.stroke ?? TEXT])
    return { paragraphs: [{ lines: [line] }] } as unknown as OcrBlock
  })
  const blocks = toBlocks(found, { rules: [], gutters: [], strokes: new Map(strokes) })
  return blocks.map(({ kind, text }) => [kind, text])
}

const bold = (text: string, top: number, left = 70): Set => ({ text, top, left, stroke: TEXT * 1.3 })

test('a bold line of the text’s own size above text is a heading, one of two lines is one', () => {
  expect(kinds(bold('Deposits and keys', 240))[0]).toEqual(['heading', 'Deposits and keys'])
  expect(kinds(bold('Deposits:', 240))[0]).toEqual(['heading', 'Deposits:'])
  expect(kinds(bold('Deposits and keys (no.: 7)', 240))[0]?.[0]).toBe('heading')
  const [first] = kinds(bold('Deposits, keys and whatever', 220), bold('Else is handed over', 246))
  expect(first).toEqual(['heading', 'Deposits, keys and whatever Else is handed over'])
})

test('the number of a section may stand apart from its name', () => {
  const line = bold('3.1', 240)
  const strokes: [Word, number][] = []
  const words = [...lineAt(line).words, ...lineAt(bold('Deposits and keys', 240, 150)).words]
  for (const word of words) strokes.push([word, TEXT * 1.3])
  const rest = prose.map(lineAt)
  for (const word of rest.flatMap((one) => one.words)) strokes.push([word, TEXT])
  const found = [{ ...lineAt(line), words }, ...rest].map(
    (one) => ({ paragraphs: [{ lines: [one] }] }) as unknown as OcrBlock,
  )
  const [first] = toBlocks(found, { rules: [], gutters: [], strokes: new Map(strokes) })
  expect([first?.kind, first?.text]).toEqual(['heading', '3.1 Deposits and keys'])
})

test('a line that is hardly thicker than the others is text', () => {
  expect(kinds({ text: 'Deposits and keys', top: 240, stroke: TEXT * 1.1 })[0]?.[0]).toBe('paragraph')
})

test.each([
  ['a sentence', [bold('The deposit is held until the keys are back.', 240)]],
  ['a list of names', [bold('Ann Lee, Bo Park, Cy Diaz, Di Wu', 240)]],
  ['what leads to a list', [bold('Please hand over these things on the last of your days:', 240)]],
  ['a label with its figure', [bold('Invoice Number: 20481', 240)]],
  ['a telephone', [bold('Telephone: +47 555 0134', 240)]],
  ['a mail address', [bold('Contact: Ann Lee, ann@yard.example', 240)]],
  ['its last part', [bold('and are held until then', 240)]],
  ['the head of a column', [bold('Deposit', 240, 400)]],
  ['a cell of a row', [bold('Deposit', 240), { text: '120.00', top: 240, left: 300 }]],
  ['many lines', [150, 176, 202, 228].map((top) => bold('Deposits and keys', top))],
])('%s in bold letters is no heading', (_what, lines) => {
  expect(kinds(...lines).map(([kind]) => kind)).not.toContain('heading')
})

test('a bold line with nothing below it is none', () => {
  const all = kinds(bold('Deposits and keys', 500))
  expect(all.map(([kind]) => kind)).not.toContain('heading')
})

/** Upright bars, `thick` pixels wide, their edges as soft as a scan's. */
function barred(thick: number, shade: number, ground: number): StrokeWidths {
  const [width, height] = [120, 30]
  const data = new Uint8Array(width * height).fill(ground)
  for (let y = 4; y < 26; y++)
    for (let left = 10; left < 110; left += 20) {
      for (let x = left; x < left + thick; x++) data[y * width + x] = shade
      data[y * width + left - 1] = (shade + ground) / 2
      data[y * width + left + thick - 1] = (shade + ground) / 2
    }
  const word = { text: 'ill', bbox: { x0: 5, y0: 4, x1: 115, y1: 26 } } as Word
  return measureStrokes(
    { width, height, data },
    [{ paragraphs: [{ lines: [{ words: [word] }] }] } as OcrBlock],
    0,
  )
}

test('a stroke is as wide as it is, whatever its shade and its ground', () => {
  for (const [shade, ground] of [
    [0, 255],
    [120, 240],
    [250, 60],
  ] as const)
    expect([...barred(6, shade, ground).values()][0]).toBeCloseTo(6, 1)
})
