// RTF: text in its code pages, headings, lists, tables by the edges of their cells, notes, and files made to hurt.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { FULL, thorough } from '../../../../test/support/full.ts'
import { readRtf } from './rtf.ts'

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
    ['table: | Buoy | Red | Green |\n| --- | --- | --- |\n| wide | wide | z |'],
  )
  const merged =
    row('\\clvmgf\\cellx2000\\clmgf\\cellx4000\\clmrg\\cellx6000', 'A', 'BC', '') +
    row('\\clvmrg\\cellx2000\\cellx4000\\cellx6000', '', 'b', 'c')
  expect(await read(merged)).toEqual(['table: | A | BC | BC |\n| --- | --- | --- |\n| A | b | c |'])
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
  expect(await read(narrow)).toEqual(['table: | a | * | b |\n| --- | --- | --- |\n| c | c | d |'])
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

test('text in its code page, lists, tables, its title', async () => {
  const rtf = String.raw`{\rtf1\ansi\ansicpg1251\uc1\deff0{\fonttbl{\f0 Times;}}{\info{\title Letter to the port}}{\pard\b Heading\par}{\pard \'d1\'f0\'ee\'ea \u8364\'80 5 \u8212?{\i now}\line next.\par}\trowd\cellx1000\cellx2000\pard\intbl a\cell b\cell\row\trowd\cellx1000\cellx2000\pard\intbl c\cell d\cell\row\pard End.\par}`
  expect(await parseBytes('rtf', rtf)).toEqual({
    title: 'Letter to the port',
    blocks: [
      { kind: 'paragraph', text: 'Heading' },
      { kind: 'paragraph', text: 'Срок € 5 —now\nnext.' },
      { kind: 'table', text: '| a | b |\n| --- | --- |\n| c | d |' },
      { kind: 'paragraph', text: 'End.' },
    ],
  })
})

test('footnotes and endnotes stand behind their paragraph, and where they belong is told', async () => {
  const rtf = String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Times;}}\pard The rent is due monthly.{\super\chftn}{\footnote\pard\plain {\super\chftn} See the lease, {\i clause 4}.\par} It is paid in advance.\par\pard Second{\super\chftn}{\*\footnote\ftnalt\pard\plain{\super\chftn} An endnote.} paragraph.\par\pard End.\par}`
  expect((await parseBytes('rtf', rtf)).blocks).toEqual([
    { kind: 'paragraph', text: 'The rent is due monthly.[1] It is paid in advance.' },
    { kind: 'note', text: '[1] See the lease, clause 4.' },
    { kind: 'paragraph', text: 'Second[i] paragraph.' },
    { kind: 'note', text: '[i] An endnote.' },
    { kind: 'paragraph', text: 'End.' },
  ])
})

test('raised figures are exponents and marks of notes', async () => {
  const rtf = String.raw`{\rtf1\ansi{\fonttbl{\f0 Times;}}\pard Some 10{\super 3} tons on 40 m\super 2\nosupersub  of quay, by contract{\super 1}.\par\trowd\cellx1000\cellx2000\pard\intbl North\cell 5.1 10{\super -2}\cell\row\pard End.\par}`
  const { blocks } = await parseBytes('rtf', rtf)
  expect(blocks.map(({ text }) => text)).toEqual([
    'Some 10³ tons on 40 m² of quay, by contract[1].',
    '| North | 5.1 10⁻² |\n| --- | --- |',
    'End.',
  ])
})

test('a note in a table leaves the table whole', async () => {
  const row = (left: string, right: string): string =>
    String.raw`\trowd\cellx3000\cellx6000\pard\intbl ${left}\cell\pard\intbl ${right}\cell\row`
  const note = String.raw`{\super\chftn}{\footnote\pard\plain {\super\chftn} Measured at \{low\} tide.\par Twice.}`
  const rtf = String.raw`{\rtf1\ansi{\fonttbl{\f0 Times;}}${row('Pier', 'Depth')}${row(`North${note}`, '4.2')}${row('South', '5.1')}\pard End.\par}`
  expect((await parseBytes('rtf', rtf)).blocks).toEqual([
    { kind: 'table', text: '| Pier | Depth |\n| --- | --- |\n| North[1] | 4.2 |\n| South | 5.1 |' },
    { kind: 'note', text: '[1] Measured at {low} tide.\nTwice.' },
    { kind: 'paragraph', text: 'End.' },
  ])
})

test('what stands behind a paragraph that is only a reference is no note; nor is a note lost in a file cut short', async () => {
  const note = (text: string): string =>
    String.raw`{\super\chftn}{\footnote\pard\plain {\super\chftn} ${text}}`
  const pictured = String.raw`{\*\shppict{\pict\pngblip 89504e47}}${note('Source: the harbour.')}`
  const rtf = String.raw`{\rtf1\ansi\pard First${note('Below.')}.\par\pard${pictured}\par\pard Second${note('Aside.')}.\par`
  const read = [
    { kind: 'paragraph', text: 'First[1].' },
    { kind: 'note', text: '[1] Below.' },
    { kind: 'paragraph', text: '[2]' },
    { kind: 'note', text: '[2] Source: the harbour.' },
    { kind: 'paragraph', text: 'Second[3].' },
    { kind: 'note', text: '[3] Aside.' },
  ]
  for (const end of ['}', '', String.raw`{\b Last.}\par`, String.raw`{\pict 8950`]) {
    const { blocks } = await parseBytes('rtf', `${rtf}${end}`)
    expect(blocks.filter(({ text }) => text !== 'Last.')).toEqual(read)
  }
})

test('headers and footers are a note each, every line once and without page numbers', async () => {
  const page = String.raw`{\field{\*\fldinst{ PAGE }}{\fldrslt 3}}`
  const rtf = [
    String.raw`{\rtf1\ansi{\headerf Harbour Office\par 12 Quay Street\par}{\headerr Harbour Office\tab ${page}\par}`,
    String.raw`{\footer Page ${page} of {\field{\*\fldinst NUMPAGES}{\fldrslt 9}}\par Draft of May \chpgn\par}{\footerl{\v secret}\chpgn\par}`,
    String.raw`\pard See page {\field{\*\fldinst PAGEREF dues}{\fldrslt 7}}.\par}`,
  ]
  expect((await parseBytes('rtf', rtf.join(''))).blocks).toEqual([
    { kind: 'note', text: 'Harbour Office\n12 Quay Street' },
    { kind: 'paragraph', text: 'See page 7.' },
    { kind: 'note', text: 'Draft of May' },
  ])
})

const fonts =
  '{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset238 Arial CE;}{\\f2\\fcharset128 Mincho;}{\\f3\\fcharset2 Symbol;}}'

test('each font has its code page; letters of two bytes are whole; symbol fonts show signs', async () => {
  const shown = async (head: string, body: string): Promise<string | undefined> =>
    (await parseBytes('rtf', `{\\rtf1\\ansi${head}\\pard ${body}\\par}`)).blocks[0]?.text
  expect(await shown(fonts, "\\f1 \\'e8l\\'e1nek \\f0 \\'e8 {\\f2 \\'8a\\'bf\\'83A} {\\f3 a\\'b7}")).toBe(
    'článek è 漢ア α•',
  )
  // Writers that give every font the Western character set mean the document's code page.
  const western = '\\ansicpg1251{\\fonttbl{\\f0\\fcharset0 Arial;}}'
  expect(await shown(western, "\\'d1\\'f0\\'ee\\'ea")).toBe('Срок')
  expect(await shown('', 'Grüße aus Łódź')).toBe('Grüße aus Łódź')
  expect(await shown('\\mac', "\\'8e")).toBe('é')
})

test('results of fields and objects, not their instructions; what only programs read is out', async () => {
  const body =
    '\\pard See {\\field{\\*\\fldinst HYPERLINK "https://a.example"}{\\fldrslt the {\\b rules}}}' +
    '{\\xe an index entry}{\\*\\bkmkstart b}{\\*\\unknown {deep} words}{\\object{\\*\\objdata 00ff}{\\result  and this}}' +
    '{\\upr{old}{\\*\\ud{ \\u9731 ?}}}{\\loch\\*\\cs7  still}{\\pict\\bin5 {{{{{}.\\par\n'
  expect(await read(body)).toEqual(['paragraph: See the rules and this ☃ still.'])
})

test('text boxes and remarks stand behind their paragraph', async () => {
  const box =
    '{\\shp{\\*\\shpinst{\\sp{\\sn x}{\\sv 1}}{\\shptxt\\pard In a box.\\par}}{\\shprslt{\\*\\do{\\dptxbxtext In a box.}}}}'
  const remark = '{\\*\\atnid AL}{\\*\\atnauthor Ann Lee}\\chatn{\\*\\annotation{\\*\\atnref 1}\\pard Why?}'
  expect(await read(`\\pard One${box} line${remark}.\\par\n`)).toEqual([
    'paragraph: One line.',
    'paragraph: In a box.',
    'note: Comment by Ann Lee: Why?',
  ])
})

thorough('a table of more cells than are held at once goes on below its first row', async () => {
  const rows = Array.from({ length: 45_000 }, (_, i) => row(three, `a${i}`, 'b', 'c\\cell d\\cell e'))
  const tables = await read(rows.join('').replaceAll(three, `${three}\\cellx7000\\cellx8000`))
  expect(tables).toHaveLength(2)
  expect(tables[1]).toMatch(/^table: \| a0 \| b \| c \| d \| e \|\n\| --- .*\n\| a40/)
  expect(tables[1]).toContain('| a44999 |')
})

test('wherever the pieces of a file part, it is read the same', async () => {
  const rtf = Buffer.from(
    `{\\rtf1\\ansi${fonts}\\pard\\f2 \\'8a\\'bf\\u8364\\'80 caf\u00e9{\\pict\\bin3 }{}}\\par\\trowd\\cellx900\\intbl x\\cell\\row}`,
  )
  const whole = (await readRtf([rtf])).blocks
  expect(whole.map(({ text }) => text)).toEqual(['漢€ café', 'x'])
  for (let size = 1; size < rtf.length; size++) {
    const pieces = Array.from({ length: Math.ceil(rtf.length / size) }, (_, i) =>
      rtf.subarray(i * size, (i + 1) * size),
    )
    expect((await readRtf(pieces)).blocks).toEqual(whole)
  }
})

test('files made to hurt end soon, with their text', async () => {
  const times = FULL ? 200_000 : 40_000
  const hostile: [string, string][] = [
    ['{\\b x'.repeat(times), 'x'],
    ['{\\b'.repeat(times) + '}'.repeat(times), ''],
    ['}'.repeat(times), ''],
    ['word{\\footnote note'.repeat(times / 10), 'word'],
    ['x{\\super 2}'.repeat(times), 'x²'],
    ['\\pard\\intbl\\itap9999 x\\nestcell'.repeat(times / 10), 'x'],
    [`\\trowd${'\\cellx1'.repeat(times)}\\intbl x\\cell\\row`, 'x'],
    [`\\${'a'.repeat(times)}1`, 'a'],
    ['\\u9999999999 ?\\bin99999999999 ', ''],
    [
      Array.from({ length: times / 5 }, (_, i) => row(three, `a${i}`, 'b', 'c')).join(''),
      `a${times / 5 - 1}`,
    ],
  ]
  for (const [body, text] of hostile) {
    const { blocks } = await readRtf([Buffer.from(`{\\rtf1\\ansi ${body} end\\par}`)])
    expect(blocks.map((block) => block.text).join('\n')).toContain(text)
  }
})
