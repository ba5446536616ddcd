// An invoice without rules: Tesseract gives its columns one by one, parts of them, and drops figures that stand alone.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LiteParse } from '@llamaindex/liteparse'
import { expect } from 'vitest'
import { inFolder, parseBytes } from '../../../../test/support/files/parse.ts'
import { makePdf, type PdfText } from '../../../../test/support/files/pdf.ts'
import { thorough } from '../../../../test/support/full.ts'

const rows = [
  ['Description', 'Qty', 'Unit price', 'Amount'],
  ['Rope, hemp, 20 mm', '12', '4.50', '54.00'],
  ['Lamp oil, 5 l', '3', '18.20', '54.60'],
  ['Chain, galvanised', '1', '230.00', '230.00'],
  ['Paint, grey', '8', '11.75', '94.00'],
  ['Brushes', '20', '2.10', '42.00'],
]
const sums: PdfText[] = [
  { x: 420, y: 480, text: 'Subtotal' },
  { x: 504, y: 480, text: '474.60' },
  { x: 420, y: 462, text: 'VAT 20%' },
  { x: 510, y: 462, text: '94.92' },
  { x: 420, y: 444, text: 'Total due', bold: true },
  { x: 504, y: 444, text: '569.52', bold: true },
]

// Amounts end where their column ends; a letter is half as wide as the type is high.
const EDGES = [72, 360, 450, 540]
const columns = rows.flatMap((row, r) =>
  row.map((text, c): PdfText => {
    const edge = EDGES[c] ?? 0
    return { x: c === 0 ? edge : edge - text.length * 5.5, y: 640 - r * 22, text }
  }),
)

const invoice: PdfText[] = [
  { x: 72, y: 740, text: 'INVOICE', size: 20, bold: true },
  { x: 72, y: 710, text: 'Harbour Supplies Ltd, 4 Quay Street' },
  { x: 72, y: 694, text: 'Invoice number 2026-0417, 30 June 2026' },
  ...columns,
  ...sums,
]

thorough('every figure of an invoice comes back in its row and column', async () => {
  const png = await inFolder(async (folder) => {
    const path = join(folder, 'invoice.pdf')
    await writeFile(path, makePdf([invoice]))
    const [shot] = await new LiteParse({ dpi: 200, quiet: true, ocrEnabled: false }).screenshot(path, [1])
    return shot?.imageBuffer ?? Buffer.alloc(0)
  })
  const { blocks } = await parseBytes('image', png)
  const lines = blocks.filter(({ kind }) => kind === 'table').flatMap(({ text }) => text.split('\n'))
  // "5 l" comes as "51": what is asked is where the figures stand.
  const figures = rows.map(([, ...row]) => `| ${row.join(' | ')} |`)
  for (const [i, row] of figures.entries()) expect(lines.filter((_, at) => at !== 1)[i]).toContain(row)
  for (const sum of ['Subtotal | 474.60', 'VAT 20% | 94.92', 'Total due | 569.52'])
    expect(lines.join('\n')).toContain(`| ${sum} |`)
})
