// What is made of Tesseract's paragraphs: words stand 10 pixels a letter wide, 20 high.

import { expect, test } from 'vitest'
import type { Line, OcrBlock, Paragraph, Word } from '../ocr/recognised.ts'
import { toBlocks } from './blocks.ts'

function lineAt(text: string, left: number, top: number, height = 20): Line {
  let x0 = left
  const words = text.split(' ').map((word) => {
    const bbox = { x0, y0: top, x1: x0 + word.length * 10, y1: top + height }
    x0 = bbox.x1 + 8
    return { text: word, confidence: 95, bbox } as Word
  })
  return { words } as Line
}

const paragraph = (top: number, lines: string[], left = 70): Paragraph =>
  ({ lines: lines.map((text, i) => lineAt(text, left, top + i * 26)) }) as Paragraph
const texts = (...paragraphs: Paragraph[]): string[] =>
  toBlocks([{ paragraphs } as OcrBlock]).map(({ text }) => text)

const letter = ['Your next visit is on 6 October 2026 at ten.', 'Call us before; a missed appointment costs']

test('the short last line of a paragraph stays with it when Tesseract takes it for one of its own', () => {
  const [joined, ...more] = texts(paragraph(100, letter), paragraph(152, ['£35.']))
  expect(joined).toBe(`${letter.join(' ')} £35.`)
  expect(more).toEqual([])
})

test.each([
  ['further down', paragraph(178, ['£35.'])],
  ['further right', paragraph(152, ['£35.'], 400)],
  ['above, in the next column', paragraph(40, ['£35.'])],
  ['an item of a list', paragraph(152, ['- £35.'])],
])('what stands %s is a paragraph of its own', (_where, next) => {
  expect(texts(paragraph(100, letter), next)).toHaveLength(2)
})

test('a sentence that has ended, a line that ends early and a title go on in nothing', () => {
  const ended = letter.map((line, i) => (i === 1 ? `${line}.` : line))
  expect(texts(paragraph(100, ended), paragraph(152, ['£35.']))).toHaveLength(2)
  expect(texts(paragraph(100, [letter.join(' '), 'costs']), paragraph(152, ['£35.']))).toHaveLength(2)
  expect(texts(paragraph(100, ['Notice of fees']), paragraph(126, ['A visit costs £35.']))).toHaveLength(2)
})

test('the last column of a table is its column when Tesseract gives it behind what stands below', () => {
  const tests = ['Glucose', 'Creatinine', 'Platelets']
  const results = ['118 mg/dL', '1.1 mg/dL', '245,000']
  const rows = tests.map((name, i) => {
    const top = 100 + i * 40
    return { words: [...lineAt(name, 70, top).words, ...lineAt(results[i] ?? '', 300, top).words] } as Line
  })
  const ranges = ['70-100', '0.7-1.3', '150,000'].map((text, i) => lineAt(text, 600, 100 + i * 40))
  const [table, prose, ...more] = toBlocks(
    [{ lines: rows }, paragraph(300, letter), { lines: ranges }].map(
      (one) => ({ paragraphs: [one] }) as unknown as OcrBlock,
    ),
  )
  expect(table?.text).toContain('| Platelets | 245,000 | 150,000 |')
  expect(prose?.text).toBe(letter.join(' '))
  expect(more).toEqual([])
})

/** A table of three columns whose last column and head came apart: what is beside stands in blocks of its own. */
function withMargin(...margin: [text: string, row: number][]): ReturnType<typeof toBlocks> {
  const rows = ['Test', 'Glucose', 'Creatinine', 'Platelets'].map((name, i) => {
    const top = 100 + i * 40
    return { words: [...lineAt(name, 70, top).words, ...lineAt(`${i}.5`, 300, top).words] } as Line
  })
  const beside = margin.map(([text, row]) => ({ lines: [lineAt(text, 600, 100 + row * 40)] }))
  return toBlocks([{ lines: rows }, ...beside].map((one) => ({ paragraphs: [one] }) as unknown as OcrBlock))
}

test('a column of few filled cells is one, with its head, though it came in pieces', () => {
  const [table, ...more] = withMargin(['Flag', 0], ['HIGH', 1], ['HIGH', 3])
  expect(table?.text).toBe(
    '| Test | 0.5 | Flag |\n| --- | --- | --- |\n| Glucose | 1.5 | HIGH |\n| Creatinine | 2.5 |  |\n| Platelets | 3.5 | HIGH |',
  )
  expect(more).toEqual([])
})

test('the head of a column that stands in another block than its cells is its head', () => {
  const rows = ['Test', 'Glucose', 'Creatinine', 'Platelets'].map((name, i) => {
    const cells = i === 0 ? ['Result'] : [`${i}.5`, `70-10${i} mg/dL`]
    const lines = [name, ...cells].map((text, column) => lineAt(text, 70 + column * 200, 100 + i * 40))
    return { words: lines.flatMap(({ words }) => words) } as Line
  })
  const found = [rows, [lineAt('Range', 490, 100)], [lineAt('Flag', 700, 100)], [lineAt('HIGH', 700, 140)]]
  const [table, ...more] = toBlocks(
    found.map((lines) => ({ paragraphs: [{ lines }] }) as unknown as OcrBlock),
  )
  expect(table?.text).toContain('| Test | Result | Range | Flag |')
  expect(table?.text).toContain('| Glucose | 1.5 | 70-101 mg/dL | HIGH |')
  expect(more).toEqual([])
})

test('a note in the margin, and a column of text beside a table, are none', () => {
  expect(withMargin(['Page', 1], ['12', 2])).toHaveLength(3)
  expect(withMargin(['Flag', 0], ['HIGH', 1], ['HIGH', 2.5], ['HIGH', 3])).toHaveLength(5)
  const prose = 'Your next visit is on'
  expect(withMargin([prose, 0], [prose, 1], [prose, 2])).toHaveLength(4)
})

const blocksOf = (...lines: Line[]): ReturnType<typeof toBlocks> =>
  toBlocks([{ paragraphs: [{ lines }] } as unknown as OcrBlock])

/** Lines below one another. */
const column = (lines: string[], left = 70, top = 100): Line[] =>
  lines.map((text, i) => lineAt(text, left, top + i * 26))

test('lines behind marks are a list, however the marks were read, or were not', () => {
  const lines = column(['+ Primary care: four weeks', '« Lab work: six weeks', '* Eyes: a year'])
  const unread = { ...lineAt('Diet: a week', 88, 178), bbox: { x0: 70, y0: 178, x1: 190, y1: 198 } }
  const [list, ...more] = blocksOf(...lines, unread as Line)
  expect(list).toMatchObject({ kind: 'list' })
  expect(list?.text).toBe('- Primary care: four weeks\n- Lab work: six weeks\n- Eyes: a year\n- Diet: a week')
  expect(more).toEqual([])
})

test('one mark that may be another thing makes a list beside marks that nobody read', () => {
  const unread = (line: string, top: number): Line =>
    ({ ...lineAt(line, 88, top), bbox: { x0: 70, y0: top, x1: 300, y1: top + 20 } }) as Line
  const [list] = blocksOf(unread('Lab work', 100), lineAt('= Eyes', 70, 126), unread('Diet', 152))
  expect(list).toMatchObject({ kind: 'list', text: '- Lab work\n- Eyes\n- Diet' })
})

test('numbers that count are a list, entries further in are of the next level, lines below an entry its own', () => {
  expect(blocksOf(...column(['1. Lisinopril once daily', '2. Metformin twice daily']))).toMatchObject([
    { kind: 'list', text: '1. Lisinopril once daily\n2. Metformin twice daily' },
  ])
  const [list] = blocksOf(
    lineAt('1. Headache:', 70, 100),
    lineAt('- Refer to neurology, if', 100, 126),
    lineAt('symptoms persist', 118, 152),
    lineAt('- Sleep', 100, 178),
  )
  expect(list?.text).toBe('1. Headache:\n  - Refer to neurology, if symptoms persist\n  - Sleep')
})

test('a dash that begins one line, figures and years are no list', () => {
  const prose = ['The tide came at four and', '- as the almanac says - went', 'at ten.']
  expect(blocksOf(...column(prose)).map(({ kind }) => kind)).toEqual(['paragraph'])
  expect(blocksOf(...column(['7. May was wet', '9. June was not'])).map(({ kind }) => kind)).toEqual([
    'paragraph',
  ])
})

test.each([
  ['changes with their signs', ['+ 12 per cent in the north', '- 7 per cent in the south']],
  ['lines that are quoted', ['« Non, je reste ici', '« Bien sûr »']],
  ['sides of an equation', ['= three b', '= nineteen']],
])('%s are no list, and keep what they begin with', (_what, lines) => {
  const [block, ...more] = blocksOf(...column(lines))
  expect(block?.kind).toBe('paragraph')
  expect(block?.text.replaceAll('\n', ' ')).toBe(lines.join(' '))
  expect(more).toEqual([])
})

const text = Array.from({ length: 6 }, () => 'the board met in the hall and the minutes were read')

test('lines of taller letters that stand alone are headings, with levels by their height', () => {
  const found = [
    [lineAt('HARBOUR REPORT', 70, 20, 40)],
    [
      lineAt('The state of the buoys', 70, 80, 30),
      lineAt('and of the beacons', 70, 112, 30),
      ...column(text, 70, 150),
    ],
    [lineAt('Results', 70, 330, 25)],
  ]
  const blocks = toBlocks(found.map((lines) => ({ paragraphs: [{ lines }] }) as unknown as OcrBlock))
  expect(blocks.map(({ kind, level }) => [kind, level])).toEqual([
    ['heading', 1],
    ['heading', 2],
    ['paragraph', undefined],
    ['heading', 3],
  ])
  expect(blocks[1]?.text).toBe('The state of the buoys and of the beacons')
})

test.each([
  ['a sentence', 'The board met.', 30],
  ['a label', 'Name:', 30],
  ['the number of a page', 'Page 2 of 3', 30],
  ['a little taller, before text of its own block', 'Results of it', 25],
])('%s is no heading', (_what, line, height) => {
  const blocks = blocksOf(lineAt(line, 70, 60, height), ...column(text))
  expect(blocks.map(({ kind }) => kind)).not.toContain('heading')
})

test('an address above a table of its size is no heading, though small print is most of the page', () => {
  const address = ['Alder and Sons', 'High Street', 'Northam'].map((line, i) =>
    lineAt(line, 70, 20 + i * 30, 27),
  )
  const rows = ['Chain', 'Shackle', 'Buoy', 'Rope'].map((name, i) => {
    const top = 120 + i * 30
    return { words: [...lineAt(name, 70, top, 27).words, ...lineAt('48.00', 400, top, 27).words] } as Line
  })
  const found = [address, rows, column([...text, ...text], 70, 300)]
  const blocks = toBlocks(found.map((lines) => ({ paragraphs: [{ lines }] }) as unknown as OcrBlock))
  expect(blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'table', 'paragraph'])
})

test('entries of a list are no headings of the smaller ones below them', () => {
  const entries = ['• What was found', '* What is due'].map((line, i) => lineAt(line, 70, 20 + i * 42, 32))
  expect(blocksOf(...entries, ...column(text, 70, 120)).map(({ kind }) => kind)).not.toContain('heading')
})

test.each([
  ['École normale', 0],
  ['Дом Реформы', 1],
  ['Française ici', 0],
])('an accent and what hangs do not make letters taller: %s', (line, tall) => {
  const first = lineAt(line, 70, 60)
  first.words.forEach((word, i) => {
    if (i === tall) word.bbox.y0 -= 5
  })
  const found = [[first], column(text)]
  const blocks = toBlocks(found.map((lines) => ({ paragraphs: [{ lines }] }) as unknown as OcrBlock))
  expect(blocks.map(({ kind }) => kind)).not.toContain('heading')
})

test('lines of Chinese are joined as they are written, without a space', () => {
  expect(blocksOf(...column(['迅速激发细胞活', '力，帮助肌肤完'])).map(({ text: said }) => said)).toEqual([
    '迅速激发细胞活力，帮助肌肤完',
  ])
})

test('what is large on a page of a few words heads nothing', () => {
  expect(blocksOf(lineAt('SALE', 70, 60, 90), ...column(text.slice(0, 2))).map(({ kind }) => kind)).toEqual([
    'paragraph',
  ])
})

/** A table of three columns; the first two heads stand as close as words do. */
const closeHeads = [
  ['Name of pier', 'Boats', 'Keepers'],
  ...['North', 'South', 'Outer'].map((name) => [name, '1', 'Holm']),
].map((cells, row) => {
  const at = row === 0 ? [70, 198, 300] : [70, 210, 300]
  return { words: cells.flatMap((text, i) => lineAt(text, at[i] ?? 0, 100 + row * 26).words) } as Line
})
const within = (at: number): string | undefined =>
  toBlocks([{ paragraphs: [{ lines: closeHeads }] } as unknown as OcrBlock], {
    rules: [{ at, from: 90, to: 210, thickness: 2 }],
    gutters: [],
  })[0]?.text

test('heads as close as words are of two columns where a rule is between them; one through a word parts none', () => {
  expect(within(194)).toContain('| Name of pier | Boats | Keepers |')
  expect(within(90)).not.toContain('| Name of pier | Boats |')
  expect(within(170)).not.toContain('| Name of pier | Boats |')
})

test('what stands on top in one of two boxes heads nothing below them', () => {
  const words = [...lineAt('Signed: Holm', 70, 60).words, ...lineAt('APPROVED', 600, 50, 40).words]
  const stamped = { words, bbox: { x0: 70, y0: 50, x1: 680, y1: 90 } }
  const found = [[stamped as Line], column(text)].map(
    (lines) => ({ paragraphs: [{ lines }] }) as unknown as OcrBlock,
  )
  const blocks = toBlocks(found, { rules: [], gutters: [[300, 40, 500, 95]] })
  expect(blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'paragraph', 'paragraph'])
  expect(blocks[1]?.text).toBe('APPROVED')
})
