// What the first records of a delimited file are: a title above the table, its header, or data from the first line on.

export interface Opening {
  /** Lines above the table. */
  title: string[]
  header: readonly string[]
  rows: readonly (readonly string[])[]
}

const MOST_TITLE_LINES = 10

/** Parts the first records of a file. A table without a header gets one that says "Column 1". */
export function tableRows(records: readonly (readonly string[])[]): Opening {
  const head = headEnd(records)
  const { title, header, rows } = openingOf(records.slice(head))
  const named = records.slice(0, head).map((record) => record.map((cell) => cell.trim()).filter(Boolean))
  return {
    title: [...named.filter(({ length }) => length > 0).map((pair) => pair.join(' ')), ...title],
    header,
    rows,
  }
}

// Cells of a head's row: a name and its value, above a table of twice as many columns at least.
const MOST_HEAD_CELLS = 2

/** Behind what an instrument or a bank writes above its table: names with their values, the rest of each row empty. */
function headEnd(records: readonly (readonly string[])[]): number {
  const widths = records.map((record) => record.findLastIndex((cell) => cell.trim() !== '') + 1)
  const first = widths.findIndex((width) => width > MOST_HEAD_CELLS)
  const header = (records[first] ?? []).slice(0, widths[first])
  const below = widths.slice(first + 1)
  const isTable =
    header.length >= MOST_HEAD_CELLS * 2 &&
    header.every((cell) => cell.trim() !== '' && !isNumber(cell)) &&
    below.length > 1 &&
    below.every((width) => width > MOST_HEAD_CELLS || width === 0)
  const isHead = first <= MOST_TITLE_LINES && widths.slice(0, Math.max(0, first)).includes(MOST_HEAD_CELLS)
  return isTable && isHead ? first : 0
}

function openingOf(records: readonly (readonly string[])[]): Opening {
  const filled = (record: readonly string[]): string[] => record.filter((cell) => cell.trim() !== '')
  const first = records.findIndex((record) => filled(record).length > 1)
  // A title stands above at least two rows of more than one cell, a remark may stand below; else the lines are the table.
  const end = records.findLastIndex((record) => filled(record).length > 1) + 1
  const inside = records.slice(first, end)
  const titled =
    first > 0 && first <= MOST_TITLE_LINES && inside.length > 1 && inside.every((row) => row.length > 1)
  const title = titled ? records.slice(0, first).flatMap(filled) : []
  const [header = [], ...rows] = titled ? records.slice(first) : records
  if (!isData(header, rows)) return { title, header, rows }
  return { title, header: header.map((_, i) => `Column ${i + 1}`), rows: [header, ...rows] }
}

/** The first row is data when it holds numbers where the others do, and no word stands over numbers. */
function isData(header: readonly string[], rows: readonly (readonly string[])[]): boolean {
  if (rows.length < 2) return false
  let numbers = 0
  for (const [i, cell] of header.entries()) {
    const below = rows.map((row) => row[i] ?? '').filter((text) => text.trim() !== '')
    const numeric = below.filter(isNumber).length
    const mostly = below.length > 0 && numeric / below.length > 0.8
    if (mostly && cell.trim() !== '' && !isNumber(cell)) return false
    if (isNumber(cell) && !isYear(cell)) {
      if (!mostly) return false
      numbers++
    }
  }
  return numbers > 0
}

const isNumber = (text: string): boolean => /\d/.test(text) && !/\p{L}/u.test(text)

/** Years head columns. */
const isYear = (text: string): boolean => /^\s*(19|20)\d\d\s*$/.test(text)
