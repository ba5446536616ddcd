// Finds layout tables: tables of HTML pages that only arrange content, as in mails and old pages. The reader ignores their tags
// and reads the headings, lists and tables in their cells. Also selects the main part of a page.

import { Parser } from 'htmlparser2'
import type { Block } from '../../block.ts'
import { withoutComments } from './css-comments.ts'
import { forgetOutermost } from './tags.ts'

interface TableFacts {
  index: number
  /** Whether its `role` attribute says that it is layout. */
  hasLayoutRole: boolean
  /** Whether it has a border, a header or a caption. */
  isData: boolean
  cells: number
  /** The number of cells with a heading or table. */
  structuredCells: number
  /** The last cell with a heading or table, counted from 1. */
  lastStructuredCell: number
  /** The number of cells with a heading in the first row. */
  headingsInFirstRow: number
  /** The number of cells with a heading in the first column. */
  headingsInFirstColumn: number
  /** Whether a cell contains more than a line: paragraphs, lists. */
  hasLongText: boolean
  columns: number
  rows: number
  /** The number of cells in the open row. */
  cellsInRow: number
}

const emptyCounts = {
  cells: 0,
  structuredCells: 0,
  lastStructuredCell: 0,
  headingsInFirstRow: 0,
  headingsInFirstColumn: 0,
  hasLongText: false,
  columns: 0,
  rows: 0,
  cellsInRow: 0,
}

// The minimum share of cells with a heading or table in a layout table. A data table may also contain a small table in one of
// its cells.
const MIN_STRUCTURED_SHARE = 0.25
// A selector of element names only, such as "td" or "table tr > th". It applies to all tables of the page.
const CELL_SELECTOR = /^(?:[a-z]+[\s>]+)*t[dh]$/i
// Matches "border: 1px solid" and "border-top: 1px", but not "border: 0".
const BORDER = /(?:^|;)\s*border(?:-(?:top|right|bottom|left|width|style))?\s*:(?!\s*(?:0|none|hidden)\b)/i

// Matches "print" and "only print and (color)".
const PRINT_ONLY = /^\s*(?:only\s+)?print\b/i

/** Whether a list of media has only print, and no screen. */
const isPrint = (media: string): boolean => media.split(',').every((medium) => PRINT_ONLY.test(medium))

/** Whether a style sheet draws a border around the cells of all tables on a screen. */
function drawsCells(sheet: string): boolean {
  let depth = 0
  // The number of open braces at which the outermost "@media print" began.
  let printDepth = Number.POSITIVE_INFINITY
  for (const piece of withoutComments(sheet).split('}')) {
    const parts = piece.split('{')
    const style = parts.pop() ?? ''
    const preludes = parts.map((part) => part.slice(part.lastIndexOf(';') + 1).trim())
    const selectors = preludes.pop()
    // The text before an outer brace is the condition of several rules.
    for (const condition of preludes) {
      if (/^@media\b/i.test(condition) && isPrint(condition.slice('@media'.length)))
        printDepth = Math.min(printDepth, depth)
      depth++
    }
    if (selectors === undefined) {
      depth = Math.max(0, depth - 1)
      if (depth <= printDepth) printDepth = Number.POSITIVE_INFINITY
    } else if (depth <= printDepth && BORDER.test(style)) {
      if (selectors.split(',').some((selector) => CELL_SELECTOR.test(selector.trim()))) return true
    }
  }
  return false
}

// In larger pages no layout tables are looked for: such pages are data, and this pass takes a third of their parsing time.
const MAX_HTML_CHARACTERS = 10e6

/** The indexes of layout tables: tables whose role says so, or with one column, or with headings or tables in their cells. */
export function layoutTables(html: string): ReadonlySet<number> {
  const layoutTables = new Set<number>()
  if (html.length > MAX_HTML_CHARACTERS || !/<table[\s>]/i.test(html)) return layoutTables
  const openTables: TableFacts[] = []
  let hasDrawnCells = false
  let sheet: string | undefined
  let count = 0
  const parser = new Parser({
    onopentag: (name, attributes) => {
      forgetOutermost(parser)
      if (name === 'style') sheet = isPrint(attributes.media ?? '') ? undefined : ''
      const table = openTables.at(-1)
      if (name === 'table') {
        if (table) countStructuredCell(table)
        const hasLayoutRole = /^(presentation|none)$/i.test(attributes.role ?? '')
        // Any border except 0; a border attribute without a value means one pixel.
        const isData = /^(?!0+$)(\d|$|border$)/i.test(attributes.border ?? '0')
        openTables.push({ ...emptyCounts, index: count++, hasLayoutRole, isData })
      } else if (table !== undefined) countElement(table, name)
    },
    ontext: (text) => {
      if (sheet !== undefined) sheet += text
    },
    onclosetag: (name) => {
      if (name === 'style') {
        hasDrawnCells ||= drawsCells(sheet ?? '')
        sheet = undefined
      }
      const table = name === 'table' ? openTables.pop() : undefined
      if (table !== undefined && isLayout(table, hasDrawnCells)) layoutTables.add(table.index)
    },
  })
  parser.end(html)
  return layoutTables
}

function countElement(table: TableFacts, name: string): void {
  if (name === 'tr') {
    table.rows++
    table.cellsInRow = 0
  } else if (name === 'td' || name === 'th') {
    table.cells++
    table.columns = Math.max(table.columns, ++table.cellsInRow)
  }
  if (name === 'th' || name === 'thead' || name === 'caption') table.isData = true
  else if (/^(p|ul|ol|dl|pre|blockquote)$/.test(name)) table.hasLongText = true
  else if (/^h[1-6]$/.test(name) && countStructuredCell(table)) {
    if (table.rows === 1) table.headingsInFirstRow++
    if (table.cellsInRow === 1) table.headingsInFirstColumn++
  }
}

/** Counts the open cell as one with a heading or table. Returns whether it was not counted before. */
function countStructuredCell(table: TableFacts): boolean {
  const isFirst = table.lastStructuredCell !== table.cells
  if (isFirst) table.structuredCells++
  table.lastStructuredCell = table.cells
  return isFirst
}

/** Whether the table is a full grid of short cells whose headings are those of all rows or of all columns. */
function isGridWithHeadings(table: TableFacts): boolean {
  const { cells, rows, columns, structuredCells } = table
  if (table.hasLongText || rows <= 1 || cells !== rows * columns) return false
  const hasColumnHeadings = structuredCells === columns && table.headingsInFirstRow === columns
  const hasRowHeadings = structuredCells === rows && table.headingsInFirstColumn === rows
  return hasColumnHeadings || hasRowHeadings
}

/** `hasDrawnCells`: whether a style sheet draws borders around the cells of all tables. */
const isLayout = (table: TableFacts, hasDrawnCells: boolean): boolean => {
  const { hasLayoutRole, isData, cells, structuredCells, columns } = table
  if (hasLayoutRole || (columns <= 1 && !isData)) return true
  if (isData || hasDrawnCells || structuredCells === 0) return false
  return structuredCells >= cells * MIN_STRUCTURED_SHARE && !isGridWithHeadings(table)
}

// A main part with a smaller share of the page's text is only a teaser.
const MIN_MAIN_SHARE = 0.3

/** The blocks in <main> and <article> if they contain enough of the page's text, otherwise all blocks. */
export function selectMainBlocks(blocks: Block[], main: ReadonlySet<Block>): Block[] {
  const size = (someBlocks: Iterable<Block>): number => {
    let sum = 0
    for (const block of someBlocks) sum += block.text.length
    return sum
  }
  return size(main) >= MIN_MAIN_SHARE * size(blocks) && main.size > 0 ? [...main] : blocks
}
