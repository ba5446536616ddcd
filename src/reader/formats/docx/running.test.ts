// Headers, footers and comments of Word documents.

import { expect, test } from 'vitest'
import { makeDocx, wordParagraph, wordTable } from '../../../../test/support/files/office.ts'
import { parseBytes } from '../../../../test/support/files/parse.ts'

const namespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const part = (name: string, content: string): string => `<w:${name} ${namespace}>${content}</w:${name}>`
const field = (code: string, shown: string): string =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> ${code} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>${shown}</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`
const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
const tab = '<w:r><w:tab/></w:r>'

test('headers and footers are a note each: every line once, the numbers of pages left out', async () => {
  const pages = `${run('Page ')}${field('PAGE', '1')}${run(' of ')}${field('NUMPAGES', '7')}`
  const bytes = await makeDocx(wordParagraph('Dear Sir'), {
    relations: {
      h1: ['header', 'header1.xml'],
      h2: ['header', 'header2.xml'],
      f1: ['footer', 'footer1.xml'],
    },
    parts: {
      'word/header1.xml': part('hdr', wordTable([['Tidewick Ltd', '12 Harbour Road']])),
      'word/header2.xml': part(
        'hdr',
        `<w:p>${run('Tidewick Ltd')}${tab}${run('12 Harbour Road')}${tab}${pages}</w:p>`,
      ),
      'word/footer1.xml': part(
        'ftr',
        `<w:p>${run('Page ')}<w:fldSimple w:instr="PAGE">${run('1')}</w:fldSimple></w:p><w:p>${run('VAT GB 123 page ')}${field('PAGE', '1')}</w:p><w:p>${run('Printed ')}${field('DATE', '3 May')}</w:p>`,
      ),
    },
  })
  expect((await parseBytes('docx', bytes)).blocks.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    'note: Tidewick Ltd 12 Harbour Road',
    'paragraph: Dear Sir',
    'note: VAT GB 123 page 1\nPrinted 3 May',
  ])
})

test('a header that is lost or damaged costs itself', async () => {
  const relations = { h1: ['header', 'header1.xml'] } as Record<string, [string, string]>
  const bytes = await makeDocx(wordParagraph('Dear Sir'), {
    relations,
    parts: { 'word/header1.xml': '<w:hdr' },
  })
  const { blocks, warnings } = await parseBytes('docx', bytes)
  expect([blocks.map(({ text }) => text), warnings?.length]).toEqual([['Dear Sir'], 1])
})

test('remarks are notes behind their paragraph or table, with their author', async () => {
  const remark = (id: string): string => `<w:r><w:commentReference w:id="${id}"/></w:r>`
  const bytes = await makeDocx(
    `<w:p>${run('The fee')}${remark('1')}${run(' is due.')}</w:p>${wordTable([
      ['Berth', 'Fee'],
      ['12', 'MARK'],
    ]).replace('MARK</w:t></w:r>', `480</w:t></w:r>${remark('2')}`)}<w:p>${run('End')}${remark('9')}</w:p>`,
    {
      relations: { c1: ['comments', 'comments.xml'] },
      parts: {
        'word/comments.xml': part(
          'comments',
          `<w:comment w:id="1" w:author="Ann Lee">${wordParagraph('By when?')}${wordParagraph('Ask Bo.')}</w:comment><w:comment w:id="2">${wordParagraph('Too much')}</w:comment>`,
        ),
      },
    },
  )
  expect((await parseBytes('docx', bytes)).blocks.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    'paragraph: The fee is due.',
    'note: Comment by Ann Lee: By when?\nAsk Bo.',
    'table: | Berth | Fee |\n| --- | --- |\n| 12 | 480 |',
    'note: Comment: Too much',
    'paragraph: End',
  ])
})
