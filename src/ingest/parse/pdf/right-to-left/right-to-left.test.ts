// Pages in Hebrew and Arabic script over several batches: their letters are turned by words that another library reads.

import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inFolder, parseBytes } from '../../../../../test/support/files/parse.ts'
import { makePdf, type PdfText } from '../../../../../test/support/files/pdf.ts'
import { BATCH_PAGES } from '../pdf.ts'
import { wordsOfPages } from './mirrored.ts'

const WIDTH = 6.6
const LETTERS = 'אבגדהוזחטיכלמנסעפצקר'

/** Words that no other page has. */
const lineOf = (page: number): string =>
  Array.from({ length: 6 }, (_, word) =>
    Array.from({ length: 5 }, (_, i) => LETTERS[(page * 7 + word * 3 + i * (1 + (page % 3))) % 20]).join(''),
  ).join(' ')

const drawn = (page: number): PdfText => {
  const line = lineOf(page)
  return { x: 540 - line.length * WIDTH, y: 700, text: [...line].reverse().join(''), font: 'unicode' }
}
const latin: PdfText = { x: 72, y: 700, text: 'The harbour is open from morning to night.' }
const PAGES = BATCH_PAGES + 3
const HEBREW = [1, 2, BATCH_PAGES, BATCH_PAGES + 2]
const document = makePdf(
  Array.from({ length: PAGES }, (_, i) => [HEBREW.includes(i + 1) ? drawn(i + 1) : latin]),
)

test('pages of every batch are read from the right, each by its own words', async () => {
  const { blocks } = await parseBytes('pdf', document)
  const read = HEBREW.map((page) => blocks.find((block) => block.page === page)?.text)
  expect(read).toEqual(HEBREW.map(lineOf))
})

test('the words of a batch are read at once: the file is not asked again page by page', async () => {
  await inFolder(async (folder) => {
    const path = join(folder, 'upload.pdf')
    await writeFile(path, document)
    const pages = Array.from({ length: PAGES }, (_, i) => ({
      pageNum: i + 1,
      textItems: [
        { text: (HEBREW.includes(i + 1) ? drawn(i + 1) : latin).text, x: 0, y: 0, width: 9, height: 9 },
      ],
    }))
    const wordsOf = await wordsOfPages(path, pages)
    await rm(path)
    expect(pages.filter(({ pageNum }) => wordsOf(pageNum).size > 0).map(({ pageNum }) => pageNum)).toEqual(
      HEBREW,
    )
  })
})
