// Pages in Hebrew and Arabic script over several batches: their letters are turned by words that another library reads.

import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inFolder, parseBytes } from '../../../../test/support/files/parse.ts'
import { makePdf, type PdfText } from '../../../../test/support/files/pdf.ts'
import { BATCH_PAGES } from './parse.ts'
import { correctSpelling, inReadingOrder, spellingsOf, wordsOfPages } from './right-to-left.ts'

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

const hebrew = [
  'הנמל נמצא בצפון העיר והוא פתוח מן הבוקר ועד הלילה',
  'ובשנה שעברה באו אליו 1284 אוניות גדולות מן הים',
]
const arabic = [
  'الميناء يقع في شمال المدينة وهو مفتوح من الصباح إلى الليل',
  'وفي السنة الماضية وصلت إليه 1284 سفينة كبيرة من المدن',
]

test.each([
  ['Hebrew', hebrew],
  ['Arabic', arabic],
])(
  '%s words whose letters are drawn in the order they are read, each at its place, stay so',
  async (_, lines) => {
    const texts = lines.flatMap((line, i) => {
      let right = 540
      return line.split(' ').map((word): PdfText => {
        const x = right - word.length * WIDTH
        right = x - WIDTH
        return { x, y: 700 - i * 14, text: word, font: 'unicode' }
      })
    })
    const { blocks } = await parseBytes('pdf', makePdf([texts]))
    expect(blocks.map(({ text }) => text).join(' ')).toBe(lines.join(' '))
  },
)

test('words that a library hands over backwards are turned by the letters that only end a word', () => {
  const words = [...hebrew, ...arabic].flatMap((line) => line.split(' '))
  const backwards = words.map((word) => [...word].reverse().join(''))
  for (const read of [words, backwards]) {
    const spellings = spellingsOf(read)
    for (const word of words) expect(correctSpelling(word, spellings)).toBe(word)
    for (const [i, word] of backwards.entries()) expect(correctSpelling(word, spellings)).toBe(words[i])
  }
})

test('the letters of a ligature are put in order, other words of a page stay', () => {
  const spellings = spellingsOf(['الأدوات', 'الإنتاجية', 'المشكلات', 'بلغة'])
  const read = ['األدوات', 'اإلنتاجية', 'المشكالت', 'بلغة', 'قلعة'].map((word) =>
    correctSpelling(word, spellings),
  )
  expect(read).toEqual(['الأدوات', 'الإنتاجية', 'المشكلات', 'بلغة', 'قلعة'])
  // Of the same letters, but another word.
  expect(correctSpelling('קבר', spellingsOf(['בקר']))).toBe('קבר')
})

test('presentation forms are base letters, other signs stay as they are written', () => {
  expect(inReadingOrder('ﻣﺮﺣﺒﺎ', new Map())).toBe('مرحبا')
  expect(inReadingOrder('שלום²', new Map())).toBe('שלום²')
})
