// Word files whose headings are only bold or large: found if no style names any, and only then.

import { expect, test } from 'vitest'
import { makeDocx, wordParagraph } from '../../../../test/support/files/office.ts'
import { parseBytes } from '../../../../test/support/files/parse.ts'

const line = (text: string, properties = ''): string =>
  `<w:p><w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
const bold = '<w:b/>'
const large = '<w:sz w:val="32"/>'
const prose = (topic: string): string =>
  line(`The ${topic} was inspected in March and found to be in good order.`)

async function headingsOf(body: string, styles = ''): Promise<[text: string, level: number | undefined][]> {
  const { blocks } = await parseBytes('docx', await makeDocx(body, { styles }))
  return blocks.filter(({ kind }) => kind === 'heading').map(({ text, level }) => [text, level])
}

test('bold and large lines above text are headings, by size; the title is the largest', async () => {
  const body = [
    line('Inspection of the harbour', large),
    line('Northern pier', bold),
    prose('pier'),
    line('Cranes', `${bold}<w:sz w:val="24"/>`),
    prose('crane'),
    prose('other crane'),
    line('Outlook', bold),
    prose('outlook'),
    prose('budget'),
  ].join('')
  expect(await headingsOf(body)).toEqual([
    ['Inspection of the harbour', 1],
    ['Northern pier', 3],
    ['Cranes', 2],
    ['Outlook', 3],
  ])
  const { title } = await parseBytes('docx', await makeDocx(body))
  expect(title).toBe('Inspection of the harbour')
})

test('sizes and weight come from styles too, and a run may take them away', async () => {
  const styles =
    '<w:style w:type="paragraph" w:default="1" w:styleId="N"><w:name w:val="Normal"/><w:rPr><w:sz w:val="22"/></w:rPr></w:style>' +
    '<w:style w:type="paragraph" w:styleId="Loud"><w:name w:val="Loud"/><w:basedOn w:val="N"/><w:rPr><w:b/></w:rPr></w:style>'
  const quiet = line('Taken back', '<w:b w:val="0"/>').replace(
    '<w:p>',
    '<w:p><w:pPr><w:pStyle w:val="Loud"/></w:pPr>',
  )
  const body = [wordParagraph('Tides', 'Loud'), prose('gauge'), quiet, prose('log'), prose('mast')].join('')
  expect(await headingsOf(body, styles)).toEqual([['Tides', 1]])
})

test('typed titles: capitals that are numbered or stand in the middle, below what is bold', async () => {
  const centred = (text: string, properties = ''): string =>
    line(text, properties).replace('<w:p>', '<w:p><w:pPr><w:jc w:val="center"/></w:pPr>')
  const body = [
    centred('HARBOUR RULES', `${bold}${large}`),
    line('CHAPTER 1 – MOORING'),
    line('A.\tPURPOSE'),
    prose('pier'),
    line('B.\tROLE OF THE HARBOUR MASTER'),
    prose('crane'),
    line('PAID IN FULL'),
    prose('quay'),
    line('C.\tDUTIES 1 AND 2'),
    prose('lock'),
    centred('WITNESSETH'),
    prose('dock'),
    line('4.2 tonnes'),
    prose('buoy'),
  ].join('')
  expect(await headingsOf(body)).toEqual([
    ['HARBOUR RULES', 1],
    ['CHAPTER 1 – MOORING', 2],
    ['A. PURPOSE', 2],
    ['B. ROLE OF THE HARBOUR MASTER', 2],
    ['C. DUTIES 1 AND 2', 2],
    ['WITNESSETH', 2],
  ])
})

test('a part or whoever signed is no title of the document', async () => {
  const titleOf = async (...body: string[]): Promise<string | undefined> =>
    (await parseBytes('docx', await makeDocx(body.join('')))).title
  expect(await titleOf(prose('pier'), line('A. PURPOSE'), prose('crane'), prose('lock'))).toBeUndefined()
  expect(
    await titleOf(prose('pier'), line('J. SMITH'), line('Harbour Master'), prose('lock')),
  ).toBeUndefined()
})

test('typed lines that count: a short list is no headings, a sequence is', async () => {
  const quiet = prose('quay') + prose('lock') + prose('dock')
  expect(await headingsOf(line('1. MILK') + line('2. BREAD') + quiet)).toEqual([])
  expect(await headingsOf(line('A. LIGHTS') + line('B. CHARTS') + quiet)).toEqual([])
  const sequence = line('II. LIGHTS') + prose('pier') + line('III. CHARTS') + line('1. PAPER') + quiet
  expect((await headingsOf(sequence)).map(([text]) => text)).toEqual([
    'II. LIGHTS',
    'III. CHARTS',
    '1. PAPER',
  ])
})

test('no headings: sentences, labels, half-bold lines, addresses, the last line, styled documents', async () => {
  const half = `<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>Note</w:t></w:r><w:r><w:t> the tide</w:t></w:r></w:p>`
  const quiet = prose('quay') + prose('lock') + prose('dock')
  for (const body of [
    line('Close the gate before the tide turns.', bold) + quiet,
    line('Attention:', bold) + quiet,
    half + quiet,
    ['Harbour Office', 'Quay Street', 'Halden'].map((text) => line(text, bold)).join('') + quiet,
    quiet + line('Harbour master', bold),
  ])
    expect(await headingsOf(body)).toEqual([])
  const styled =
    wordParagraph('A', 'Heading1') + quiet + wordParagraph('B', 'Heading1') + line('Bold', bold) + quiet
  expect(await headingsOf(styled)).toEqual([
    ['A', 1],
    ['B', 1],
  ])
})

test('a list that begins at a deeper level begins at the first', async () => {
  const item = (text: string, level: number): string =>
    line(text).replace(
      '<w:p>',
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr></w:pPr>`,
    )
  const levels = [0, 1, 2, 3].map(
    (no) => `<w:lvl w:ilvl="${no}"><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/></w:lvl>`,
  )
  const numbering = `<w:abstractNum w:abstractNumId="0">${levels.join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`
  const { blocks } = await parseBytes(
    'docx',
    await makeDocx(item('one', 2) + item('two', 2) + item('in', 3), { numbering }),
  )
  expect(blocks.map(({ text }) => text)).toEqual(['- one\n- two\n  - in'])
})

test('headings above lists and tables alone are headings', async () => {
  const item = (text: string): string =>
    line(text).replace(
      '<w:p>',
      '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>',
    )
  const body = [
    line('Lights', bold),
    item('north'),
    item('south'),
    line('Buoys', bold),
    item('green'),
    item('red'),
  ]
  expect(await headingsOf(body.join(''))).toEqual([
    ['Lights', 1],
    ['Buoys', 1],
  ])
})

test('the title of a cover is the lines in the largest type, whatever heading comes first', async () => {
  const huge = `${bold}<w:sz w:val="72"/>`
  const cover = [line('Port authority', bold), line('Manual of', huge), line('Lights and Buoys', huge)]
  const rest = [
    wordParagraph('Safety at sea', 'Heading1'),
    prose('pier'),
    wordParagraph('Chapter 2', 'Heading1'),
  ]
  const titleOf = async (lines: string[]): Promise<string | undefined> =>
    (await parseBytes('docx', await makeDocx([...lines, ...rest].join('')))).title
  expect(await titleOf(cover)).toBe('Manual of Lights and Buoys')
  expect(await titleOf([line('Keep off the pier.', huge)])).toBe('Safety at sea')
  expect(await titleOf([prose('mast')])).toBe('Safety at sea')
})

test('a tab in a styled heading parts its number from its words', async () => {
  expect(await headingsOf(wordParagraph('A.\tPURPOSE', 'Heading1') + prose('pier'))).toEqual([
    ['A. PURPOSE', 1],
  ])
})
