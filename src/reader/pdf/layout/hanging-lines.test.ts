// Lines that hang behind the first one of their entry: bibliographies, and lists whose entries take two lines.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { makePdf, type PdfText } from '../../../../test/support/files/pdf.ts'

const at = (x: number, y: number, text: string): PdfText => ({ x, y, text })
const read = async (page: PdfText[]): Promise<string[]> =>
  (await parseBytes('pdf', makePdf([page]))).blocks.map(({ kind, text }) => `${kind}: ${text}`)

const works: [string, string][] = [
  [
    'Adams, R. and B. Holm (1999). On the gauges of the northern harbours, and of their',
    'keepers. Harbour Press.',
  ],
  [
    'Brandt, E. (2003). Reading of the tides in all of the basins of the old harbour that',
    'are named by law.',
  ],
  [
    'Colding, F. and T. Dahl (2007). A history of the locks of the northern coast, with',
    'maps of each. Pilot Books.',
  ],
  [
    'Eriksen, H. (2011). The piers and their lights: what the keepers wrote in their many',
    'diaries. Coast Review.',
  ],
]
const hanging = (first: number, rest: number): PdfText[] =>
  works.flatMap(([name, end], i) => [at(first, 700 - i * 28, name), at(rest, 688 - i * 28, end)])

test('each entry of a bibliography is a paragraph, though the layout pass begins one with each indented line', async () => {
  const found = await read(hanging(72, 84))
  expect(found).toEqual(works.map((lines) => `paragraph: ${lines.join(' ')}`))
})

test('paragraphs whose first line is indented stay as they are', async () => {
  const full = 'The gauges of the northern harbours are read each hour by all of their many keepers'
  const page = [0, 1, 2, 3].flatMap((i) => [
    at(84, 700 - i * 36, full.slice(0, 80)),
    at(72, 688 - i * 36, full),
    at(72, 676 - i * 36, 'and by nobody else.'),
  ])
  expect((await read(page)).length).toBe(4)
})
