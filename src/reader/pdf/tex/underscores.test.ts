// Underscores drawn as rules.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { makePdf, type PdfRule, type PdfText } from '../../../../test/support/files/pdf.ts'

const typed = (x: number, y: number, text: string): PdfText => ({ x, y, text, size: 10, font: 'typewriter' })
const read = async (rules: PdfRule[]): Promise<string> => {
  const page = [typed(100, 700, 'harbour master@example.org')]
  return (await parseBytes('pdf', makePdf([page], { rules }))).blocks.map(({ text }) => text).join('\n')
}

test('a short rule in the gap of two words, at their foot, is an underscore', async () => {
  expect(await read([[143, 699, 147, 699]])).toBe('harbour_master@example.org')
  // A rule under both is an underline, one above the foot is something else.
  expect(await read([[100, 698, 250, 698]])).toBe('harbour master@example.org')
  expect(await read([[143, 704, 147, 704]])).toBe('harbour master@example.org')
})

test('a rule that others continue underlines the words piece by piece', async () => {
  const pieces: PdfRule[] = [
    [100, 699, 142, 699],
    [142, 699, 148, 699],
    [148, 699, 250, 699],
  ]
  expect(await read(pieces)).toBe('harbour master@example.org')
})
