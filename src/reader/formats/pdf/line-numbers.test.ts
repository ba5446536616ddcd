// Numbers beside lines: gone from sentences, kept where they are data.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { makePdf, type PdfText } from '../../../../test/support/files/pdf.ts'

const text = [
  'The keeper of the lock states that the gates were closed at',
  'nine and that the lamp of the upper gate had been out since',
  'the evening before. He had told the office by telephone and',
  'had been promised a lamp for the next day, which did not',
  'come. The barge of the witness came down at ten without a',
  'light of its own and struck the left wing of the gate, which',
  'bent by two hands. Nobody was hurt, and the water was let',
  'out within the hour so that the damage could be seen. The',
  'master of the barge signed the sheet and was let through on',
  'the same evening. The costs were put at four thousand.',
]

const read = async (texts: PdfText[]): Promise<string[]> =>
  (await parseBytes('pdf', makePdf([texts]))).blocks.map((block) => block.text)

const typed = (lines: readonly string[], numberX: number, pitch: number, step = 1): PdfText[] =>
  lines.flatMap((line, i) => {
    const y = 700 - i * pitch
    const number = String((i + 1) * step)
    return [
      { x: numberX - number.length * 5.5, y, text: number, size: 10 },
      { x: 90, y, text: line, size: 10 },
    ]
  })

test.each([
  ['a column of their own, double spaced', 70, 25, 1],
  ['close to the text', 84, 14, 1],
  ['counting by fives', 70, 14, 5],
])('lines whose numbers stand in %s read as sentences', async (_, x, pitch, step) => {
  const blocks = await read(typed(text, x, pitch, step))
  expect(blocks.join(' ')).toBe(text.join(' '))
})

test('entries and rows keep their numbers', async () => {
  const names = ['Merle', 'Ysolde', 'Tern', 'Skua', 'Gannet', 'Auk', 'Fulmar', 'Petrel', 'Grebe']
  const places = names.flatMap((name, i) => {
    const y = 700 - i * 18
    return [
      { x: 72, y, text: String(i + 1) },
      { x: 110, y, text: name },
      { x: 260, y, text: String(4711 + 31 * i) },
    ]
  })
  expect((await read(places)).join('\n')).toContain('| 9 | Grebe | 4959 |')
  const entries = (
    await read(
      typed(
        names.map((name) => `${name} with cargo`),
        70,
        16,
      ),
    )
  ).join(' ')
  for (const number of ['1', '5', '9']) expect(entries.split(/\s/)).toContain(number)
})
