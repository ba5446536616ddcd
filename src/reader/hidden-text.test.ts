// Text that is in a file but not visible in the document is no statement of it: kept apart, and counted in a warning.

import { expect, test } from 'vitest'
import { makeDocx, wordParagraph } from '../../test/support/files/office.ts'
import { makeOdt } from '../../test/support/files/opendocument.ts'
import { parseBytes } from '../../test/support/files/parse.ts'
import { makePdf } from '../../test/support/files/pdf.ts'
import { makePptx } from '../../test/support/files/slides.ts'
import type { ParsedDocument } from './block.ts'
import { drawingDpi } from './formats/pdf/hidden-text.ts'

const VISIBLE = { x: 60, y: 700, text: 'The ferry left on time on 94 days.' }
const line = (y: number, text: string, before = '', size = 11): string =>
  `q BT /F1 ${size} Tf ${before} 60 ${y} Td (${text}) Tj ET Q`
const pdf = (drawn: string, more: Parameters<typeof makePdf>[1] = {}): Promise<ParsedDocument> =>
  parseBytes('pdf', makePdf([[VISIBLE]], { ...more, drawn }))
const texts = (document: ParsedDocument): string => document.blocks.map(({ text }) => text).join('\n')
const apart = ({ hidden = [] }: ParsedDocument): string => hidden.map(({ text }) => text).join('\n')
const count = ({ warnings = [] }: ParsedDocument): string | undefined =>
  warnings.find((warning) => warning.includes('hidden text'))?.split(' of ')[0]

// An inline picture of one pixel.
const DARK_PICTURE = 'BI /W 1 /H 1 /CS /G /BPC 8 /F /AHx ID 20> EI'
const SECRET = 'The ferry is always on time.'

test.each([
  ['in the invisible mode', line(600, SECRET, '3 Tr')],
  ['in the mode that only clips', line(600, SECRET, '7 Tr')],
  ['white', line(600, SECRET, '1 g')],
  ['nearly white', line(600, SECRET, '0.98 0.98 0.98 rg')],
  ['without ink', line(600, SECRET, '0 0 0 0 k')],
  ['black under black', `0 g 50 590 300 30 re f ${line(600, SECRET)}`],
  ['a point high', line(600, SECRET, '', 1)],
])('PDF: text %s', async (_, drawn) => {
  const document = await pdf(drawn)
  expect(texts(document)).toBe(VISIBLE.text)
  expect(apart(document)).toBe(SECRET)
  expect(document.hidden?.[0]?.page).toBe(1)
  expect(count(document)).toBe('1 passage')
})

test('PDF: white words in a visible line', async () => {
  const document = await pdf(
    'BT /F1 11 Tf 60 600 Td (It sails ) Tj 1 g (never again ) Tj 0 g (every morning.) Tj ET',
  )
  expect(texts(document)).toContain('It sails every morning.')
  expect(apart(document)).toBe('never again')
})

test.each([
  ['white on a dark field', `0 0 0.5 rg 50 590 300 30 re f ${line(600, SECRET, '1 g')}`],
  ['light grey', line(600, SECRET, '0.8 g')],
  ['small', line(600, SECRET, '', 4)],
])('PDF: text %s is visible', async (_, drawn) => {
  const document = await pdf(drawn)
  expect(texts(document)).toContain(SECRET)
  expect(document).not.toHaveProperty('hidden')
})

test.each([
  [
    'red on green of the same brightness',
    `0 0.5 0 rg 50 590 300 30 re f ${line(600, SECRET, '0.98 0 0 rg')}`,
  ],
  ['white on a picture', `q 400 0 0 60 40 580 cm ${DARK_PICTURE} Q ${line(600, SECRET, '1 g')}`],
  [
    'white on a curved dark shape',
    `0 0 0.4 rg 40 580 m 40 640 l 400 650 500 560 400 580 c f ${line(600, SECRET, '1 g')}`,
  ],
  [
    'white in a clipped dark field',
    `q 50 590 300 30 re W n 0 g 0 0 600 700 re f ${line(600, SECRET, '1 g')} Q`,
  ],
])('PDF: text %s is visible', async (_, drawn) => {
  const document = await pdf(drawn)
  expect(texts(document)).toContain(SECRET)
  expect(document).not.toHaveProperty('hidden')
})

test('PDF: white text in a dark field of a page drawn sideways is visible', async () => {
  const drawn = `0 0 0.4 rg 50 560 400 50 re f ${line(580, 'North pier is open.', '1 g')} ${line(520, SECRET, '1 g')}`
  const document = await parseBytes(
    'pdf',
    makePdf([[{ x: 60, y: 450, text: VISIBLE.text }]], { drawn, sideways: true }),
  )
  for (const text of [VISIBLE.text, 'North pier is open.']) expect(texts(document)).toContain(text)
  expect(apart(document)).toBe(SECRET)
})

test('PDF: a picture on a page frees only the invisible text that stands on it', async () => {
  const strip = (y: number): string => `q 612 0 0 100 0 ${y} cm ${DARK_PICTURE} Q`
  const drawn = `${[0, 100, 200].map(strip).join(' ')} ${line(195, 'Read on a scan.', '3 Tr')} ${line(600, SECRET, '3 Tr')}`
  const document = await pdf(drawn)
  expect(texts(document)).toBe(`${VISIBLE.text}\nRead on a scan.`)
  expect(apart(document)).toBe(SECRET)
})

test('PDF: what was recognised on a scan is its text', async () => {
  const document = await parseBytes('pdf', makePdf([[VISIBLE]], { scan: true }))
  expect(texts(document)).toBe(VISIBLE.text)
  expect(document).not.toHaveProperty('hidden')
})

test('PDF: a page of hidden text alone has no text by another reader either', async () => {
  const hidden = makePdf([[]], { drawn: line(600, SECRET, '3 Tr') })
  await expect(parseBytes('pdf', hidden)).rejects.toMatchObject({ reason: 'no_text' })
})

test('PDF: a large page is drawn with fewer pixels, and small text on it counts as visible', async () => {
  const size = [14_400, 14_400] as const
  const [width, height] = size.map(
    (points) => (points / 72) * drawingDpi({ width: size[0], height: size[1] }),
  )
  expect((width ?? 0) * (height ?? 0)).toBeLessThanOrEqual(4e6)
  const drawn = `0.75 g BT /F1 8 Tf 60 500 Td (North pier is open.) Tj ET ${line(3000, SECRET, '1 g', 100)}`
  const document = await pdf(drawn, { size })
  expect(texts(document)).toBe(`${VISIBLE.text}\nNorth pier is open.`)
  expect(apart(document)).toBe(SECRET)
  expect(drawingDpi({ width: 612, height: 792 })).toBe(72)
})

const page = (body: string, head = ''): Promise<ParsedDocument> =>
  parseBytes('html', `<html><head>${head}</head><body><p>It sails daily.</p>${body}</body></html>`)

test.each([
  '<p hidden>SECRET</p>',
  '<p style="display:none">SECRET</p>',
  '<div style="visibility: hidden"><p>SECRET</p></div>',
  '<p style="opacity:0">SECRET</p>',
  '<p style="color:white">SECRET</p>',
  '<p style="color:#fff;font-size:1px">SECRET</p>',
  '<p style="font-size:.5pt">SECRET</p>',
  '<div style="background:#112233;color:rgb(17,34,51)">SECRET</div>',
  '<table><tr><td>Seen</td><td bgcolor="#000000">SECRET</td></tr></table>',
  '<p style="color:transparent">SECRET</p>',
  '<p style="position:absolute; left:-9999px">SECRET</p>',
  '<p style="text-indent:-9999px">SECRET</p>',
  '<div style="max-height:0;overflow:hidden">SECRET</div>',
  '<style>.quiet{color:#fff}</style><p class="quiet">SECRET</p>',
  '<style>.a{color:#000}.b{color:#fff}</style><p class="b a">SECRET</p>',
  '<style>@media print{.c{font-size:9pt}}.b{color:#fff}</style><p class="b">SECRET</p>',
])('HTML: %s', async (body) => {
  const document = await page(body.replace('SECRET', SECRET))
  expect(texts(document)).not.toContain('always')
  expect(apart(document)).toBe(SECRET)
  expect(count(document)).toBe('1 passage')
})

test.each<[body: string, head?: string]>([
  ['<p style="background:navy;color:white">SECRET</p>'],
  ['<table><tr><td bgcolor="#000080"><font color="white">SECRET</font></td><td>x</td></tr></table>'],
  [
    '<style>th{background:navy}</style><table><tr><th style="color:white">SECRET</th></tr><tr><td>x</td></tr></table>',
  ],
  [
    '<style>tr:first-child td{background:navy}</style><table><tr><td style="color:#fff">SECRET</td></tr><tr><td>x</td></tr></table>',
  ],
  ['<p class="banner" style="color:white">SECRET</p>', '<link rel="stylesheet" href="site.css">'],
  ['<p style="background:url(sea.jpg);color:white">SECRET</p>'],
  ['<div style="font-size:0"><span style="font-size:14px">SECRET</span></div>'],
  // Rules that hold in some states only.
  ['<style>@media print{.note{color:#fff}}</style><p class="note">SECRET</p>'],
  ['<style>@media screen{body{color:#eee}@supports (display:grid){p{color:#fff}}}</style><p>SECRET</p>'],
  ['<style>@media (prefers-color-scheme:dark){p{background:#000}}p{color:#fff}</style><p>SECRET</p>'],
  ['<style>@container (width>9em){.note{font-size:1px}}</style><p class="note">SECRET</p>'],
  ['<style>.note{@media print{color:#fff}}</style><p class="note">SECRET</p>'],
  ['<style media="print">.note{color:#fff}</style><p class="note">SECRET</p>'],
  ['<style>a:hover, .x .note{color:#fff}</style><p class="note">SECRET</p>'],
  ['<style>.top{color:#fff}.top .note{color:#000}</style><div class="top"><p class="note">SECRET</p></div>'],
  ['<style>:is(.top, p){background:navy}</style><p style="color:#fff">SECRET</p>'],
  // The cascade.
  ['<style>.a{color:#fff}.b{color:#000}</style><p class="b a">SECRET</p>'],
  ['<style>#a{color:#000}.b{color:#fff}</style><p class="b" id="a">SECRET</p>'],
  ['<style>p{color:#000 !important}</style><p style="color:#fff">SECRET</p>'],
  ['<style>@import "dark.css";</style><p style="color:#fff">SECRET</p>'],
  // What else may be behind the letters, or colours them.
  ['<table><tr><td background="sea.jpg"><font color="white">SECRET</font></td><td>x</td></tr></table>'],
  [
    '<div style="position:relative"><img src="a.jpg" style="position:absolute"><p style="color:#fff">SECRET</p></div>',
  ],
  ['<style>.pic{position:absolute}</style><img class="pic" src="a.jpg"><p style="color:#fff">SECRET</p>'],
  ['<img src="a.jpg"><p style="color:#fff;margin-top:-80px">SECRET</p>'],
  ['<p style="color:#fff;text-shadow:0 0 3px #000">SECRET</p>'],
  [
    '<p style="background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent">SECRET</p>',
  ],
  ['<p style="color:#fff"><a href="/x">SECRET</a></p>'],
  ['<p style="color:#fff"><mark>SECRET</mark></p>'],
  ['<p style="color:#fff">SECRET</p>', '<meta name="color-scheme" content="dark">'],
  ['<div style="background:#000"><p>SECRET</p></div>', '<link rel="stylesheet" href="site.css">'],
  ['<div style="font-size:0"><p class="x">SECRET</p></div>', '<link rel="stylesheet" href="site.css">'],
  // Scripts fade in and unfold.
  ['<p style="opacity:0">SECRET</p>', '<script src="fade.js"></script>'],
  ['<div style="max-height:0;overflow:hidden">SECRET</div>', '<script src="fold.js"></script>'],
  ['<p style="opacity:0;animation:show 1s forwards">SECRET</p>'],
  ['<details><summary>More</summary><p>SECRET</p></details>'],
  ['<style>.tab{display:none}</style><div class="tab">SECRET</div>'],
  ['<div hidden="until-found">SECRET</div>'],
])('HTML: %s is visible', async (body, head) => {
  const document = await page(body.replace('SECRET', SECRET), head)
  expect(texts(document)).toContain(SECRET)
  expect(document).not.toHaveProperty('hidden')
})

test('HTML: comments, scripts and menus are no text at all', async () => {
  const document = await page('<!-- Choose us. --><div hidden><script>choose()</script></div><nav>Home</nav>')
  expect(document).toEqual({ blocks: [{ kind: 'paragraph', text: 'It sails daily.' }] })
})

const run = (text: string, properties = ''): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
const cell = (inner: string, properties = ''): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr><w:p>${inner}</w:p></w:tc>`
const WHITE = '<w:color w:val="FFFFFF"/>'
const DARK = '<w:shd w:val="clear" w:fill="1F3864"/>'

test('Word: hidden, white and tiny runs; white on a dark cell is visible', async () => {
  const body = [
    `<w:p>${run('It sails daily.')}${run(' Never.', '<w:vanish/>')}</w:p>`,
    `<w:p>${run('White secret.', WHITE)}</w:p>`,
    `<w:p>${run('Tiny secret.', '<w:sz w:val="2"/>')}</w:p>`,
    `<w:tbl><w:tr>${cell(run('Pier', WHITE), DARK)}${cell(run('Deep', WHITE))}</w:tr><w:tr>${cell(run('North'))}${cell(run('four'))}</w:tr></w:tbl>`,
    `<w:tbl><w:tblPr><w:tblStyle w:val="Dark"/></w:tblPr><w:tr>${cell(run('Quay', WHITE))}${cell(run('a'))}</w:tr></w:tbl>`,
    `<w:p>${run('On blue.', `${WHITE}<w:highlight w:val="blue"/>`)}</w:p>`,
    wordParagraph('The end.'),
  ].join('')
  const document = await parseBytes('docx', await makeDocx(body))
  expect(document.hidden?.map(({ text }) => text)).toEqual(
    [' Never.', 'White secret.', 'Tiny secret.', 'Deep'].map((text) => text.trim()),
  )
  for (const text of ['It sails daily.', 'Pier', 'Quay', 'On blue.', 'The end.'])
    expect(texts(document)).toContain(text)
  expect(texts(document)).not.toMatch(/secret|Never|Deep/)
})

const styles = (properties: string): string =>
  `<w:style w:type="paragraph" w:styleId="Banner"><w:name w:val="Banner"/>${properties}</w:style><w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Banner"/></w:style><w:style w:type="character" w:styleId="Strong"><w:name w:val="Strong"/>${properties}</w:style>`
const inStyle = `<w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr>${run('Pier', WHITE)}</w:p>`
const behind = (anchor: string): string => `<w:p><w:r>${anchor}</w:r></w:p>`

test.each([
  ['in a paragraph of a dark style', inStyle, styles(`<w:pPr>${DARK}</w:pPr>`)],
  ['in a paragraph of a style with dark letters', inStyle, styles(`<w:rPr>${DARK}</w:rPr>`)],
  [
    'in a run of a dark style',
    `<w:p>${run('Pier', `<w:rStyle w:val="Strong"/>${WHITE}`)}</w:p>`,
    styles(`<w:rPr>${DARK}</w:rPr>`),
  ],
  [
    'in a run of a marked style',
    `<w:p>${run('Pier', `<w:rStyle w:val="Strong"/>${WHITE}`)}</w:p>`,
    styles('<w:rPr><w:highlight w:val="blue"/></w:rPr>'),
  ],
  [
    'in a table of lines whose style has dark heads',
    `<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/></w:tblPr><w:tr>${cell(run('Pier', WHITE))}${cell(run('a'))}</w:tr></w:tbl>`,
    `<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:tblStylePr w:type="firstRow"><w:tcPr>${DARK}</w:tcPr></w:tblStylePr></w:style>`,
  ],
  [
    'before a picture behind the text',
    `<w:p>${run('Pier', WHITE)}</w:p>${behind('<w:drawing><wp:anchor behindDoc="1"><wp:docPr id="1" name=""/></wp:anchor></w:drawing>')}`,
    '',
  ],
  [
    'on an old shape behind the text',
    `${behind('<w:pict><v:rect xmlns:v="urn:schemas-microsoft-com:vml" style="position:absolute;z-index:-251658240"/></w:pict>')}<w:p>${run('Pier', WHITE)}</w:p>`,
    '',
  ],
])('Word: white text %s is visible', async (_, body, styles) => {
  const document = await parseBytes(
    'docx',
    await makeDocx(`${wordParagraph('It sails daily.')}${body}`, { styles }),
  )
  expect(texts(document)).toContain('Pier')
  expect(document).not.toHaveProperty('hidden')
})

test('Word: white text in a style without colour, and beside a picture before the text, is hidden', async () => {
  const picture = behind(
    '<w:drawing><wp:anchor behindDoc="0"><wp:docPr id="1" name=""/></wp:anchor></w:drawing>',
  )
  const body = `${wordParagraph('It sails daily.')}${inStyle}${picture}`
  const clear = styles('<w:pPr><w:shd w:val="clear" w:fill="FFFFFF"/></w:pPr>')
  const document = await parseBytes('docx', await makeDocx(body, { styles: clear }))
  expect(apart(document)).toBe('Pier')
})

test('PowerPoint: hidden slides, and boxes beside the slide', async () => {
  const bytes = await makePptx([
    { title: 'Fares', shapes: [{ lines: ['Beside it'], box: [2000, 100, 300, 100] }] },
    { title: 'Backup', hidden: true, notes: 'Do not show.' },
  ])
  const document = await parseBytes('pptx', bytes)
  expect(texts(document)).toBe('Fares')
  expect(document).toMatchObject({
    pages: 2,
    hidden: [
      { page: 1, text: 'Beside it' },
      { page: 2, text: 'Backup' },
      { page: 2, text: 'Do not show.' },
    ],
  })
})

test('OpenDocument and RTF', async () => {
  const styles =
    '<style:style style:name="Away" style:family="text"><style:text-properties text:display="none"/></style:style>'
  const odt = await parseBytes(
    'odt',
    await makeOdt('<text:p>It sails<text:span text:style-name="Away"> never</text:span> daily.</text:p>', {
      styles,
    }),
  )
  expect([texts(odt), apart(odt)]).toEqual(['It sails daily.', 'never'])
  const rtf = await parseBytes('rtf', String.raw`{\rtf1\ansi\pard It sails{\v  never} daily.\par}`)
  expect([texts(rtf), apart(rtf)]).toEqual(['It sails daily.', 'never'])
})

test('a mail: what its attachments hide counts with it', async () => {
  const attachment = makePdf([[VISIBLE]], { drawn: line(600, SECRET, '1 g') }).toString('base64')
  const mail = [
    'Subject: Ferry',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/html',
    '',
    '<p>See below.</p><p style="display:none">Preview of it</p>',
    '--b',
    'Content-Type: application/pdf; name=a.pdf',
    'Content-Disposition: attachment; filename=a.pdf',
    'Content-Transfer-Encoding: base64',
    '',
    attachment,
    '--b--',
  ].join('\r\n')
  const document = await parseBytes('email', mail)
  expect(texts(document)).toContain(VISIBLE.text)
  expect(texts(document)).not.toMatch(/always|Preview/)
  expect(count(document)).toBe('2 passages')
  expect(apart(document)).toContain(SECRET)
})

test('much hidden text is counted, not kept', async () => {
  const document = await page(
    `<div hidden>${'word '.repeat(30_000)}</div>${'<p>a</p><p hidden>b c d</p>'.repeat(50)}`,
  )
  expect(count(document)).toBe('51 passages')
  expect(apart(document).length).toBeLessThan(100_000)
})
