// Two-row headers of sheets: which columns a text in the first row spans.

import { expect, test } from 'vitest'
import { type SheetCell, sheetBlocks } from './regions.ts'

/** The table of rows of texts, as Markdown lines and HTML; spans by place. */
function read(rows: readonly (readonly string[])[], spans: Record<string, Partial<SheetCell>> = {}) {
  const cells = rows.flatMap((row, r) =>
    row.flatMap((text, c) =>
      text === '' ? [] : [{ row: r, column: c, text, ...(spans[`${r},${c}`] ?? {}) }],
    ),
  )
  const [table, ...rest] = sheetBlocks(cells)
  expect(rest).toEqual([])
  return { lines: table?.text.split('\n'), html: table?.html }
}

const figures = ['North', '1', '2', '3', '4']
const names = ['', 'Catch', 'Crew', 'Catch', 'Crew']
const spread = (first: string): string =>
  `<table><tr><td>${first}</td><td colspan="2">2023</td><td colspan="2">2022</td></tr><tr><td></td><td>Catch</td><td>Crew</td><td>Catch</td><td>Crew</td></tr><tr>${figures.map((text) => `<td>${text}</td>`).join('')}</tr></table>`

test('a text over a run of columns whose names repeat stands over all of them, wherever in the run it is', () => {
  for (const parents of [
    ['Tons', '', '2023', '', '2022'],
    ['Tons', '2023', '', '2022', ''],
  ])
    expect(read([parents, names, figures])).toEqual({
      lines: [
        '| Tons | 2023 | 2023 | 2022 | 2022 |',
        '| --- | --- | --- | --- | --- |',
        '|  | Catch | Crew | Catch | Crew |',
        '| North | 1 | 2 | 3 | 4 |',
      ],
      html: spread('Tons'),
    })
})

test('without names that repeat, or with texts elsewhere, nobody knows how far a text reaches', () => {
  for (const rows of [
    [['Tons', '', '', '', 'restated'], ['', 'Catch', 'Crew', 'Nets', 'Boats'], figures],
    [['', '', '2023', '2022', ''], names, figures],
    [['Tons', '2023', '2023', '2022', '2022'], names, figures],
    [['Tons', '2023', '', '', ''], names, figures],
  ])
    expect(read(rows)?.html).toBeUndefined()
})

test('a merged cell spans the columns that are there: spacers without a cell are none', () => {
  const rows = [
    ['', '2023', '', '', '2022', '', ''],
    ['', 'Catch', '', 'Crew', 'Catch', '', 'Crew'],
    ['North', '1', '', '2', '3', '', '4'],
  ]
  expect(read(rows, { '0,1': { colSpan: 3 }, '0,4': { colSpan: 3 } }).html).toBe(spread(''))
})

test('a lone text at the right edge that tells two tables of the same names apart stands over all their columns', () => {
  const cells = (period: string, from: number, last = 'Boats'): SheetCell[] =>
    [
      ['Tons', '', '', period],
      ['', 'Catch', 'Crew', last],
      ['North', '1', '2', '3'],
      ['South', '4', '5', '6'],
    ].flatMap((row, r) => row.flatMap((text, c) => (text === '' ? [] : [{ row: from + r, column: c, text }])))
  const tops = (found: SheetCell[]) => sheetBlocks(found).map(({ text }) => text.split('\n')[0])
  const two = [...cells('2023', 0), ...cells('2022', 6)]
  expect(tops(two)).toEqual(['| Tons | 2023 | 2023 | 2023 |', '| Tons | 2022 | 2022 | 2022 |'])
  expect(sheetBlocks(two)[0]?.html).toContain('<td>Tons</td><td colspan="3">2023</td>')
  // The same text over both, other names, or one table: nobody knows.
  for (const other of [cells('2023', 6), cells('2022', 6, 'Nets'), []])
    expect(tops([...cells('2023', 0), ...other])[0]).toBe('| Tons |  |  | 2023 |')
})

test('a lone text behind a blank row is a remark, whatever its length; right below the rows it may be one of them', () => {
  const cells = (at: number): SheetCell[] =>
    [
      ['Pier', 'Tons'],
      ['North', '1'],
      ['South', '2'],
    ]
      .flatMap((row, r) => row.map((text, column) => ({ row: r, column, text })))
      .concat({ row: at, column: 0, text: 'As of May.' })
  expect(sheetBlocks(cells(4)).map(({ kind }) => kind)).toEqual(['table', 'paragraph'])
  expect(sheetBlocks(cells(3)).map(({ kind }) => kind)).toEqual(['table'])
})
