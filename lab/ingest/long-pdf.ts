// A long born-digital PDF, the same at every call: chapters, paragraphs, a table on every third page.

import { grid, makePdf, type PdfText, prose } from '../../test/support/files/pdf.ts'

/** A word that stands on every page. */
export const SIGN = 'quillmark'

const LINES_A_PAGE = 34
const WORDS_A_LINE = 12
const WORDS = 8000
const SYLLABLES = 'ba co di fu ga le mo ni pa re so ti va we zu ker lan mor pel ros tin ver wal'.split(' ')

export function longPdf(pages: number, seed: number): Buffer {
  return makePdf(
    Array.from({ length: pages }, (_, page) => pageOf(page, seed)),
    { title: `Long report ${seed}` },
  )
}

/** The `no`-th run of words: few are common and most are rare, as in a language. */
export const sentence = (no: number, words: number): string =>
  Array.from({ length: words }, (_, i) => wordOf(random(no * 1009 + i))).join(' ')

function pageOf(page: number, seed: number): PdfText[] {
  const line = (no: number): string => sentence(seed * 1_000_003 + page * 101 + no, WORDS_A_LINE)
  const heading: PdfText = {
    x: 72,
    y: 740,
    text: `${page + 1} The ${line(99).split(' ')[0]} chapter`,
    size: 16,
    bold: true,
  }
  const table = page % 3 === 0
  const lines = Array.from({ length: table ? LINES_A_PAGE / 2 : LINES_A_PAGE }, (_, no) => `${line(no)}.`)
  const text = prose([`${SIGN} ${page + 1}.`, ...lines.map((words) => words.slice(0, 90))], 712)
  if (!table) return [heading, ...text]
  const cells = Array.from({ length: 9 }, (_, row) => [
    wordOf(random(page * 31 + row)),
    String(Math.floor(random(page * 37 + row) * 10_000)),
    String(Math.floor(random(page * 41 + row) * 10_000)),
  ])
  return [heading, ...text, ...grid([['Item', 'Last year', 'This year'], ...cells], [72, 250, 380], 400)]
}

function wordOf(share: number): string {
  const rank = Math.floor(WORDS ** share)
  let word = ''
  for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length]
  return word
}

/** 0 to 1 by number: the fractional part of a scaled sine. */
function random(no: number): number {
  const value = Math.sin(no * 12.9898 + 78.233) * 43_758.5453
  return value - Math.floor(value)
}
