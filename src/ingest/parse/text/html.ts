// HTML to blocks: what mammoth makes of a Word file, HTML inside Markdown, and whole pages uploaded as text.

import { Parser } from 'htmlparser2'
import type { Block, BlockKind } from '../block.ts'
import { type Cell, markdownTable, openSpans, spanningHtml } from '../blocks/table.ts'

interface TableState {
  rows: Cell[][]
  /** The text gathered so far for the cell being read, when one is open. */
  cell?: Cell
}

interface State {
  blocks: Block[]
  text: string
  kind: BlockKind
  level: number
  /** One entry an open list: the last number given, or undefined in a bulleted one. */
  lists: (number | undefined)[]
  tables: TableState[]
  skip: number
  pre: number
  title?: string
}

const blockTags = new Set(
  'p div section article header footer main aside nav figure figcaption address blockquote dl dt dd form fieldset hr body html'.split(
    ' ',
  ),
)
const skipped = new Set(['script', 'style', 'template', 'noscript', 'svg', 'head'])

/** The blocks of an HTML text in order; tables keep their spans in `html`. */
export function htmlBlocks(html: string): Block[] {
  return readHtml(html).blocks
}

/** The blocks of an HTML page and its `<title>`. */
export function readHtml(html: string): { blocks: Block[]; title?: string } {
  const state: State = {
    blocks: [],
    text: '',
    kind: 'paragraph',
    level: 1,
    lists: [],
    tables: [],
    skip: 0,
    pre: 0,
  }
  let inTitle = false
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (name === 'title') inTitle = true
      if (skipped.has(name)) state.skip++
      else if (state.skip === 0) openTag(state, name, attributes)
    },
    ontext: (text) => {
      if (inTitle) state.title = (state.title ?? '') + text
      else if (state.skip === 0) addText(state, text)
    },
    onclosetag: (name) => {
      if (name === 'title') inTitle = false
      if (skipped.has(name)) state.skip--
      else if (state.skip === 0) closeTag(state, name)
    },
  })
  parser.end(html)
  flush(state)
  return { blocks: state.blocks, ...(state.title === undefined ? {} : { title: state.title }) }
}

function addText(state: State, text: string): void {
  const cell = state.tables.at(-1)?.cell
  const plain = state.pre > 0 ? text : text.replace(/\s+/g, ' ')
  if (cell !== undefined) cell.text += plain
  else if (state.tables.length === 0) state.text += plain
}

function openTag(state: State, name: string, attributes: Record<string, string>): void {
  const heading = /^h([1-6])$/.exec(name)?.[1]
  if (name === 'table') openTable(state)
  else if (name === 'tr') state.tables.at(-1)?.rows.push([])
  else if (name === 'td' || name === 'th') openCell(state, attributes)
  else if (name === 'br') addBreak(state)
  else if (name === 'img') addText(state, attributes.alt ?? '')
  else if (state.tables.length > 0) addGap(state, name)
  else if (heading !== undefined) start(state, 'heading', Number(heading))
  else if (name === 'ul' || name === 'ol') openList(state, name)
  else if (name === 'li') openItem(state, attributes)
  else if (name === 'pre') {
    start(state, 'code')
    state.pre++
  } else if (blockTags.has(name) && state.lists.length === 0) start(state, 'paragraph')
  else if (name === 'p' && /[^\s]$/.test(state.text) && !/(^|\n)\s*(-|\d+\.)$/.test(state.text))
    state.text += '\n'
}

function closeTag(state: State, name: string): void {
  if (name === 'table') closeTable(state)
  else if ((name === 'td' || name === 'th') && state.tables.length > 0) delete state.tables.at(-1)?.cell
  else if (state.tables.length > 0) addGap(state, name)
  else if (name === 'ul' || name === 'ol') {
    state.lists.pop()
    if (state.lists.length === 0) start(state, 'paragraph')
  } else if (name === 'pre') {
    state.pre = Math.max(0, state.pre - 1)
    start(state, 'paragraph')
  } else if (/^h[1-6]$/.test(name)) start(state, 'paragraph')
  else if (blockTags.has(name) && state.lists.length === 0) start(state, 'paragraph')
}

function start(state: State, kind: BlockKind, level = 1): void {
  flush(state)
  state.kind = kind
  state.level = level
}

function flush(state: State): void {
  const text = state.text.replace(/[^\S\n]+(?=\n|$)/g, '').replace(/^\s*\n|\s+$/g, '')
  state.text = ''
  if (text.trim() === '') return
  const { kind } = state
  const note = kind === 'list' && /^\d+\. \[note\] /.test(text)
  if (kind === 'heading') state.blocks.push({ kind, text: text.trim(), level: state.level })
  else if (note) state.blocks.push({ kind: 'note', text: text.replaceAll('[note] ', '').replace(/ ?↑/g, '') })
  else state.blocks.push({ kind, text: kind === 'paragraph' ? text.trim() : text })
}

function openList(state: State, name: string): void {
  if (state.lists.length === 0) start(state, 'list')
  state.lists.push(name === 'ol' ? 0 : undefined)
}

/** Mammoth puts foot- and endnotes into one list at the end; the mark makes a note of it. */
function openItem(state: State, attributes: Record<string, string>): void {
  const depth = Math.max(0, state.lists.length - 1)
  const number = state.lists.at(-1)
  if (number !== undefined) state.lists[state.lists.length - 1] = number + 1
  const mark = number === undefined ? '-' : `${number + 1}.`
  const note = /^(footnote|endnote)-/.test(attributes.id ?? '') ? '[note] ' : ''
  state.text = `${state.text.trimEnd()}\n${'  '.repeat(Math.min(depth, 5))}${mark} ${note}`
}

function addBreak(state: State): void {
  if (state.tables.length > 0) addText(state, ' ')
  else state.text += '\n'
}

function addGap(state: State, name: string): void {
  if (blockTags.has(name) || name === 'li' || /^h[1-6]$/.test(name)) addText(state, ' ')
}

function openTable(state: State): void {
  if (state.tables.length === 0) flush(state)
  state.tables.push({ rows: [] })
}

function openCell(state: State, attributes: Record<string, string>): void {
  const table = state.tables.at(-1)
  if (table === undefined) return
  const span = (value: string | undefined): number =>
    Math.min(1000, Math.max(1, Number.parseInt(value ?? '1', 10) || 1))
  const cell: Cell = { text: '', rowSpan: span(attributes.rowspan), colSpan: span(attributes.colspan) }
  table.cell = cell
  if (table.rows.length === 0) table.rows.push([])
  table.rows.at(-1)?.push(cell)
}

/** A table inside a cell becomes that cell's text, cells parted by spaces and rows by semicolons. */
function closeTable(state: State): void {
  const table = state.tables.pop()
  if (table === undefined) return
  const inner = state.tables.at(-1)?.cell
  if (inner !== undefined) {
    inner.text += ` ${table.rows.map((row) => row.map((cell) => cell.text.trim()).join(' ')).join('; ')} `
    return
  }
  for (const block of tableBlocks(table.rows)) state.blocks.push(block)
  start(state, 'paragraph')
}

/** Layout tables of one cell or one column are text; everything else is a table. */
export function tableBlocks(rows: readonly (readonly Cell[])[]): Block[] {
  const grid = openSpans(rows)
  const text = markdownTable(grid)
  if (text === '') return []
  if (grid.every((row) => row.filter((cell) => cell.trim() !== '').length <= 1)) {
    return grid.flatMap((row) => {
      const line = row.join(' ').trim()
      return line === '' ? [] : [{ kind: 'paragraph' as const, text: line }]
    })
  }
  const html = spanningHtml(rows)
  return [{ kind: 'table', text, ...(html === undefined ? {} : { html }) }]
}
