// Shows the part of a Markdown table that fits: the rows and columns with the words of the query.

import { columns, cut, type Terminal } from './terminal.ts'
import { mark, matchedWords } from './words.ts'

const SHOWN_ROWS = 3
const WIDEST_CELL = 34
const BETWEEN = '  '

export const isTable = (text: string): boolean => /^\|.*\|\s*\n\|[\s:|-]+\|/m.test(text)

/** The line above the table, its header, the three rows that match best, and how many more there are. */
export function tableLines(terminal: Terminal, text: string, words: string[], indent: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim())
  const [header = [], ...body] = lines.filter(isRow).map(cellsOf)
  const shown = bestRows(body, words)
  const kept = bestColumns(header, shown, words, terminal.width - indent.length)
  const width = (column: number): number =>
    Math.min(WIDEST_CELL, Math.max(...[header, ...shown].map((row) => columns(row[column] ?? ''))))
  const line = (row: string[]): string =>
    kept
      .map((column) => cut(row[column] ?? '', width(column)).padEnd(width(column)))
      .join(BETWEEN)
      .trimEnd()
  // Rows that the search already omitted are counted as well.
  const caption = lines.filter((text) => !text.startsWith('|') && !omittedIn(text)).slice(0, 1)
  const omitted = body.length - shown.length + lines.reduce((sum, text) => sum + omittedIn(text), 0)
  return [
    ...caption.map((text) => indent + mark(terminal, cut(text, terminal.width - indent.length), words)),
    indent + terminal.style('faint', line(header)),
    ...shown.map((row) => indent + mark(terminal, line(row), words)),
    ...(omitted > 0
      ? [indent + terminal.style('faint', `… ${omitted} more ${omitted === 1 ? 'row' : 'rows'}`)]
      : []),
  ]
}

const isRow = (line: string): boolean => line.startsWith('|') && !/^[|\s:-]+$/.test(line)

const omittedIn = (line: string): number => Number(/^… (\d+) more rows?\b/.exec(line)?.[1] ?? 0)

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim())

/** The best rows in the order of the table; without matches the first ones. */
function bestRows(body: string[][], words: string[]): string[][] {
  const scored = body.map((cells, no) => ({ cells, no, score: matchedWords(cells.join(' '), words).length }))
  const found = scored.some(({ score }) => score > 0) ? scored.filter(({ score }) => score > 0) : scored
  const best = found.sort((a, b) => b.score - a.score || a.no - b.no).slice(0, SHOWN_ROWS)
  return best.sort((a, b) => a.no - b.no).map(({ cells }) => cells)
}

/** As many columns as fit, those with words of the query first; in the order of the table. */
function bestColumns(header: string[], rows: string[][], words: string[], room: number): number[] {
  const cellsIn = (column: number): string[] => [header, ...rows].map((row) => row[column] ?? '')
  const matches = header.map((_, column) => matchedWords(cellsIn(column).join(' '), words).length)
  const order = [...header.keys()].sort((a, b) => (matches[b] ?? 0) - (matches[a] ?? 0) || a - b)
  const kept: number[] = []
  let used = 0
  for (const column of order) {
    const width = Math.min(WIDEST_CELL, Math.max(...cellsIn(column).map(columns))) + BETWEEN.length
    if (used + width > room + BETWEEN.length) continue
    kept.push(column)
    used += width
  }
  return kept.sort((a, b) => a - b)
}
