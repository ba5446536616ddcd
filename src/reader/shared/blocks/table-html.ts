// Reads, cuts and stacks tables in HTML as `tableHtml` writes them, and keeps their spans. Used to join tables over pages
// and to cut long tables.

/** A cell and the grid positions that it covers; `content` is HTML. */
export interface PlacedCell {
  row: number
  column: number
  rows: number
  columns: number
  content: string
}

/** The cells of a table with their positions. */
export interface PlacedTable {
  height: number
  cells: readonly PlacedCell[]
}

/** Reads `<table><tr><td rowspan="2">…`; each cell takes the first free position in its row. */
export function readTable(html: string): PlacedTable {
  const rows = [...html.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) => row)
  const occupiedColumns = rows.map(() => new Set<number>())
  const cells: PlacedCell[] = []
  for (const [rowIndex, row] of rows.entries()) {
    let column = 0
    for (const [, attributes = '', content = ''] of row.matchAll(/<td([^>]*)>(.*?)<\/td>/gs)) {
      while (occupiedColumns[rowIndex]?.has(column)) column++
      const height = Math.min(spanOf(attributes, 'rowspan'), rows.length - rowIndex)
      const cell = { row: rowIndex, column, rows: height, columns: spanOf(attributes, 'colspan'), content }
      cells.push(cell)
      for (const slots of occupiedColumns.slice(rowIndex, rowIndex + height))
        for (let k = column; k < column + cell.columns; k++) slots.add(k)
      column += cell.columns
    }
  }
  return { height: rows.length, cells }
}

const spanOf = (attributes: string, name: string): number =>
  Number(new RegExp(`${name}="(\\d+)"`).exec(attributes)?.[1] ?? 1)

/** The table as HTML. */
export function writeTable({ height, cells }: PlacedTable): string {
  const rows = Array.from({ length: height }, (): PlacedCell[] => [])
  for (const cell of cells) rows[cell.row]?.push(cell)
  const htmlRows = rows.map((row) => row.sort((a, b) => a.column - b.column).map(writeCell))
  return `<table>${htmlRows.map((row) => `<tr>${row.join('')}</tr>`).join('')}</table>`
}

function writeCell({ rows, columns, content }: PlacedCell): string {
  const spans = [rows > 1 ? ` rowspan="${rows}"` : '', columns > 1 ? ` colspan="${columns}"` : '']
  return `<td${spans.join('')}>${content}</td>`
}

/** The rows from `from` up to but not including `to`. A cell that begins above these rows is cut and keeps its text. */
export function rowsBetween(table: PlacedTable, from: number, to: number): PlacedTable {
  const end = Math.min(to, table.height)
  const cells = table.cells.flatMap((cell) => {
    const first = Math.max(cell.row, from)
    const last = Math.min(cell.row + cell.rows, end)
    return last > first ? [{ ...cell, row: first - from, rows: last - first }] : []
  })
  return { height: Math.max(0, end - from), cells }
}

/** One table below the other. */
export function stackTables(above: PlacedTable, below: PlacedTable): PlacedTable {
  const shiftedCells = below.cells.map((cell) => ({ ...cell, row: cell.row + above.height }))
  return { height: above.height + below.height, cells: [...above.cells, ...shiftedCells] }
}

/** The rows in which a cell with text begins, which are the rows that a Markdown table has. */
export function filledRows({ height, cells }: PlacedTable): number[] {
  const nonEmptyRows = new Set(cells.flatMap(({ row, content }) => (content.trim() === '' ? [] : [row])))
  return Array.from({ length: height }, (_, row) => row).filter((row) => nonEmptyRows.has(row))
}

// No real header is longer.
const MAX_HEADER_ROWS = 4

/** The number of header rows: the first, those that its spans reach, and those below a cell over several columns. */
export function headerRows({ height, cells }: PlacedTable): number {
  const width = Math.max(0, ...cells.map(({ column, columns }) => column + columns))
  const isParent = ({ columns, content }: PlacedCell): boolean =>
    columns > 1 && columns < width && content.trim() !== ''
  let end = 1
  while (
    end < MAX_HEADER_ROWS &&
    cells.some(
      (cell) =>
        cell.row < end && (cell.row + cell.rows > end || (cell.row + cell.rows === end && isParent(cell))),
    )
  )
    end++
  return Math.min(end, height)
}
