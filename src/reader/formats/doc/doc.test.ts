// Old Word files written byte by byte, and one by LibreOffice: headings, lists, tables with merged cells, deletions.

import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DocLists, type DocParagraph, makeDoc } from '../../../../test/support/files/doc.ts'
import { expectedBlocks, type Model, model } from '../../../../test/support/files/model.ts'
import { makeWorkbook } from '../../../../test/support/files/office.ts'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { tableIndexes } from './binary.ts'
import { docBlocks } from './doc.ts'

test('headings by style, lists, a table with spans, deleted text, fields', async () => {
  const paragraphs: DocParagraph[] = [
    { text: 'Agreement', style: 1 },
    { text: 'House style', style: 10 },
    { text: 'See \u0013 HYPERLINK "x" \u0014the list\u0015 of \u0001gauges\u000band more.' },
    { text: 'one', list: 0 },
    { text: 'deeper', list: 1 },
    { text: 'struck out', deleted: true },
    { text: 'Port', mark: 'cell' },
    { text: 'Tides', mark: 'cell' },
    { text: '', mark: 'row', edges: [0, 1000, 3000] },
    { text: '', mark: 'cell' },
    { text: 'high', mark: 'cell' },
    { text: 'low', mark: 'cell' },
    { text: '', mark: 'row', edges: [0, 1000, 2000, 3000], continues: [true, false, false] },
    { text: 'End.' },
  ]
  expect((await parseBytes('doc', makeDoc(paragraphs))).blocks).toEqual([
    { kind: 'heading', text: 'Agreement', level: 1 },
    { kind: 'heading', text: 'House style', level: 2 },
    { kind: 'paragraph', text: 'See the list of gauges\nand more.' },
    { kind: 'list', text: '- one\n  - deeper' },
    {
      kind: 'table',
      text: '| Port | Tides | Tides |\n| --- | --- | --- |\n| Port | high | low |',
      html: '<table><tr><td rowspan="2">Port</td><td colspan="2">Tides</td></tr><tr><td>high</td><td>low</td></tr></table>',
    },
    { kind: 'paragraph', text: 'End.' },
  ])
})

test('lists count as Word does: by level, anew where one says so, by the style, in cells; contents are a list', async () => {
  const rest = Array.from({ length: 6 }, () => [0, '%1'] as const)
  const counting: DocLists = {
    lists: [[[0, '%1.'], [0, '%1.%2'], [4, '(%3)', 0], ...rest], [[1, 'Article %1']], [[23, '\uf0b7']]],
    counted: [{ list: 0 }, { list: 1 }, { list: 0, start: 7 }, { list: 2 }],
  }
  const paragraphs: DocParagraph[] = [
    { text: '1.1 Scope\t4', style: 11 },
    { text: 'Scope', style: 1, list: 0 },
    { text: 'Bolts', list: 1 },
    { text: 'long', list: 2 },
    { text: 'short', list: 2 },
    { text: 'Nuts', list: 1 },
    { text: 'wing', list: 2 },
    { text: 'Price', list: 0 },
    { text: 'Between.' },
    { text: 'Anew', list: 0, of: 3 },
    { text: 'dot', list: 0, of: 4 },
    { text: 'by style', style: 12 },
    { text: 'again', style: 12 },
    { text: 'none of it', style: 12, list: 0, of: 0 },
    { text: 'in a cell', list: 0, mark: 'cell' },
    { text: 'plain', mark: 'cell' },
    { text: '', mark: 'row', edges: [0, 1000, 3000] },
    { text: 'last', list: 1, of: 3 },
  ]
  const { blocks } = await parseBytes('doc', makeDoc(paragraphs, counting))
  expect(blocks.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    'list: 1.1 Scope\t4',
    'heading: 1. Scope',
    'list: 1.1 Bolts\n    (a) long\n    (b) short\n  1.2 Nuts\n    (c) wing\n2. Price',
    'paragraph: Between.',
    'list: 7. Anew\n- dot\nArticle I by style\nArticle II again',
    'paragraph: none of it',
    'table: | 8. in a cell | plain |\n| --- | --- |',
    'list: 8.1 last',
  ])
})

test('rows whose properties stand elsewhere, as those of many cells do, are rows', async () => {
  const edges = [0, 900, 1800, 2700]
  const row = (...cells: string[]): DocParagraph[] => [
    ...cells.map((text) => ({ text, mark: 'cell' as const })),
    { text: '', mark: 'row', edges, elsewhere: true },
  ]
  const bytes = makeDoc([...row('Month', 'Jan', 'Feb'), ...row('Lift', '10', '20'), { text: 'End.' }])
  expect((await parseBytes('doc', bytes)).blocks).toEqual([
    { kind: 'table', text: '| Month | Jan | Feb |\n| --- | --- | --- |\n| Lift | 10 | 20 |' },
    { kind: 'paragraph', text: 'End.' },
  ])
})

test('superscripts are exponents', async () => {
  const bytes = makeDoc([{ text: 'It moves 10' }, { text: 'x 40 m3', raised: 1 }])
  expect((await parseBytes('doc', bytes)).blocks.map(({ text }) => text)).toEqual(['It moves 10', 'x 40 m³'])
})

test('a table below another is one of its own where their rows share no edge or no side', async () => {
  const row = (edges: number[], ...cells: string[]): DocParagraph[] => [
    ...cells.map((text) => ({ text, mark: 'cell' as const })),
    { text: '', mark: 'row', edges },
  ]
  const three = [0, 3000, 6000, 9000]
  const fees = [...row(three, 'Service', 'Year 1', 'Year 2'), ...row(three, 'Storage', '650', '670')]
  const signed = [...row([0, 4500, 9000], 'Buyer', 'Seller'), ...row([0, 4500, 9000], 'Ann', 'Bob')]
  const aside = [...row([1500, 4400, 7500], 'Pump', 'No.'), ...row([1500, 4400, 7500], 'P1', 'A-7')]
  const tablesOf = async (paragraphs: DocParagraph[]): Promise<string[]> =>
    (await parseBytes('doc', makeDoc([...paragraphs, { text: 'End.' }]))).blocks
      .slice(0, -1)
      .map(({ text }) => text.split('\n')[0] ?? '')
  expect(await tablesOf([...fees, ...signed, ...aside])).toEqual([
    '| Service | Year 1 | Year 2 |',
    '| Buyer | Seller |',
    '| Pump | No. |',
  ])
  // A single row may be drawn as it likes, and one that shares an edge belongs to the rows above.
  expect(await tablesOf([...fees, ...row([0, 4500, 9000], 'Sum', '1320')])).toHaveLength(1)
  expect(
    await tablesOf([...fees, ...row([0, 6000, 9000], 'A', 'B'), ...row(three, 'C', 'D', 'E')]),
  ).toHaveLength(1)
})

test('a note of the paragraph behind a table stands behind that paragraph', () => {
  const body = 'a\u0007\u0007See\u0002.\r'
  const numbers = (...all: number[]): Buffer => {
    const bytes = Buffer.alloc(4 * all.length + 2)
    for (const [i, number] of all.entries()) bytes.writeUInt32LE(number, 4 * i)
    return bytes
  }
  const inTable = (cp: number): boolean => cp < 3
  const blocks = docBlocks({
    text: `${body}\u0002 Aside.\r`,
    stories: { body: body.length, footnotes: 9, headers: 0, macros: 0, comments: 0, endnotes: 0, boxes: 0 },
    paragraphAt: (cp) => ({
      style: 0,
      inTable: inTable(cp),
      rowEnd: cp === 2,
      depth: inTable(cp) ? 1 : 0,
    }),
    isRaised: () => false,
    styleOf: () => ({ level: 0 }),
    labelOf: () => '-',
    table: (at) => {
      if (at === tableIndexes.footnoteMarks) return numbers(6, body.length)
      return at === tableIndexes.footnotes ? numbers(0, 9) : Buffer.alloc(0)
    },
  })
  expect(blocks.slice(-2)).toEqual([
    { kind: 'paragraph', text: 'See[1].' },
    { kind: 'note', text: '[1] Aside.' },
  ])
})

function asDoc(parts: Model): Buffer {
  const paragraphs = parts.flatMap((part): DocParagraph[] => {
    if (part.type === 'heading') return [{ text: part.text, style: part.level }]
    if (part.type === 'paragraph') return [{ text: part.text }]
    if (part.type === 'list') return part.items.map(({ text, level }) => ({ text, list: level }))
    // Two tables that touch are one.
    const rows = part.rows.flatMap((row): DocParagraph[] => [
      ...row.map((text) => ({ text, mark: 'cell' as const })),
      { text: '', mark: 'row', edges: Array.from({ length: row.length + 1 }, (_, i) => i * 900) },
    ])
    return [...rows, { text: '' }]
  })
  return makeDoc(paragraphs)
}

test('every block as it was written', async () => {
  await fc.assert(
    fc.asyncProperty(model, async (parts) => {
      const { blocks } = await parseBytes('doc', asDoc(parts))
      expect(blocks).toEqual(expectedBlocks(parts))
    }),
    { numRuns: 25 },
  )
})

test('an example: title, headings, tables, nothing of the binary', async () => {
  const { title, blocks } = await parseBytes('doc', await readFile('examples/service-agreement-port.doc'))
  expect(title).toBe('Service agreement for tide gauges')
  const headings = blocks.filter(({ kind }) => kind === 'heading').map(({ text }) => text)
  expect(headings.slice(0, 3)).toEqual([
    'Service agreement for tide gauges',
    '1. What is covered',
    '2. What Tidewick does',
  ])
  const [table] = blocks.filter(({ kind }) => kind === 'table')
  expect(table?.text).toContain('| Breakwater Light | TG-40/20 | 40-1240 | March 2023 |')
})

test('a header that promises billions of characters ends with those there are', async () => {
  const bytes = makeDoc([{ text: 'All there is.' }])
  const head = bytes.indexOf(Buffer.from([0xec, 0xa5, 0xc1, 0x00]))
  bytes.writeUInt32LE(0x70000000, head + 0x4c)
  expect((await parseBytes('doc', bytes)).blocks.map(({ text }) => text)).toEqual(['All there is.'])
})

test.each([
  [0xa5dc, 0x65],
  [0xa699, 0x68],
  [0xa5ec, 0xc0],
])('Word before 97 is not read, and the reason says so (%i, version %i)', async (magic, version) => {
  const bytes = makeDoc([{ text: 'By post and fax.' }])
  const head = bytes.indexOf(Buffer.from([0xec, 0xa5, 0xc1, 0x00]))
  bytes.writeUInt16LE(magic, head)
  bytes.writeUInt16LE(version, head + 2)
  await expect(parseBytes('doc', bytes)).rejects.toMatchObject({ reason: 'unsupported' })
})

test('a piece that promises more characters than the file has bytes is not believed', async () => {
  const bytes = makeDoc([{ text: 'All there is.' }])
  const piece = bytes.indexOf(Buffer.from([2, 16, 0, 0, 0, 0, 0, 0, 0]))
  bytes.writeUInt32LE(90_000_000, piece + 9)
  const found = await parseBytes('doc', bytes).catch((error: { reason?: string }) => error.reason)
  if (typeof found === 'object') expect(found.blocks.map(({ text }) => text)).toEqual(['All there is.'])
  else expect(found).toBe('damaged')
})

test('sectors that follow each other in a circle are damage: the library would follow them until memory ends', async () => {
  for (const kind of ['doc', 'xls'] as const) {
    const bytes = kind === 'doc' ? makeDoc([{ text: 'Round.' }]) : makeWorkbook({ A: [['Round']] }, 'biff8')
    const cell = (bytes.readUInt32LE(76) + 1) * 512
    // The second sector of the directory's chain, or of the first stream's, leads back to the first.
    const chained = Array.from({ length: 100 }, (_, i) => i).find(
      (i) => bytes.readUInt32LE(cell + 4 * i) === i + 1,
    )
    bytes.writeUInt32LE(chained ?? 0, cell + 4 * ((chained ?? 0) + 1))
    await expect(parseBytes(kind, bytes)).rejects.toMatchObject({ reason: 'damaged' })
  }
})

test('cut short anywhere it ends, with words or the true reason', async () => {
  const whole = await readFile('examples/service-agreement-port.doc')
  for (const share of [0.1, 0.3, 0.5, 0.7, 0.9]) {
    const found = await parseBytes('doc', whole.subarray(0, whole.length * share)).then(
      () => 'read',
      (error: { reason?: string }) => error.reason,
    )
    expect(['read', 'damaged', 'no_text']).toContain(found)
  }
})
