// PDFs made here, read back: every word on its page, tables as tables, running lines gone, true reasons.

import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { grid, makePdf, type PdfText, prose } from '../../../../test/support/files/pdf.ts'

const rows = [
  ['Item', '2024', '2025'],
  ['Revenue', '1,147', '1,284'],
  ['Costs', '(1,087)', '(1,188)'],
  ['Surplus', '60', '96'],
  ['Members', '23', '24'],
]

function page(n: number): PdfText[] {
  return [
    { x: 72, y: 760, text: `Annual report of the cooperative, part ${n}`, size: 8 },
    { x: 72, y: 715, text: `Chapter ${n}`, size: 22, bold: true },
    ...prose(
      [
        `This is the text of chapter ${n}. It has two lines of`,
        `words, and the word only${n} stands here alone.`,
      ],
      680,
    ),
    { x: 300, y: 30, text: `Page ${n} of 5`, size: 8 },
  ]
}

test('a report: title, headings, text, a table, pages; running lines gone but for the first', async () => {
  const table = grid(rows, [72, 250, 350], 600)
  const pages = [page(1), [...page(2), ...table], page(3), page(4), page(5)]
  const document = await parseBytes('pdf', makePdf(pages, { title: 'Report of 2025' }))
  expect(document.title).toBe('Report of 2025')
  expect(document.pages).toBe(5)
  for (const n of [1, 2, 3, 4, 5]) {
    const own = document.blocks.filter((block) => block.page === n)
    const text = own.map((block) => block.text).join('\n')
    expect(text).toContain(`only${n}`)
    expect(own.find((block) => block.kind === 'heading')?.text).toBe(`Chapter ${n}`)
    expect(text).not.toContain(`Page ${n} of 5`)
    expect(text.includes('Annual report of the cooperative')).toBe(n === 1)
    for (const { bbox } of own) expect(bbox?.every((edge) => edge >= 0 && edge <= 792)).toBe(true)
  }
  const found = document.blocks.filter((block) => block.kind === 'table')
  expect(found).toHaveLength(1)
  for (const [item, before, after] of rows)
    expect(found[0]?.text).toContain(`| ${item} | ${before} | ${after} |`)
})

test('on two pages a line with the number of its page is a running line, kept once without it', async () => {
  const footer = (n: number): PdfText => ({
    x: 72,
    y: 30,
    text: `Data sheet of the gauge, revision 3 | Page ${n} of 2`,
    size: 8,
  })
  const body = (n: number): PdfText[] => prose([`This is the text of page ${n}, in one line.`], 680)
  const { blocks } = await parseBytes(
    'pdf',
    makePdf([
      [...body(1), footer(1)],
      [...body(2), footer(2)],
    ]),
  )
  expect(blocks.map(({ text }) => text)).toEqual([
    'This is the text of page 1, in one line.',
    'Data sheet of the gauge, revision 3',
    'This is the text of page 2, in one line.',
  ])
})

test('two columns are read one after the other', async () => {
  const left = prose(
    Array.from({ length: 12 }, (_, i) => `left column line number ${i + 1} of it`),
    700,
    60,
  )
  const right = prose(
    Array.from({ length: 12 }, (_, i) => `right column line number ${i + 1} of it`),
    700,
    330,
  )
  const { blocks } = await parseBytes('pdf', makePdf([[...left, ...right]]))
  const text = blocks.map((block) => block.text).join(' ')
  expect(text.lastIndexOf('left column')).toBeLessThan(text.indexOf('right column'))
})

test('the second and third readers find the same words', async () => {
  const { blocks, pages } = await parseBytes('pdf', makePdf([page(1), page(2)]), true)
  expect(pages).toBe(2)
  expect(
    blocks
      .filter((block) => block.page === 2)
      .map((block) => block.text)
      .join(' '),
  ).toContain('only2')
})

test('what cannot be read says why', async () => {
  await expect(parseBytes('pdf', makePdf([page(1)], { locked: true }))).rejects.toMatchObject({
    reason: 'encrypted',
  })
  await expect(parseBytes('pdf', makePdf([[], []]))).rejects.toMatchObject({ reason: 'no_text' })
  await expect(parseBytes('pdf', 'hello')).rejects.toMatchObject({ reason: 'damaged' })
  await expect(parseBytes('pdf', `%PDF-1.4\n${'x'.repeat(3000)}`)).rejects.toMatchObject({
    reason: 'damaged',
  })
})

test('three sizes of headings are three levels, over all pages', async () => {
  const line = 'The gauges of the northern harbours are read each hour by their keepers.'
  const text = (top: number): PdfText[] => prose([line, line, line, line, line], top)
  const title = (words: string, y: number, size: number): PdfText => ({
    x: 72,
    y,
    text: words,
    size,
    bold: true,
  })
  const pages = [
    [
      title('Report of the harbour office', 740, 24),
      title('Gauges', 700, 18),
      ...text(670),
      title('Northern pier', 560, 14),
      ...text(540),
      title('Costs', 430, 18),
      ...text(400),
    ],
    [title('Repairs', 740, 18), ...text(710), title('Boats', 600, 14), ...text(580)],
  ]
  const { blocks } = await parseBytes('pdf', makePdf(pages))
  const headings = blocks
    .filter(({ kind }) => kind === 'heading')
    .map((one) => [one.level, one.text, one.page])
  expect(headings).toEqual([
    [1, 'Report of the harbour office', 1],
    [2, 'Gauges', 1],
    [3, 'Northern pier', 1],
    [2, 'Costs', 1],
    [2, 'Repairs', 2],
    [3, 'Boats', 2],
  ])
})

test('a table ruled between rows is one, and no figure that stands alone in its cell is taken for a page number', async () => {
  const { blocks } = await parseBytes('pdf', await readFile('examples/lease-ropewalk-yard.pdf'))
  const tables = blocks.filter(({ kind }) => kind === 'table').map(({ text }) => text.split('\n'))
  expect(tables[0]).toContain('| Deposit | £9,600 |')
  expect(tables[1]?.slice(2, 6)).toEqual([
    '| Keys to the yard gate | 6 | numbered RY-11 to RY-16 |',
    '| Keys to Unit 4, front door | 8 | - |',
    '| Keys to Unit 4, workshop door | 4 | - |',
    '| Overhead crane, 500 kg | 1 | next inspection June 2019, paid by the Landlord |',
  ])
})
