// RTF's tables by the edges of their cells, its lists and what it raises by points.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'

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
    ['table: | Buoy | Red | Green |\n| --- | --- | --- |\n| wide |  | z |'],
  )
  const merged =
    row('\\clvmgf\\cellx2000\\clmgf\\cellx4000\\clmrg\\cellx6000', 'A', 'BC', '') +
    row('\\clvmrg\\cellx2000\\cellx4000\\cellx6000', '', 'b', 'c')
  expect(await read(merged)).toEqual(['table: | A | BC |  |\n| --- | --- | --- |\n|  | b | c |'])
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
  expect(await read('\\pard Noted\\up6 1\\up0  here.\\par\n')).toEqual(['paragraph: Noted[1] here.'])
})
