// Tables of a few rows without rules, on real PDFs.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../../test/support/files/parse.ts'
import { grid, makePdf, type PdfText, prose } from '../../../../../test/support/files/pdf.ts'

// Helvetica's figures are .556 of the type's size wide, the comma .278.
const width = (text: string): number =>
  Array.from(text).reduce((sum, letter) => sum + (letter === ',' ? 0.278 : 0.556), 0) * 11
const right = (text: string, edge: number, y: number): PdfText => ({ x: edge - width(text), y, text })

const before = prose(
  [
    'The harbours of the north kept these goods in the two years, counted',
    'by their keepers at the end of each.',
  ],
  740,
)
const after = prose(
  [
    'What the basin held is counted with the pier, whose keepers are its own',
    'and report to the office of the harbour.',
  ],
  600,
)

async function tablesOf(texts: readonly PdfText[]): Promise<string[]> {
  const { blocks } = await parseBytes('pdf', makePdf([[...before, ...texts, ...after]]))
  return blocks.flatMap(({ kind, text }) => (kind === 'table' ? [text] : []))
}

test('three rows with figures on their right edges', async () => {
  const rows = [
    ['Item', '2024', '2025'],
    ['Copper', '1,204', '987'],
    ['Timber', '86', '1,310'],
  ]
  const texts = rows.flatMap(([label = '', ...figures], r) => [
    { x: 72, y: 690 - r * 16, text: label },
    ...figures.map((text, c) => right(text, 300 + c * 100, 690 - r * 16)),
  ])
  expect(await tablesOf(texts)).toEqual([
    '| Item | 2024 | 2025 |\n| --- | --- | --- |\n| Copper | 1,204 | 987 |\n| Timber | 86 | 1,310 |',
  ])
})

test('one row of figures under its names', async () => {
  const texts = grid(
    [
      ['For the plan', 'Against', 'Abstained'],
      ['75,612', '1,854', '84'],
    ],
    [72, 240, 380],
    690,
  )
  expect(await tablesOf(texts)).toEqual([
    '| For the plan | Against | Abstained |\n| --- | --- | --- |\n| 75,612 | 1,854 | 84 |',
  ])
})

test('sentences with figures below each other are no table', async () => {
  const texts = prose(
    [
      'In 2024 the pier held 1,204 tons of copper,  986  of',
      'them from the south, and 310 barrels in 12 sheds on',
      'the quay. By 2025 it was 987 tons in 14 of them.',
    ],
    690,
  )
  expect(await tablesOf(texts)).toEqual([])
})

test('two columns of figures, their names on the left edges and the figures on the right ones', async () => {
  const rows = ['2021', '2022', '2023', '2024'].map((year, i) => [year, `${i + 1}20`])
  const texts = [
    { x: 72, y: 690, text: 'Year' },
    { x: 140, y: 690, text: 'Landed herring' },
    ...rows.flatMap(([year = '', count = ''], r) => [
      right(year, 130, 675 - r * 15),
      right(count, 230, 675 - r * 15),
    ]),
  ]
  expect(await tablesOf(texts)).toEqual([
    ['| Year | Landed herring |', '| --- | --- |', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n'),
  ])
})
