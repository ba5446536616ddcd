// Recognises title, header and data in the first records of a delimited file.

import { isNumberCell } from '../../shared/blocks/table.ts'

export interface Opening {
  /** The lines above the table. */
  title: string[]
  header: readonly string[]
  rows: readonly (readonly string[])[]
}

const MAX_TITLE_LINES = 10

/** Divides the first records of a file. A table without a header gets one: "Column 1", "Column 2". */
export function tableRows(records: readonly (readonly string[])[]): Opening {
  const end = metadataEnd(records)
  const { title, header, rows } = openingOf(records.slice(end))
  const nonEmptyRecords = records
    .slice(0, end)
    .map((record) => record.map((cell) => cell.trim()).filter(Boolean))
  return {
    title: [...nonEmptyRecords.filter(({ length }) => length > 0).map((pair) => pair.join(' ')), ...title],
    header,
    rows,
  }
}

// Metadata rows consist of a name and a value, above a table with at least twice as many columns.
const CELLS_OF_METADATA = 2

/**
 * The end of the metadata that instruments and banks write above a table: rows of names and values, otherwise empty.
 */
function metadataEnd(records: readonly (readonly string[])[]): number {
  const widths = records.map((record) => record.findLastIndex((cell) => cell.trim() !== '') + 1)
  const first = widths.findIndex((width) => width > CELLS_OF_METADATA)
  const header = (records[first] ?? []).slice(0, widths[first])
  const below = widths.slice(first + 1)
  const isTable =
    header.length >= CELLS_OF_METADATA * 2 &&
    header.every((cell) => cell.trim() !== '' && !isNumberCell(cell)) &&
    below.length > 1 &&
    below.every((width) => width > CELLS_OF_METADATA || width === 0)
  const hasMetadata =
    first <= MAX_TITLE_LINES && widths.slice(0, Math.max(0, first)).includes(CELLS_OF_METADATA)
  return isTable && hasMetadata ? first : 0
}

function openingOf(records: readonly (readonly string[])[]): Opening {
  const nonEmptyCells = (record: readonly string[]): string[] => record.filter((cell) => cell.trim() !== '')
  const first = records.findIndex((record) => nonEmptyCells(record).length > 1)
  // A title is followed by at least two rows of more than one cell, and possibly by remarks.
  const end = records.findLastIndex((record) => nonEmptyCells(record).length > 1) + 1
  const inside = records.slice(first, end)
  const hasTitle =
    first > 0 && first <= MAX_TITLE_LINES && inside.length > 1 && inside.every((row) => row.length > 1)
  const title = hasTitle ? records.slice(0, first).flatMap(nonEmptyCells) : []
  const [header = [], ...rows] = hasTitle ? records.slice(first) : records
  if (!isData(header, rows)) return { title, header, rows }
  return { title, header: header.map((_, i) => `Column ${i + 1}`), rows: [header, ...rows] }
}

/** Whether the first row is data: it has numbers where the other rows have them and no words above numbers. */
function isData(header: readonly string[], rows: readonly (readonly string[])[]): boolean {
  if (rows.length < 2) return false
  let numbers = 0
  for (const [i, cell] of header.entries()) {
    const below = rows.map((row) => row[i] ?? '').filter((text) => text.trim() !== '')
    const numericCount = below.filter(isNumberCell).length
    const isMostlyNumeric = below.length > 0 && numericCount / below.length > 0.8
    if (isMostlyNumeric && cell.trim() !== '' && !isNumberCell(cell)) return false
    if (isNumberCell(cell) && !isYear(cell)) {
      if (!isMostlyNumeric) return false
      numbers++
    }
  }
  return numbers > 0
}

/** Years are often names of columns. */
const isYear = (text: string): boolean => /^\s*(19|20)\d\d\s*$/.test(text)
