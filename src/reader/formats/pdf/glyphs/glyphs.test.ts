// What pages show and a parser may misread: scripts from the right, ligatures, soft hyphens, letters drawn twice,
// invisible text, columns, two pages on a sheet.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../../test/support/files/parse.ts'
import {
  grid,
  makePdf,
  type PdfOptions,
  type PdfText,
  prose,
  rules,
} from '../../../../../test/support/files/pdf.ts'
import { mayLackSigns } from './lost-texts.ts'

const read = async (page: readonly PdfText[]): Promise<string[]> =>
  (await parseBytes('pdf', makePdf([page]))).blocks.map(({ text }) => text)

// As programs write it: from the left, as it stands, figures and Latin letters the right way round.
const drawn = (line: string): string =>
  Array.from(line.replace(/[A-Za-z0-9]+/g, (run) => Array.from(run).reverse().join('')))
    .reverse()
    .join('')
const WIDTH = 6.6
const fromRight = (line: string, y: number, right = 540): PdfText => ({
  x: right - line.length * WIDTH,
  y,
  text: drawn(line),
  font: 'unicode',
})

test('Hebrew is read from the right, with its figures and Latin words, and its tables too', async () => {
  const lines = [
    'הנמל נמצא בצפון העיר והוא פתוח מן הבוקר ועד הלילה',
    'ובשנה שעברה באו אליו 1284 אוניות של Tidewick בלבד.',
  ]
  const rows = [
    ['שם', 'כמות', 'מחיר'],
    ['תפוחים', '12', '340'],
    ['לחם שחור', '7', '25'],
    ['מים', '31', '8'],
  ]
  const table = rows.flatMap((row, r) =>
    row.map((text, c) => fromRight(text, 600 - r * 18, [540, 400, 260][c])),
  )
  const document = await parseBytes(
    'pdf',
    makePdf([[...lines.map((line, i) => fromRight(line, 700 - i * 14)), ...table]]),
  )
  expect(document.blocks[0]?.text).toBe(lines.join(' '))
  expect(document.blocks[0]?.bbox?.[2]).toBeGreaterThan(500)
  expect(
    document.blocks
      .find(({ kind }) => kind === 'table')
      ?.text.split('\n')
      .filter((_, i) => i !== 1),
  ).toEqual(rows.map((row) => `| ${row.join(' | ')} |`))
})

test('ligatures are letters, a soft hyphen is none', async () => {
  const page: PdfText[] = [
    { x: 72, y: 700, text: 'The o\ufb03ce \ufb01nds the \ufb02oor e\ufb00ective', font: 'unicode' },
    { x: 72, y: 686, text: 'and soft\u00adhyphens go with co\u00ad', font: 'unicode' },
    { x: 72, y: 672, text: 'operation.', font: 'unicode' },
  ]
  expect(await read(page)).toEqual([
    'The office finds the floor effective and softhyphens go with cooperation.',
  ])
})

test('letters drawn twice for weight are read once', async () => {
  const twice = [0, 0.3].map(
    (shift): PdfText => ({ x: 72 + shift, y: 740, text: 'Report of the harbour', size: 18 }),
  )
  expect((await read([...twice, ...prose(['The gauges are read each hour.'], 700)]))[0]).toBe(
    'Report of the harbour',
  )
})

const nouns = 'harbour ledger copper meadow signal timber vessel granite lantern orchard'.split(' ')
const lines = (from: number, words: number): string[] =>
  Array.from({ length: 28 }, (_, i) =>
    Array.from({ length: words }, (_, k) => `${nouns[(i * 7 + k * 3) % 10]}${k ? '' : from + i}`).join(' '),
  )

test.each([
  ['three columns', [40, 230, 420], 3],
  ['two pages on a sheet', [40, 330], 5],
])('%s are read one after the other', async (_, columns, words) => {
  const page = columns.flatMap((x, i) => prose(lines(i * 100 + 100, words), 700, x))
  const found = (await read(page)).join(' ').match(/\d+/g)?.map(Number)
  expect(found).toEqual(columns.flatMap((_, i) => Array.from({ length: 28 }, (_, k) => i * 100 + 100 + k)))
})

test('a table in a font of another script is one', async () => {
  const rows = [
    ['品名', '数量', '価格'],
    ['りんご', '12', '340'],
    ['パン', '7', '25'],
    ['牛乳', '31', '8'],
  ]
  const page = grid(rows, [72, 240, 400], 700).map((text): PdfText => ({ ...text, font: 'unicode' }))
  const [found] = await read(page)
  expect(found?.split('\n').filter((_, i) => i !== 1)).toEqual(rows.map((row) => `| ${row.join(' | ')} |`))
})

const drawnGrid = (rows: readonly (readonly string[])[]): PdfText[] =>
  grid(rows, [72, 182, 292, 402], 700).map((text) => ({ ...text, font: 'unicode', size: 10 }))
const markdown = (rows: readonly (readonly string[])[]): string[] =>
  rows.map((row) => `| ${row.join(' | ')} |`)

test('a sign alone in a cell is read: Chinese with and without rules, marks in a ruled table', async () => {
  const chinese = [
    ['项目', '数量', '合格', '备注'],
    ['船舶检查', '12', '是', '无'],
    ['码头检查', '7', '否', '☒'],
    ['起重机', '31', '是', '☐'],
  ]
  const marks = [
    ['Service', 'Berth', 'Crane', 'Class'],
    ['Search', '✓', '✗', 'α'],
    ['Lookout', '✓', '✓', 'Ж'],
  ]
  const lines = (count: number): PdfOptions => ({
    rules: rules(
      [68, 178, 288, 398, 508],
      Array.from({ length: count + 1 }, (_, i) => 712 - i * 18),
    ),
  })
  for (const [rows, options] of [[chinese], [chinese, lines(4)], [marks, lines(3)]] as const) {
    const { blocks } = await parseBytes('pdf', makePdf([drawnGrid(rows)], options))
    const table = blocks.find(({ kind }) => kind === 'table')
    expect(table?.text.split('\n').filter((_, i) => i !== 1)).toEqual(markdown(rows))
  }
})

test('on a page that is read turned upright nothing is put where it stands on the page as it lies', async () => {
  const rows = [
    ['Service', 'Berth', 'Class'],
    ...Array.from({ length: 12 }, (_, i) => [`Pier ${i}`, '✓', 'α']),
  ]
  const page = drawnGrid(rows).map((text) => ({ ...text, y: text.y - 140 }))
  const ys = Array.from({ length: 14 }, (_, i) => 572 - i * 18)
  const options = { sideways: true, rules: rules([68, 178, 288, 398], ys) }
  const { blocks } = await parseBytes('pdf', makePdf([page], options))
  expect(blocks.map(({ kind }) => kind)).toEqual(['table'])
})

test('which tables may lack signs', () => {
  const lacks = (...rows: string[]): boolean => mayLackSigns([{ kind: 'table', text: rows.join('\n') }])
  expect(lacks('| Item | Done |', '| --- | --- |', '| Pier |  |', '| Quay |  |')).toBe(true)
  expect(lacks('| Item | Done |', '| --- | --- |', '| Pier |  |', '| Quay | 3 |')).toBe(false)
  expect(lacks('| Item | ☐ |', '| --- | --- |', '| Pier |  |', '| Quay | 3 |')).toBe(true)
  expect(lacks('| Item |  |', '| --- | --- |', '| Pier |  |', '| Quay |  |')).toBe(false)
  // A name over two columns, a name that has its column's texts in it, a form with nothing to tick.
  const dashes = '| --- | --- | --- |'
  expect(lacks('| Item | Square feet |  |', dashes, '| Pier |  | 12 |', '| Quay |  | 14 |')).toBe(false)
  const long = `Done ${'12 and '.repeat(6)}14`
  expect(lacks(`| Item | ${long} | Left |`, dashes, '| Pier |  | 1 |', '| Quay |  | 2 |')).toBe(false)
  const ticked = ['| Pier | ☒ | Dock | ☐ |', '| --- | --- | --- | --- |', '| Quay | ☐ | Mole | ☐ |']
  expect(lacks(...ticked, '| Lock | ☐ |  |  |')).toBe(false)
  expect(lacks(...ticked, '| Lock | ☐ | Weir |  |')).toBe(true)
})
