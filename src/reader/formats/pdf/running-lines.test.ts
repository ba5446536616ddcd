// Headers and footers that stand away from the page's edges, on real PDFs; lines of the text that come back stay.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { grid, makePdf, type PdfText, prose } from '../../../../test/support/files/pdf.ts'

const nouns = 'harbour ledger copper meadow signal timber vessel granite lantern orchard'.split(' ')
/** So many lines of text, none twice; the page's own number of them. */
const body = (page: number, lines = 4 + ((page * 5) % 9)): string[] =>
  Array.from(
    { length: lines },
    (_, i) =>
      `The ${nouns[(page + i) % 10]} of pier ${page}.${i} keeps its ${nouns[(page * 3 + i * 7) % 10]} from the sea,`,
  )
const at = (x: number, y: number, text: string): PdfText => ({ x, y, text, size: 9 })
const pages = (count: number, page: (number: number) => PdfText[]): PdfText[][] =>
  Array.from({ length: count }, (_, i) => page(i + 1))
const linesOf = async (all: readonly (readonly PdfText[])[]): Promise<string[]> =>
  (await parseBytes('pdf', makePdf(all))).blocks.flatMap(({ text }) => text.split('\n'))

test('a footer right below the text is kept once, without the number of its page', async () => {
  const all = pages(6, (n) => {
    const text = prose(body(n), 600)
    const low = 600 - text.length * 14 - 30
    return [...text, at(250, low, `Harbour Office | Q3 2023 Form 10-Q | ${n + 3}`)]
  })
  const lines = await linesOf(all)
  expect(lines.filter((line) => line.includes('Form 10-Q'))).toEqual(['Harbour Office | Q3 2023 Form 10-Q'])
  for (const text of pages(6, (n) => prose(body(n))).flat()) expect(lines.join(' ')).toContain(text.text)
})

test('section names beside page numbers, on the left and the right in turn, below the text', async () => {
  const all = pages(8, (n) => {
    const text = prose(body(n), 600)
    const low = 600 - text.length * 14 - 30
    const name = n < 5 ? 'Management report' : 'Notes to the statements'
    return [...text, at(n % 2 === 0 ? 72 : 400, low, name), at(n % 2 === 0 ? 300 : 540, low, String(n))]
  })
  const lines = await linesOf(all)
  expect(lines.filter((line) => /^(?:Management|Notes|\d)/.test(line))).toEqual([
    'Management report',
    'Notes to the statements',
  ])
})

test('running heads lower than the top tenth, authors and title in turn, above two columns', async () => {
  const all = pages(8, (n) => [
    at(220, 680, n % 2 === 0 ? 'A. Keeper et al.' : 'Gauges of the northern harbours'),
    ...prose(
      body(n, 20).map((line) => line.slice(0, 38)),
      640,
      60,
    ),
    ...prose(
      body(n + 20, 20).map((line) => line.slice(0, 38)),
      640,
      330,
    ),
  ])
  const lines = await linesOf(all)
  expect(lines.filter((line) => /Keeper|northern/.test(line))).toEqual([
    'Gauges of the northern harbours',
    'A. Keeper et al.',
  ])
})

test('what comes back as text stays: the names of a table on each page, titles that count, the last words of a page', async () => {
  const all = pages(6, (n) => [
    { x: 72, y: 650, text: `Lesson ${n}`, size: 11 },
    ...prose(body(n, 5), 620),
    ...grid(
      [
        ['Gauge', 'Level', 'Keeper'],
        ...Array.from({ length: 4 }, (_, i) => [`Pier ${n}${i}`, `${n}.${i}4`, 'Ann']),
      ],
      [72, 250, 400],
      480,
    ),
    ...prose(['See the notes to these levels.'], 380 - n * 12),
  ])
  const text = (await linesOf(all)).join('\n')
  for (let n = 1; n <= 6; n++) expect(text).toContain(`Lesson ${n}`)
  expect(text.match(/See the notes to these levels/g)).toHaveLength(6)
  expect(text.match(/Gauge/g)).toHaveLength(6)
})

test('lines at the edge stay if they hold values, as on the pages of payslips', async () => {
  const paid = (n: number): string => `Keeper ${1000 + n * 7}, net pay ${n * 31 + 900}.${n}0`
  const all = pages(6, (n) => [at(72, 780, paid(n)), ...prose(body(n), 600)])
  const lines = await linesOf(all)
  expect(lines.filter((line) => line.startsWith('Keeper'))).toEqual([1, 2, 3, 4, 5, 6].map(paid))
})
