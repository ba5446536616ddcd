// What of a page is layout. Tables that only place things are read as if they were not there, with the headings, lists
// and tables in their cells: mails and old pages stand in such tables, and were one cell of running text. And of the
// blocks those of the main part.

import { Parser } from 'htmlparser2'
import type { Block } from '../../block.ts'
import { forgetOutermost } from './tags.ts'

interface Seen {
  no: number
  /** It says so itself. */
  isNamed: boolean
  /** It has a drawn grid, a header or a caption. */
  isData: boolean
  cells: number
  /** Cells that hold a heading or a table, the last of them. */
  holders: number
  lastHolder: number
  /** Cells of the first row, and of the first column, that hold a heading. */
  firstRow: number
  firstColumn: number
  /** Some cell holds more than a line: paragraphs, lists. */
  isText: boolean
  columns: number
  rows: number
  row: number
}

const empty = {
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

// A table of data may hold a small one in one of its cells.
const LEAST_HOLDERS = 0.25
// Larger pages are somebody's data, and the second look takes a third of their time.
const MOST_CHARACTERS = 10e6

/** The numbers, in the page's order, of tables that are none: they hold headings or tables, have one column, or say so. */
export function layoutTables(html: string): ReadonlySet<number> {
  const found = new Set<number>()
  if (html.length > MOST_CHARACTERS || !/<table[\s>]/i.test(html)) return found
  const open: Seen[] = []
  let count = 0
  const parser = new Parser({
    onopentag: (name, attributes) => {
      forgetOutermost(parser)
      const table = open.at(-1)
      if (name === 'table') {
        if (table) hold(table)
        const isNamed = /^(presentation|none)$/i.test(attributes.role ?? '')
        // A border that is named alone is one of a pixel.
        const isData = /^(?!0+$)(\d|$|border$)/i.test(attributes.border ?? '0')
        open.push({ ...empty, no: count++, isNamed, isData })
      } else if (table !== undefined) look(table, name)
    },
    onclosetag: (name) => {
      const table = name === 'table' ? open.pop() : undefined
      if (table !== undefined && isLayout(table)) found.add(table.no)
    },
  })
  parser.end(html)
  return found
}

function look(table: Seen, name: string): void {
  if (name === 'tr') {
    table.rows++
    table.row = 0
  } else if (name === 'td' || name === 'th') {
    table.cells++
    table.columns = Math.max(table.columns, ++table.row)
  }
  if (name === 'th' || name === 'thead' || name === 'caption') table.isData = true
  else if (/^(p|ul|ol|dl|pre|blockquote)$/.test(name)) table.isText = true
  else if (/^h[1-6]$/.test(name) && hold(table)) {
    if (table.rows === 1) table.firstRow++
    if (table.row === 1) table.firstColumn++
  }
}

/** Whether the cell holds its first one. */
function hold(table: Seen): boolean {
  const isFirst = table.lastHolder !== table.cells
  if (isFirst) table.holders++
  table.lastHolder = table.cells
  return isFirst
}

/** Headings that name the rows or the columns of a grid of short cells. */
const isHeaded = ({ cells, rows, columns, holders, firstRow, firstColumn, isText }: Seen): boolean =>
  !isText &&
  rows > 1 &&
  cells === rows * columns &&
  ((holders === columns && firstRow === columns) || (holders === rows && firstColumn === rows))

const isLayout = (table: Seen): boolean => {
  const { isNamed, isData, cells, holders, columns } = table
  if (isNamed || (columns <= 1 && !isData)) return true
  return !isData && holders > 0 && holders >= cells * LEAST_HOLDERS && !isHeaded(table)
}

// A main part that holds less of the text than this is somebody's teaser.
const LEAST_MAIN_SHARE = 0.3

/** The blocks of <main> and <article> alone where they hold enough of the page. */
export function mainPart(blocks: Block[], main: ReadonlySet<Block>): Block[] {
  const size = (all: Iterable<Block>): number => {
    let sum = 0
    for (const block of all) sum += block.text.length
    return sum
  }
  return size(main) >= LEAST_MAIN_SHARE * size(blocks) && main.size > 0 ? [...main] : blocks
}
