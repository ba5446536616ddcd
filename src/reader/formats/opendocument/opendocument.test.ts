// OpenDocument texts and presentations: what readers see, in order.

import { expect, test } from 'vitest'
import {
  bulletStyle,
  makeOdp,
  makeOdt,
  type OdfExtra,
  odfHeading,
  odfParagraph,
  odfPart,
  odfTable,
} from '../../../../test/support/files/opendocument.ts'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { thorough } from '../../../../test/support/full.ts'
import type { Block } from '../../block.ts'

const read = async (body: string, extra: OdfExtra = {}): Promise<Block[]> =>
  (await parseBytes('odt', await makeOdt(body, extra))).blocks
const said = (blocks: readonly Block[]): string[] =>
  blocks.map(({ kind, level, text }) => `${kind}${level ?? ''}: ${text}`)

const numbers = (name: string, formats: readonly string[]): string =>
  `<text:list-style style:name="${name}">${formats.map((format, i) => `<text:list-level-style-number text:level="${i + 1}" style:num-format="${format}" style:num-suffix="." text:display-levels="${format === '1' ? i + 1 : 1}"/>`).join('')}</text:list-style>`
const list = (style: string, items: readonly string[], attributes = ''): string =>
  `<text:list text:style-name="${style}" ${attributes}>${items.map((item) => `<text:list-item>${item}</text:list-item>`).join('')}</text:list>`

test('headings have the numbers of the outline, and those taken away have none', async () => {
  const outline = (level: number): string =>
    `<text:outline-level-style text:level="${level}" style:num-format="1" text:display-levels="${level}"/>`
  const styles = `<text:outline-style>${outline(1)}${outline(2)}</text:outline-style><style:style style:name="Plain" style:family="paragraph" style:list-style-name=""/><style:style style:name="Title" style:family="paragraph"/>`
  const blocks = await read(
    [
      odfParagraph('Harbour rules', 'Title'),
      odfHeading('Berths', 1),
      odfHeading('Visitors', 2),
      odfHeading('Fees', 1),
      '<text:h text:outline-level="2" text:style-name="Plain">Annex</text:h>',
      '<text:h text:outline-level="2"><text:number>2.7</text:number>Dues</text:h>',
    ].join(''),
    { styles },
  )
  expect(said(blocks)).toEqual([
    'heading1: Harbour rules',
    'heading1: 1 Berths',
    'heading2: 1.1 Visitors',
    'heading1: 2 Fees',
    'heading2: Annex',
    'heading2: 2.7 Dues',
  ])
})

test('lists count by their styles, go on where they say so, and an item may have two paragraphs', async () => {
  const automatic = `${numbers('N', ['1', 'a'])}${bulletStyle}`
  const blocks = await read(
    [
      list('N', [
        odfParagraph('Moor'),
        `${odfParagraph('Report')}${odfParagraph('by radio')}<text:list><text:list-item>${odfParagraph('name')}</text:list-item><text:list-item>${odfParagraph('length')}</text:list-item></text:list>`,
      ]),
      odfParagraph('Then:'),
      list('N', [odfParagraph('Pay')], 'text:continue-numbering="true"'),
      odfParagraph('Anew:'),
      list('N', [odfParagraph('Leave')]),
      odfParagraph('Or:'),
      `<text:list text:style-name="N"><text:list-item text:start-value="7">${odfParagraph('Stay')}</text:list-item></text:list>`,
      odfParagraph('Never:'),
      list('Bullets', [odfParagraph('anchor')]),
    ].join(''),
    { automatic },
  )
  expect(said(blocks).filter((line) => line.startsWith('list'))).toEqual([
    'list: 1. Moor\n2. Report\n  by radio\n  a. name\n  b. length',
    'list: 3. Pay',
    'list: 1. Leave',
    'list: 7. Stay',
    'list: - anchor',
  ])
})

test('cells span, hold lists and tables, and their notes follow the table', async () => {
  const note =
    '<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>By the chart of 2024.</text:p></text:note-body></text:note>'
  const blocks = await read(
    `<table:table><table:table-header-rows><table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>Berth</text:p></table:table-cell><table:covered-table-cell/><table:table-cell><text:p>Depth${note}</text:p></table:table-cell></table:table-row></table:table-header-rows><table:table-row><table:table-cell table:number-rows-spanned="2"><text:p>North</text:p></table:table-cell><table:table-cell>${odfTable([['a', 'b']])}</table:table-cell><table:table-cell><text:p>4,5 m</text:p></table:table-cell></table:table-row><table:table-row><table:covered-table-cell/><table:table-cell>${list('Bullets', [odfParagraph('two'), odfParagraph('three')])}</table:table-cell><table:table-cell><text:p>6 m</text:p></table:table-cell></table:table-row></table:table>`,
    { automatic: bulletStyle },
  )
  expect(blocks).toEqual([
    {
      kind: 'table',
      text: '| Berth | Berth | Depth[1] |\n| --- | --- | --- |\n| North | a b | 4,5 m |\n| North | - two - three | 6 m |',
      html: expect.stringContaining('<td rowspan="2">North</td>'),
    },
    { kind: 'note', text: '[1] By the chart of 2024.' },
  ])
})

test('text as it is shown: white space, fields, superscripts; nothing deleted or hidden', async () => {
  const automatic =
    '<style:style style:name="Up" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style><style:style style:name="Gone" style:family="text"><style:text-properties text:display="none"/></style:style>'
  const blocks = await read(
    '<text:tracked-changes><text:changed-region><text:deletion><text:p>struck out</text:p></text:deletion></text:changed-region></text:tracked-changes>' +
      '<text:p>Area:\n  <text:span>12<text:s text:c="2"/>m</text:span><text:span text:style-name="Up">2</text:span><text:span text:style-name="Gone">secret</text:span><text:line-break/>On <text:date>3 May</text:date>, <text:a xlink:href="https://example.org">see there</text:a><text:ruby><text:ruby-base>港</text:ruby-base><text:ruby-text>minato</text:ruby-text></text:ruby></text:p>' +
      '<text:section text:display="none"><text:p>hidden part</text:p></text:section><text:section><text:p>shown part</text:p></text:section>',
    { automatic },
  )
  expect(said(blocks)).toEqual(['paragraph: Area: 12 m²\nOn 3 May, see there港', 'paragraph: shown part'])
})

test('remarks are notes with their author; text boxes, pictures, charts and formulas stand at their place', async () => {
  const chart = odfPart(
    'document-content',
    '<office:body><office:chart><chart:chart><chart:title><text:p>Depths</text:p></chart:title><table:table><table:table-rows><table:table-row><table:table-cell/><table:table-cell><text:p>Metres</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>North</text:p></table:table-cell><table:table-cell office:value="4.5"/></table:table-row></table:table-rows></table:table></chart:chart></office:chart></office:body>',
  )
  const formula =
    '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mi>E</mi><annotation encoding="StarMath 5.0">E = mc^2</annotation></semantics></math>'
  const blocks = await read(
    [
      '<text:p>Mind<office:annotation><dc:creator>Ann Lee</dc:creator><dc:date>2026-01-02T10:00:00</dc:date><text:p>Is this</text:p><text:p>still so?</text:p></office:annotation> the tide<office:annotation-end/>.</text:p>',
      '<text:p>Box<draw:frame><draw:text-box><text:p>inside</text:p></draw:text-box></draw:frame></text:p>',
      '<text:p><draw:frame><draw:image xlink:href="Pictures/a.png"/><svg:desc>A map</svg:desc></draw:frame></text:p>',
      '<text:p><draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/Object 1"/></draw:frame></text:p>',
      '<text:p>So <draw:frame><draw:object xlink:href="./Object 2"/></draw:frame> holds.</text:p>',
      '<draw:custom-shape><text:p>A shape</text:p></draw:custom-shape>',
    ].join(''),
    { parts: { 'Object 1/content.xml': chart, 'Object 2/content.xml': formula } },
  )
  expect(said(blocks)).toEqual([
    'paragraph: Mind the tide.',
    'note: Comment by Ann Lee: Is this\nstill so?',
    'paragraph: Box',
    'paragraph: inside',
    'figure: A map',
    'figure: Depths',
    'table: |  | Metres |\n| --- | --- |\n| North | 4.5 |',
    'paragraph: So $E = mc^2$ holds.',
    'paragraph: A shape',
  ])
})

test('headers and footers are said once, without the numbers of pages', async () => {
  const page = (name: string): string =>
    `<style:master-page style:name="${name}"><style:header><text:p>Harbour Office<text:tab/>Page <text:page-number>1</text:page-number></text:p></style:header><style:footer><text:p>1 Quay Road</text:p><text:p>Page <text:page-number>1</text:page-number> of <text:page-count>3</text:page-count></text:p></style:footer></style:master-page>`
  const blocks = await read(odfParagraph('Dear Sir'), { masters: page('First') + page('Next') })
  expect(said(blocks)).toEqual(['note: Harbour Office', 'paragraph: Dear Sir', 'note: 1 Quay Road'])
})

test('lines in bold above text are headings where no style names any', async () => {
  const automatic =
    '<style:style style:name="B" style:family="paragraph"><style:text-properties fo:font-weight="bold"/></style:style>'
  const text = 'The harbour is open from sunrise to sunset, and closed in a storm.'
  const blocks = await read(
    ['Opening', 'Fees', 'Closing'].map((head) => odfParagraph(head, 'B') + odfParagraph(text)).join(''),
    { automatic },
  )
  expect(blocks.filter(({ kind }) => kind === 'heading').map(({ text: own }) => own)).toEqual([
    'Opening',
    'Fees',
    'Closing',
  ])
})

const box = (x: number, y: number, inner: string, attributes = ''): string =>
  `<draw:frame svg:x="${x}cm" svg:y="${y}cm" svg:width="8cm" svg:height="2cm" ${attributes}><draw:text-box>${inner}</draw:text-box></draw:frame>`
const title = (text: string): string => box(1, 1, `<text:p>${text}</text:p>`, 'presentation:class="title"')

test('slides are pages: title, boxes by place, tables, remarks, speaker notes, hidden ones apart', async () => {
  const automatic = `${bulletStyle}<style:style style:name="Away" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>`
  const first = [
    box(12, 4, odfParagraph('right')),
    box(1, 4, list('Bullets', [odfParagraph('left one'), odfParagraph('left two')])),
    title('Buoys'),
    box(1, 15, '<text:p>3 May 2026</text:p>', 'presentation:class="date-time"'),
    box(1, 16, '<text:p>Add text</text:p>', 'presentation:class="outline" presentation:placeholder="true"'),
    `<draw:frame svg:x="1cm" svg:y="9cm" svg:width="8cm" svg:height="2cm">${odfTable([
      ['Buoy', 'Depth'],
      ['North', '4'],
    ])}</draw:frame>`,
    '<office:annotation><dc:creator>Ann</dc:creator><text:p>Newer figures?</text:p></office:annotation>',
    `<presentation:notes><draw:page-thumbnail/>${box(1, 1, '<text:p>Speak slowly.</text:p>', 'presentation:class="notes"')}${box(1, 1, '<text:p>4</text:p>', 'presentation:class="page-number"')}</presentation:notes>`,
  ].join('')
  const { blocks, pages, ...document } = await parseBytes(
    'odp',
    await makeOdp(
      `<draw:page>${first}</draw:page><draw:page draw:style-name="Away">${title('Backup')}</draw:page>`,
      { automatic },
    ),
  )
  expect([pages, document.title]).toEqual([2, 'Buoys'])
  expect(said(blocks)).toEqual([
    'heading1: Buoys',
    'list: - left one\n- left two',
    'paragraph: right',
    'table: | Buoy | Depth |\n| --- | --- |\n| North | 4 |',
    'note: Comment by Ann: Newer figures?',
    'note: Speak slowly.',
  ])
  expect(blocks.map(({ page }) => page)).toEqual([1, 1, 1, 1, 1, 1])
  expect(document.hidden).toEqual([{ page: 2, text: 'Backup' }])
})

test.each(['odt', 'odp'] as const)('%s under a password says so', async (kind) => {
  const make = kind === 'odt' ? makeOdt : makeOdp
  const manifest =
    '<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry>'
  const bytes = await make('', { manifest, parts: { 'content.xml': Buffer.alloc(200, 7) } })
  await expect(parseBytes(kind, bytes)).rejects.toMatchObject({ reason: 'encrypted' })
})

thorough('a text of 500,000 paragraphs is read', async () => {
  const paragraphs = 500_000
  const { blocks } = await parseBytes('odt', await makeOdt(odfParagraph('Low water.').repeat(paragraphs)))
  expect(blocks).toHaveLength(paragraphs)
})
