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
  const metadataCount = metadataEnd(records)
  const { title, header, rows } = openingOf(records.slice(metadataCount))
  const nonEmptyRecords = records
    .slice(0, metadataCount)
    .map((record) => record.map((cell) => cell.trim()).filter(Boolean))
  return {
    title: [...nonEmptyRecords.filter(({ length }) => length > 0).map((pair) => pair.join(' ')), ...title],
    header,
    rows,
  }
}

// A row of metadata has a name and a value. The table below it has at least twice as many columns.
const CELLS_OF_METADATA = 2

/**
 * The number of rows of metadata above the table, 0 if there is none. Instruments and banks write such rows of a name and a value,
 * whose other cells are empty.
 */
function metadataEnd(records: readonly (readonly string[])[]): number {
  const widths = records.map((record) => record.findLastIndex((cell) => cell.trim() !== '') + 1)
  const headerIndex = widths.findIndex((width) => width > CELLS_OF_METADATA)
  const header = (records[headerIndex] ?? []).slice(0, widths[headerIndex])
  const widthsBelow = widths.slice(headerIndex + 1)
  const isTable =
    header.length >= CELLS_OF_METADATA * 2 &&
    header.every((cell) => cell.trim() !== '' && !isNumberCell(cell)) &&
    widthsBelow.length > 1 &&
    widthsBelow.every((width) => width > CELLS_OF_METADATA || width === 0)
  const hasMetadata =
    headerIndex <= MAX_TITLE_LINES && widths.slice(0, Math.max(0, headerIndex)).includes(CELLS_OF_METADATA)
  return isTable && hasMetadata ? headerIndex : 0
}

function openingOf(records: readonly (readonly string[])[]): Opening {
  const nonEmptyCells = (record: readonly string[]): string[] => record.filter((cell) => cell.trim() !== '')
  const firstRow = records.findIndex((record) => nonEmptyCells(record).length > 1)
  // A title is followed by at least two rows of more than one cell, and possibly by remarks.
  const tableEnd = records.findLastIndex((record) => nonEmptyCells(record).length > 1) + 1
  const tableRecords = records.slice(firstRow, tableEnd)
  const hasTitle =
    firstRow > 0 &&
    firstRow <= MAX_TITLE_LINES &&
    tableRecords.length > 1 &&
    tableRecords.every((row) => row.length > 1)
  const title = hasTitle ? records.slice(0, firstRow).flatMap(nonEmptyCells) : []
  const [header = [], ...rows] = hasTitle ? records.slice(firstRow) : records
  if (!isData(header, rows)) return { title, header, rows }
  return { title, header: header.map((_, i) => `Column ${i + 1}`), rows: [header, ...rows] }
}

/** Whether the first row is data and no header: it has numbers where the other rows have them, and no words above numbers. */
function isData(header: readonly string[], rows: readonly (readonly string[])[]): boolean {
  if (rows.length < 2) return false
  let numberCount = 0
  for (const [i, cell] of header.entries()) {
    const cellsBelow = rows.map((row) => row[i] ?? '').filter((text) => text.trim() !== '')
    const numericCount = cellsBelow.filter(isNumberCell).length
    const isMostlyNumeric = cellsBelow.length > 0 && numericCount / cellsBelow.length > 0.8
    if (isMostlyNumeric && cell.trim() !== '' && !isNumberCell(cell)) return false
    if (isNumberCell(cell) && !isYear(cell)) {
      if (!isMostlyNumeric) return false
      numberCount++
    }
  }
  return numberCount > 0
}

/** Whether a number may be a year, because years are often names of columns. */
const isYear = (text: string): boolean => /^\s*(19|20)\d\d\s*$/.test(text)
