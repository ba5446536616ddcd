// Plain text, CSV and Markdown: any encoding, any delimiter, nothing lost.

import fc from 'fast-check'
import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { parseBytes } from '../../../test/support/files/parse.ts'
import { decodeText, looksLikeText } from '../shared/encodings/encoding.ts'
import { delimiterOf } from './csv/csv.ts'

const words = fc
  .array(fc.stringMatching(/^[a-zäöüéñ]{2,9}$/), { minLength: 8, maxLength: 60 })
  .map((list) => list.join(' '))

test('text comes back from every Unicode encoding, with or without a mark', () => {
  fc.assert(
    fc.property(
      words,
      fc.constantFrom('utf-8', 'utf-16le', 'utf-16be', 'utf-32le'),
      fc.boolean(),
      (text, encoding, addBOM) => {
        const bytes = iconv.encode(text, encoding, { addBOM })
        expect(decodeText(bytes)).toBe(text)
        expect(looksLikeText(bytes)).toBe(true)
      },
    ),
  )
})

test('older encodings are recognised', () => {
  const samples: [string, string][] = [
    [
      'shift_jis',
      '売上高は前年同期比で増加しました。詳しくは次の表をご覧ください。年間の計画は変更ありません。',
    ],
    ['windows-1252', 'Die Gebühr beträgt 1.234 € für das Geschäftsjahr; “größere” Aufträge kosten mehr.'],
    // In windows-1252 some of its bytes are no character.
    [
      'windows-1250',
      'Příliš žluťoučký kůň úpěl ďábelské ódy. Smlouva byla uzavřena mezi smluvními stranami.',
    ],
    ['windows-1251', 'Договор вступает в силу с момента подписания и действует до конца года.'],
    ['gb18030', '本合同自双方签字之日起生效，有效期为三年。期满前一个月可以续签。'],
    ['euc-kr', '이 계약은 서명한 날부터 효력이 발생하며 유효기간은 삼년으로 한다.'],
  ]
  for (const [encoding, text] of samples)
    expect(decodeText(iconv.encode(text, encoding)), encoding).toBe(text)
})

test('UTF-16 without a mark, in scripts with few zeros', () => {
  for (const text of ['潮位計、1480\n水位\n', 'Срок договора 3 года\nи точка']) {
    for (const encoding of ['utf-16le', 'utf-16be'])
      expect(decodeText(iconv.encode(text, encoding))).toBe(text)
  }
})

test('binary data is no text', () => {
  expect(looksLikeText(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 9]))).toBe(false)
  expect(looksLikeText(Buffer.from(Array.from({ length: 400 }, (_, i) => (i * 7) % 31)))).toBe(false)
})

test('paragraphs of a text, NUL and broken words mended', async () => {
  const { blocks } = await parseBytes(
    'text',
    'First line\nof one para-\ngraph.\r\n\r\nSecond\u0000 one.\n\n\n',
  )
  expect(blocks).toEqual([
    { kind: 'paragraph', text: 'First line\nof one paragraph.' },
    { kind: 'paragraph', text: 'Second one.' },
  ])
})

test('a long text without blank lines becomes pieces, every line in one of them', async () => {
  const lines = Array.from({ length: 2000 }, (_, i) => `entry number ${i}`)
  const { blocks } = await parseBytes('text', lines.join('\n'))
  expect(blocks.length).toBeGreaterThan(5)
  expect(blocks.map((block) => block.text).join('\n')).toBe(lines.join('\n'))
})

test('an HTML page uploaded as text is read as HTML', async () => {
  const html =
    '<!doctype html><html><head><title>Rules of the house</title><style>p{}</style></head><body><h1>Rules</h1><p>No   <b>smoking</b>.</p><ul><li>one<li>two</ul><script>x()</script></body></html>'
  const document = await parseBytes('text', html)
  expect(document.title).toBe('Rules of the house')
  expect(document.blocks).toEqual([
    { kind: 'heading', text: 'Rules', level: 1 },
    { kind: 'paragraph', text: 'No smoking.' },
    { kind: 'list', text: '- one\n- two' },
  ])
})

test('the delimiter is found whatever stands in the cells', () => {
  const cell = fc.stringMatching(/^[a-z0-9 ]{1,8}$/)
  const table = fc
    .tuple(fc.integer({ min: 2, max: 6 }), fc.constantFrom(',', ';', '\t', '|'))
    .chain(([width, delimiter]) =>
      fc
        .array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 2, maxLength: 20 })
        .map((rows) => ({ rows, delimiter })),
    )
  fc.assert(
    fc.property(table, ({ rows, delimiter }) => {
      expect(delimiterOf(rows.map((row) => row.join(delimiter)).join('\n'))).toBe(delimiter)
    }),
  )
})

test('a CSV keeps numbers and formulas as written', async () => {
  const { blocks } = await parseBytes('csv', 'Artikel;Preis\n"Kabel; 5 m";1.234,50\nSumme;=B2*2\n')
  expect(blocks).toEqual([
    {
      kind: 'table',
      text: '| Artikel | Preis |\n| --- | --- |\n| Kabel; 5 m | 1.234,50 |\n| Summe | =B2*2 |',
    },
  ])
})

test('a long CSV is cut into tables that repeat the header; an unclosed quote loses no row', async () => {
  const rows = Array.from({ length: 450 }, (_, i) => `${i},row ${i}`)
  const { blocks } = await parseBytes('csv', `no,name\n${rows.join('\n')}\n`)
  expect(blocks).toHaveLength(3)
  for (const block of blocks) expect(block.text.startsWith('| no | name |\n')).toBe(true)
  expect(blocks.flatMap((block) => block.text.split('\n').slice(2))).toHaveLength(450)
  const open = await parseBytes('csv', `no,name\n1,"open\n2,b\n3,c\n`)
  for (const word of ['open', 'b', 'c']) expect(open.blocks[0]?.text).toContain(word)
})

test('an empty CSV has no text', async () => {
  await expect(parseBytes('csv', '\n\n')).rejects.toMatchObject({ reason: 'no_text' })
  await expect(parseBytes('csv', '')).rejects.toMatchObject({ reason: 'empty' })
})

test('Markdown: front matter, headings, lists, tables, code, notes', async () => {
  const text = [
    '---',
    'title: "Staff handbook"',
    'owner: HR',
    '---',
    '# Leave',
    'Take **all** of it[^1].  ',
    'See [the form](x.pdf).',
    '',
    '1. ask',
    '2. go',
    '   - and rest',
    '',
    '| Days | Who |',
    '|---|---|',
    '| 25 | all \\| most |',
    '',
    '```sh',
    '# not a heading',
    '```',
    '',
    '[^1]: Within the year.',
  ].join('\n')
  const document = await parseBytes('markdown', text)
  expect(document.title).toBe('Staff handbook')
  expect(document.blocks).toEqual([
    { kind: 'note', text: 'owner: HR' },
    { kind: 'heading', text: 'Leave', level: 1 },
    { kind: 'paragraph', text: 'Take all of it[1].\nSee the form.' },
    { kind: 'list', text: '1. ask\n2. go\n  - and rest' },
    { kind: 'table', text: '| Days | Who |\n| --- | --- |\n| 25 | all \\| most |' },
    { kind: 'code', text: '```sh\n# not a heading\n```' },
    { kind: 'note', text: '[1] Within the year.' },
  ])
})

test('Markdown: a title stands above all else, and not one of several parts or below a text', async () => {
  const titleOf = async (text: string) => (await parseBytes('markdown', text)).title
  expect(await titleOf('Snapshots are kept.\n\n## Go back\n\nOpen it.\n\n## Limits\n\nNone.')).toBe(undefined)
  expect(await titleOf('## General\n\nYes.\n\n## Retention\n\nNo.')).toBe(undefined)
  expect(await titleOf('Snapshots are kept.\n\n## Go back\n\nOpen it.')).toBe(undefined)
  expect(await titleOf('---\nowner: HR\n---\n## Snapshots\n\nThey are kept.\n\n### Limits\n\nNone.')).toBe(
    'Snapshots',
  )
  expect(await titleOf('A badge\n\n# Snapshots\n\nThey are kept.\n\n# Limits')).toBe('Snapshots')
})

test.each([
  ['title: "Leave"', 'Leave'],
  ['title: >-\n  Leave and\n  rest\nowner: HR', 'Leave and rest'],
  ['title:\n  Leave', 'Leave'],
  ['title:\nowner: HR', undefined],
])('Markdown: the title of front matter: %j', async (matter, title) => {
  expect((await parseBytes('markdown', `---\n${matter}\n---\nTake all of it.`)).title).toBe(title)
})

test('Markdown: items of the front matter stand beside their key, without settings of the site', async () => {
  const text =
    '---\nredirect_from:\n  - /old\naliases:\n  - Crew discount\n  - Rebates\ntags: [fees]\nvideo:\n  id: x1\n---\nHalf price.'
  expect((await parseBytes('markdown', text)).blocks).toEqual([
    { kind: 'note', text: 'aliases: Crew discount, Rebates\ntags: [fees]\nvideo: id: x1' },
    { kind: 'paragraph', text: 'Half price.' },
  ])
})

test('Markdown: prose and lists of the front matter that take several lines are read as one', async () => {
  const noteOf = async (lines: string[]) =>
    (await parseBytes('markdown', [...lines, 'Half price.'].join('\n'))).blocks[0]?.text.split('\n')
  expect(
    await noteOf([
      '---',
      'description: >-',
      '  How the harbour',
      '  keeps its keys.',
      'summary: |',
      '  Note: keys are',
      '  - numbered',
      'about: Which keys',
      '  there are',
      'piers: [north,',
      '  south]',
      'keepers:',
      '  - name: Ann',
      '    duty: |-',
      '      Opens the gate',
      '      at six.',
      '  - name: Lee',
      '---',
    ]),
  ).toEqual([
    'description: How the harbour keeps its keys.',
    'summary: Note: keys are - numbered',
    'about: Which keys there are',
    'piers: [north, south]',
    'keepers: name: Ann, duty: Opens the gate at six., name: Lee',
  ])
  expect(await noteOf(['+++', 'piers = [', '  "north",', '  "south",', ']', 'owner = "Ann"', '+++'])).toEqual(
    ['piers = [ "north", "south", ]', 'owner = "Ann"'],
  )
})

test('Markdown: links of wikis are read as shown, and a callout without its mark', async () => {
  const text = [
    'See [[Old copies]], [[Boats#Set up|the settings]], [[#Limits]] and ![[Plans#Sizes]]![[gear.svg#icon]].',
    '',
    '![[Plans#^sizes]]',
    '',
    'A matrix [[1, 2], [3, 4]], [[1, 2]] and a test [[ -f notes ]] are no links, nor is `[[code]]`.',
    '',
    '> [!warning]- Back up first',
    '> Its history is lost.',
    '',
    '> [!NOTE]',
    '> Sync is off.',
    '',
    '| Plan | Sizes |',
    '| --- | --- |',
    '| [[Plus\\|Boat Plus]] | 200 MB |',
  ].join('\n')
  expect((await parseBytes('markdown', text)).blocks.map((block) => block.text)).toEqual([
    'See Old copies, the settings, Limits and Plans > Sizes.',
    'Plans',
    'A matrix [[1, 2], [3, 4]], [[1, 2]] and a test [[ -f notes ]] are no links, nor is [[code]].',
    'Back up first',
    'Its history is lost.',
    'Sync is off.',
    '| Plan | Sizes |\n| --- | --- |\n| Boat Plus | 200 MB |',
  ])
})

test('Markdown: setext headings, tables and code in lists, HTML, pictures, TOML', async () => {
  const text = [
    '+++',
    'title = "Gauges"',
    'layout = "page"',
    'tags = ["tide"]',
    '+++',
    'Setext',
    '======',
    '- one',
    '',
    '  | a | b |',
    '  |---|---|',
    '  | 1 | 2 |',
    '',
    '  - deeper',
    '- two<br>lines',
    '',
    '  ```',
    '  code',
    '  ```',
    '',
    '![The pier](pier.png)',
    '',
    '<table><tr><td>x<td>y<tr><td>3<td>4</table>',
    '',
    '> quoted',
  ].join('\n')
  const document = await parseBytes('markdown', text)
  expect(document.title).toBe('Gauges')
  expect(document.blocks).toEqual([
    { kind: 'note', text: 'tags = ["tide"]' },
    { kind: 'heading', text: 'Setext', level: 1 },
    { kind: 'list', text: '- one' },
    { kind: 'table', text: '| a | b |\n| --- | --- |\n| 1 | 2 |' },
    { kind: 'list', text: '- deeper\n- two\nlines' },
    { kind: 'code', text: 'code' },
    { kind: 'figure', text: 'The pier' },
    { kind: 'table', text: '| x | y |\n| --- | --- |\n| 3 | 4 |' },
    { kind: 'paragraph', text: 'quoted' },
  ])
})

test('Markdown: superscripts in a line', async () => {
  const text =
    'Of 10<sup>3</sup> kg on *5* m<sup>2</sup> says the lease<sup>1</sup>.\n\n| a | b |\n| - | - |\n| 10<sup>6</sup> | open <sup>7 |'
  expect((await parseBytes('markdown', text)).blocks.map((block) => block.text)).toEqual([
    'Of 10³ kg on 5 m² says the lease[1].',
    '| a | b |\n| --- | --- |\n| 10⁶ | open 7 |',
  ])
})

test('a long Markdown text is read in parts without cutting a code block', async () => {
  const part = (i: number): string =>
    `## Part ${i}\n\n${'word '.repeat(200)}\n\n\`\`\`\nline one of ${i}\n\nline two of ${i}\n\`\`\`\n\n`
  const { blocks } = await parseBytes('markdown', Array.from({ length: 600 }, (_, i) => part(i)).join(''))
  expect(blocks.filter((block) => block.kind === 'heading')).toHaveLength(600)
  const code = blocks.filter((block) => block.kind === 'code').map((block) => block.text)
  expect(code).toEqual(Array.from({ length: 600 }, (_, i) => `line one of ${i}\n\nline two of ${i}`))
})

test('a program named like a text is refused, an odd character in a text is not', () => {
  const program = Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 37) % 256))
  expect(() => decodeText(Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01\0\0\0'), program]))).toThrow(
    /binary/,
  )
  expect(decodeText(Buffer.from('Page one\fpage two\0 and \x1b[1mbold\x1b[0m.'))).toContain('page two')
})

test('a CSV: title lines, a table without a header, ragged rows, encodings that begin as ASCII', async () => {
  const titled = await parseBytes('csv', 'Suppliers 2026\n;;\nName;Town;Since\nA;B;2019\nC;D\n')
  expect(titled.blocks).toEqual([
    { kind: 'paragraph', text: 'Suppliers 2026' },
    { kind: 'table', text: '| Name | Town | Since |\n| --- | --- | --- |\n| A | B | 2019 |\n| C | D |  |' },
  ])
  const bare = await parseBytes('csv', '1,ann,2.5\n2,ben,3.5\n3,cat,4.5\n')
  expect(bare.blocks[0]?.text.split('\n').slice(0, 3)).toEqual([
    '| Column 1 | Column 2 | Column 3 |',
    '| --- | --- | --- |',
    '| 1 | ann | 2.5 |',
  ])
  const years = await parseBytes('csv', 'Region,2024,2025\nNorth,1,2\nSouth,3,4\n')
  expect(years.blocks[0]?.text).toMatch(/^\| Region \| 2024 \| 2025 \|/)
  const list = await parseBytes('csv', 'one\ntwo\nthree\n')
  expect(list.blocks).toEqual([{ kind: 'table', text: '| one |\n| --- |\n| two |\n| three |' }])
  const late = `name;town\n${`plain;${'ascii '.repeat(200)}\n`.repeat(1000)}Jürgen;Köln\n`
  const { blocks } = await parseBytes('csv', iconv.encode(late, 'windows-1252'))
  expect(blocks.at(-1)?.text).toContain('| Jürgen | Köln |')
})

test('every encoding and delimiter: cells come back, quotes and line breaks inside them too', async () => {
  const rows = [
    ['商品', '価格', '備考'],
    ['潮位計', '1480', '納期は三週間です'],
    ['水位ロガー', '465', '在庫あり'],
  ]
  for (const encoding of ['utf-8', 'utf-16le', 'utf-16be', 'shift_jis']) {
    for (const delimiter of [',', ';', '\t', '|']) {
      for (const addBOM of encoding === 'shift_jis' ? [false] : [true, false]) {
        const text = rows.map((row) => row.map((cell) => `"${cell}"`).join(delimiter)).join('\r\n')
        const { blocks } = await parseBytes('csv', iconv.encode(text, encoding, { addBOM }))
        const found = (blocks[0]?.text ?? '').split('\n').filter((_, i) => i !== 1)
        expect(found, `${encoding} ${delimiter} ${addBOM}`).toEqual(
          rows.map((row) => `| ${row.join(' | ')} |`),
        )
      }
    }
  }
  const { blocks } = await parseBytes('csv', 'a,b\n"one\r\ntwo ""three""","x,y"\n')
  expect(blocks[0]?.text).toBe('| a | b |\n| --- | --- |\n| one two "three" | x,y |')
})

test('the title of a plain text is its first line where it plainly is one', async () => {
  const titles: [text: string, title: string | undefined][] = [
    ['Staff handbook\n==============\n\nWelcome.', 'Staff handbook'],
    ['Minutes of 12 March 2026\n\nPresent: all.', 'Minutes of 12 March 2026'],
    ['Dear Ms Smith,\n\nthank you.', undefined],
    ['We met at nine.\n\nThen we left.', undefined],
    ['first line\nsecond line\n\nthird', undefined],
    ['From: a@b.example\nDate: today\nSubject: Re: AW: The move\n\nJonas,', 'The move'],
    ['Status: done\n\nmore', undefined],
    [`${'Long '.repeat(40)}\n\nmore`, undefined],
    ['only one line', undefined],
  ]
  for (const [text, title] of titles) expect((await parseBytes('text', text)).title, text).toBe(title)
})
