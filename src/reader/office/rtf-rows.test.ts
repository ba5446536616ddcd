// RTF's tables by the edges of their cells, its lists and what it raises by points.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../test/support/files/parse.ts'

async function read(body: string): Promise<string[]> {
  const { blocks } = await parseBytes(
    'rtf',
    `{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 Times;}}${body}\\pard End.\\par}`,
  )
  return blocks.slice(0, -1).map(({ kind, text }) => `${kind}: ${text}`)
}

const row = (definition: string, ...cells: string[]): string =>
  `\\trowd${definition}\\pard\\intbl ${cells.map((cell) => `${cell}\\cell`).join(' ')}\\row\n`
const three = '\\cellx2000\\cellx4000\\cellx6000'

test('a wide cell covers its columns; one that goes on from above leaves its place free', async () => {
  expect(await read(row(three, 'Buoy', 'Red', 'Green') + row('\\cellx4000\\cellx6000', 'wide', 'z'))).toEqual(
    ['table: | Buoy | Red | Green |\n| --- | --- | --- |\n| wide |  | z |'],
  )
  const merged =
    row('\\clvmgf\\cellx2000\\clmgf\\cellx4000\\clmrg\\cellx6000', 'A', 'BC', '') +
    row('\\clvmrg\\cellx2000\\cellx4000\\cellx6000', '', 'b', 'c')
  expect(await read(merged)).toEqual(['table: | A | BC |  |\n| --- | --- | --- |\n|  | b | c |'])
})

test('tables with an empty paragraph between them are two, rows with a paragraph in a cell are one', async () => {
  const buoys = row(three, 'Buoy', 'Red', 'Green') + row(three, 'Outer', '4', '5')
  const piers = row('\\cellx3000\\cellx6000', 'Pier', 'Depth') + row('\\cellx3000\\cellx6000', 'North', '7')
  const two = [
    'table: | Buoy | Red | Green |\n| --- | --- | --- |\n| Outer | 4 | 5 |',
    'table: | Pier | Depth |\n| --- | --- |\n| North | 7 |',
  ]
  expect(await read(`${buoys}\\pard\\par\n${piers}`)).toEqual(two)
  expect(await read(`${buoys}\\pard\\par\n${buoys}`)).toEqual([two[0], two[0]])
  const long = row(three, 'Inner\\par of the harbour', '6', '7')
  expect((await read(buoys + long)).length).toBe(1)
})

test('edges that miss each other by a few points are one where no row has a cell between them', async () => {
  const rows =
    row('\\trleft-108\\cellx2000\\cellx4000\\cellx6000', 'Name', 'City', 'Age') +
    row('\\cellx2060\\cellx4050\\cellx6060', 'Ann', 'Rome', '31') +
    row('\\cellx1960\\cellx3950\\cellx6060', 'Bob', 'Oslo', '41')
  expect(await read(rows)).toEqual([
    'table: | Name | City | Age |\n| --- | --- | --- |\n| Ann | Rome | 31 |\n| Bob | Oslo | 41 |',
  ])
  const narrow =
    row('\\cellx2000\\cellx2150\\cellx4000', 'a', '*', 'b') + row('\\cellx2150\\cellx4000', 'c', 'd')
  expect(await read(narrow)).toEqual(['table: | a | * | b |\n| --- | --- | --- |\n| c |  | d |'])
})

test('a table directly below another begins behind a last row, with a header, or where nothing is shared', async () => {
  const all = (found: string[]): string[] => found.map((text) => text.split('\n')[0] ?? '')
  const plain = row(three, 'Buoy', 'Red', 'Green')
  const last = row(`\\lastrow${three}`, 'Outer', '4', '5')
  expect(all(await read(plain + last + row(three, 'Pier', 'Depth', 'Year')))).toEqual([
    'table: | Buoy | Red | Green |',
    'table: | Pier | Depth | Year |',
  ])
  const headed = row(`\\trhdr${three}`, 'Pier', 'Depth', 'Year')
  expect(await read(headed + plain + headed + plain)).toHaveLength(2)
  const two = row('\\cellx3000\\cellx6000', 'Ann', 'Bob')
  expect(await read(plain + plain + two + two)).toHaveLength(2)
  expect(await read(plain + plain + two)).toHaveLength(1)
})

test('a table in a cell is a line of it, and the cells behind it stay in their columns', async () => {
  const inner = '{\\*\\nesttableprops\\trowd\\cellx3000\\cellx4000\\nestrow}{\\nonesttables\\par}'
  const nested = (one: string, two: string): string =>
    `\\intbl\\itap2 ${one}\\nestcell \\b ${two}\\b0\\nestcell${inner}`
  const cell = `see\\par ${nested('weekly', 'oil')}${nested('monthly', 'belts')}\\pard\\intbl\\itap1 and more`
  expect(await read(row(three, 'Task', cell, 'Ann') + row(three, 'Note', 'none', 'Bob'))).toEqual([
    'table: | Task | see weekly oil; monthly belts and more | Ann |\n| --- | --- | --- |\n| Note | none | Bob |',
  ])
})

test('headings are what the sheet of styles says, not the styles from 1 to 9', async () => {
  const sheet =
    '{\\stylesheet{\\s0 Normal;}{\\s1\\sbasedon0 Text body;}{\\s2\\outlinelevel1\\sbasedon0 heading 2;}{\\s15 Title;}{\\s16\\sbasedon2 Clause;}{\\s17 toc 1;}}'
  const line = (style: number, text: string): string => `\\pard\\plain\\s${style} ${text}\\par\n`
  const body = [
    line(15, 'Rules'),
    line(1, 'Text.'),
    line(16, 'Scope'),
    line(17, 'None'),
    line(2, 'Fees'),
  ].join('')
  const { blocks, title } = await parseBytes('rtf', `{\\rtf1\\ansi${sheet}${body}}`)
  expect(title).toBe('Rules')
  expect(blocks.map(({ kind, level, text }) => `${kind}${level ?? ''}: ${text}`)).toEqual([
    'heading1: Rules',
    'paragraph: Text.',
    'heading2: Scope',
    'paragraph: None',
    'heading2: Fees',
  ])
})

test('lines that end in the pages of headings below are a list of contents', async () => {
  const sheet = '{\\stylesheet{\\s0 Normal;}{\\s1 heading 1;}{\\s2 heading 2;}}'
  const contents = '\\pard 1 Scope\\tab 2\\par 1.1 Buoys\\tab 2\\par 2 Fees\\tab 3\\par\n'
  const headings = '\\pard\\s1 1. Scope\\par\\pard\\s2 1.1 Buoys\\par\\pard\\s1 2. Fees\\par\n'
  const figures = '\\pard Lamps\\tab 2\\par Chains\\tab 5\\par Ropes\\tab 7\\par\n'
  const all = await read(`${sheet}${contents}${headings}${figures}`)
  expect(all[0]).toBe('list: 1 Scope\t2\n  1.1 Buoys\t2\n2 Fees\t3')
  expect(all.slice(4)).toEqual(['paragraph: Lamps\t2', 'paragraph: Chains\t5', 'paragraph: Ropes\t7'])
})

test('characters for old readers are left out, as many as the file says', async () => {
  const shown = async (body: string): Promise<string> => (await read(`\\pard ${body}\\par\n`)).join()
  expect(await shown("10 \\u8364\\'80 and \\u8364? more")).toBe('paragraph: 10 € and € more')
  // macOS has none, and its space ends the code.
  expect(await shown("{\\uc0 don\\u8217 t} and \\u8217\\'92s, \\u8364?")).toBe('paragraph: don’t and ’s, €')
  expect(await shown("\\uc0 \\u55357\\uc1 \\u56832\\'3f end")).toBe('paragraph: 😀 end')
  expect(await shown("{\\uc2 \\u28450\\'8a\\'bf\\u23383 ab!} non\\_stop C:\\\\up10")).toBe(
    'paragraph: 漢字! non-stop C:\\up10',
  )
})

test('files of macOS: an escaped end of line ends a paragraph, the last one needs none', async () => {
  const body =
    '\\pard\\b\\fs36 Boat check\\\n\\b0\\fs24 Sail with care.\\\nC:\\\\\n\\\n' +
    `${row('\\cellx2000\\cellx4000', 'Rope', 'worn')}\\pard Done.}`
  const { blocks } = await parseBytes('rtf', `{\\rtf1\\ansi${body}`)
  expect(blocks.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    'heading: Boat check',
    'paragraph: Sail with care.',
    'paragraph: C:\\',
    'table: | Rope | worn |\n| --- | --- |',
    'paragraph: Done.',
  ])
})

test('endnotes count apart from footnotes', async () => {
  const body = '\\pard One{\\footnote\\ftnalt  at the end} and two{\\footnote  at the foot}.\\par\n'
  expect(await read(body)).toEqual([
    'paragraph: One[i] and two[1].',
    'note: [i] at the end',
    'note: [1] at the foot',
  ])
})

test('tables without known edges are read by the order of their cells', async () => {
  expect(await read(row('', 'a', 'b') + row('', 'c', 'd'))).toEqual([
    'table: | a | b |\n| --- | --- |\n| c | d |',
  ])
})

test('what is raised by points is an exponent', async () => {
  expect(await read('\\pard An area of 12 m{\\up8 2} and more.\\par\n')).toEqual([
    'paragraph: An area of 12 m² and more.',
  ])
  expect(await read('\\pard Look in C:\\\\up10\\\\u8 at 5 m{\\up8\\fs12 2} and x{\\up8y}.\\par\n')).toEqual([
    'paragraph: Look in C:\\up10\\u8 at 5 m² and xy.',
  ])
  expect(await read('\\pard Noted\\up6 1\\up0  here.\\par\n')).toEqual(['paragraph: Noted[1] here.'])
})

test('lists count as the file writes it out; a heading in a list keeps its number', async () => {
  const item = (label: string, level: number, text: string): string =>
    `{\\pard\\ls1\\ilvl${level}{\\listtext\\pard\\plain\\f0 ${label}\\tab}${text}\\par}`
  const table =
    '{\\*\\listtable{\\list{\\listlevel\\levelnfc0}{\\listlevel\\levelnfc4}\\listid1}}{\\*\\listoverridetable{\\listoverride\\listid1\\ls1}}'
  const body =
    table +
    item("\\u167\\'a7 1", 0, 'Scope') +
    item('(a)', 1, 'bolts') +
    item("\\u8226\\'95", 1, 'dot') +
    '\\pard Plain.\\par'
  expect(await read(body)).toEqual(['list: § 1 Scope\n  (a) bolts\n  - dot', 'paragraph: Plain.'])
})

test('hidden and deleted text is out, with the ends of its lines; hyphens that hold a line together are hyphens', async () => {
  expect(
    await read(
      "\\pard The {\\deleted\\revauth1 re\\'66used}{\\revised\ngranted} berth{\\v  secret \\u8364 }\\v more\\v0  stays{\\deleted\\par}\\pard whole, non\\_stop, C:\\\\_x.\\par",
    ),
  ).toEqual(['paragraph: The granted berth stayswhole, non-stop, C:\\_x.'])
  expect(await read(row(three, 'a', '{\\deleted b}', 'c') + row(three, 'd', 'e', 'f'))).toEqual([
    'table: | a |  | c |\n| --- | --- | --- |\n| d | e | f |',
  ])
})
