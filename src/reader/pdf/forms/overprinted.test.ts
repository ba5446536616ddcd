import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { makePdf, type PdfText } from '../../../../test/support/files/pdf.ts'

const X = [50, 80, 130, 190, 270, 330, 410]
const ROWS = [
  ['Show', 'Screen', 'Date', 'Title', 'Time', 'Days', 'Revenue'],
  ['1', 'SCR-1', '12/20', 'The harbour', '7:00 PM', 'Daily', '$3,000'],
  ['2', 'SCR-2', '12/21', 'The pier at night', '4:30 PM', 'Daily', '$3,600'],
  ['3', 'SCR-1', '12/26', 'A lighthouse', '9:30 PM', 'Daily', '$3,600'],
]
const HEAD = ROWS[0] ?? []
const rows = ROWS.flatMap((row, r) =>
  row.map((text, c): PdfText => ({ x: X[c] ?? 0, y: 400 - r * 10, text, size: 7 })),
)
const total: PdfText[] = [
  { x: 50, y: 357, text: 'Total Revenue:', size: 9, bold: true },
  { x: 410, y: 357, text: '$10,200', size: 9, bold: true },
]
const notes: PdfText[] = [
  {
    x: 50,
    y: 385.5,
    text: 'This order is subject to availability and to standard terms of the house.',
    size: 6,
  },
  { x: 50, y: 375.5, text: 'All times are approximate and subject to change.', size: 6 },
]
const line = (row: readonly string[]): string => `| ${row.join(' | ')} |`

test('a note printed over the rows of a table is text beside it, and its total takes two columns', async () => {
  const { blocks } = await parseBytes('pdf', makePdf([[...rows, ...total, ...notes]]))
  const table = blocks.find(({ kind }) => kind === 'table')?.text.split('\n') ?? []
  expect(table).toEqual([
    line(HEAD),
    line(HEAD.map(() => '---')),
    ...ROWS.slice(1).map(line),
    line(['Total Revenue:', '', '', '', '', '', '$10,200']),
  ])
  const text = blocks.filter(({ kind }) => kind !== 'table').map((block) => block.text)
  expect(text.join(' ')).toBe(notes.map((note) => note.text).join('\n'))
})
