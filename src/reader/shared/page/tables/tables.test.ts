// Tables read from words and lines put at places: grids, spans, headers of two levels, wrapped labels; prose and charts are none.

import type { ParsedPage, TextItem, VectorLine } from '@llamaindex/liteparse'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../../../test/support/full.ts'
import type { BBox } from '../../../block.ts'
import { plainWords } from '../layout/words.ts'
import { findTables, itemsOutside } from './find-tables.ts'
import { gridBlock } from './grid.ts'

const WIDTH = 5

/** A run of text in letters of 5 points, 10 points high, with its words. */
function item(text: string, x: number, y: number): TextItem {
  let at = 0
  const words = text.split(' ').map((word) => {
    const box = { text: word, x: x + at * WIDTH, y, width: word.length * WIDTH, height: 10 }
    at += word.length + 0.5
    return box
  })
  return { text, x, y, width: (at - 0.5) * WIDTH, height: 10, words }
}

const right = (text: string, edge: number, y: number): TextItem =>
  item(text, edge - item(text, 0, 0).width, y)

const rule = (x1: number, y1: number, x2: number, y2: number): VectorLine => ({
  x1,
  y1,
  x2,
  y2,
  stroke: true,
  fill: false,
})

function page(textItems: TextItem[], lines: VectorLine[] = []): ParsedPage {
  const sheet = { pageNum: 1, width: 612, height: 792, text: '', markdown: '', textItems }
  return { ...sheet, vectorGraphics: { shapes: [], lines } }
}

function read(items: TextItem[], seeds: BBox[], lines: VectorLine[] = []): string[] {
  return findTables(page(items, lines), seeds).map((table) => {
    const block = gridBlock(table)
    return block?.html ?? block?.text ?? ''
  })
}

test('a framed grid keeps its spans', () => {
  const lines = [
    ...[100, 120, 140, 160].map((y) => rule(50, y, 350, y)),
    ...[50, 350].map((x) => rule(x, 100, x, 160)),
    ...[150, 250].map((x) => rule(x, 120, x, 160)),
  ]
  const items = [
    item('All of them', 160, 105),
    ...['a', 'b', 'c'].map((text, i) => item(text, 60 + i * 100, 125)),
    ...['1', '2', '3'].map((text, i) => item(text, 60 + i * 100, 145)),
  ]
  expect(read(items, [], lines)).toEqual([
    '<table><tr><td colspan="3">All of them</td></tr><tr><td>a</td><td>b</td><td>c</td></tr>' +
      '<tr><td>1</td><td>2</td><td>3</td></tr></table>',
  ])
})

test('a frame around columns only holds many rows', () => {
  const lines = [
    ...[100, 120, 180].map((y) => rule(50, y, 350, y)),
    ...[50, 200, 350].map((x) => rule(x, 100, x, 180)),
  ]
  const row = (label: string, value: string, y: number): TextItem[] => [
    item(label, 60, y),
    item(value, 250, y),
  ]
  const items = [
    ...row('Name', 'Value', 105),
    ...row('one', '11', 125),
    ...row('two', '22', 140),
    ...row('six', '66', 155),
  ]
  expect(read(items, [], lines)).toEqual([
    '| Name | Value |\n| --- | --- |\n| one | 11 |\n| two | 22 |\n| six | 66 |',
  ])
})

test('rules that part groups of columns leave the columns of each group to its words', () => {
  const lines = [
    ...[100, 132, 200].map((y) => rule(50, y, 450, y)),
    ...[50, 180, 320, 450].map((x) => rule(x, 100, x, 200)),
  ]
  const row = (texts: string[], y: number): TextItem[] =>
    texts.map((text, i) => (i === 0 ? item(text, 60, y) : right(text, 180 + i * 62, y)))
  const items = [
    item('Men', 256, 103),
    item('Women', 375, 103),
    ...row(['Trade', '2023', '2024', '2023', '2024'], 118),
    ...row(['Bakers', '11', '12', '21', '22'], 136),
    ...row(['Joiners', '31', '32', '41', '42'], 150),
    ...row(['Masons', '51', '52', '61', '62'], 164),
    ...row(['Tilers', '71', '72', '81', '82'], 178),
  ]
  expect(read(items, [], lines)).toEqual([
    '<table><tr><td rowspan="2">Trade</td><td colspan="2">Men</td><td colspan="2">Women</td></tr>' +
      '<tr><td>2023</td><td>2024</td><td>2023</td><td>2024</td></tr>' +
      '<tr><td>Bakers</td><td>11</td><td>12</td><td>21</td><td>22</td></tr>' +
      '<tr><td>Joiners</td><td>31</td><td>32</td><td>41</td><td>42</td></tr>' +
      '<tr><td>Masons</td><td>51</td><td>52</td><td>61</td><td>62</td></tr>' +
      '<tr><td>Tilers</td><td>71</td><td>72</td><td>81</td><td>82</td></tr></table>',
  ])
})

test('rules of the head alone that part groups of columns leave the columns of each group to its words', () => {
  const lines = [
    ...[100, 132, 200].map((y) => rule(50, y, 450, y)),
    ...[50, 180, 450].map((x) => rule(x, 100, x, 200)),
    rule(320, 100, 320, 132),
  ]
  const row = (texts: string[], y: number): TextItem[] =>
    texts.map((text, i) => (i === 0 ? item(text, 60, y) : right(text, 180 + i * 62, y)))
  const items = [
    item('Men', 256, 103),
    item('Women', 375, 103),
    ...row(['Trade', '2023', '2024', '2023', '2024'], 118),
    ...row(['Bakers', '11', '12', '21', '22'], 136),
    ...row(['Joiners', '31', '32', '41', '42'], 150),
    ...row(['Masons', '51', '52', '61', '62'], 164),
    ...row(['Tilers', '71', '72', '81', '82'], 178),
  ]
  expect(read(items, [], lines)[0]).toContain(
    '<tr><td>Bakers</td><td>11</td><td>12</td><td>21</td><td>22</td></tr>' +
      '<tr><td>Joiners</td><td>31</td><td>32</td><td>41</td><td>42</td></tr>',
  )
})

const statement = [
  item('Three months ended', 290, 100),
  right('2024', 300, 114),
  right('2023', 400, 114),
  item('Revenues:', 50, 130),
  item('Products', 60, 144),
  right('$ 1,200', 300, 144),
  right('$ 980', 400, 144),
  item('Services rendered under long contracts', 60, 158),
  item('of maintenance', 60, 172),
  right('(15)', 300, 172),
  right('—', 400, 172),
  item('Total', 50, 186),
  right('1,185', 300, 186),
  right('980', 400, 186),
]
const table =
  '<table><tr><td></td><td colspan="2">Three months ended</td></tr><tr><td></td><td>2024</td><td>2023</td></tr>' +
  '<tr><td>Revenues:</td><td></td><td></td></tr><tr><td>Products</td><td>$ 1,200</td><td>$ 980</td></tr>' +
  '<tr><td>Services rendered under long contracts of maintenance</td><td>(15)</td><td>—</td></tr>' +
  '<tr><td>Total</td><td>1,185</td><td>980</td></tr></table>'

test('a statement without lines: header of two levels, labels that wrap, signs with their figures', () => {
  expect(read(statement, [[50, 100, 400, 196]])).toEqual([table])
})

test('a seed that saw the figures only gets its labels, header and last rows', () => {
  expect(read(statement, [[260, 140, 400, 182]])).toEqual([table])
})

test('prose around a table and between two stays out of them', () => {
  const prose = 'which is a sentence that runs over the whole width of the page and over every gutter'
  const shifted = statement.map(({ text, x, y }) => item(text, x, y + 160))
  const items = [
    item(prose, 50, 86),
    ...statement,
    item(prose, 50, 214),
    item(prose, 50, 228),
    ...shifted,
    item(prose, 50, 374),
  ]
  expect(read(items, [[50, 84, 420, 384]])).toEqual([table, table])
})

test('a chart, a list and two columns of text are no tables', () => {
  const ticks = [100, 80, 60, 40, 20].map((value, i) => right(String(value), 80, 100 + i * 30))
  const chart = [...ticks, item('Series one', 200, 115), item('Series two', 300, 160)]
  expect(read(chart, [[60, 100, 400, 230]])).toEqual([])
  const list = ['(1)', '(2)', '(3)'].flatMap((mark, i) => [
    item(mark, 50, 100 + i * 14),
    item(`what number ${i} says`, 90, 100 + i * 14),
  ])
  expect(read(list, [[50, 100, 300, 150]])).toEqual([])
})

test('no word is lost or read twice, whatever stands where', () => {
  const text = fc.constantFrom('12', '$ 5', 'a label', 'several words of prose that run on', '—', 'x')
  const placed = fc
    .tuple(text, fc.nat(400), fc.nat(40))
    .map(([words, x, line]) => item(words, x, 50 + line * 13))
  const edge = fc.tuple(fc.nat(500), fc.nat(500), fc.nat(300), fc.boolean())
  const lines = fc.array(
    edge.map(([x, y, length, isRow]) => (isRow ? rule(x, y, x + length, y) : rule(x, y, x, y + length))),
    { maxLength: 12 },
  )
  const boxes = fc.array(
    fc.tuple(fc.nat(300), fc.nat(300), fc.integer({ min: 30, max: 300 }), fc.integer({ min: 30, max: 300 })),
    { maxLength: 3 },
  )
  fc.assert(
    fc.property(fc.array(placed, { maxLength: 40 }), lines, boxes, (items, rules, places) => {
      const tables = findTables(
        page(items, rules),
        places.map(([x, y, width, height]): BBox => [x, y, x + width, y + height]),
      )
      const inside = tables.flatMap(({ cells }) => cells.map((cell) => cell.text))
      const outside = itemsOutside(items, tables).map((each) => each.text)
      const words = (texts: string[]): string[] => texts.flatMap(plainWords).sort()
      expect(words([...inside, ...outside])).toEqual(words(items.map((each) => each.text)))
    }),
    { seed: 7, numRuns: runs(200) },
  )
})

test('a ruled row of short texts broken in the middle of their cells is one row', () => {
  const lines = [
    ...[100, 120, 180].map((y) => rule(50, y, 450, y)),
    ...[50, 150, 300, 450].map((x) => rule(x, 100, x, 180)),
  ]
  const centred = (text: string, x: number, y: number): TextItem =>
    item(text, x - item(text, 0, 0).width / 2, y)
  const cells = [225, 375].flatMap((x) =>
    ['Approved', 'May', '2023'].map((text, i) => centred(text, x, 125 + i * 15)),
  )
  const items = [item('Dose', 60, 105), item('EU', 200, 105), item('Japan', 350, 105), item('First', 60, 140)]
  expect(read([...items, ...cells], [], lines)).toEqual([
    '| Dose | EU | Japan |\n| --- | --- | --- |\n| First | Approved May 2023 | Approved May 2023 |',
  ])
})

test('a title in larger type parts the table above it from its own', () => {
  const row = (y: number, ...texts: string[]): TextItem[] =>
    texts.map((text, i) => item(text, 60 + i * 120, y))
  const title = { ...item('Totals', 60, 142), height: 15 }
  const items = [
    ...row(100, 'Start', 'End', 'Shows'),
    ...row(115, '12/20', '12/31', '48'),
    ...row(130, '12/21', '12/30', '44'),
    { ...title, words: (title.words ?? []).map((word) => ({ ...word, height: 15 })) },
    ...row(165, 'Month', 'Shows', 'Amount'),
    ...row(180, 'December', '48', '12,500'),
    ...row(195, 'January', '44', '11,250'),
  ]
  const tables = read(items, [[50, 95, 400, 210]])
  expect(tables.map((text) => text.split('\n')[0])).toEqual([
    '| Start | End | Shows |',
    '| Month | Shows | Amount |',
  ])
})

test('a raised mark makes no title of the label it stands at: the header stays with its figures', () => {
  const raised = (text: string, x: number, y: number): TextItem => ({
    ...item(text, x, y),
    height: 7,
    words: [{ text, x, y, width: text.length * 3, height: 7 }],
    width: text.length * 3,
  })
  const row = (label: string, figures: string[], y: number): TextItem[] => [
    item(label, 50, y),
    ...figures.map((text, i) => right(text, 250 + i * 80, y)),
  ]
  const items = [
    ...['2022', '2021'].map((text, i) => right(text, 250 + i * 80, 100)),
    item('Segment', 50, 116),
    raised('(2)', 86, 113),
    ...row('North', ['754', '633'], 132),
    ...row('South', ['815', '811'], 146),
    ...row('Both', ['1,569', '1,444'], 160),
  ]
  expect(read(items, [[45, 130, 340, 172]])).toEqual([
    '|  | 2022 | 2021 |\n| --- | --- | --- |\n| Segment (2) |  |  |\n| North | 754 | 633 |\n| South | 815 | 811 |\n' +
      '| Both | 1,569 | 1,444 |',
  ])
})

test('a place that the layout pass saw holds no more than its table: what stands below a picture is apart', () => {
  const row = (texts: string[], y: number): TextItem[] => texts.map((text, i) => item(text, 60 + i * 100, y))
  const items = [
    ...row(['Version', 'Range', 'Accuracy'], 105),
    ...row(['TG-5', '5 m', '2 mm'], 125),
    ...row(['TG-10', '10 m', '4 mm'], 145),
    item('Figure 1. Dimensions in millimetres', 150, 300),
    item('Table 2. All versions', 60, 330),
    ...row(['Property', 'Value'], 352),
  ]
  const stack = [100, 120, 140, 160, 347].map((y) => rule(50, y, 350, y))
  const found = [
    '| Version | Range | Accuracy |',
    '| --- | --- | --- |',
    '| TG-5 | 5 m | 2 mm |',
    '| TG-10 | 10 m | 4 mm |',
  ]
  expect(read(items, [[50, 100, 350, 365]], stack)).toEqual([found.join('\n')])
})

test('a table goes on behind a blank row when its figures do', () => {
  const row = (label: string, y: number, ...figures: string[]): TextItem[] => [
    item(label, 60, y),
    ...figures.map((text, i) => right(text, 300 + i * 80, y)),
  ]
  const items = [
    ...row('Cash', 100, '737', '431'),
    ...row('Debts', 114, '199', '233'),
    ...row('Total', 128, '936', '664'),
    item('Commitments', 60, 160),
    ...row('Equity', 192, '1,959', '1,535'),
    ...row('Total of both', 206, '2,895', '2,199'),
    ...row('Elsewhere', 300, '17', '4'),
  ]
  const [table = ''] = read(items, [[58, 98, 382, 140]])
  expect(table.split('\n').at(-1)).toBe('| Total of both | 2,895 | 2,199 |')
})

test('a line of names over a blank row and a label is the header of its columns', () => {
  const row = (label: string, y: number, ...texts: string[]): TextItem[] => [
    item(label, 60, y),
    ...texts.map((text, i) => right(text, 300 + i * 80, y)),
  ]
  const items = [
    ...row('Segment', 100, '2024', '2025', 'Change'),
    item('PIERS', 60, 140),
    ...row('North', 154, '737', '431', '-41.5%'),
    ...row('South', 168, '199', '233', '17.1%'),
    ...row('Both', 182, '936', '664', '-29.1%'),
  ]
  const [table = ''] = read(items, [[58, 150, 470, 194]])
  expect(table.split('\n')[0]).toBe('| Segment | 2024 | 2025 | Change |')
})

test('what goes on below the last row, in a column of words, is of that row', () => {
  const row = (y: number, ...texts: string[]): TextItem[] =>
    texts.map((text, i) => item(text, 60 + i * 120, y))
  const items = [
    ...row(100, '1', 'A winter play', '7:00 PM', '250'),
    item('(142 min)', 180, 111),
    ...row(130, '2', 'A spring play', '9:30 PM', '310'),
    item('(98 min)', 180, 141),
  ]
  const [table = ''] = read(items, [[58, 98, 460, 142]])
  expect(table).toContain('| 2 | A spring play (98 min) | 9:30 PM | 310 |')
})

test('borders that end short of the line across them make no column of the gap', () => {
  const lines = [
    ...[50, 150, 350].map((x) => rule(x, 100, x, 160)),
    rule(50, 100, 350, 100),
    rule(50, 160, 350, 160),
    ...[120, 140].map((y) => rule(155.6, y, 350, y)),
  ]
  const items = [
    item('All of the', 60, 118),
    item('ships', 60, 130),
    ...['a', 'b', 'c'].map((text, i) => item(text, 170, 105 + i * 20)),
  ]
  expect(read(items, [], lines)).toEqual([
    '<table><tr><td rowspan="3">All of the ships</td><td>a</td></tr><tr><td>b</td></tr><tr><td>c</td></tr></table>',
  ])
})

/** Rows of a label and figures on right edges, 14 points apart. */
const rowsAt = (y: number, edges: readonly number[], rows: readonly string[][]): TextItem[] =>
  rows.flatMap(([label = '', ...figures], r) => [
    ...(label === '' ? [] : [item(label, 50, y + r * 14)]),
    ...figures.flatMap((text, i) => (text === '' ? [] : [right(text, edges[i] ?? 0, y + r * 14)])),
  ])

const centred = (text: string, middle: number, y: number): TextItem =>
  item(text, middle - item(text, 0, 0).width / 2, y)

test('a sign far left of its figure, in the gutter, stays with it', () => {
  const rows = [
    ['Trains', '1', '2'],
    ['Ferries', '30', '40'],
    ['Buses', '5', '6'],
  ]
  const items = [
    item('2022', 250, 86),
    item('2023', 350, 86),
    ...rowsAt(100, [270, 370], rows),
    ...rowsAt(142, [270, 370], [['Total', '36', '48']]),
    item('$', 225, 142),
    item('$', 325, 142),
  ]
  expect(read(items, [[50, 84, 375, 155]])[0]).toContain('| Total | $ 36 | $ 48 |')
})

test('the unit in the name of a column is part of it', () => {
  const items = [
    item('2022 $ million', 200, 86),
    item('2023 $ million', 300, 86),
    ...rowsAt(
      100,
      [270, 370],
      [
        ['Trains', '1,200', '2,300'],
        ['Ferries', '30', '40'],
        ['Buses', '5', '6'],
      ],
    ),
  ]
  expect(read(items, [[50, 84, 375, 145]])[0]).toMatch(/^\| {2}\| 2022 \$ million \| 2023 \$ million \|/)
})

test('names over several columns close no gutter over a single row', () => {
  const items = [
    item('Three months ended', 210, 72),
    item('Six months ended', 410, 72),
    ...rowsAt(86, [270, 370, 470, 570], [['', 'May 2023', 'May 2022', 'May 2023', 'May 2022']]),
    ...rowsAt(100, [270, 370, 470, 570], [['Amortization', '21', '22', '41', '44']]),
  ]
  expect(read(items, [[50, 70, 575, 112]])[0]).toContain('| Amortization | 21 | 22 | 41 | 44 |')
})

test('upper lines of a header that the layout pass saw apart are of it', () => {
  const items = [
    centred('Recognized in income', 270, 70),
    centred('Recognized in equity', 470, 70),
    ...rowsAt(86, [270, 370, 470, 570], [['(Millions)', '2023', '2022', '2023', '2022']]),
    ...rowsAt(
      100,
      [270, 370, 470, 570],
      [
        ['Swaps', '21', '22', '41', '44'],
        ['Options', '1', '2', '4', '5'],
        ['Bonds', '1', '2', '4', '5'],
      ],
    ),
  ]
  const seeds: BBox[] = [
    [210, 69, 530, 81],
    [50, 85, 575, 140],
  ]
  const tables = read(items, seeds)
  expect(tables).toHaveLength(1)
  expect(tables[0]).toContain('Recognized in equity')
})

test('a name of several lines is that of one column, though its first line stands in the middle of all', () => {
  const items = [
    ...['Total', 'number of', 'shares'].map((text, i) => centred(text, 349, 50 + i * 10)),
    ...['Average', 'price'].map((text, i) => centred(text, 260, 60 + i * 10)),
    ...['Value', 'that may'].map((text, i) => centred(text, 450, 60 + i * 10)),
    ...rowsAt(
      86,
      [270, 370, 470],
      [
        ['May', '21', '22', '41'],
        ['June', '1', '2', '4'],
      ],
    ),
  ]
  expect(read(items, [[50, 48, 475, 112]])[0]).toMatch(
    /^\| {2}\| Average price \| Total number of shares \| Value that may \|/,
  )
})

test('a unit in parentheses over the figures parts no header from them', () => {
  const items = [
    ...rowsAt(60, [270, 370, 470], [['Period', 'Number', 'Price', 'Value']]),
    item('(in millions, except for the price of a share)', 240, 74),
    ...rowsAt(
      88,
      [270, 370, 470],
      [
        ['May', '21', '22', '41'],
        ['June', '1', '2', '4'],
      ],
    ),
  ]
  const tables = read(items, [[50, 58, 475, 115]])
  expect(tables).toHaveLength(1)
  expect(tables[0]).toContain('Period')
})

test('titles in the middle of the page over a table are none of its header', () => {
  const items = [
    right('Exhibit 4', 470, 40),
    centred('Statement of cash flows', 260, 52),
    centred('Weeks ended', 420, 66),
    ...rowsAt(80, [370, 470], [['', 'May', 'June']]),
    ...rowsAt(
      94,
      [370, 470],
      [
        ['Depreciation and amortization of trains', '21', '22'],
        ['Ferries', '1', '2'],
        ['Buses', '1', '2'],
      ],
    ),
  ]
  expect(read(items, [[50, 38, 475, 135]])[0]).not.toMatch(/Exhibit|Statement/)
})

test('a grid whose outer rules break has the columns of its lines', () => {
  const across = (y: number, width: number, gap: number): VectorLine[] =>
    Array.from({ length: 350 / width }, (_, c) => rule(50 + c * width, y, 50 + (c + 1) * width - gap, y))
  const edges = Array.from({ length: 11 }, (_, c) => rule(47 + c * 35, 100, 47 + c * 35, 180))
  const lines = [100, 120, 140, 160, 180].flatMap((y) => across(y, 70, 5)).concat(edges)
  const items = [0, 1, 2, 3].flatMap((r) =>
    Array.from({ length: 10 }, (_, c) => item(`${r}${c}`, 55 + c * 35, 106 + r * 20)),
  )
  const [table] = findTables(page(items, lines), [])
  expect(table === undefined ? '' : gridBlock(table)?.text).toContain(
    '| 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 |',
  )
})

const box = (xs: readonly number[], ys: readonly number[]): VectorLine[] => [
  ...ys.map((y) => rule(xs[0] ?? 0, y, xs.at(-1) ?? 0, y)),
  ...xs.map((x) => rule(x, ys[0] ?? 0, x, ys.at(-1) ?? 0)),
]

test('a list in each cell of a row stays in its cell where rules part the rows', () => {
  const cells = (top: number, name: string): TextItem[] =>
    [60, 260].flatMap((x, c) => [0, 1, 2].map((i) => item(`${name}${c} ${i}`, x, top + i * 12)))
  const items = [...cells(105, 'a'), ...cells(150, 'b'), ...cells(195, 'c')]
  expect(read(items, [], box([50, 250, 450], [100, 145, 190, 235]))).toEqual([
    [
      '| a0 0 a0 1 a0 2 | a1 0 a1 1 a1 2 |',
      '| --- | --- |',
      '| b0 0 b0 1 b0 2 | b1 0 b1 1 b1 2 |',
      '| c0 0 c0 1 c0 2 | c1 0 c1 1 c1 2 |',
    ].join('\n'),
  ])
})
