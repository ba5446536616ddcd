// Signs liteparse leaves out where one stands alone in a cell: all beyond Latin-1, so 是 and 否, ✓ and ☐, α and Ж. Pages
// with tables that look as if some were missing are asked about (4 of 556 pages of filings), of pdf.js.

import type { Block } from '../../block.ts'

const CHINESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu
// With so many one letter is a word.
const CHINESE_SHARE = 0.2
const MARK = /[☐☑☒✓✔✗✘●○]/u
const LEAST_ROWS = 2
const CELL_EDGE = /(?<!\\) \| /

/** One sign alone that liteparse would leave out. */
export const isLoneSign = (text: string): boolean =>
  (text.codePointAt(0) ?? 0) > 0xff && /^[^\s\p{Cc}\p{Co}]$/u.test(text)

/** Whether a table has a named column with nothing in it, empty cells beside marks, or Chinese, Japanese or Korean text. */
export function mayLackSigns(blocks: readonly Block[]): boolean {
  return blocks.some(({ kind, text }) => {
    if (kind !== 'table') return false
    const chinese = isChinese(text)
    if (chinese || !text.includes('|  |')) return chinese
    const [header = [], , ...rows] = text.split('\n').map(cellsOf)
    if (rows.length < LEAST_ROWS) return false
    const empty = (column: number): boolean => rows.every((row) => row[column] === '')
    if (header.some((name, column) => column > 0 && name !== '' && empty(column))) return true
    return MARK.test(text) && rows.some((row) => row.includes(''))
  })
}

const cellsOf = (line: string): string[] => line.slice(2, -2).split(line.includes('\\|') ? CELL_EDGE : ' | ')

function isChinese(text: string): boolean {
  // No other text has any of these.
  if (!/[\u1100-\u11ff\u2e80-\uffdc]/.test(text)) return false
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return (text.match(CHINESE)?.length ?? 0) > letters * CHINESE_SHARE
}
