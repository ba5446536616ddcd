// A table in its two forms (block.ts): GitHub-flavoured Markdown for indexing and reading, and also HTML if it has merged
// cells.

import type { Block } from '../../block.ts'

export interface Cell {
  text: string
  rowSpan?: number
  colSpan?: number
}

const MAX_SPANNED_COLUMNS = 2000
// A merged cell with a longer text, or one that covers more positions of the grid, has its text only once.
const MAX_REPEATED_CHARACTERS = 100
const MAX_REPEATED_POSITIONS = 50

/** Rows of equal width without spans: the text of a merged cell is in its top left position. */
export const splitMergedCells = (rows: readonly (readonly Cell[])[]): string[][] =>
  padRows(placeCells(rows).map((row) => row.map((slot) => (slot?.isFirst ? slot.text : ''))))

/**
 * The same rows with the text of a merged cell in all of its positions, so that each row can be read alone. The text stays in
 * the first position if it is a title over all columns, long, or a number, which would count twice.
 */
export function repeatMergedCells(rows: readonly (readonly Cell[])[]): string[][] {
  const grid = placeCells(rows)
  const width = grid.reduce((width, row) => Math.max(width, row.length), 0)
  return padRows(
    grid.map((row) =>
      row.map((slot) => (slot?.isFirst || (slot?.isLabel && slot.width < width) ? slot.text : '')),
    ),
  )
}

interface Slot {
  text: string
  /** The number of columns that the cell covers. */
  width: number
  /** Whether this is the top left position of the cell. */
  isFirst: boolean
  /** Whether the text is a label for the cells beside or below each of its positions. */
  isLabel: boolean
}

/** The grid of the table: for each position the cell that covers it. */
function placeCells(rows: readonly (readonly Cell[])[]): (Slot | undefined)[][] {
  const grid: (Slot | undefined)[][] = []
  const slots = (r: number): (Slot | undefined)[] => {
    grid[r] ??= []
    return grid[r]
  }
  rows.forEach((row, r) => {
    let column = 0
    for (const cell of row) {
      while (slots(r)[column] !== undefined) column++
      // Otherwise a thousand cells with wide spans could make a million columns.
      const width = column > MAX_SPANNED_COLUMNS ? 1 : Math.min(cell.colSpan ?? 1, 1000)
      const height = Math.min(cell.rowSpan ?? 1, rows.length - r)
      const { text } = cell
      const isLabel =
        text.length <= MAX_REPEATED_CHARACTERS &&
        width * height <= MAX_REPEATED_POSITIONS &&
        (r === 0 || column === 0 || !isNumberCell(text))
      for (let i = 0; i < height; i++) {
        for (let k = 0; k < width; k++)
          slots(r + i)[column + k] = { text, width, isFirst: i === 0 && k === 0, isLabel }
      }
      column += width
    }
    slots(r)
  })
  return grid
}

function padRows(grid: readonly (readonly (string | undefined)[])[]): string[][] {
  const width = grid.reduce((width, row) => Math.max(width, row.length), 0)
  return grid.map((row) => Array.from({ length: width }, (_, i) => row[i] ?? ''))
}

/** The table as Markdown. Labels in merged cells are repeated in each row and column. */
export function tableMarkdown(rows: readonly (readonly Cell[])[]): string {
  return hasSpans(rows)
    ? markdownTable(splitMergedCells(rows), repeatMergedCells(rows))
    : markdownTable(splitMergedCells(rows))
}

/**
 * A Markdown table with the first row as header. Rows and columns that are empty in `rows` are left out. `displayRows` has the
 * texts to write, at the same positions.
 */
export function markdownTable(rows: readonly (readonly string[])[], displayRows = rows): string {
  const grid = padRows(rows)
  const isFilledRow = grid.map((row) => row.some((cell) => cell.trim() !== ''))
  const isUsedColumn = (grid[0] ?? []).map((_, i) => grid.some((row) => row[i]?.trim() !== ''))
  const lines = padRows(displayRows)
    .filter((_, i) => isFilledRow[i])
    .map((row) => row.filter((_, i) => isUsedColumn[i]).map(cellText))
  const [header, ...body] = lines
  if (header === undefined || header.length === 0) return ''
  return [header, header.map(() => '---'), ...body].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function cellText(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replaceAll('\\', '\\\\').replaceAll('|', '\\|')
}

/** The table as HTML with its spans; undefined if no cells are merged, since the Markdown table is complete then. */
export function tableHtml(rows: readonly (readonly Cell[])[]): string | undefined {
  if (!hasSpans(rows)) return undefined
  const body = rows.map((row) => `<tr>${row.map(cellHtml).join('')}</tr>`).join('')
  return `<table>${body}</table>`
}

const hasSpans = (rows: readonly (readonly Cell[])[]): boolean =>
  rows.some((row) => row.some((cell) => (cell.rowSpan ?? 1) > 1 || (cell.colSpan ?? 1) > 1))

function cellHtml(cell: Cell): string {
  const rowSpan = (cell.rowSpan ?? 1) > 1 ? ` rowspan="${cell.rowSpan}"` : ''
  const colSpan = (cell.colSpan ?? 1) > 1 ? ` colspan="${cell.colSpan}"` : ''
  return `<td${rowSpan}${colSpan}>${escapeHtml(cell.text.trim())}</td>`
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** The blocks of a table. If no row has more than one filled cell, the table is only layout and becomes paragraphs. */
export function tableBlocks(rows: readonly (readonly Cell[])[]): Block[] {
  const grid = splitMergedCells(rows)
  const text = tableMarkdown(rows)
  if (text === '') return []
  if (grid.every((row) => row.filter((cell) => cell.trim() !== '').length <= 1)) {
    return grid.flatMap((row) => {
      const line = row.join(' ').trim()
      return line === '' ? [] : [{ kind: 'paragraph' as const, text: line }]
    })
  }
  const html = tableHtml(rows)
  return [{ kind: 'table', text, ...(html === undefined ? {} : { html }) }]
}

/** A cell of a format in which a vertical merge is a row of cells that each continue the cell above. */
export interface GridCell {
  text: string
  column: number
  colSpan: number
  /** Whether the cell continues the cell above. */
  continues: boolean
}

/** The cells with row spans instead of continued cells. Positions before the first cell of a row become an empty cell. */
export function withRowSpans(rows: readonly (readonly GridCell[])[]): Cell[][] {
  const rowSpan = (from: number, column: number): number => {
    let span = 1
    while (rows[from + span]?.some((below) => below.continues && below.column === column)) span++
    return span
  }
  return rows.map((row, r) => {
    const first = row[0]?.column ?? 0
    const gap: Cell[] = first > 0 ? [{ text: '', colSpan: first }] : []
    const cells = row.flatMap(({ text, column, colSpan, continues }): Cell[] =>
      continues && r > 0 ? [] : [{ text, colSpan, rowSpan: rowSpan(r, column) }],
    )
    return [...gap, ...cells]
  })
}

/** The text of a block in a cell or note; a table becomes one line, or a line per row if `rowSeparator` is "\n". */
export function flatText(block: Block, cellSeparator = ' ', rowSeparator = '; '): string {
  if (block.kind !== 'table') return block.text
  return block.text
    .split('\n')
    .filter((_, i) => i !== 1)
    .map((row) => row.replace(/^\| | \|$/g, '').split(/(?<!\\) \| /))
    .map((row) =>
      row.map((cell) => cell.trim().replaceAll('\\|', '|').replaceAll('\\\\', '\\')).join(cellSeparator),
    )
    .join(rowSeparator)
}

/** The text of a note, comment or header: its blocks as lines. */
export const storyText = (blocks: readonly Block[]): string =>
  blocks
    .map((block) => flatText(block).trim())
    .filter((text) => text !== '')
    .join('\n')

const MAX_ROWS_PER_TABLE = 200
const MAX_CHARACTERS_PER_TABLE = 40_000

export interface TableParts<Row> {
  add: (row: Row) => void
  /** Emits the remaining rows. */
  end: () => void
}

/** Divides the rows of a long table into tables of limited size, each of which repeats the header. */
export function tableParts<Cell>(
  header: readonly Cell[],
  lengthOf: (cell: Cell) => number,
  emit: (rows: readonly (readonly Cell[])[]) => void,
): TableParts<readonly Cell[]> {
  const charactersOf = (row: readonly Cell[]): number => row.reduce((sum, cell) => sum + lengthOf(cell), 0)
  // A header of thousands of columns must not be repeated after every row.
  const maxCharacters = Math.max(MAX_CHARACTERS_PER_TABLE, 4 * charactersOf(header))
  let rows: (readonly Cell[])[] = []
  let characters = 0
  const end = (): void => {
    if (rows.length > 0) emit(rows)
    rows = []
    characters = 0
  }
  return {
    add: (row) => {
      rows.push(row)
      // Each cell is followed by " | ".
      characters += charactersOf(row) + 3 * row.length
      if (rows.length >= MAX_ROWS_PER_TABLE || characters >= maxCharacters) end()
    },
    end,
  }
}

/** Whether a cell contains a number and no words. */
export const isNumberCell = (text: string): boolean => /\d/.test(text) && !/\p{L}/u.test(text)

/** A table while it is read. */
export interface GrowingTable {
  rows: Cell[][]
  /** The number of cells in these rows. */
  cells: number
  /** The first row that no span of a cell above reaches. */
  spanEndRow: number
}

export const emptyTable = (): GrowingTable => ({ rows: [], cells: 0, spanEndRow: 0 })

/** Adds a cell to the last row. */
export function addCell(table: GrowingTable, cell: Cell): void {
  if (table.rows.length === 0) table.rows.push([])
  table.rows.at(-1)?.push(cell)
  table.cells++
  table.spanEndRow = Math.max(table.spanEndRow, table.rows.length - 1 + (cell.rowSpan ?? 1))
}

// A table of 100 MB has 9 million cells, which take 946 MB of memory or more.
export const MAX_CELLS_IN_MEMORY = 200_000

/**
 * Removes and returns the rows of a table that has become too long to keep in memory. The table then continues with a copy of
 * its first row as header. Undefined if the table is not too long, or if a row span would be cut.
 */
export function takeFinishedRows(table: GrowingTable): Cell[][] | undefined {
  const { rows, cells, spanEndRow } = table
  if (cells < MAX_CELLS_IN_MEMORY || spanEndRow > rows.length) return undefined
  const header = (rows[0] ?? []).map((cell) => ({ ...cell, rowSpan: 1 }))
  Object.assign(table, { rows: [header], cells: 0, spanEndRow: 1 })
  return rows
}
