// Comments on cells and slides: notes with place and author.

import { expect, test } from 'vitest'
import { partsOf } from '../../../../test/support/files/bad.ts'
import { makeWorkbook, relations } from '../../../../test/support/files/office.ts'
import { odfPart } from '../../../../test/support/files/opendocument.ts'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { makePptx } from '../../../../test/support/files/slides.ts'
import { makeZip } from '../../../../test/support/files/zip.ts'
import type { DocumentKind } from '../../block.ts'

const notes = async (kind: DocumentKind, bytes: Buffer): Promise<string[]> =>
  (await parseBytes(kind, bytes)).blocks.filter((block) => block.kind === 'note').map(({ text }) => text)
const rows = [
  ['Berth', 'Fee'],
  ['12', 480],
]
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

test('notes and answered comments of a workbook', async () => {
  const own = partsOf(makeWorkbook({ Fees: rows }))
  const comment = (ref: string, author: number, text: string): string =>
    `<comment ref="${ref}" authorId="${author}"><text><r><t>${text}</t></r></text></comment>`
  const bytes = await makeZip({
    ...own,
    'xl/_rels/workbook.xml.rels': String(own['xl/_rels/workbook.xml.rels']).replace(
      '</Relationships>',
      '<Relationship Id="p1" Type="http://schemas.microsoft.com/office/2017/10/relationships/person" Target="persons/person.xml"/></Relationships>',
    ),
    'xl/worksheets/_rels/sheet1.xml.rels': relations({
      c1: ['comments', '../comments1.xml'],
      t1: ['threadedComment', '../threads.xml'],
    }),
    'xl/comments1.xml': `<comments xmlns="${main}"><authors><author>Ann Lee</author><author>tc={1}</author></authors><commentList>${comment('B10', 0, 'last')}${comment('B2', 0, 'Ann Lee:\nToo much?')}${comment('A2', 1, '[Threaded comment] all of it')}</commentList></comments>`,
    'xl/threads.xml':
      '<ThreadedComments><threadedComment ref="A2" personId="{p}"><text>Taken?</text></threadedComment><threadedComment ref="A2" personId="{q}"><text>Free.</text></threadedComment></ThreadedComments>',
    'xl/persons/person.xml':
      '<personList><person displayName="Bo Dahl (BD)" id="{p}"/><person displayName="Cy" id="{q}"/></personList>',
  })
  expect(await notes('xlsx', bytes)).toEqual([
    'Comment on A2 by Bo Dahl: Taken?',
    'Comment on A2 by Cy: Free.',
    'Comment on B2 by Ann Lee: Too much?',
    'Comment on B10 by Ann Lee: last',
  ])
})

test('remarks of an OpenDocument sheet', async () => {
  const sheet =
    '<office:body><office:spreadsheet><table:table table:name="Fees"><table:table-row><table:table-cell/><table:table-cell office:value-type="string"><office:annotation><dc:creator>Ann Lee</dc:creator><text:p>Too much?</text:p></office:annotation><text:p>480</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body>'
  const bytes = await makeZip({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': odfPart('document-content', sheet),
  })
  expect(await notes('ods', bytes)).toEqual(['Comment on B1 by Ann Lee: Too much?'])
})

test('remarks on slides, the old way and the new, with their answers', async () => {
  const present = 'http://schemas.openxmlformats.org/presentationml/2006/main'
  const modern = 'http://schemas.microsoft.com/office/powerpoint/2018/8/main'
  const draw = 'http://schemas.openxmlformats.org/drawingml/2006/main'
  const body = (text: string): string =>
    `<x:txBody><a:bodyPr/><a:p><a:r><a:t>${text}</a:t></a:r></a:p></x:txBody>`
  const bytes = await makePptx(
    [
      { title: 'Buoys', relations: { c1: ['comments', '../comments/comment1.xml'] } },
      { title: 'Lights', relations: { c1: ['comments', '../comments/modern.xml'] } },
    ],
    {
      'ppt/commentAuthors.xml': `<p:cmAuthorLst xmlns:p="${present}"><p:cmAuthor id="0" name="Ann Lee"/></p:cmAuthorLst>`,
      'ppt/authors.xml': `<x:authorLst xmlns:x="${modern}"><x:author id="{b}" name="Bo Dahl"/></x:authorLst>`,
      'ppt/comments/comment1.xml': `<p:cmLst xmlns:p="${present}"><p:cm authorId="0"><p:text>Newer figures?</p:text></p:cm></p:cmLst>`,
      'ppt/comments/modern.xml': `<x:cmLst xmlns:x="${modern}" xmlns:a="${draw}"><x:cm authorId="{b}"><x:replyLst><x:reply authorId="{c}">${body('No.')}</x:reply></x:replyLst>${body('Lit?')}</x:cm></x:cmLst>`,
    },
  )
  const parts = partsOf(bytes)
  const withAuthors = await makeZip({
    ...parts,
    'ppt/_rels/presentation.xml.rels': relations({
      s1: ['slide', 'slides/slide1.xml'],
      s2: ['slide', 'slides/slide2.xml'],
      a1: ['commentAuthors', 'commentAuthors.xml'],
      a2: ['authors', 'authors.xml'],
    }),
  })
  expect(await notes('pptx', withAuthors)).toEqual([
    'Comment by Ann Lee: Newer figures?',
    'Comment by Bo Dahl: Lit?',
    'Comment: No.',
  ])
})

test('notes of an old workbook', async () => {
  const bytes = makeWorkbook({ Fees: rows }, 'biff8', (sheet) => {
    const cell = sheet.B2 as { c?: { a: string; t: string }[] }
    cell.c = [{ a: 'Ann Lee', t: 'Too much?' }]
  })
  expect(await notes('xls', bytes)).toEqual(['Comment on B2 by Ann Lee: Too much?'])
})
