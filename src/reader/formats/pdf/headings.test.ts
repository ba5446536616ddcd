// Headings of real PDFs: found where they are set in bold of the text's own size, cut from what they stand above, and
// on levels that follow size, names, numbers and writing.

import type { LayoutBlock, ParsedPage } from '@llamaindex/liteparse'
import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { grid, makePdf, type PdfText, prose } from '../../../../test/support/files/pdf.ts'
import type { BBox, Block } from '../../block.ts'
import type { PlacedBlock } from '../../shared/page/layout/boxes.ts'
import { findLoneHeadings } from '../../shared/page/layout/missed-headings.ts'
import { pageBlocks } from '../../shared/page/layout/page-blocks.ts'
import { setHeadingLevels } from './heading-levels.ts'

const bold = (text: string, y: number, size = 11, x = 72): PdfText => ({ x, y, text, size, bold: true })
const sentence = 'The gauges of the northern harbours are read each hour by their keepers, day and night.'
const text = (count: number, top: number): PdfText[] => prose(Array(count).fill(sentence), top)

const headings = (blocks: readonly Block[]): string[] =>
  blocks.flatMap((block) => (block.kind === 'heading' ? [`${block.level} ${block.text}`] : []))

test('a heading in bold of the text’s own size, right above it, is no part of the paragraph', async () => {
  const page = [
    bold('Readings of the gauges', 740),
    ...text(3, 726),
    bold('Repairs', 684),
    bold('Northern pier', 670),
    ...text(3, 656),
    bold('Costs of', 614),
    bold('the whole year', 600),
    ...text(2, 586),
  ]
  const { blocks } = await parseBytes('pdf', makePdf([page]))
  expect(blocks.filter(({ kind }) => kind === 'heading').map((block) => block.text)).toEqual([
    'Readings of the gauges',
    'Repairs Northern pier',
    'Costs of the whole year',
  ])
  for (const block of blocks.filter(({ kind }) => kind === 'paragraph'))
    expect(block.text.replaceAll(sentence, '').trim()).toBe('')
})

test('a line in bold over the caption of a table is a heading', async () => {
  const page = [
    bold('The gauge of the harbour', 740, 20),
    ...text(3, 700),
    bold('General data', 620),
    { x: 72, y: 600, text: 'Table 2. All versions', size: 9 },
    ...grid(
      [
        ['Property', 'Value'],
        ['Weight', '1.4 kg'],
        ['Memory', '4,000'],
        ['Warranty', '36 months'],
      ],
      [72, 250],
      580,
    ),
  ]
  const { blocks } = await parseBytes('pdf', makePdf([page]))
  expect(headings(blocks).map((each) => each.slice(2))).toEqual(['The gauge of the harbour', 'General data'])
})

test('a heading in larger type goes on in no paragraph, whatever that begins with', () => {
  const line = (text: string, y: number, size: number, fontName: string) => ({
    item: { text, x: 72, y, width: text.length * 5, height: size, fontSize: size, fontName },
    bbox: [72, y, 72 + text.length * 5, y + size] as BBox,
    text,
  })
  const kinds = (size: number): string[] => {
    const [title, text] = [
      line('MINUTES OF THE MEETING OF ALL', 100, size, 'Serif-Bold'),
      line('held in the reading room on', 102 + size, 10, 'Serif'),
    ]
    const blocks: PlacedBlock[] = [
      { kind: 'heading', level: 1, page: 1, text: title.text, bbox: title.bbox },
      { kind: 'paragraph', page: 1, text: text.text, bbox: text.bbox },
    ]
    return findLoneHeadings(blocks, [title.item, text.item]).map(({ kind }) => kind)
  }
  expect(kinds(14)).toEqual(['heading', 'paragraph'])
  // In the text's own size it is what the paragraph begins with.
  expect(kinds(10)).toEqual(['paragraph'])
})

test('words in bold that begin a paragraph, and names with their values, are no headings', async () => {
  const entry = (name: string, value: string, y: number): PdfText[] => [
    bold(name, y),
    { x: 72 + name.length * 6.2, y, text: value },
  ]
  const page = [
    bold('Report of the harbour', 740, 20),
    ...entry('Report number:', '17', 700),
    ...entry('Harbour name:', 'Northern basin', 686),
    ...entry('Keeper of it:', 'Hansen', 672),
    ...entry(
      'On the state',
      'of the northern harbour in the year that is told of here, with all of the tides and',
      630,
    ),
    ...prose(
      ['its gauges and their keepers, and what was spent on them in all.', sentence.slice(0, 80)],
      616,
    ),
  ]
  const { blocks } = await parseBytes('pdf', makePdf([page]))
  expect(blocks.filter(({ kind }) => kind === 'heading').map((block) => block.text)).toEqual([
    'Report of the harbour',
  ])
  expect(blocks.map((block) => block.text)).toContain('Report number: 17\nHarbour name: Northern basin')
})

test('parts and items stand above what has no name, capitals above small letters', async () => {
  const pages = [
    [bold('FORM 10', 740, 24), bold('Northern Harbour Company', 700, 16), ...text(12, 660)],
    [bold('PART I', 740), bold('ITEM 1. BUSINESS', 715), bold('OFFERINGS', 690), ...text(3, 670)],
    [bold('Pilots', 740), ...text(3, 720), bold('OPERATIONS', 660), bold('Tugs', 635), ...text(3, 615)],
    [
      bold('ITEM 2. PROPERTIES', 740),
      ...text(9, 715),
      bold('PART II', 560),
      bold('ITEM 3. DATA', 535),
      ...text(3, 510),
    ],
  ]
  const { blocks } = await parseBytes('pdf', makePdf(pages))
  expect(headings(blocks)).toEqual([
    '1 FORM 10',
    '2 Northern Harbour Company',
    '1 PART I',
    '2 ITEM 1. BUSINESS',
    '3 OFFERINGS',
    '4 Pilots',
    '3 OPERATIONS',
    '4 Tugs',
    '2 ITEM 2. PROPERTIES',
    '1 PART II',
    '2 ITEM 3. DATA',
  ])
})

test('numbers say levels where type does not', () => {
  const blocks = ['1 Scope', '2 Method', '2.1 Gauges', '2.1.1 Northern pier', '3. Results', 'References'].map(
    (words): Block => ({ kind: 'heading', text: words, level: 1 }),
  )
  setHeadingLevels(blocks.map((block) => ({ block, size: 12, isItalic: false })))
  expect(headings(blocks)).toEqual([
    '1 1 Scope',
    '1 2 Method',
    '2 2.1 Gauges',
    '3 2.1.1 Northern pier',
    '1 3. Results',
    '1 References',
  ])
})

test('numbered clauses, indented paragraphs and entries that stand out are read one by one', async () => {
  const clause = (number: string, top: number): PdfText[] => [
    { x: 72, y: top, text: number },
    ...prose(
      [
        'The rent is paid in advance in four equal parts, each of them at the first day of',
        'February, of May, of August and of November.',
      ],
      top,
      103,
    ),
  ]
  const clauses = ['4.1', '4.2', '4.3'].flatMap((number, i) => clause(number, 740 - i * 34))
  const lines = 'The gauges of the harbour are read by their keepers'
  const indented = [0, 1, 2].flatMap((i): PdfText[] =>
    [0, 1, 2].map((k) => ({
      x: k === 0 ? 90 : 72,
      y: 740 - (i * 3 + k) * 14,
      text: k === 2 ? 'and by nobody else.' : k ? `${lines.toLowerCase()} on day ${i}` : `${lines} at night`,
    })),
  )
  const rent =
    'The rent is paid in advance in four equal parts, each of them at the first day of February, of May, of August and of November.'
  const read = (await parseBytes('pdf', makePdf([clauses]))).blocks.map((block) => block.text)
  expect(read).toEqual(['4.1', '4.2', '4.3'].map((number) => `${number} ${rent}`))
  const { blocks } = await parseBytes('pdf', makePdf([indented]))
  expect(blocks.map((block) => block.text.match(/day \d and by nobody else\.$/)?.[0])).toEqual(
    [0, 1, 2].map((i) => `day ${i} and by nobody else.`),
  )
})

test('paragraphs a blank line apart are paragraphs; what follows a list is none of it', async () => {
  const letter = ['5 May 2023', 'To whom it may concern,', sentence, 'Yours sincerely', 'J. Hansen']
  const page = letter.flatMap((line, i) =>
    prose([line, ...(i === 2 ? [line] : [])], 740 - i * 28 - (i > 2 ? 14 : 0)),
  )
  const { blocks } = await parseBytes('pdf', makePdf([page]))
  expect(blocks.map((block) => block.text)).toEqual([
    ...letter.slice(0, 2),
    `${sentence} ${sentence}`,
    ...letter.slice(3),
  ])
  const list = [
    { x: 80, y: 740, text: '1. the gauges of the northern harbours and' },
    { x: 93, y: 726, text: 'all of their keepers' },
    { x: 80, y: 712, text: '2. the repairs of the northern pier and' },
    { x: 93, y: 698, text: 'what they cost' },
    ...prose(['Of these things the report says what was spent,', 'and on what.'], 684),
  ]
  const read = await parseBytes('pdf', makePdf([list]))
  expect(read.blocks.at(-1)).toMatchObject({
    kind: 'paragraph',
    text: 'Of these things the report says what was spent, and on what.',
  })
})

test('a box to be ticked stays at the end of its line, and an item’s title may end with a full stop', async () => {
  const page = [
    bold('The year of the harbour', 760, 20),
    bold('Item 5.07. Submission of all matters to a vote of the keepers.', 720),
    ...text(2, 696),
    { x: 72, y: 650, text: 'Growing harbour, as the law says ☐', font: 'unicode' } as const,
    ...text(2, 628),
  ]
  const { blocks } = await parseBytes('pdf', makePdf([page]))
  expect(headings(blocks).map((each) => each.slice(2))).toContain(
    'Item 5.07. Submission of all matters to a vote of the keepers.',
  )
  const [before, after = ''] = blocks
    .map((block) => block.text)
    .join('\n')
    .split('☐')
  expect(before?.endsWith('as the law says ')).toBe(true)
  expect(after.trim().startsWith('The gauges')).toBe(true)
})

test('a contract’s titles in its own type are headings: capitals in the middle, and sections by their name', async () => {
  const page = [
    { x: 232, y: 740, text: 'SECOND AGREEMENT' },
    ...text(2, 710),
    { x: 261, y: 660, text: 'RECITALS' },
    ...text(2, 630),
    { x: 72, y: 580, text: 'Section 101. Substitution of the keeper' },
    ...text(2, 550),
    { x: 72, y: 500, text: 'HARBOUR OFFICE' },
    { x: 72, y: 480, text: 'By: Ada Hansen' },
  ]
  const more = [{ x: 72, y: 740, text: 'Section 102. Confirmation by all keepers' }, ...text(2, 710)]
  const { blocks } = await parseBytes('pdf', makePdf([page, more]))
  expect(headings(blocks)).toEqual([
    '2 SECOND AGREEMENT',
    '2 RECITALS',
    '3 Section 101. Substitution of the keeper',
    '3 Section 102. Confirmation by all keepers',
  ])
})

test('BAD-33: a heading of 100,000 commas takes no square of its length', () => {
  const text = `${'a,'.repeat(100_000)}x`
  const page = { pageNum: 1, width: 612, height: 792, text, textItems: [] }
  const block: LayoutBlock = {
    kind: 'heading',
    level: 1,
    text,
    bbox: { x: 72, y: 72, width: 400, height: 18 },
  }
  expect(pageBlocks({ ...page, blocks: [block] } as unknown as ParsedPage).map(({ kind }) => kind)).toEqual([
    'heading',
  ])
})

test('addresses in larger type are no headings', async () => {
  const page = [
    bold('Northern Harbour Office', 740, 18),
    bold('330 West Quay, New Dover, NY 10001', 715, 14),
    ...text(3, 680),
    bold('Results of 2024', 620, 14),
    ...text(3, 600),
  ]
  const { blocks } = await parseBytes('pdf', makePdf([page]))
  expect(headings(blocks).map((heading) => heading.slice(2))).toEqual([
    'Northern Harbour Office',
    'Results of 2024',
  ])
})

test('headings whose numbers hang in the margin are two, each with its number', async () => {
  const rows: [number: string, text: string, size: number][] = [
    ['3', 'STARTING THE PUMP', 12],
    ['3.1', 'Filling the basin', 12],
    ['', 'Open the sluice slowly until the mark at one metre is under water, then close it.', 10],
    ['3.1.1', 'Priming', 12],
    ['', 'Turn the wheel on the left until water comes out of the upper tap without air.', 10],
    ['4', 'FAULTS', 12],
    ['4.1', 'Signals of the lamp', 12],
    ['', 'A red lamp means that the basin is dry. A yellow lamp means that the filter is full.', 10],
  ]
  const texts = rows.flatMap(([number, text, size], i) => {
    const own = { y: 700 - i * 24, size, bold: size > 10 }
    return [...(number === '' ? [] : [{ ...own, x: 50, text: number }]), { ...own, x: 180, text }]
  })
  const { blocks } = await parseBytes('pdf', makePdf([texts]))
  expect(blocks.filter(({ kind }) => kind === 'heading').map(({ text }) => text)).toEqual(
    rows.filter(([number]) => number !== '').map(([number, text]) => `${number} ${text}`),
  )
})
