// What is put into real PDFs is read back: words in order, every table cell, headings and pages. One PDF a layout.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { grid, makePdf, type PdfText, prose, rules } from '../../../../test/support/files/pdf.ts'
import type { ParsedDocument } from '../../block.ts'

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? []

/** Share of the words put in that are read back in the same order (longest common subsequence). */
function inOrder(wanted: readonly string[], found: readonly string[]): number {
  let row = new Uint32Array(found.length + 1)
  for (const word of wanted) {
    const next = new Uint32Array(found.length + 1)
    for (let k = 1; k <= found.length; k++) {
      next[k] = found[k - 1] === word ? (row[k - 1] ?? 0) + 1 : Math.max(row[k] ?? 0, next[k - 1] ?? 0)
    }
    row = next
  }
  return (row[found.length] ?? 0) / Math.max(1, wanted.length)
}

const readBack = ({ blocks }: ParsedDocument): string[] => blocks.flatMap(({ text }) => wordsOf(text))

const nouns = 'harbour ledger copper meadow signal timber vessel granite lantern orchard'.split(' ')
/** Sentences of different words, never the same line twice. */
const line = (n: number, length = 8): string =>
  Array.from({ length }, (_, i) => `${nouns[(n * 7 + i * 3) % 10]}${i === 0 ? n : ''}`).join(' ')
const paragraph = (from: number, count: number, length?: number): string[] =>
  Array.from({ length: count }, (_, i) => line(from + i, length))

const cells = (rows: number, columns: number): string[][] =>
  Array.from({ length: rows }, (_, r) =>
    Array.from({ length: columns }, (_, c) =>
      r === 0 ? `Head ${c}` : c === 0 ? `Row ${nouns[r % 10]} ${r}` : `${r * 37 + c},${100 + r}`,
    ),
  )
const markdownRow = (row: readonly string[]): string => `| ${row.join(' | ')} |`

test('two columns with headings, a caption over both and footnotes', async () => {
  const left = paragraph(1, 20, 5)
  const right = paragraph(40, 20, 5)
  const title = 'Report on the northern harbour'
  const notes = ['1 first note at the foot of the page', '2 second note at the foot of the page']
  const page: PdfText[] = [
    { x: 120, y: 740, text: title, size: 20, bold: true },
    ...prose(left, 700, 60),
    ...prose(right, 700, 330),
    ...notes.map((text, i) => ({ x: 60, y: 70 - i * 10, text, size: 7 })),
  ]
  const document = await parseBytes('pdf', makePdf([page]))
  const wanted = [title, ...left, ...right, ...notes].flatMap(wordsOf)
  expect(inOrder(wanted, readBack(document))).toBeGreaterThanOrEqual(0.99)
  expect(document.blocks.find((block) => block.kind === 'heading')?.text).toBe(title)
})

test('headings keep their order of levels', async () => {
  const page: PdfText[] = [
    { x: 72, y: 740, text: 'The whole matter', size: 24, bold: true },
    ...prose(paragraph(1, 4), 710),
    { x: 72, y: 630, text: 'A part of it', size: 17, bold: true },
    ...prose(paragraph(11, 4), 605),
    { x: 72, y: 530, text: 'A detail', size: 13, bold: true },
    ...prose(paragraph(21, 4), 510),
  ]
  const { blocks } = await parseBytes('pdf', makePdf([page]))
  const headings = blocks.filter((block) => block.kind === 'heading')
  expect(headings.map((block) => block.text)).toEqual(['The whole matter', 'A part of it', 'A detail'])
  const levels = headings.map((block) => block.level ?? 0)
  expect(levels).toEqual([...levels].sort((a, b) => a - b))
  expect(levels[0]).toBeLessThan(levels[2] ?? 0)
})

test.each([
  ['without rules', false],
  ['with rules', true],
])('a table %s: every cell equal, the prose around it in order', async (_, ruled) => {
  const rows = cells(9, 4)
  const columns = [72, 240, 340, 440]
  const page: PdfText[] = [
    ...prose(paragraph(1, 3), 740),
    ...grid(rows, columns, 660),
    ...prose(paragraph(9, 3), 470),
  ]
  const lines = ruled
    ? rules(
        [66, 234, 334, 434, 520],
        Array.from({ length: 10 }, (_, i) => 674 - i * 18),
      )
    : []
  const document = await parseBytes('pdf', makePdf([page], { rules: lines }))
  const table = document.blocks.find((block) => block.kind === 'table')
  expect(table?.text.split('\n').filter((_, i) => i !== 1)).toEqual(rows.map(markdownRow))
  expect(
    inOrder([...paragraph(1, 3), ...rows.flat(), ...paragraph(9, 3)].flatMap(wordsOf), readBack(document)),
  ).toBe(1)
})

test('a table over two pages is one, its repeated header left out', async () => {
  const rows = cells(41, 3)
  const [head = []] = rows
  const columns = [72, 260, 400]
  const first = [...prose(paragraph(1, 2), 750), ...grid(rows.slice(0, 35), columns, 700)]
  const second = [...grid([head, ...rows.slice(35)], columns, 750), ...prose(paragraph(9, 3), 500)]
  const { blocks } = await parseBytes('pdf', makePdf([first, second]))
  const tables = blocks.filter((block) => block.kind === 'table')
  expect(tables).toHaveLength(1)
  expect(tables[0]?.page).toBe(1)
  expect(tables[0]?.text.split('\n').filter((_, i) => i !== 1)).toEqual(rows.map(markdownRow))
})

test.each([90, 180, 270])('a page turned by %i degrees reads like an upright one', async (rotate) => {
  const text = paragraph(1, 25)
  const document = await parseBytes('pdf', makePdf([prose(text, 720)], { rotate }))
  expect(inOrder(text.flatMap(wordsOf), readBack(document))).toBeGreaterThanOrEqual(0.99)
})

test('a text layer over a scan is read, not recognised a second time', async () => {
  const text = paragraph(1, 30)
  const document = await parseBytes('pdf', makePdf([prose(text, 740)], { scan: true }))
  expect(readBack(document)).toEqual(text.flatMap(wordsOf))
  expect(document.blocks.every((block) => block.confidence === undefined)).toBe(true)
})

test('words broken at a line’s end are joined, running lines dropped, pages right', async () => {
  const pages = [1, 2, 3, 4].map((n): PdfText[] => [
    { x: 72, y: 770, text: 'The annals of the society', size: 8 },
    ...prose(
      [
        `On page ${n} the harbour master kept an infor-`,
        `mation office of his own, as ${nouns[n]} tells us.`,
      ],
      700,
    ),
    { x: 300, y: 24, text: `${n}`, size: 8 },
  ])
  const { blocks, pages: count } = await parseBytes('pdf', makePdf(pages))
  expect(count).toBe(4)
  for (const n of [1, 2, 3, 4]) {
    const own = blocks.filter((block) => block.page === n).map((block) => block.text)
    expect(own.join(' ')).toContain(`On page ${n} the harbour master kept an information office`)
    expect(own.some((text) => text.includes('annals'))).toBe(n === 1)
  }
})
