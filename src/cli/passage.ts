// Formats a passage for a terminal. The cells of its Markdown tables are printed in columns, or separated by dots if the terminal
// is too narrow.

import { alignColumns, safe, wrapText } from './terminal.ts'

/** Matches the line below the header of a Markdown table, such as `| --- | :-: |`. */
const DELIMITER_ROW = /^\|[\s:|-]+\|$/

const isRow = (line: string): boolean => line.startsWith('|') && line.length > 1

const cellsOf = (row: string): string[] =>
  row
    .slice(1, row.endsWith('|') ? -1 : undefined)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

const withDots = (row: string): string => cellsOf(row).filter(Boolean).join(' · ')

/** The page of a passage, as it follows the title of its document. Empty if the document has no pages. */
export const pageSuffix = (page: number | null | undefined): string => (page == null ? '' : `, page ${page}`)

const MAX_EXCERPT_CHARACTERS = 300

/** The beginning of the passage on one line. */
export function passageExcerpt(text: string): string {
  const line = passageLine(text)
  return line.length > MAX_EXCERPT_CHARACTERS ? `${line.slice(0, MAX_EXCERPT_CHARACTERS)} …` : line
}

/** The passage on one line. */
export function passageLine(text: string): string {
  let line = ''
  let wasRow = false
  for (const next of linesOf(text)) {
    line += (line === '' ? '' : wasRow && isRow(next) ? '; ' : ' ') + (isRow(next) ? withDots(next) : next)
    wasRow = isRow(next)
  }
  return line.replace(/\s+/g, ' ').trim()
}

/** The passage on lines of at most `width` cells with `indent` before each. Rows that fit are shown in columns. */
export function passageLines(text: string, width: number, indent: string): string[] {
  const lines = linesOf(text)
  const output: string[] = []
  for (let lineIndex = 0; lineIndex < lines.length; ) {
    let end = lineIndex
    while (isRow(lines[end] ?? '')) end++
    if (end === lineIndex) output.push(...wrapText(lines[lineIndex++] ?? '', width, indent).split('\n'))
    else {
      output.push(...rowsOf(lines.slice(lineIndex, end), width - indent.length).map((row) => indent + row))
      lineIndex = end
    }
  }
  return output
}

const linesOf = (text: string): string[] =>
  text
    .split(/\r\n|\n|\r/)
    .map(safe)
    .filter((line) => line.trim() !== '' && !DELIMITER_ROW.test(line))

function rowsOf(rows: readonly string[], width: number): string[] {
  const [head = [], ...body] = rows.map(cellsOf)
  const columns = alignColumns(
    head,
    body.map((cells) => head.map((_, index) => cells[index] ?? '')),
  )
  return columns.every((row) => row.length <= width)
    ? columns
    : rows.flatMap((row) => wrapText(withDots(row), width).split('\n'))
}
