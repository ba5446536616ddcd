// Word lists with typed numbers: they count up or are no list.

import { expect, test } from 'vitest'
import { makeDocx, wordParagraph } from '../../../../test/support/files/office.ts'
import { parseBytes } from '../../../../test/support/files/parse.ts'

const decimals =
  '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
const automatic = (text: string): string =>
  wordParagraph(text).replace(
    '<w:p>',
    '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>',
  )
const loud = (text: string): string => `<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>${text}</w:t></w:r></w:p>`

/** Each block as its kind and text. */
async function read(...lines: string[]): Promise<string[]> {
  const body = lines.map((line) => (line.startsWith('<') ? line : wordParagraph(line))).join('')
  const { blocks } = await parseBytes('docx', await makeDocx(body, { numbering: decimals }))
  return blocks.map(({ kind, text }) => `${kind}: ${text}`)
}

test('numbers that count on are a list, what is lettered below one is a level deeper', async () => {
  expect(
    await read('Duties:', '1.\tkeep the light', '2. \tlog:', 'a.\ttides', 'b.\twinds', '3.\treport', 'Done.'),
  ).toEqual([
    'paragraph: Duties:',
    'list: 1. keep the light\n2. log:\n  a. tides\n  b. winds\n3. report',
    'paragraph: Done.',
  ])
})

test('letters and Roman numbers are told by what follows', async () => {
  expect(await read('i.\tone', 'ii.\ttwo')).toEqual(['list: i. one\nii. two'])
  expect(await read('(h)\teight', '(i)\tnine', '(j)\tten')).toEqual(['list: (h) eight\n(i) nine\n(j) ten'])
  expect(await read('•\tbuoy', '•\tbeacon')).toEqual(['list: • buoy\n• beacon'])
})

test('a typed item goes on with an automatic list, and one with it', async () => {
  expect(await read(automatic('one'), '2.\ttwo')).toEqual(['list: 1. one\n2. two'])
  expect(await read('0.\tnought', automatic('first'))).toEqual(['list: 0. nought\n1. first'])
})

test('numbers that do not count on, a heading above its first clause and lines in bold stay as they are', async () => {
  for (const lines of [
    ['3.\tthree', '7.\tseven'],
    ['2024.\tA year', '2025.\tAnother'],
    ['1. no tab', '2. none here'],
    ['etc.\tand more', '1.\tThe light is kept.'],
  ])
    expect(await read(...lines)).toEqual(lines.map((line) => `paragraph: ${line}`))
  expect(await read('A.\tPURPOSE', '1.\tThe light is kept.')).toEqual([
    'heading: A. PURPOSE',
    'paragraph: 1.\tThe light is kept.',
  ])
  expect(await read('1.\tone', '2.\ttwo', loud('3.\tTHREE'), 'text', 'more')).toContain(
    'list: 1. one\n2. two',
  )
  expect(await read('(see)\tbelow', '1.\tone', '2.\ttwo')).toEqual([
    'paragraph: (see)\tbelow',
    'list: 1. one\n2. two',
  ])
  expect(await read('7.\tseven', '8.\teight', '1.\tone', 'text')).toEqual([
    'list: 7. seven\n8. eight',
    'paragraph: 1.\tone',
    'paragraph: text',
  ])
})
