// The HTML face of a table read again (as spanningHtml writes it): some of its rows as a table of their own, with what
// is left of each span. What joining tables over pages and cutting long ones is made of.

/** A cell and the slots it covers; `content` is HTML. */
export interface PlacedCell {
  row: number
  column: number
  rows: number
  columns: number
  content: string
}

/** A table's cells by place. */
export interface PlacedTable {
  height: number
  cells: readonly PlacedCell[]
}

/** The cells of `<table><tr><td rowspan="2">…`, each at the first free slot of its row. */
export function readTable(html: string): PlacedTable {
  const rows = [...html.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) => row)
  const taken = rows.map(() => new Set<number>())
  const cells: PlacedCell[] = []
  for (const [r, row] of rows.entries()) {
    let column = 0
    for (const [, attributes = '', content = ''] of row.matchAll(/<td([^>]*)>(.*?)<\/td>/gs)) {
      while (taken[r]?.has(column)) column++
      const height = Math.min(spanOf(attributes, 'rowspan'), rows.length - r)
      const cell = { row: r, column, rows: height, columns: spanOf(attributes, 'colspan'), content }
      cells.push(cell)
      for (const slots of taken.slice(r, r + height))
        for (let k = column; k < column + cell.columns; k++) slots.add(k)
      column += cell.columns
    }
  }
  return { height: rows.length, cells }
}

const spanOf = (attributes: string, name: string): number =>
  Number(new RegExp(`${name}="(\\d+)"`).exec(attributes)?.[1] ?? 1)

/** The table as HTML, row by row from the left. */
export function writeTable({ height, cells }: PlacedTable): string {
  const rows = Array.from({ length: height }, (): PlacedCell[] => [])
  for (const cell of cells) rows[cell.row]?.push(cell)
  const written = rows.map((row) => row.sort((a, b) => a.column - b.column).map(writeCell))
  return `<table>${written.map((row) => `<tr>${row.join('')}</tr>`).join('')}</table>`
}

function writeCell({ rows, columns, content }: PlacedCell): string {
  const spans = [rows > 1 ? ` rowspan="${rows}"` : '', columns > 1 ? ` colspan="${columns}"` : '']
  return `<td${spans.join('')}>${content}</td>`
}

/** The rows from `from` up to, not with, `to`; a cell that reaches in from outside stands in them with its text. */
export function rowsBetween(table: PlacedTable, from: number, to: number): PlacedTable {
  const end = Math.min(to, table.height)
  const cells = table.cells.flatMap((cell) => {
    const first = Math.max(cell.row, from)
    const last = Math.min(cell.row + cell.rows, end)
    return last > first ? [{ ...cell, row: first - from, rows: last - first }] : []
  })
  return { height: Math.max(0, end - from), cells }
}

/** One table under the other. */
export function stacked(above: PlacedTable, below: PlacedTable): PlacedTable {
  const moved = below.cells.map((cell) => ({ ...cell, row: cell.row + above.height }))
  return { height: above.height + below.height, cells: [...above.cells, ...moved] }
}

/** The rows in which a cell with text begins: those a Markdown table has lines for. */
export function filledRows({ height, cells }: PlacedTable): number[] {
  const filled = new Set(cells.flatMap(({ row, content }) => (content.trim() === '' ? [] : [row])))
  return Array.from({ length: height }, (_, row) => row).filter((row) => filled.has(row))
}

// Headers of more levels are none.
const MOST_HEADER_ROWS = 4

/** How many rows the header has: the first, what its spans reach down to, and what stands under a text over several columns. */
export function headerRows({ height, cells }: PlacedTable): number {
  const width = Math.max(0, ...cells.map(({ column, columns }) => column + columns))
  const isParent = ({ columns, content }: PlacedCell): boolean =>
    columns > 1 && columns < width && content.trim() !== ''
  let end = 1
  while (
    end < MOST_HEADER_ROWS &&
    cells.some(
      (cell) =>
        cell.row < end && (cell.row + cell.rows > end || (cell.row + cell.rows === end && isParent(cell))),
    )
  )
    end++
  return Math.min(end, height)
}
