// Excel and old Word files, and files that no reader can read: numbers as shown, every cell once, the right reason.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeCompound, makeDocx, makeWorkbook, wordParagraph } from '../../../test/support/files/office.ts'
import { parseBytes } from '../../../test/support/files/parse.ts'
import { makeZip } from '../../../test/support/files/zip.ts'
import { type SheetCell, sheetBlocks } from '../shared/sheets/regions.ts'

const body = wordParagraph('The board met at nine.')

const sheets = {
  Prices: [
    ['Price list'],
    [],
    ['Code', 'Price', 'From', 'Share', 'Exact'],
    ['A-1', 1480, new Date(Date.UTC(2026, 1, 1)), 0.125, 0.1 + 0.2],
    ['A-2', -3, '', 1, 12345678901.5],
  ],
  Empty: [[]],
}

function formatPrices(sheet: Record<string, { z?: string; t?: string; v?: unknown }>, name: string): void {
  if (name !== 'Prices') return
  for (const [at, z] of [
    ['B4', '#,##0.00'],
    ['B5', '#,##0;(#,##0)'],
    ['D4', '0.0%'],
    ['D5', '0%'],
  ] as const) {
    const cell = sheet[at]
    if (cell !== undefined) cell.z = z
  }
  const date = sheet.C4
  if (date !== undefined) Object.assign(date, { t: 'n', v: 46054, z: 'd.m.yy' })
}

test('a workbook: values as shown, dates as ISO dates, General in full; .xls the same', async () => {
  for (const [kind, type] of [
    ['xlsx', 'xlsx'],
    ['xls', 'biff8'],
  ] as const) {
    const { blocks, pages } = await parseBytes(kind, makeWorkbook(sheets, type, formatPrices))
    expect(pages).toBe(2)
    expect(blocks).toEqual([
      { kind: 'heading', text: 'Prices', level: 1, page: 1 },
      { kind: 'paragraph', text: 'Price list', page: 1 },
      {
        kind: 'table',
        text: [
          '| Code | Price | From | Share | Exact |',
          '| --- | --- | --- | --- | --- |',
          '| A-1 | 1,480.00 | 2026-02-01 | 12.5% | 0.3 |',
          '| A-2 | (3) |  | 100% | 12345678901.5 |',
        ].join('\n'),
        page: 1,
      },
    ])
  }
})

test('every cell of a sheet is in its blocks, once', () => {
  const cells = fc
    .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 8 })), {
      minLength: 1,
      maxLength: 80,
      selector: ([row, column]) => `${row},${column}`,
    })
    .map((places): SheetCell[] => places.map(([row, column]) => ({ row, column, text: `r${row}c${column}` })))
  fc.assert(
    fc.property(cells, (sheet) => {
      const blocks = sheetBlocks(sheet)
      const found = blocks.flatMap((block) => block.text.match(/r\d+c\d+/g) ?? [])
      expect(found.sort()).toEqual(sheet.map((cell) => cell.text).sort())
    }),
  )
})

test('a big sheet is cut into tables that repeat the header', async () => {
  const rows = [['No', 'Name'], ...Array.from({ length: 450 }, (_, i) => [i, `row ${i}`])]
  const { blocks } = await parseBytes('xlsx', makeWorkbook({ Big: rows }))
  const tables = blocks.filter((block) => block.kind === 'table')
  expect(tables).toHaveLength(3)
  for (const table of tables) expect(table.text.startsWith('| No | Name |\n')).toBe(true)
})

test('what cannot be read says why', async () => {
  const locked = makeCompound({ EncryptedPackage: Buffer.alloc(5000), EncryptionInfo: Buffer.alloc(200) })
  for (const kind of ['docx', 'pptx', 'xlsx'] as const) {
    await expect(parseBytes(kind, locked)).rejects.toMatchObject({ reason: 'encrypted' })
    await expect(parseBytes(kind, 'no zip at all')).rejects.toMatchObject({ reason: 'damaged' })
    await expect(parseBytes(kind, '')).rejects.toMatchObject({ reason: 'empty' })
    const wrong = await makeZip({ 'readme.txt': 'not an office file' })
    await expect(parseBytes(kind, wrong)).rejects.toMatchObject({ reason: 'damaged' })
  }
  const whole = await makeDocx(body)
  await expect(parseBytes('docx', whole.subarray(0, whole.length / 2))).rejects.toMatchObject({
    reason: 'damaged',
  })
  await expect(parseBytes('docx', await makeDocx(wordParagraph('')))).rejects.toMatchObject({
    reason: 'no_text',
  })
  await expect(
    parseBytes('ppt', makeCompound({ 'PowerPoint Document': Buffer.alloc(600) })),
  ).rejects.toMatchObject({
    reason: 'damaged',
  })
  await expect(parseBytes('doc', makeCompound({ WordDocument: Buffer.alloc(600) }))).rejects.toMatchObject({
    reason: 'damaged',
  })
  const fib = Buffer.alloc(600)
  fib.writeUInt16LE(0xa5ec, 0)
  fib.writeUInt16LE(0x0100, 10)
  await expect(
    parseBytes('doc', makeCompound({ WordDocument: Buffer.concat([fib, Buffer.alloc(8192)]) })),
  ).rejects.toMatchObject({
    reason: 'encrypted',
  })
})

test('a container that unpacks to too much is refused before it is unpacked', async () => {
  const bomb = await makeZip({
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': Buffer.alloc(40 * 2 ** 20, 32),
  })
  await expect(parseBytes('docx', bomb)).rejects.toMatchObject({ reason: 'too_large_unpacked' })
})
