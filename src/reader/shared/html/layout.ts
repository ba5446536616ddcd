// Finds the tables of HTML pages that only arrange content, as in mails and old pages. They are read as if they were not
// there, with the headings, lists and tables in their cells. Also selects the main part of a page.

import { Parser } from 'htmlparser2'
import type { Block } from '../../block.ts'
import { withoutComments } from './css-comments.ts'
import { forgetOutermost } from './tags.ts'

interface TableFacts {
  index: number
  /** Whether its role says that it is layout. */
  isNamed: boolean
  /** Whether it has a border, a header or a caption. */
  isData: boolean
  cells: number
  /** The number of cells with a heading or table, and the index of the last one. */
  holders: number
  lastHolder: number
  /** The number of cells with a heading in the first row and in the first column. */
  firstRow: number
  firstColumn: number
  /** Whether a cell contains more than a line: paragraphs, lists. */
  isText: boolean
  columns: number
  rows: number
  row: number
}

const emptyCounts = {
  cells: 0,
  holders: 0,
  lastHolder: 0,
  firstRow: 0,
  firstColumn: 0,
  isText: false,
  columns: 0,
  rows: 0,
  row: 0,
}

// The minimum share of cells with a heading or table in a layout table. A data table may also contain a small table in one of
// its cells.
const MIN_HOLDER_SHARE = 0.25
// A selector of element names only, such as "td" or "table tr > th". It applies to all tables of the page.
const CELL_SELECTOR = /^(?:[a-z]+[\s>]+)*t[dh]$/i
const BORDER = /(?:^|;)\s*border(?:-(?:top|right|bottom|left|width|style))?\s*:(?!\s*(?:0|none|hidden)\b)/i

const PRINT_ONLY = /^\s*(?:only\s+)?print\b/i

/** Whether all of these media are paper. */
const isPrint = (media: string): boolean => media.split(',').every((medium) => PRINT_ONLY.test(medium))

/** Whether a style sheet draws a border around the cells of all tables on a screen. */
function drawsCells(sheet: string): boolean {
  let depth = 0
  // The number of open blocks when the outermost block for paper only began.
  let printDepth = Number.POSITIVE_INFINITY
  for (const piece of withoutComments(sheet).split('}')) {
    const parts = piece.split('{')
    const style = parts.pop() ?? ''
    const heads = parts.map((head) => head.slice(head.lastIndexOf(';') + 1).trim())
    const selectors = heads.pop()
    // The text before a nested brace is the condition of several rules.
    for (const condition of heads) {
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

// Larger pages are data, and this pass takes a third of their parsing time.
const MAX_CHARACTERS = 10e6

/** The indexes of layout tables: their role says so, they have one column, or they contain headings or tables. */
export function layoutTables(html: string): ReadonlySet<number> {
  const layoutTables = new Set<number>()
  if (html.length > MAX_CHARACTERS || !/<table[\s>]/i.test(html)) return layoutTables
  const openTables: TableFacts[] = []
  let isDrawn = false
  let sheet: string | undefined
  let count = 0
  const parser = new Parser({
    onopentag: (name, attributes) => {
      forgetOutermost(parser)
      if (name === 'style') sheet = isPrint(attributes.media ?? '') ? undefined : ''
      const table = openTables.at(-1)
      if (name === 'table') {
        if (table) countHolder(table)
        const isNamed = /^(presentation|none)$/i.test(attributes.role ?? '')
        // A border attribute without a value means one pixel.
        const isData = /^(?!0+$)(\d|$|border$)/i.test(attributes.border ?? '0')
        openTables.push({ ...emptyCounts, index: count++, isNamed, isData })
      } else if (table !== undefined) noteElement(table, name)
    },
    ontext: (text) => {
      if (sheet !== undefined) sheet += text
    },
    onclosetag: (name) => {
      if (name === 'style') {
        isDrawn ||= drawsCells(sheet ?? '')
        sheet = undefined
      }
      const table = name === 'table' ? openTables.pop() : undefined
      if (table !== undefined && isLayout(table, isDrawn)) layoutTables.add(table.index)
    },
  })
  parser.end(html)
  return layoutTables
}

function noteElement(table: TableFacts, name: string): void {
  if (name === 'tr') {
    table.rows++
    table.row = 0
  } else if (name === 'td' || name === 'th') {
    table.cells++
    table.columns = Math.max(table.columns, ++table.row)
  }
  if (name === 'th' || name === 'thead' || name === 'caption') table.isData = true
  else if (/^(p|ul|ol|dl|pre|blockquote)$/.test(name)) table.isText = true
  else if (/^h[1-6]$/.test(name) && countHolder(table)) {
    if (table.rows === 1) table.firstRow++
    if (table.row === 1) table.firstColumn++
  }
}

/** Counts a heading or table in the open cell; true if it is the first one in this cell. */
function countHolder(table: TableFacts): boolean {
  const isFirst = table.lastHolder !== table.cells
  if (isFirst) table.holders++
  table.lastHolder = table.cells
  return isFirst
}

/** Whether the headings name the rows or columns of a grid of short cells. */
const isHeaded = ({ cells, rows, columns, holders, firstRow, firstColumn, isText }: TableFacts): boolean =>
  !isText &&
  rows > 1 &&
  cells === rows * columns &&
  ((holders === columns && firstRow === columns) || (holders === rows && firstColumn === rows))

/** `isDrawn`: a style sheet draws the cells of all tables. */
const isLayout = (table: TableFacts, isDrawn: boolean): boolean => {
  const { isNamed, isData, cells, holders, columns } = table
  if (isNamed || (columns <= 1 && !isData)) return true
  return !isData && !isDrawn && holders > 0 && holders >= cells * MIN_HOLDER_SHARE && !isHeaded(table)
}

// A main part with a smaller share of the text is a teaser.
const MIN_MAIN_SHARE = 0.3

/** The blocks of <main> and <article> if they contain enough of the page, else all. */
export function mainPart(blocks: Block[], main: ReadonlySet<Block>): Block[] {
  const size = (someBlocks: Iterable<Block>): number => {
    let sum = 0
    for (const block of someBlocks) sum += block.text.length
    return sum
  }
  return size(main) >= MIN_MAIN_SHARE * size(blocks) && main.size > 0 ? [...main] : blocks
}
