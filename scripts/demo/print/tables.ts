// The part of a Markdown table that fits and answers: rows and columns with the query's words, lined up.

import { columns, cut, type Terminal } from './terminal.ts'
import { mark, matchedWords } from './words.ts'

const SHOWN_ROWS = 3
const WIDEST_CELL = 34
const BETWEEN = '  '

export const isTable = (text: string): boolean => /^\|.*\|\s*\n\|[\s:|-]+\|/m.test(text)

/** A line above the table, its header, up to three rows that match best, and how many more there are. */
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
  // What is left out is told once, with what the search has left out already.
  const caption = lines.filter((text) => !text.startsWith('|') && !leftOut(text)).slice(0, 1)
  const left = body.length - shown.length + lines.reduce((sum, text) => sum + leftOut(text), 0)
  return [
    ...caption.map((text) => indent + mark(terminal, cut(text, terminal.width - indent.length), words)),
    indent + terminal.style('faint', line(header)),
    ...shown.map((row) => indent + mark(terminal, line(row), words)),
    ...(left > 0 ? [indent + terminal.style('faint', `… ${left} more ${left === 1 ? 'row' : 'rows'}`)] : []),
  ]
}

const isRow = (line: string): boolean => line.startsWith('|') && !/^[|\s:-]+$/.test(line)

const leftOut = (line: string): number => Number(/^… (\d+) more rows?\b/.exec(line)?.[1] ?? 0)

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim())

/** The best rows in the table's order; without any match the first ones. */
function bestRows(body: string[][], words: string[]): string[][] {
  const scored = body.map((cells, no) => ({ cells, no, score: matchedWords(cells.join(' '), words).length }))
  const found = scored.some(({ score }) => score > 0) ? scored.filter(({ score }) => score > 0) : scored
  const best = found.sort((a, b) => b.score - a.score || a.no - b.no).slice(0, SHOWN_ROWS)
  return best.sort((a, b) => a.no - b.no).map(({ cells }) => cells)
}

/** Columns with the query's words first, then the others from the left, as many as fit; in the table's order. */
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
