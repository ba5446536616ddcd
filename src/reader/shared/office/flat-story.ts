// Text of formats in which a table is a sequence of paragraphs (.doc, RTF). Each paragraph states how many tables it is inside, and
// marks end cells and rows.

import type { Block } from '../../block.ts'
import { flatText, MAX_CELLS_IN_MEMORY } from '../blocks/table.ts'
import { addParagraph, type BlockList, emptyList, type Paragraph } from './paragraphs.ts'
import { rowBlocks, type TableRow, tablesByEdges } from './table-rows.ts'

export interface FlatStory extends BlockList {
  /** The open tables, the outermost first. */
  tables: OpenTable[]
  /** The notes and boxes of the open row. They come after the table. */
  blocksAfterTable: Block[]
}

interface OpenTable {
  /** The lines of the open cell. */
  lines: string[]
  /** The finished cells of the open row. */
  cells: string[]
  rows: TableRow[]
  /** The number of cells in the rows. */
  cellCount: number
}

// A hostile file may state a depth of millions.
const MAX_TABLE_DEPTH = 10

export const openFlatStory = (): FlatStory => ({ ...emptyList(), tables: [], blocksAfterTable: [] })

/** Adds a paragraph inside `depth` nested tables, and its notes and boxes. */
export function addFlatParagraph(
  story: FlatStory,
  paragraph: Paragraph,
  depth: number,
  blocksAfter: readonly Block[],
): void {
  const table = tableAt(story, depth)
  const { text, label } = paragraph
  if (table === undefined) {
    if (text !== '') addParagraph(story, paragraph)
    story.blocks.push(...blocksAfter)
    return
  }
  if (text !== '') table.lines.push(label === undefined ? text : `${label} ${text}`.trimStart())
  story.blocksAfterTable.push(...blocksAfter)
}

/** Ends a cell of the table at `depth`. */
export function endCell(story: FlatStory, depth: number): void {
  const table = tableAt(story, depth)
  table?.cells.push(table.lines.splice(0).join('\n'))
}

/** Ends a row of the table at `depth`; `makeRow` makes the row from the texts of its cells. */
export function endRow(story: FlatStory, depth: number, makeRow: (cells: string[]) => TableRow): void {
  const table = tableAt(story, depth)
  if (table === undefined) return
  if (table.lines.length > 0) endCell(story, depth)
  if (table.cells.length === 0) return
  const row = makeRow(table.cells.splice(0))
  if (depth === 1) {
    if (story.blocksAfterTable.length > 0) row.blocksAfter = story.blocksAfterTable.splice(0)
    if (table.cellCount > MAX_CELLS_IN_MEMORY && !row.continues?.includes(true)) cutTable(story, table)
  }
  table.rows.push(row)
  table.cellCount += row.cells.length
}

/** Closes all open tables and returns the blocks. */
export function finishStory(story: FlatStory): Block[] {
  closeTables(story, 0)
  return story.blocks
}

/** The open table at a depth, undefined for depth 0. Closes deeper tables. */
function tableAt(story: FlatStory, depth: number): OpenTable | undefined {
  const level = Math.min(depth, MAX_TABLE_DEPTH)
  closeTables(story, level)
  while (story.tables.length < level) story.tables.push({ lines: [], cells: [], rows: [], cellCount: 0 })
  return story.tables[level - 1]
}

/** Closes the tables deeper than `depth`; a table in a cell becomes a line of the cell. */
export function closeTables(story: FlatStory, depth: number): void {
  while (story.tables.length > depth) {
    const table = story.tables.pop()
    if (table === undefined) return
    const { lines, cells, rows } = table
    if (lines.length > 0) cells.push(lines.join('\n'))
    if (cells.length > 0) rows.push({ cells })
    const outer = story.tables.at(-1)
    if (outer === undefined) {
      for (const block of tableBlocksOf(rows)) story.blocks.push(block)
      story.blocks.push(...story.blocksAfterTable.splice(0))
    } else {
      const line = tableBlocksOf(rows).map((block) => flatText(block))
      if (line.length > 0) outer.lines.push(line.join('; '))
    }
  }
}

/** Moves the rows of a table that is too long to keep in memory to the blocks. The table continues with a copy of its header. */
function cutTable(story: FlatStory, table: OpenTable): void {
  const [first] = tablesByEdges(table.rows).at(-1) ?? []
  for (const block of tableBlocksOf(table.rows)) story.blocks.push(block)
  const { blocksAfter: _, ...header } = first ?? { cells: [] }
  table.rows = [header]
  table.cellCount = 0
}

const tableBlocksOf = (rows: readonly TableRow[]): Block[] =>
  tablesByEdges(rows).flatMap((table) => [
    ...rowBlocks(table),
    ...table.flatMap(({ blocksAfter = [] }) => blocksAfter),
  ])
