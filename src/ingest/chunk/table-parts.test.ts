// Long tables with spans: the HTML of the parts has the same text in each slot as the HTML of the table.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { headerRows, readTable } from '../../reader/reader.ts'
import { type Cell, markdownTable, splitMergedCells, tableHtml } from '../../reader/shared/blocks/table.ts'
import { tableParts } from './table-parts.ts'

const MAX_PART = 400

/** The text of every slot, which is that of the cell that covers it. */
function slots(html: string): string[][] {
  const { height, cells } = readTable(html)
  const grid: string[][] = Array.from({ length: height }, () => [])
  for (const { row, column, rows, columns, content } of cells)
    for (let r = row; r < row + rows; r++)
      for (let c = column; c < column + columns; c++) {
        expect(grid[r]?.[c]).toBe(undefined)
        const line = grid[r]
        if (line !== undefined) line[c] = content
      }
  return grid
}

/** Rows of cells that fill a grid and whose spans stay inside it. */
const spanned = fc
  .tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 10, max: 40 }), fc.infiniteStream(fc.nat(11)))
  .map(([width, height, dice]) => {
    const roll = (): number => dice.next().value ?? 0
    const open = Array.from({ length: height }, () => new Array<boolean>(width).fill(false))
    return open.map((row, r) =>
      row.flatMap((_, c): Cell[] => {
        if (open[r]?.[c]) return []
        let [rowSpan, colSpan] = [1, 1]
        if (roll() > 7) rowSpan = Math.min(1 + roll(), height - r)
        else if (roll() > 8) while (c + colSpan < width && !open[r]?.[c + colSpan] && roll() > 3) colSpan++
        for (let i = r; i < r + rowSpan; i++) open[i]?.fill(true, c, c + colSpan)
        // Some cells are empty. A row of empty cells only has no line in the Markdown.
        return [{ text: roll() === 0 ? '' : `a < b ${r} ${c}`, rowSpan, colSpan }]
      }),
    )
  })

test('a table in parts keeps every slot’s text and every span, under the whole header', () => {
  let cut = 0
  fc.assert(
    fc.property(spanned, (rows) => {
      const html = tableHtml(rows)
      if (html === undefined) return
      const parts = tableParts(markdownTable(splitMergedCells(rows)), html, MAX_PART)
      if (parts.length > 1) cut++
      const whole = slots(html)
      const header = headerRows(readTable(html))
      const found = parts.map((part) => slots(part.html ?? ''))
      // The first part contains the header, and the later parts repeat it.
      let at = 0
      for (const [i, part] of found.entries()) {
        const begins = i > 0 && part.length > header && at >= header ? header : 0
        if (begins > 0) expect(part.slice(0, header)).toEqual(whole.slice(0, header))
        const from = begins > 0 ? at : 0
        expect(part.slice(begins)).toEqual(whole.slice(from, from + part.length - begins))
        at = from + part.length - begins
      }
      expect(at).toBe(whole.length)
    }),
    { numRuns: 100 },
  )
  expect(cut).toBeGreaterThan(10)
})

test('a span that was cut is in both parts with its text', () => {
  const rows: Cell[][] = [
    [
      { text: 'Region', rowSpan: 2 },
      { text: 'Sales', colSpan: 2 },
    ],
    [{ text: '2024' }, { text: '2025' }],
    ...Array.from({ length: 40 }, (_, i): Cell[] => [
      ...(i === 0 ? [{ text: 'North', rowSpan: 40 }] : []),
      { text: `${i} million` },
      { text: `${i + 1} million` },
    ]),
  ]
  const parts = tableParts(markdownTable(splitMergedCells(rows)), tableHtml(rows), MAX_PART)
  expect(parts.length).toBeGreaterThan(2)
  const header = parts[0]?.text.split('\n').slice(0, 3)
  for (const { text, html = '' } of parts) {
    expect(text.split('\n').slice(0, 3)).toEqual(header)
    const [names, years, first, ...more] = slots(html)
    expect([names, years]).toEqual([
      ['Region', 'Sales', 'Sales'],
      ['Region', '2024', '2025'],
    ])
    expect([first, ...more].every((row) => row?.[0] === 'North')).toBe(true)
    expect(html).toContain(`<td rowspan="${more.length + 1}">North</td>`)
  }
})

test('a row too long for one part is cut in the Markdown; its parts have no HTML, the others do', () => {
  const rows: Cell[][] = [
    [{ text: 'Name' }, { text: 'Text' }],
    [{ text: 'both', colSpan: 2 }],
    [{ text: 'long' }, { text: 'word '.repeat(200) }],
    [{ text: 'short' }, { text: 'text' }],
  ]
  const parts = tableParts(markdownTable(splitMergedCells(rows)), tableHtml(rows), MAX_PART)
  expect(parts.some(({ html }) => html === undefined)).toBe(true)
  expect(parts.every(({ text, html }) => html === undefined || !text.includes('word'))).toBe(true)
})
