// Signs liteparse leaves out where one stands alone in a cell: all beyond Latin-1, so 是 and 否, ✓ and ☐, α and Ж. Pages
// with tables that look as if some were missing are asked about (none of 556 pages of filings), of pdf.js.

import type { Block } from '../../block.ts'

const CHINESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu
// With so many one letter is a word.
const CHINESE_SHARE = 0.2
const MARK = /[☐☑☒✓✔✗✘●○]/u
const LEAST_ROWS = 2
// A longer name has the texts of its column in it.
const MOST_NAME_WORDS = 12
const CELL_EDGE = /(?<!\\) \| /

/** One sign alone that liteparse would leave out. */
export const isLoneSign = (text: string): boolean =>
  (text.codePointAt(0) ?? 0) > 0xff && /^[^\s\p{Cc}\p{Co}]$/u.test(text)

/**
 * Whether a table has a named column with nothing in it, empty cells among marks, or Chinese, Japanese or Korean text.
 * A page that is asked about costs pdf.js 50 to 130 ms, most of it the page's fonts.
 */
export function mayLackSigns(blocks: readonly Block[]): boolean {
  return blocks.some(({ kind, text }) => {
    if (kind !== 'table') return false
    const chinese = isChinese(text)
    if (chinese || !text.includes('|  |')) return chinese
    const [header = [], , ...rows] = text.split('\n').map(cellsOf)
    if (rows.length < LEAST_ROWS) return false
    return hasEmptyColumn(header, rows) || (MARK.test(text) && lacksMarks([header, ...rows]))
  })
}

type Row = readonly string[]

/** A name over nothing; one beside a column without a name is over that one too. */
const hasEmptyColumn = (header: Row, rows: readonly Row[]): boolean =>
  header.some(
    (name, column) =>
      column > 0 &&
      name !== '' &&
      header[column + 1] !== '' &&
      name.split(' ').length <= MOST_NAME_WORDS &&
      rows.every((row) => row[column] === ''),
  )

/** An empty cell in a column of marks, beside a text: where both are empty a form has nothing to tick. */
const lacksMarks = (rows: readonly Row[]): boolean =>
  rows[0]?.some(
    (_, column) =>
      rows.some((row) => MARK.test(row[column] ?? '')) &&
      rows.some((row) => row[column] === '' && row[column - 1] !== ''),
  ) ?? false

const cellsOf = (line: string): string[] => line.slice(2, -2).split(line.includes('\\|') ? CELL_EDGE : ' | ')

function isChinese(text: string): boolean {
  // No other text has any of these.
  if (!/[\u1100-\u11ff\u2e80-\uffdc]/.test(text)) return false
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return (text.match(CHINESE)?.length ?? 0) > letters * CHINESE_SHARE
}
