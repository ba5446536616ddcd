// Rows whose cells have lines of their own, on real PDFs: spaced apart, or with the other cells in the middle of them.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { makePdf, type PdfText } from '../../../../test/support/files/pdf.ts'

const EDGES = [72, 120, 330, 390, 470]
const at = (y: number, cells: readonly string[]): PdfText[] =>
  cells.flatMap((text, c) => (text === '' ? [] : [{ x: EDGES[c] ?? 0, y, text }]))

const names = at(700, ['Code', 'Goods', 'Count', 'Price', 'Sum'])
const expected = [
  '| Code | Goods | Count | Price | Sum |',
  '| --- | --- | --- | --- | --- |',
  '| TW-1001 | Ropes of hemp, 8 to 20 fathoms, tarred and cut | 42 | 18.90 | 793.80 |',
  '| TW-1177 | Carriage | 3 | 45.00 | 135.00 |',
  '| HOUR | Hours of a master rigger on the mole of the northern harbour | 6 | 68.00 | 408.00 |',
  '| LAST | Shackles | 10 | 1.20 | 12.00 |',
]

async function tablesOf(texts: readonly PdfText[]): Promise<string[][]> {
  const { blocks } = await parseBytes('pdf', makePdf([[...texts]]))
  return blocks.flatMap(({ kind, text }) => (kind === 'table' ? [text.split('\n')] : []))
}

test('cells in the middle of those of two lines are of their row', async () => {
  const rows = [
    ...at(680, ['TW-', 'Ropes of hemp, 8 to 20 fathoms,']),
    ...at(673, ['', '', '42', '18.90', '793.80']),
    ...at(666, ['1001', 'tarred and cut']),
    ...at(648, ['TW-']),
    ...at(641, ['', 'Carriage', '3', '45.00', '135.00']),
    ...at(634, ['1177']),
    ...at(616, ['', 'Hours of a master rigger on the']),
    ...at(609, ['HOUR', '', '6', '68.00', '408.00']),
    ...at(602, ['', 'mole of the northern harbour']),
    ...at(584, ['LAST', 'Shackles', '10', '1.20', '12.00']),
  ]
  expect(await tablesOf([...names, ...rows])).toEqual([expected])
})

test('names and values in turn are a table of their own above that of the figures', async () => {
  const head = [
    ...at(770, ['Keeper', 'A. Fernsby', 'Number', '00417', 'Pier N']),
    ...at(755, ['Office', 'Harbour archive', 'Paid on', '31 May', 'Class C']),
  ]
  const rows = [
    ...at(680, ['Basic', 'Days of the month', '22', '98.10', '2,158.20']),
    ...at(664, ['Extra', 'Sundays', '2', '147.15', '294.30']),
  ]
  const [first, second] = await tablesOf([...head, ...names, ...rows])
  expect(first).toEqual([
    '| Keeper | A. Fernsby | Number | 00417 | Pier N |',
    '| --- | --- | --- | --- | --- |',
    '| Office | Harbour archive | Paid on | 31 May | Class C |',
  ])
  expect(second).toHaveLength(4)
})
