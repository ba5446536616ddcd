// Workbooks written and read back: numbers as shown, dates as ISO dates, regions as tables, hidden sheets kept apart.

import * as XLSX from '@e965/xlsx'
import { expect, test } from 'vitest'
import { makeWorkbook } from '../../../test/support/files/office.ts'
import { parseBytes } from '../../../test/support/files/parse.ts'
import { makeZip } from '../../../test/support/files/zip.ts'
import type { DocumentKind } from '../block.ts'
import { numberText } from '../shared/sheets/number-format.ts'
import { type SheetCell, sheetBlocks } from '../shared/sheets/regions.ts'
import { columnNumber } from './xlsx/xlsx.ts'

/** A workbook of one sheet as Excel writes it, from the XML of its cells. */
function makeXlsx(
  rows: string,
  extra: {
    shared?: string
    workbook?: string
    after?: string
    styles?: string
    parts?: Record<string, string>
  } = {},
) {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const rels = (targets: string): string =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets}</Relationships>`
  const to = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${relation}/${type}" Target="${target}"/>`
  return makeZip({
    '_rels/.rels': rels(to('r1', 'officeDocument', '/xl/workbook.xml')),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relation}">${extra.workbook ?? ''}<sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': rels(
      to('r1', 'worksheet', 'worksheets/sheet1.xml') +
        to('r2', 'sharedStrings', 'sharedStrings.xml') +
        to('r3', 'styles', 'styles.xml'),
    ),
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${extra.shared ?? ''}</sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}">${extra.styles ?? ''}</styleSheet>`,
    ...extra.parts,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData>${extra.after ?? ''}</worksheet>`,
  })
}

const formats =
  '<numFmts><numFmt numFmtId="170" formatCode="#,##0.00\\ [$€-407]"/><numFmt numFmtId="171" formatCode="[h]:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="14"/><xf numFmtId="10"/><xf numFmtId="171"/><xf numFmtId="22"/></cellXfs>'

test('every type of cell as shown', async () => {
  const rows = [
    '<row r="1"><c r="A1" t="inlineStr"><is><t>Type</t></is></c><c r="B1" t="s"><v>1</v></c></row>',
    '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" s="1"><v>1234.5</v></c></row>',
    '<row r="3"><c r="A3" t="str"><f>"da"&amp;"te"</f><v>date</v></c><c r="B3" s="2"><v>46082</v></c></row>',
    '<row r="4"><c t="inlineStr"><is><r><t>two </t></r><r><t>runs</t></r><rPh><t>ルビ</t></rPh></is></c><c s="3"><v>0.125</v></c></row>',
    '<row r="5"><c r="A5" t="b"><v>1</v></c><c r="B5" t="e"><v>#DIV/0!</v></c></row>',
    '<row r="6"><c r="A6" t="inlineStr"><is><t>new</t></is></c><c r="B6"><f>SUM(B2:B4)</f></c></row>',
    '<row r="7"><c r="A7" s="4"><v>1.5</v></c><c r="B7" s="5"><v>46082.5</v></c></row>',
    '<row r="8"><c r="A8" t="d"><v>2026-03-01T00:00:00</v></c><c r="B8"><v>0.1</v></c></row>',
  ].join('')
  const shared = '<si><t>euro</t></si><si><r><rPr><b/></rPr><t>Sho</t></r><r><t>wn_x000D_</t></r></si>'
  const { blocks } = await parseBytes('xlsx', await makeXlsx(rows, { shared, styles: formats }))
  expect(blocks[1]?.text.split('\n')).toEqual([
    '| Type | Shown |',
    '| --- | --- |',
    '| euro | 1,234.50 € |',
    '| date | 2026-03-01 |',
    '| two runs | 12.50% |',
    '| TRUE | #DIV/0! |',
    '| new | =SUM(B2:B4) |',
    '| 36:00 | 2026-03-01T12:00 |',
    '| 2026-03-01 | 0.1 |',
  ])
})

test('a whole number that floating point does not hold stands as the file has it', async () => {
  const id = '1729382256910270463'
  const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="1"/><xf numFmtId="3"/></cellXfs>'
  const rows = `<row><c><v>${id}</v></c><c s="1"><v>-${id}</v></c><c s="2"><v>1729382256</v></c></row>`
  const { blocks } = await parseBytes('xlsx', await makeXlsx(rows + rows, { styles }))
  expect(blocks[1]?.text).toContain(`| ${id} | -${id} | 1,729,382,256 |`)
})

test('formulas without a stored result are shown, and the job says so', async () => {
  const rows =
    '<row r="1"><c r="A1" t="inlineStr"><is><t>Item</t></is></c><c r="B1" t="inlineStr"><is><t>Sum</t></is></c></row>' +
    '<row r="2"><c r="A2" t="inlineStr"><is><t>Rope</t></is></c><c r="B2"><f>C2*D2</f><v></v></c></row>' +
    '<row r="3"><c r="A3" t="inlineStr"><is><t>Tar</t></is></c><c r="B3" t="str"><f>IF(1,"","x")</f><v></v></c></row>' +
    '<row r="4"><c r="B4"><f t="shared" si="0"/></c></row>'
  const { blocks, warnings } = await parseBytes('xlsx', await makeXlsx(rows))
  expect(blocks[1]?.text).toBe('| Item | Sum |\n| --- | --- |\n| Rope | =C2*D2 |\n| Tar |  |')
  expect(warnings).toEqual([expect.stringMatching(/^1 formula has no stored result/)])
})

test('hidden rows and columns are read and named', async () => {
  const text = (at: string, value: string): string =>
    `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
  const row = (no: number, hidden: boolean, ...cells: string[]): string =>
    `<row r="${no}"${hidden ? (no === 2 ? ' ht="0"' : ' hidden="1"') : ''}>${cells.map((cell, i) => text(`${'ABC'[i]}${no}`, cell)).join('')}</row>`
  const rows = [
    row(1, false, 'Boat', 'Berth', 'Debt'),
    row(2, true, 'Gull', '4', '90'),
    row(3, false, 'Tern', '5', '0'),
    row(4, true, 'Auk', '6', '10'),
    row(5, true, 'Ruff', '7', '20'),
  ]
  const bytes = await makeXlsx(rows.join(''), { after: '<cols><col min="3" max="9" hidden="1"/></cols>' })
  const { blocks } = await parseBytes('xlsx', bytes)
  expect(blocks[1]?.text).toContain('| Gull | 4 | 90 |')
  expect(blocks[2]).toMatchObject({
    kind: 'note',
    text: 'Hidden rows: 2 (Gull), 4 to 5. Hidden columns: C (Debt).',
  })
  const cell = (value: string): string => `<table:table-cell><text:p>${value}</text:p></table:table-cell>`
  const columns =
    '<table:table-column table:number-columns-repeated="2"/><table:table-column table:visibility="collapse"/>'
  const ods = `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet><table:table table:name="a">${columns}<table:table-row>${['Boat', 'Berth', 'Debt'].map(cell).join('')}</table:table-row><table:table-row table:visibility="filter">${['Gull', '4', '90'].map(cell).join('')}</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`
  const mimetype = 'application/vnd.oasis.opendocument.spreadsheet'
  const open = await parseBytes('ods', await makeZip({ mimetype, 'content.xml': ods }))
  expect(open.blocks[2]?.text).toBe('Hidden rows: 2 (Gull). Hidden columns: C (Debt).')
})

test('hidden rows of a binary workbook are read and named', async () => {
  const sheet = XLSX.utils.aoa_to_sheet([
    ['Boat', 'Berth'],
    ['Gull', 4],
    ['Tern', 5],
  ])
  sheet['!rows'] = [{}, { hidden: true }]
  const workbook = XLSX.utils.book_new(sheet, 'Boats')
  const bytes = XLSX.write(workbook, { type: 'buffer', bookType: 'xlsb' }) as Buffer
  const { blocks } = await parseBytes('xlsx', bytes)
  expect(blocks[1]?.text).toContain('| Gull | 4 |')
  expect(blocks[2]).toMatchObject({ kind: 'note', text: 'Hidden rows: 2 (Gull).' })
})

test('dates of the 1904 system', async () => {
  const row = '<row r="1"><c r="A1" s="2"><v>0</v></c><c r="B1" s="2"><v>44620</v></c></row>'
  for (const [on, dates] of [
    ['1', '1904-01-01 2026-03-01'],
    ['true', '1904-01-01 2026-03-01'],
  ] as const) {
    const bytes = await makeXlsx(row, { styles: formats, workbook: `<workbookPr date1904="${on}"/>` })
    expect((await parseBytes('xlsx', bytes)).blocks[1]?.text).toBe(dates)
  }
})

test('merged cells keep their spans', async () => {
  const text = (at: string, value: string): string =>
    `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
  const rows = `<row r="1">${text('A1', 'Port')}${text('B1', 'Tides')}</row><row r="2">${text('B2', 'high')}${text('C2', 'low')}</row><row r="3">${text('A3', 'North')}${text('B3', '4 m')}${text('C3', '1 m')}</row>`
  const bytes = await makeXlsx(rows, {
    after: '<mergeCells count="2"><mergeCell ref="A1:A2"/><mergeCell ref="B1:C1"/></mergeCells>',
  })
  expect((await parseBytes('xlsx', bytes)).blocks[1]?.html).toBe(
    '<table><tr><td rowspan="2">Port</td><td colspan="2">Tides</td></tr><tr><td>high</td><td>low</td></tr><tr><td>North</td><td>4 m</td><td>1 m</td></tr></table>',
  )
})

test('tables on a sheet are regions; a header after one blank row begins one', async () => {
  const rows = [
    ['Revenue', 'Q1', 'Q2', '', '', '', 'Contact', 'Phone'],
    ['Gauges', 120, 130, '', '', '', 'Priya', '12'],
    [],
    ['Costs', 'Q1', 'Q2'],
    ['Rent', 10, 13],
    [],
    ['Offices'],
    ['Town', 'Street'],
    ['Aldermouth', 'North Pier'],
  ]
  const { blocks } = await parseBytes('xlsx', makeWorkbook({ Budget: rows }))
  expect(blocks.slice(1).map(({ text }) => text.split('\n').filter((line) => !/---/.test(line)))).toEqual([
    ['| Revenue | Q1 | Q2 |', '| Gauges | 120 | 130 |'],
    ['| Contact | Phone |', '| Priya | 12 |'],
    ['| Costs | Q1 | Q2 |', '| Rent | 10 | 13 |'],
    ['Offices'],
    ['| Town | Street |', '| Aldermouth | North Pier |'],
  ])
})

test('hidden sheets are kept apart, in every format; the binary and the open one read like the others', async () => {
  const workbook = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(
    workbook,
    XLSX.utils.aoa_to_sheet([
      ['a', 'b'],
      [1, 2],
    ]),
    'Shown',
  )
  XLSX.utils.book_append_sheet(
    workbook,
    XLSX.utils.aoa_to_sheet([
      ['c', 'd'],
      [3, 4],
    ]),
    'Kept back',
  )
  workbook.Workbook = { Sheets: [{ Hidden: 0 }, { Hidden: 1 }] }
  const expected = [
    ['heading', 'Shown', 1],
    ['table', '| a | b |\n| --- | --- |\n| 1 | 2 |', 1],
  ]
  const apart = [
    ['heading', 'Kept back', 2],
    ['table', '| c | d |\n| --- | --- |\n| 3 | 4 |', 2],
  ]
  for (const [kind, bookType] of [
    ['xlsx', 'xlsx'],
    ['xlsx', 'xlsm'],
    ['xlsx', 'xlsb'],
    ['xls', 'biff8'],
    ['ods', 'ods'],
  ] as [DocumentKind, XLSX.BookType][]) {
    const bytes = XLSX.write(workbook, { type: 'buffer', bookType }) as Buffer
    const { blocks, hidden = [] } = await parseBytes(kind, bytes)
    // SheetJS writes no visibility into OpenDocument.
    expect(
      blocks.map(({ kind: type, text, page }) => [type, text, page]),
      bookType,
    ).toEqual(kind === 'ods' ? [...expected, ...apart] : expected)
    expect(
      hidden.map(({ text, page }) => [text, page]),
      bookType,
    ).toEqual(kind === 'ods' ? [] : apart.map(([, text, page]) => [text, page]))
  }
})

test('a locked OpenDocument sheet says so', async () => {
  const locked = await makeZip({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'META-INF/manifest.xml': '<manifest:manifest><manifest:encryption-data/></manifest:manifest>',
    'content.xml': Buffer.from([1, 2, 3]),
  })
  // The second one as well.
  for (let i = 0; i < 2; i++)
    await expect(parseBytes('ods', locked)).rejects.toMatchObject({ reason: 'encrypted' })
})

test('a sheet of one monstrous string in every cell is cut, not multiplied', async () => {
  const cell = (_: unknown, i: number): string => `<row><c t="s"><v>0</v></c><c><v>${i}</v></c></row>`
  const rows = Array.from({ length: 4000 }, cell).join('')
  const bytes = await makeXlsx(rows, { shared: `<si><t>${'x'.repeat(100_000)}</t></si>` })
  await expect(parseBytes('xlsx', bytes)).rejects.toMatchObject({ reason: 'too_large_unpacked' })
})

test('format codes that are none show the number; columns count in letters', () => {
  expect(numberText(12.5, '[Red]0.0;[', false)).toMatch(/12\.5/)
  expect(numberText(1234.5, '0.00E+00', false)).toBe('1.23E+03')
  expect(numberText(0.5, '# ?/?', false)).toBe('1/2')
  // Words beside General, and days before the first, which Excel shows as hashes.
  expect(numberText(-1.5, '[Red]General" units"', false)).toBe('-1.5 units')
  expect(numberText(-5, 'yyyy-mm-dd', false)).toBe('-5')
  expect(['0;-0;;@', '#', ';;;'].map((format) => numberText(0, format, false))).toEqual(['', '', ''])
  expect(
    [89.539999999999992, 0.1 + 0.2, 12345678901.5, 1e21].map((one) => numberText(one, 'General', false)),
  ).toEqual(['89.54', '0.3', '12345678901.5', '1e+21'])
  expect(
    ['£#,##0.00', '#,##0.00 zł', '[Red]-¥#,##0;_-¥* 0', '"£"0.0'].map((format) =>
      numberText(1234.5, format, false),
    ),
  ).toEqual(['£1,234.50', '1,234.50 zł', '-¥1,235', '£1234.5'])
  expect(numberText(4111111111111111, 'General', false)).toBe('4111111111111111')
  expect(['A1', 'Z9', 'AA3', '$BA$1', '1'].map(columnNumber)).toEqual([0, 25, 26, 52, undefined])
})

test('what is drawn on a sheet: text boxes, charts with their figures and the places of pictures, row by row', async () => {
  const office = 'http://schemas.openxmlformats.org'
  const relations = (...targets: [id: string, type: string, target: string][]): string =>
    `<Relationships xmlns="${office}/package/2006/relationships">${targets.map(([id, type, target]) => `<Relationship Id="${id}" Type="${office}/officeDocument/2006/relationships/${type}" Target="${target}"/>`).join('')}</Relationships>`
  const anchor = (row: number, shape: string): string =>
    `<d:twoCellAnchor><d:from><d:col>0</d:col><d:row>${row}</d:row></d:from>${shape}<d:clientData/></d:twoCellAnchor>`
  const box = (text: string, hidden = ''): string =>
    `<d:sp><d:nvSpPr><d:cNvPr id="1" name="Box" ${hidden}/></d:nvSpPr><d:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></d:txBody></d:sp>`
  const picture =
    '<d:pic><d:nvPicPr><d:cNvPr id="2" name="Picture"/></d:nvPicPr><d:blipFill><a:blip r:embed="p1"/></d:blipFill></d:pic>'
  const chart = `<d:graphicFrame><a:graphic><a:graphicData><c:chart xmlns:c="${office}/drawingml/2006/chart" r:id="c1"/></a:graphicData></a:graphic></d:graphicFrame>`
  const drawing = [
    anchor(9, picture),
    anchor(5, `<d:grpSp>${box('Approved by the board')}${box('Not shown', 'hidden="1"')}</d:grpSp>`),
    anchor(7, chart),
  ].join('')
  const point = '<c:pt idx="0"><c:v>12</c:v></c:pt>'
  const bytes = await makeXlsx('<row r="1"><c r="A1"><v>12</v></c></row>', {
    parts: {
      'xl/worksheets/_rels/sheet1.xml.rels': relations(['r1', 'drawing', '../drawings/drawing1.xml']),
      'xl/drawings/_rels/drawing1.xml.rels': relations(
        ['p1', 'image', '../media/image1.png'],
        ['c1', 'chart', '../charts/chart1.xml'],
      ),
      'xl/drawings/drawing1.xml': `<d:wsDr xmlns:d="${office}/drawingml/2006/spreadsheetDrawing" xmlns:a="${office}/drawingml/2006/main" xmlns:r="${office}/officeDocument/2006/relationships">${drawing}</d:wsDr>`,
      'xl/charts/chart1.xml': `<c:chartSpace xmlns:c="${office}/drawingml/2006/chart" xmlns:a="${office}/drawingml/2006/main"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales by month</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:ser><c:val>${point}</c:val></c:ser></c:plotArea></c:chart></c:chartSpace>`,
    },
  })
  const { blocks, pictures } = await parseBytes('xlsx', bytes)
  expect(blocks.slice(2).map(({ kind, text, page }) => [kind, text, page])).toEqual([
    ['paragraph', 'Approved by the board', 1],
    ['figure', 'Sales by month', 1],
    ['table', '| Series 1 |\n| --- |\n| 12 |', 1],
  ])
  expect(pictures).toEqual([{ name: 'xl/media/image1.png', page: 1, at: 5 }])
})

test.each([
  ['xlsx', 'xlsx'],
  ['xls', 'biff8'],
  ['ods', 'ods'],
] as const)('the name of a sheet of .%s is what its tab says', async (kind, bookType) => {
  const { blocks } = await parseBytes(kind, makeWorkbook({ 'R&D <2> &lt;': [['a', 'b']] }, bookType))
  expect(blocks[0]?.text).toBe('R&D <2> &lt;')
})

test('OpenDocument: repeated and merged cells, groups, dates, times, remarks, spaces, hidden sheets', async () => {
  const names = ['office', 'table', 'text', 'style'].map(
    (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  )
  const cell = (text: string, attributes = ''): string =>
    `<table:table-cell ${attributes}>${text === '' ? '' : `<text:p>${text}</text:p>`}</table:table-cell>`
  const typed = (type: string, value: string, text: string): string =>
    cell(text, `office:value-type="${type}" office:${type === 'float' ? '' : `${type}-`}value="${value}"`)
  const row = (cells: string, attributes = ''): string =>
    `<table:table-row ${attributes}>${cells}</table:table-row>`
  const style = (name: string, display: boolean): string =>
    `<style:style style:name="${name}" style:family="table"><style:table-properties table:display="${display}"/></style:style>`
  const sheet = (name: string, of: string, rows: string): string =>
    `<table:table table:name="${name}" table:style-name="${of}">${rows}</table:table>`
  const remark = '<office:annotation><text:p>not in the text</text:p></office:annotation>'
  const content = `<?xml version="1.0"?><office:document-content ${names.join(' ')}><office:automatic-styles>${style('s1', true)}${style('s2', false)}</office:automatic-styles><office:body><office:spreadsheet>${sheet(
    'Gauges',
    's1',
    `<table:table-column/><table:table-header-rows>${row(['day', 'time', 'level', 'ok'].map((text) => cell(text)).join(''))}</table:table-header-rows><table:table-row-group>${row(
      `${typed('date', '2026-11-21T00:00:00', '21. Nov')}${typed('time', 'PT13H05M00S', '13:05:00')}${typed('float', '0.333', '###')}${typed('boolean', 'true', 'WAHR')}`,
    )}<table:table-row-group>${row(
      `${typed('date', '2026-11-22T07:30:05', '22.11. 07:30')}${cell(`a<text:s text:c="2"/>b <text:span>c</text:span> <text:span>d</text:span>`)}${cell('same', 'table:number-columns-repeated="2"')}${cell('', 'table:number-columns-repeated="16380"')}`,
      'table:number-rows-repeated="2"',
    )}</table:table-row-group></table:table-row-group>${row(
      `${cell('both', 'table:number-columns-spanned="2"')}<table:covered-table-cell/><table:table-cell>${remark}<text:p>R&amp;D</text:p></table:table-cell>`,
    )}${row(cell('', 'table:number-columns-repeated="16384"'), 'table:number-rows-repeated="1048000"')}`,
  )}${sheet('Empty', 's1', '')}${sheet('Kept back', 's2', row(cell('e') + cell('f')) + row(cell('1') + cell('2')))}</office:spreadsheet></office:body></office:document-content>`
  const bytes = await makeZip({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': content,
    'meta.xml': '<m xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Gauges of the year</dc:title></m>',
  })
  const { blocks, pages, title } = await parseBytes('ods', bytes)
  expect([title, pages]).toEqual(['Gauges of the year', 3])
  expect(blocks.map(({ kind, text, page }) => [kind, text, page])).toEqual([
    ['heading', 'Gauges', 1],
    [
      'table',
      [
        '| day | time | level | ok |',
        '| --- | --- | --- | --- |',
        '| 2026-11-21 | 13:05 | 0.333 | TRUE |',
        '| 2026-11-22T07:30:05 | a b c d | same | same |',
        '| 2026-11-22T07:30:05 | a b c d | same | same |',
        '| both | both | R&D |  |',
      ].join('\n'),
      1,
    ],
    ['note', 'Comment on C5: not in the text', 1],
  ])
  expect(blocks[1]?.html).toContain('<td colspan="2">both</td>')
})

test('an OpenDocument row repeated beyond measure is refused, not multiplied', async () => {
  const content = `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet><table:table table:name="a"><table:table-row table:number-rows-repeated="1000000000"><table:table-cell table:number-columns-repeated="1000000000"><text:p>x</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`
  const bytes = await makeZip({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': content,
  })
  await expect(parseBytes('ods', bytes)).rejects.toMatchObject({ reason: 'too_large_unpacked' })
})

/** The cells of rows of texts; where there is none, there is no cell. */
const cellsOf = (rows: readonly (readonly string[])[]): SheetCell[] =>
  rows.flatMap((row, r) => row.flatMap((text, column) => (text === '' ? [] : [{ row: r, column, text }])))

test('a merged cell spans the columns that are there: spacers without a cell are none', () => {
  const cells = cellsOf([
    ['', '2023', '', '', '2022', '', ''],
    ['', 'Catch', '', 'Crew', 'Catch', '', 'Crew'],
    ['North', '1', '', '2', '3', '', '4'],
  ]).map((cell) => (/^20/.test(cell.text) ? { ...cell, colSpan: 3 } : cell))
  const [table, ...rest] = sheetBlocks(cells)
  expect(rest).toEqual([])
  expect(table?.html).toBe(
    '<table><tr><td></td><td colspan="2">2023</td><td colspan="2">2022</td></tr><tr><td></td><td>Catch</td><td>Crew</td><td>Catch</td><td>Crew</td></tr><tr><td>North</td><td>1</td><td>2</td><td>3</td><td>4</td></tr></table>',
  )
})

test('a lone text behind a blank row is a remark, whatever its length; right below the rows it may be one of them', () => {
  const rows = [
    ['Pier', 'Tons'],
    ['North', '1'],
    ['South', '2'],
  ]
  const kinds = (below: string[][]) => sheetBlocks(cellsOf([...rows, ...below])).map(({ kind }) => kind)
  expect(kinds([[], ['As of May.']])).toEqual(['table', 'paragraph'])
  expect(kinds([['As of May.']])).toEqual(['table'])
})
