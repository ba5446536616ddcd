// Shapes with text: part of the line if inline, after their paragraph if floating.

import { expect, test } from 'vitest'
import { makeDocx, wordParagraph } from '../../../../test/support/files/office.ts'
import { parseBytes } from '../../../../test/support/files/parse.ts'

const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
const shape = (anchor: 'inline' | 'anchor', inside: string): string =>
  `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:${anchor}><wp:docPr id="1" name="Shape"/><a:graphic><a:graphicData><w:txbxContent>${inside}</w:txbxContent></a:graphicData></a:graphic></wp:${anchor}></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent>${inside}</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r>`

async function textsOf(content: string): Promise<string[]> {
  const { blocks } = await parseBytes('docx', await makeDocx(`<w:p>${content}</w:p>`))
  return blocks.map(({ text }) => text)
}

test('a word in a shape is read in its line', async () => {
  const content = `${run('Press ')}${shape('inline', wordParagraph('Start'))}${run(' and then ')}${shape('inline', wordParagraph('Stop'))}${run('.')}`
  expect(await textsOf(content)).toEqual(['Press Start and then Stop.'])
})

test('a floating one, and one of several paragraphs, stand behind the line', async () => {
  expect(await textsOf(`${run('Press ')}${shape('anchor', wordParagraph('Start'))}${run('now.')}`)).toEqual([
    'Press now.',
    'Start',
  ])
  const two = wordParagraph('One') + wordParagraph('Two')
  expect(await textsOf(`${run('See ')}${shape('inline', two)}${run('there.')}`)).toEqual([
    'See there.',
    'One',
    'Two',
  ])
})

test('boxes to be ticked and Greek letters, whatever font of symbols writes them', async () => {
  const inFont = (font: string, text: string): string =>
    `<w:r><w:rPr><w:rFonts w:ascii="${font}"/></w:rPr><w:t>${text}</w:t></w:r>`
  const sign = '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>'
  const content = `${sign}${run(' yes ')}${inFont('Wingdings', '\uf0a8')}${run(' no ')}${inFont('Symbol', 'a b')}${inFont('Arial', 'a')}`
  expect(await textsOf(content)).toEqual(['☑ yes ☐ no α βa'])
})

test('the lists of old forms show what was chosen, or their first entry', async () => {
  const field = (result: string): string =>
    `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList>${result}<w:listEntry w:val="Oak"/><w:listEntry w:val="Elm"/></w:ddList></w:ffData></w:fldChar></w:r><w:r><w:instrText>FORMDROPDOWN</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`
  expect(await textsOf(`${run('Of ')}${field('<w:result w:val="1"/>')}${run(' and ')}${field('')}`)).toEqual([
    'Of Elm and Oak',
  ])
})

test('superscripts say that they are raised', async () => {
  const up = (text: string): string =>
    `<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>${text}</w:t></w:r>`
  expect(
    await textsOf(`${run('10')}${up('3')}${run(' kg on 5 m')}${up('2')}${run(', the 4')}${up('th')}`),
  ).toEqual(['10³ kg on 5 m², the 4th'])
  const lifted = (points: number): string =>
    `<w:r><w:rPr><w:position w:val="${points}"/></w:rPr><w:t>2</w:t></w:r>`
  expect(
    await textsOf(`${run('5 m')}${lifted(8)}${run(', H')}${lifted(-4)}${run('O, m')}${lifted(1)}`),
  ).toEqual(['5 m², H2O, m2'])
})
