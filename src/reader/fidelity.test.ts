// The fidelity suite: random documents written as real files of each kind and read back, with their text in order,
// every table cell, every heading level and every page. The examples are read in examples.test.ts.

import * as XLSX from '@e965/xlsx'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { core, expectedBlocks, type Model, model, tables, tableText } from '../../test/support/files/model.ts'
import {
  asDocx,
  asEmail,
  asEpub,
  asHtml,
  asMarkdown,
  asPptx,
  asRtf,
} from '../../test/support/files/model-writers.ts'
import { asOdt } from '../../test/support/files/opendocument.ts'
import { parseBytes } from '../../test/support/files/parse.ts'
import type { DocumentKind } from './block.ts'

const RUNS = { numRuns: 25 }

const writers: [DocumentKind, (parts: Model) => Promise<Buffer> | string][] = [
  ['docx', asDocx],
  ['odt', asOdt],
  ['rtf', asRtf],
  ['html', asHtml],
  ['markdown', asMarkdown],
  ['epub', asEpub],
  ['email', asEmail],
]

test.each(writers)('%s: every block as it was written', async (kind, write) => {
  await fc.assert(
    fc.asyncProperty(model, async (parts) => {
      const { blocks } = await parseBytes(kind, await write(parts))
      const body = kind === 'email' ? blocks.slice(1) : blocks
      expect(body.map(core)).toEqual(expectedBlocks(parts))
    }),
    RUNS,
  )
})

test('pptx: a slide a part, in order, on its page', async () => {
  await fc.assert(
    fc.asyncProperty(model, async (parts) => {
      const { blocks, pages } = await parseBytes('pptx', await asPptx(parts))
      expect(pages).toBe(parts.length)
      const expected = expectedBlocks(parts).flatMap((block, i) => [
        { kind: 'heading', text: `Slide ${String.fromCharCode(65 + i)}`, level: 1, page: i + 1 },
        { kind: block.kind === 'heading' ? 'paragraph' : block.kind, text: block.text, page: i + 1 },
      ])
      expect(blocks.map(({ html: _, ...block }) => block)).toEqual(expected)
    }),
    RUNS,
  )
})

test('xlsx, xlsb, xls and ods: every cell of every table, a sheet a page', async () => {
  const formats: [DocumentKind, XLSX.BookType][] = [
    ['xlsx', 'xlsx'],
    ['xlsx', 'xlsb'],
    ['xls', 'biff8'],
    ['ods', 'ods'],
  ]
  await fc.assert(
    fc.asyncProperty(tables, fc.constantFrom(...formats), async (all, [kind, bookType]) => {
      const workbook = XLSX.utils.book_new()
      for (const [i, rows] of all.entries()) {
        XLSX.utils.book_append_sheet(workbook, XLSX.utils.aoa_to_sheet(rows), `Sheet ${i + 1}`)
      }
      const bytes = XLSX.write(workbook, { type: 'buffer', bookType }) as Buffer
      const { blocks, pages } = await parseBytes(kind, bytes)
      expect(pages).toBe(all.length)
      expect(blocks).toEqual(
        all.flatMap((rows, i) => [
          { kind: 'heading', text: `Sheet ${i + 1}`, level: 1, page: i + 1 },
          { kind: 'table', text: tableText(rows), page: i + 1 },
        ]),
      )
    }),
    RUNS,
  )
})

test('csv: every cell whatever the delimiter and encoding', async () => {
  const dialect = fc.tuple(
    fc.constantFrom(',', ';', '\t', '|'),
    fc.constantFrom('utf-8', 'utf-16le', 'utf-16be'),
    fc.boolean(),
    fc.constantFrom('\n', '\r\n'),
  )
  await fc.assert(
    fc.asyncProperty(tables, dialect, async ([rows = []], [delimiter, encoding, addBOM, end]) => {
      const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`
      const text = rows.map((row) => row.map(quoted).join(delimiter)).join(end)
      const { blocks } = await parseBytes('csv', iconv.encode(text, encoding, { addBOM }))
      expect(blocks.map(core)).toEqual([{ kind: 'table', text: tableText(rows) }])
    }),
    { numRuns: 60 },
  )
})

test('text: every paragraph in every encoding that holds it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.lorem({ maxCount: 12 }), { minLength: 1, maxLength: 8 }),
      fc.constantFrom('utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'windows-1252'),
      async (paragraphs, encoding) => {
        const { blocks } = await parseBytes('text', iconv.encode(paragraphs.join('\n\n'), encoding))
        expect(blocks.map(({ text }) => text)).toEqual(paragraphs)
      },
    ),
    RUNS,
  )
})

test('JSON and JSON Lines: every value of every record', async () => {
  const record = fc.record({
    code: fc.stringMatching(/^[A-Z]{2}-\d{2}$/),
    price: fc.integer(),
    stock: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 2, maxLength: 8 }),
      fc.boolean(),
      async (records, byLine) => {
        const text = byLine ? records.map((one) => JSON.stringify(one)).join('\n') : JSON.stringify(records)
        const rows = records.map(({ code, price, stock }) => [code, String(price), String(stock)])
        const { blocks } = await parseBytes('json', text)
        expect(blocks.map(core)).toEqual([
          { kind: 'table', text: tableText([['code', 'price', 'stock'], ...rows]) },
        ])
      },
    ),
    RUNS,
  )
})
