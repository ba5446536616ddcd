// Word files written and read back: what readers see on the page, in order, and nothing else.

import { expect, test } from 'vitest'
import { makeDocx, noteReference, wordParagraph, wordTable } from '../../../../test/support/files/office.ts'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import type { Block } from '../../block.ts'
import { numeral } from '../../shared/blocks/numerals.ts'

async function blocksOf(body: string, extra: Parameters<typeof makeDocx>[1] = {}): Promise<Block[]> {
  return (await parseBytes('docx', await makeDocx(body, extra))).blocks
}

const run = (text: string, properties = ''): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (content: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`
const item = (text: string, list: string, level: number): string =>
  paragraph(run(text), `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`)

const scheme = (id: string, levels: [format: string, text: string][]): string =>
  `<w:abstractNum w:abstractNumId="${id}">${levels
    .map(
      ([format, text], i) =>
        `<w:lvl w:ilvl="${i}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`,
    )
    .join('')}</w:abstractNum>`
const list = (id: string, of: string, inside = ''): string =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${of}"/>${inside}</w:num>`

test('headings, paragraphs, a table with its spans, a footnote at its place, the title', async () => {
  const body = [
    wordParagraph('Minutes of 12 March', 'Heading1'),
    `<w:p>${run('The board met at nine.')}${noteReference('2')}</w:p>`,
    wordTable([
      ['Motion', ['Votes', 2]],
      ['', 'yes', 'no'],
      ['Budget | 2026', '7', '(2)'],
    ]),
    `<w:p>${run('It closed at ten.')}${noteReference('7', 'endnote')}</w:p>`,
  ].join('')
  const document = await parseBytes(
    'docx',
    await makeDocx(body, {
      title: 'Board minutes',
      notes: { 2: 'By the clock.' },
      endnotes: { 7: 'See file.' },
    }),
  )
  expect(document.title).toBe('Board minutes')
  expect(document.blocks).toEqual([
    { kind: 'heading', text: 'Minutes of 12 March', level: 1 },
    { kind: 'paragraph', text: 'The board met at nine.[1]' },
    { kind: 'note', text: '[1] By the clock.' },
    {
      kind: 'table',
      text: '| Motion | Votes | Votes |\n| --- | --- | --- |\n|  | yes | no |\n| Budget \\| 2026 | 7 | (2) |',
      html: '<table><tr><td>Motion</td><td colspan="2">Votes</td></tr><tr><td></td><td>yes</td><td>no</td></tr><tr><td>Budget | 2026</td><td>7</td><td>(2)</td></tr></table>',
    },
    { kind: 'paragraph', text: 'It closed at ten.[i]' },
    { kind: 'note', text: '[i] See file.' },
  ])
})

test('automatic numbers are text: nested lists, lettered clauses, numbered headings, restarts', async () => {
  const numbering = [
    scheme('0', [
      ['decimal', '%1.'],
      ['lowerLetter', '(%2)'],
      ['lowerRoman', '%3.'],
    ]),
    scheme('1', [['bullet', '\uf0b7']]),
    scheme('2', [
      ['upperRoman', 'Article %1'],
      ['decimal', '%1.%2'],
    ]).replaceAll('<w:lvl w:ilvl="1">', '<w:lvl w:ilvl="1"><w:isLgl/>'),
    list('1', '0'),
    list('2', '1'),
    list('3', '2'),
    list('4', '0', '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'),
  ].join('')
  const heading = (text: string, style: string, level: number): string =>
    paragraph(
      run(text),
      `<w:pStyle w:val="${style}"/><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="3"/></w:numPr>`,
    )
  const body = [
    heading('Term', 'Heading1', 0),
    heading('Start', 'Heading2', 1),
    item('one', '1', 0),
    item('one a', '1', 1),
    item('one b', '1', 1),
    item('one b i', '1', 2),
    item('two', '1', 0),
    item('two a', '1', 1),
    heading('Rent', 'Heading1', 0),
    heading('Amount', 'Heading2', 1),
    item('dot', '2', 0),
    wordParagraph('Between.'),
    item('three', '1', 0),
    item('again', '4', 0),
    item('off', '0', 0),
  ].join('')
  expect((await blocksOf(body, { numbering })).map(({ kind, text }) => [kind, text])).toEqual([
    ['heading', 'Article I Term'],
    ['heading', '1.1 Start'],
    ['list', '1. one\n  (a) one a\n  (b) one b\n    i. one b i\n2. two\n  (a) two a'],
    ['heading', 'Article II Rent'],
    ['heading', '2.1 Amount'],
    ['list', '- dot'],
    ['paragraph', 'Between.'],
    ['list', '3. three\n1. again'],
    ['paragraph', 'off'],
  ])
})

test('levels that go on below the next one of a higher level, or begin anew below some alone', async () => {
  const numbering =
    scheme('0', [
      ['upperRoman', 'Part %1'],
      ['decimal', 'Rule %2'],
      ['lowerLetter', '(%3)'],
    ])
      .replace(
        '<w:lvl w:ilvl="1"><w:start w:val="1"/>',
        '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:lvlRestart w:val="0"/>',
      )
      .replace(
        '<w:lvl w:ilvl="2"><w:start w:val="1"/>',
        '<w:lvl w:ilvl="2"><w:start w:val="1"/><w:lvlRestart w:val="1"/>',
      ) + list('1', '0')
  const levels = [0, 1, 2, 1, 2, 0, 1, 2]
  const body = levels.map((level) => item('x', '1', level)).join('')
  const [block] = await blocksOf(body, { numbering })
  expect(block?.text.split('\n').map((line) => line.trim().replace(/ x$/, ''))).toEqual([
    'Part I',
    'Rule 1',
    '(a)',
    'Rule 2',
    '(b)',
    'Part II',
    'Rule 3',
    '(a)',
  ])
})

test('legal numbers keep their zero: "Article I. / Section 1.01"', async () => {
  const legal = scheme('0', [
    ['upperRoman', 'Article %1.'],
    ['decimalZero', 'Section %1.%2'],
  ]).replace('<w:numFmt w:val="decimalZero"/>', '<w:numFmt w:val="decimalZero"/><w:isLgl/>')
  const blocks = await blocksOf(item('Rent', '1', 0) + item('The rent is due.', '1', 1), {
    numbering: legal + list('1', '0'),
  })
  expect(blocks[0]?.text).toBe('Article I. Rent\n  Section 1.01 The rent is due.')
})

test('a style based on a heading is one; an outline level makes one; body text ends it', async () => {
  const styles = [
    '<w:style w:type="paragraph" w:styleId="House"><w:name w:val="House heading"/><w:basedOn w:val="Heading3"/></w:style>',
    '<w:style w:type="paragraph" w:styleId="A"><w:name w:val="A"/><w:basedOn w:val="B"/></w:style>',
    '<w:style w:type="paragraph" w:styleId="B"><w:name w:val="B"/><w:basedOn w:val="A"/></w:style>',
    '<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style>',
  ].join('')
  const body = [
    wordParagraph('Report', 'Title'),
    wordParagraph('Own style', 'House'),
    paragraph(run('By outline'), '<w:outlineLvl w:val="1"/>'),
    paragraph(run('Not one'), '<w:pStyle w:val="Heading1"/><w:outlineLvl w:val="9"/>'),
    wordParagraph('In a circle', 'A'),
  ].join('')
  expect((await blocksOf(body, { styles })).map(({ kind, level }) => [kind, level])).toEqual([
    ['heading', 1],
    ['heading', 3],
    ['heading', 2],
    ['paragraph', undefined],
    ['paragraph', undefined],
  ])
})

test('tracked changes as accepted; comments, field codes and hidden text left out', async () => {
  const deletedMark = '<w:rPr><w:del w:id="9"/></w:rPr>'
  const body = [
    paragraph(
      `${run('Rent is ')}<w:del w:id="1"><w:r><w:delText>£9,600</w:delText></w:r></w:del><w:ins w:id="2">${run('£10,300')}</w:ins>${run(' a quarter.')}<w:r><w:commentReference w:id="0"/></w:r>`,
    ),
    `<w:p><w:moveFrom w:id="3">${run('moved away')}</w:moveFrom></w:p>`,
    `<w:p><w:moveTo w:id="4">${run('moved here')}</w:moveTo></w:p>`,
    paragraph(run('One sentence, '), deletedMark),
    paragraph(run('joined.')),
    paragraph(`${run('seen')}${run('unseen', '<w:vanish/>')}${run(' too', '<w:vanish w:val="0"/>')}`),
    paragraph(
      `${run('Page ')}<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGEREF _Toc1 </w:instrText></w:r>${run('code')}<w:r><w:fldChar w:fldCharType="separate"/></w:r>${run('7')}<w:r><w:fldChar w:fldCharType="end"/></w:r>`,
    ),
    paragraph(`<w:r><w:fldChar w:fldCharType="begin"/></w:r>${run('never closed')}`),
    paragraph(run('The next paragraph is whole.')),
    `<w:tbl><w:tr><w:tc>${wordParagraph('a')}</w:tc><w:tc>${wordParagraph('b')}</w:tc></w:tr><w:tr><w:trPr><w:del w:id="5"/></w:trPr><w:tc>${wordParagraph('x')}</w:tc><w:tc>${wordParagraph('y')}</w:tc></w:tr><w:tr><w:tc>${wordParagraph('c')}</w:tc><w:tc>${wordParagraph('d')}</w:tc></w:tr></w:tbl>`,
  ].join('')
  expect((await blocksOf(body)).map(({ text }) => text)).toEqual([
    'Rent is £10,300 a quarter.',
    'moved here',
    'One sentence, joined.',
    'seen too',
    'Page 7',
    'The next paragraph is whole.',
    '| a | b |\n| --- | --- |\n| c | d |',
  ])
})

test('merged rows, tables in tables, notes in cells; a frame of one cell is no table', async () => {
  const cell = (content: string, properties = ''): string =>
    `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`
  const inner = wordTable([
    ['e', 'f'],
    ['g', 'h'],
  ])
  const body = [
    `<w:tbl><w:tr>${cell(wordParagraph('Port'), '<w:vMerge w:val="restart"/>')}${cell(`<w:p>${run('North')}${noteReference('1')}</w:p>`)}</w:tr><w:tr>${cell(wordParagraph(''), '<w:vMerge/>')}${cell(inner + wordParagraph(''))}</w:tr></w:tbl>`,
    `<w:tbl><w:tr>${cell(wordParagraph('Framed', 'Heading2') + wordParagraph('text'))}</w:tr></w:tbl>`,
  ].join('')
  expect(await blocksOf(body, { notes: { 1: 'Pier.' } })).toEqual([
    {
      kind: 'table',
      text: '| Port | North[1] |\n| --- | --- |\n| Port | e f; g h |',
      html: '<table><tr><td rowspan="2">Port</td><td>North[1]</td></tr><tr><td>e f; g h</td></tr></table>',
    },
    { kind: 'note', text: '[1] Pier.' },
    { kind: 'heading', text: 'Framed', level: 2 },
    { kind: 'paragraph', text: 'text' },
  ])
})

test('text boxes once, pictures by their words, charts and diagrams by their data', async () => {
  const box = `<w:txbxContent>${wordParagraph('In the box.')}</w:txbxContent>`
  const drawing = (inside: string, described = ''): string =>
    `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" descr="${described}"/>${inside}</wp:inline></w:drawing></w:r>`
  const chart = `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Gauges sold</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>TG-40</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>2024</c:v></c:pt><c:pt idx="1"><c:v>2025</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>284</c:v></c:pt><c:pt idx="1"><c:v>312</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`
  const point = (id: string, text: string, type = ''): string =>
    `<dgm:pt modelId="${id}"${type}><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`
  const diagram = `<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dgm:ptLst>${point('0', '', ' type="doc"')}${point('1', 'Board')}${point('2', 'Workshop')}${point('3', 'Laboratory')}${point('4', 'unused', ' type="pres"')}</dgm:ptLst><dgm:cxnLst><dgm:cxn srcId="0" destId="1" srcOrd="0"/><dgm:cxn srcId="1" destId="3" srcOrd="1"/><dgm:cxn srcId="1" destId="2" srcOrd="0"/></dgm:cxnLst></dgm:dataModel>`
  const body = [
    `<w:p>${run('Before.')}<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>${box}</w:drawing></mc:Choice><mc:Fallback><w:pict>${box}</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`,
    `<w:p>${drawing('', 'The new pier at low tide')}</w:p>`,
    `<w:p>${drawing('<a:graphic><c:chart r:id="c1"/></a:graphic>')}</w:p>`,
    `<w:p>${drawing('<a:graphic><dgm:relIds r:dm="d1"/></a:graphic>')}</w:p>`,
  ].join('')
  const blocks = await blocksOf(body, {
    relations: { c1: ['chart', 'charts/chart1.xml'], d1: ['diagramData', 'diagrams/data1.xml'] },
    parts: { 'word/charts/chart1.xml': chart, 'word/diagrams/data1.xml': diagram },
  })
  expect(blocks).toEqual([
    { kind: 'paragraph', text: 'Before.' },
    { kind: 'paragraph', text: 'In the box.' },
    { kind: 'figure', text: 'The new pier at low tide' },
    { kind: 'figure', text: 'Gauges sold' },
    { kind: 'table', text: '|  | TG-40 |\n| --- | --- |\n| 2024 | 284 |\n| 2025 | 312 |' },
    { kind: 'list', text: '- Board\n  - Workshop\n  - Laboratory' },
  ])
})

test('equations are LaTeX', async () => {
  const r = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`
  const e = (content: string): string => `<m:e>${content}</m:e>`
  const cases: [omml: string, latex: string][] = [
    [
      `${r('x=')}<m:f><m:num>${r('-b±')}<m:rad><m:deg/>${e(`<m:sSup>${e(r('b'))}<m:sup>${r('2')}</m:sup></m:sSup>${r('-4ac')}`)}</m:rad></m:num><m:den>${r('2a')}</m:den></m:f>`,
      'x=\\frac{-b±\\sqrt{b^2-4ac}}{2a}',
    ],
    [
      `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${r('i=1')}</m:sub><m:sup>${r('n')}</m:sup>${e(`<m:sSub>${e(r('a'))}<m:sub>${r('i')}</m:sub></m:sSub>`)}</m:nary>`,
      '\\sum_{i=1}^n a_i',
    ],
    [
      `<m:d>${e(`<m:f><m:num>${r('1')}</m:num><m:den>${r('2')}</m:den></m:f>`)}</m:d>`,
      '\\left(\\frac{1}{2}\\right)',
    ],
    [`<m:func><m:fName>${r('sin')}</m:fName>${e(r('θ'))}</m:func>`, '\\sin θ'],
    [
      `<m:m><m:mr>${e(r('a'))}${e(r('b'))}</m:mr><m:mr>${e(r('c'))}${e(r('d'))}</m:mr></m:m>`,
      '\\begin{matrix}a & b \\\\ c & d\\end{matrix}',
    ],
    [`<m:acc>${e(r('v'))}</m:acc>`, '\\hat{v}'],
    [r('50% of $x_1'), '50\\% of \\$x\\_1'],
  ]
  const body = cases.map(([omml]) => `<w:p>${run('So ')}<m:oMath>${omml}</m:oMath>${run('.')}</w:p>`).join('')
  expect((await blocksOf(body)).map(({ text }) => text)).toEqual(cases.map(([, latex]) => `So $${latex}$.`))
})

test('a strict file with prefixes of its own reads the same', async () => {
  const plain = await makeDocx(wordParagraph('Heading', 'Heading1') + wordParagraph('Text.'), {
    parts: {
      'word/document.xml': `<?xml version="1.0"?><o:document xmlns:o="http://purl.oclc.org/ooxml/wordprocessingml/main"><o:body><o:p><o:pPr><o:pStyle o:val="Heading1"/></o:pPr><o:r><o:t>Heading</o:t></o:r></o:p><o:p><o:r><o:t>Text.</o:t></o:r></o:p></o:body></o:document>`,
    },
  })
  expect((await parseBytes('docx', plain)).blocks).toEqual([
    { kind: 'heading', text: 'Heading', level: 1 },
    { kind: 'paragraph', text: 'Text.' },
  ])
})

test('numerals as Word writes them', () => {
  expect([1, 4, 9, 14, 40, 1999].map((n) => numeral(n, 'lowerRoman'))).toEqual([
    'i',
    'iv',
    'ix',
    'xiv',
    'xl',
    'mcmxcix',
  ])
  expect([1, 26, 27, 53].map((n) => numeral(n, 'upperLetter'))).toEqual(['A', 'Z', 'AA', 'AAA'])
  const written = (format: string, ...counts: number[]): string =>
    counts.map((count) => numeral(count, format)).join(' ')
  expect(written('ordinal', 1, 2, 3, 4, 11, 13, 21, 112)).toBe('1st 2nd 3rd 4th 11th 13th 21st 112th')
  expect(written('decimalEnclosedCircle', 1, 20, 21)).toBe('① ⑳ 21')
  expect(written('japaneseCounting', 3, 10, 11, 20, 42, 100)).toBe('三 十 十一 二十 四十二 100')
})

test('a page, a saved page, RTF and text that Word shows as part of its text are read in their places', async () => {
  const chunk = (id: string): string => `<w:altChunk r:id="${id}"/>`
  const saved = [
    'MIME-Version: 1.0',
    'Content-Type: multipart/related; boundary="x"',
    '',
    '--x',
    'Content-Type: text/html; charset="utf-8"',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '<html><body><h1>Dues</h1><p class=3D"a">Caf=C3=A9 berth, 40 a week.</p></body></html>',
    '--x--',
    '',
  ]
  const bytes = await makeDocx(
    `${wordParagraph('Before.')}${chunk('c1')}${wordParagraph('Between.')}${chunk('c2')}${chunk('c3')}${chunk('c4')}`,
    {
      relations: {
        c1: ['aFChunk', 'afchunk.mht'],
        c2: ['aFChunk', 'afchunk.htm'],
        c3: ['aFChunk', 'afchunk.rtf'],
        c4: ['aFChunk', 'afchunk.txt'],
      },
      parts: {
        'word/afchunk.mht': saved.join('\r\n'),
        'word/afchunk.htm':
          '<html><body><table><tr><th>Pier</th><th>Fee</th></tr><tr><td>1</td><td>4</td></tr></table></body></html>',
        'word/afchunk.rtf': String.raw`{\rtf1\ansi In rich text.\par}`,
        'word/afchunk.txt': 'As typed.',
      },
    },
  )
  const { blocks, warnings } = await parseBytes('docx', bytes)
  expect(blocks.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    'paragraph: Before.',
    'heading: Dues',
    'paragraph: Café berth, 40 a week.',
    'paragraph: Between.',
    'table: | Pier | Fee |\n| --- | --- |\n| 1 | 4 |',
    'paragraph: In rich text.',
    'paragraph: As typed.',
  ])
  expect(warnings).toBeUndefined()
})

test('a chunk that cannot be read is left out with a warning; the letter around it, and chunks of text, are read', async () => {
  const chunk = (id: string): string => `<w:altChunk r:id="${id}"/>`
  const bytes = await makeDocx(
    `${wordParagraph('Before.')}${chunk('c1')}${chunk('c2')}${chunk('c3')}${wordParagraph('After.')}`,
    {
      relations: {
        c1: ['aFChunk', 'endless.mht'],
        c2: ['aFChunk', 'saved.mht'],
        c3: ['aFChunk', 'plain.txt'],
      },
      parts: {
        'word/endless.mht': `MIME-Version: 1.0\r\nX-Note: ${'a'.repeat(3 * 2 ** 20)}\r\n\r\nNever read.\r\n`,
        'word/saved.mht': 'MIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\nThe quay is closed.\r\n',
        'word/plain.txt': 'PKW stand behind the shed.',
      },
    },
  )
  const { blocks, warnings } = await parseBytes('docx', bytes)
  expect(blocks.map(({ text }) => text)).toEqual([
    'Before.',
    'The quay is closed.',
    'PKW stand behind the shed.',
    'After.',
  ])
  expect(warnings).toHaveLength(1)
})
