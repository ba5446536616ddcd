// Tables of a document, each joined across the passages that it was split into. Pure.

import type { Passage } from '../search/passage.ts'
import { columnsWithoutRows, isRule, type TableRow, tableRows } from './markdown-table.ts'

// About 10,000 rows. A table of more passages is not calculated with, because a part of it would give a wrong figure.
export const MAX_PARTS = 50

/** The passages with table rows, grouped by table. */
export function tablesOf(passagesInOrder: readonly Passage[]): TablePart[][] {
  const tables: TablePart[][] = []
  for (const [i, passage] of passagesInOrder.entries()) {
    const part = partOf(passage, passagesInOrder[i - 1])
    const table = tables.at(-1)
    const lastPassage = table?.at(-1)?.passage
    const isNext =
      lastPassage !== undefined &&
      passagesInOrder[i - 1] === lastPassage &&
      lastPassage.chunk_no + 1 === passage.chunk_no
    if (part.rows.length && table && isNext && isContinued(table, part)) table.push(part)
    else if (part.rows.length) tables.push([part])
  }
  return tables
}

export interface TablePart {
  passage: Passage
  rows: TableRow[]
}

function partOf(passage: Passage, previous: Passage | undefined): TablePart {
  return { passage, rows: tableRows(passage.text, previous ? columnsWithoutRows(previous.text) : []).rows }
}

// The length of a full table passage with its header (MAX_TABLE in ingest/chunk/chunk.ts).
const FULL_PASSAGE_CHARACTERS = 12_000
// Parsers of CSV, JSON and spreadsheets begin another table with the same columns after this many rows, or after about 40,000
// characters.
const ROWS_PER_TABLE = 200
const CHARACTERS_PER_TABLE = 36_000

/**
 * Whether `next` continues the table. It must have the same columns and headings. In addition, its first row did not fit into the
 * previous passage, or the table is as long as parsers make one. A shorter table is a table of its own.
 */
function isContinued(table: readonly TablePart[], next: TablePart): boolean {
  const lastPart = table.at(-1)
  if (lastPart?.passage.type !== 'table' || next.passage.type !== 'table') return false
  if (lastPart.passage.heading !== next.passage.heading) return false
  const [previousLines, nextLines] = [tableLines(lastPart.passage.text), tableLines(next.passage.text)]
  // A header of several rows is repeated in each passage.
  const firstRow = nextLines.find((line, i) => line !== previousLines[i])
  if (firstRow === undefined || previousLines[0] !== nextLines[0]) return false
  return previousLines.join('\n').length + 1 + firstRow.length > FULL_PASSAGE_CHARACTERS || isLong(table)
}

const isLong = (table: readonly TablePart[]): boolean =>
  sumOf(table, ({ rows }) => rows.length) % ROWS_PER_TABLE === 0 ||
  sumOf(table, ({ passage }) => passage.text.length) >= CHARACTERS_PER_TABLE

const sumOf = (table: readonly TablePart[], sizeOf: (part: TablePart) => number): number =>
  table.reduce((sum, part) => sum + sizeOf(part), 0)

/** The header, the delimiter row and the rows. */
function tableLines(text: string): string[] {
  const lines = text.split('\n')
  const rule = lines.findIndex(isRule)
  return rule < 1 ? [] : lines.slice(rule - 1)
}
