// HTML to blocks: pages, e-mail, chapters of books, HTML inside Markdown. Scripts, styles and menus are left out, and everything
// outside of the main part if a page marks one. Hidden text is kept apart.

import { Parser } from 'htmlparser2'
import type { Block } from '../../block.ts'
import { addCell, type Cell, emptyTable, grownPart, tableBlocks } from '../blocks/table.ts'
import { fieldText } from './form-field.ts'
import { layoutTables, mainPart } from './layout.ts'
import { MAX_LIST_CHARACTERS, nextMark, openedList } from './lists.ts'
import {
  addText,
  addUnseen,
  append,
  endUnseen,
  flush,
  type NamePicture,
  newState,
  push,
  raise,
  replaceText,
  resume,
  type State,
  start,
  startBlock,
  type TableState,
} from './state.ts'
import {
  blockTags,
  forgetOutermost,
  isFileName,
  isMain,
  isNoteLink,
  isUnseen,
  isUnspoken,
  spanOf,
  voids,
} from './tags.ts'
import { isHiddenElement, isHiddenLook, lookIn, pageLook, pageSheet } from './visibility.ts'
import { closeWordItem, openWordParagraph, openWordSpan } from './word-html.ts'

const MAX_NESTED_TABLES = 20

/** The blocks of an HTML text. */
export function htmlBlocks(html: string): Block[] {
  return readHtml(html).blocks
}

/** The blocks of an HTML page and its `<title>`. */
export function readHtml(
  html: string,
  nameOf: NamePicture = () => undefined,
): { blocks: Block[]; title?: string } {
  const sheet = pageSheet(html)
  const state = newState(layoutTables(html), nameOf, { look: pageLook(html, sheet), sheet })
  const parser = new Parser({
    onopentag: (name, attributes) => {
      forgetOutermost(parser)
      if (name === 'title' && state.skip <= 1) state.inTitle = true
      if (name === 'table') state.count++
      state.depth++
      if (state.hiddenDepth > 0) openHidden(state, name)
      else if (state.skip > 0 || isUnseen(name, attributes, state.main > 0)) {
        if (!voids.has(name)) state.skip++
      } else if (isHiddenElement(attributes, state.look)) openHidden(state, name)
      else openVisible(state, name, attributes)
    },
    ontext: (text) => {
      if (state.inTitle) state.title = (state.title ?? '') + text
      else if (state.hiddenDepth > 0) {
        if (state.mute === 0) addUnseen(state, text)
      } else if (state.skip > 0) return
      else if (isHiddenLook(state.look)) addUnseen(state, text)
      else {
        if (/\S/.test(text)) endUnseen(state)
        addText(state, text)
      }
    },
    onclosetag: (name) => {
      if (name === 'title') state.inTitle = false
      for (; state.closers.at(-1)?.depth === state.depth; state.closers.pop()) state.closers.at(-1)?.close()
      state.depth--
      if (state.hiddenDepth > 0) closeHidden(state, name)
      else if (state.skip === 0) closeTag(state, name)
      else if (!voids.has(name)) state.skip--
    },
  })
  parser.end(html)
  while (state.tables.length > 0) closeTable(state)
  flush(state)
  endUnseen(state)
  const hidden = state.hidden.map((text): Block => ({ kind: 'paragraph', text, hidden: true }))
  return {
    blocks: [...mainPart(state.blocks, state.mainBlocks), ...hidden],
    ...(state.title === undefined ? {} : { title: state.title }),
  }
}

/** Opens a hidden element, or one inside of it. */
function openHidden(state: State, name: string): void {
  if (voids.has(name)) {
    if (name === 'br') addUnseen(state, ' ')
    return
  }
  state.hiddenDepth++
  if (state.mute > 0 || isUnspoken(name)) state.mute++
  else if (blockTags.has(name) || name === 'li' || /^t[rdh]$|^h\d$/.test(name)) addUnseen(state, ' ')
}

function closeHidden(state: State, name: string): void {
  if (voids.has(name)) return
  state.hiddenDepth--
  if (state.mute > 0) state.mute--
  if (state.hiddenDepth === 0) endUnseen(state)
}

function openVisible(state: State, name: string, attributes: Record<string, string>): void {
  if (blockTags.has(name)) endUnseen(state)
  const outer = state.look
  state.look = lookIn(outer, name, attributes, state.sheet)
  if (state.look !== outer && !voids.has(name))
    afterChildren(state, () => {
      state.look = outer
    })
  if (voids.has(name)) state.look = outer
  openTag(state, name, attributes)
}

/** What to do when the element being opened closes. */
const afterChildren = (state: State, close: () => void): void => {
  state.closers.push({ depth: state.depth, close })
}

function openTag(state: State, name: string, attributes: Record<string, string>): void {
  if (isMain(name, attributes)) openMain(state)
  const closeSpan = name === 'span' ? openWordSpan(state, attributes) : undefined
  if (closeSpan !== undefined) afterChildren(state, closeSpan)
  const heading = /^h([1-6])$/.exec(name)?.[1]
  if (name === 'table') openTable(state)
  else if (/^t[rdh]$/.test(name) && state.isLayout.at(-1)) resume(state)
  else if (name === 'tr') openRow(state)
  else if (name === 'td' || name === 'th') openCell(state, attributes)
  else if (name === 'br') addBreak(state)
  else if (name === 'img') addPicture(state, attributes)
  else if (name === 'input') addField(state, attributes)
  else if (name === 'option' || name === 'textarea') openField(state)
  else if (name === 'sup') state.raisedText ??= ''
  else if (state.tables.length > 0) addGap(state, name)
  else if (heading !== undefined) start(state, 'heading', Number(heading))
  else if (name === 'ul' || name === 'ol') openList(state, name, attributes)
  else if (name === 'li') openItem(state, attributes)
  else if (name === 'pre') {
    start(state, 'code')
    state.pre++
  } else if (openWordParagraph(state, name, attributes)) return
  else if (blockTags.has(name)) startBlock(state)
  else if (name === 'a' && isNoteLink(attributes)) {
    state.noteLink = state.raisedText === undefined
    state.raisedText ??= ''
  }
}

function openMain(state: State): void {
  if (state.tables.length === 0) start(state, 'paragraph')
  state.main++
  afterChildren(state, () => {
    if (state.tables.length === 0) start(state, 'paragraph')
    state.main--
  })
}

function closeTag(state: State, name: string): void {
  // Deleted text is shown struck out, followed by its replacement.
  if (name === 'del') state.isApart = true
  if (closeWordItem(state, name)) return
  if (name === 'table') {
    if (state.isLayout.pop()) resume(state)
    else closeTable(state)
  } else if (name === 'sup' || (name === 'a' && state.noteLink)) raise(state)
  else if (/^t[rdh]$/.test(name) && state.isLayout.at(-1)) resume(state)
  else if ((name === 'td' || name === 'th') && state.tables.length > 0) closeCell(state)
  else if (state.tables.length > 0) addGap(state, name)
  else if (name === 'ul' || name === 'ol') {
    state.lists.pop()
    if (state.lists.length === 0) start(state, 'paragraph')
  } else if (name === 'pre') {
    state.pre = Math.max(0, state.pre - 1)
    resume(state)
  } else if (/^h[1-6]$/.test(name)) resume(state)
  else if (blockTags.has(name)) startBlock(state)
}

/** Adds the alternative text of a picture to the line. */
function addPicture(state: State, { alt = '', src = '' }: Record<string, string>): void {
  if (!isFileName(alt)) addText(state, alt)
  const name = state.nameOf(src)
  if (name !== undefined) state.pictures.push(name)
}

function addField(state: State, attributes: Record<string, string>): void {
  state.isApart = true
  addText(state, fieldText(attributes))
  state.isApart = true
}

/** A chosen or typed value is separated from the words beside it. */
function openField(state: State): void {
  state.isApart = true
  afterChildren(state, () => {
    state.isApart = true
  })
}

function openList(state: State, name: string, attributes: Record<string, string>): void {
  if (state.lists.length === 0) start(state, 'list')
  state.lists.push(openedList(name, attributes))
}

function openItem(state: State, attributes: Record<string, string>): void {
  if (state.lists.length === 0) {
    // An item outside of a list.
    start(state, 'list')
    replaceText(state, '- ')
    return
  }
  if (state.text.length > MAX_LIST_CHARACTERS) flush(state)
  replaceText(state, `${state.text.trimEnd()}\n${nextMark(state.lists, attributes)}`)
}

function addBreak(state: State): void {
  if (state.tables.length > 0) addText(state, ' ')
  else append(state, '\n')
}

function addGap(state: State, name: string): void {
  if (blockTags.has(name) || name === 'li' || /^h[1-6]$/.test(name)) addText(state, ' ')
}

function openTable(state: State): void {
  const isNone = state.tables.length === 0 && state.layout.has(state.count - 1)
  state.isLayout.push(isNone)
  if (state.tables.length === 0) resume(state)
  if (!isNone && state.tables.length < MAX_NESTED_TABLES) state.tables.push({ ...emptyTable(), caption: '' })
  state.tail = ''
}

function openRow(state: State): void {
  const [table] = state.tables
  const part = state.tables.length === 1 && table !== undefined ? grownPart(table) : undefined
  if (table !== undefined && part !== undefined) pushTable(state, table, part)
  state.tables.at(-1)?.rows.push([])
}

function pushTable(state: State, table: TableState, rows: readonly Cell[][]): void {
  const caption = table.caption.trim()
  table.caption = ''
  if (caption !== '') push(state, { kind: 'paragraph', text: caption })
  for (const block of tableBlocks(rows)) push(state, block)
}

function closeCell(state: State): void {
  raise(state)
  delete state.tables.at(-1)?.cell
  state.tail = ''
}

function openCell(state: State, attributes: Record<string, string>): void {
  closeCell(state)
  state.last = ''
  const table = state.tables.at(-1)
  if (table === undefined) return
  const cell: Cell = { text: '', rowSpan: spanOf(attributes.rowspan), colSpan: spanOf(attributes.colspan) }
  table.cell = cell
  addCell(table, cell)
}

/** A table inside a cell becomes text of the cell, with spaces between cells and semicolons between rows. */
function closeTable(state: State): void {
  raise(state)
  const table = state.tables.pop()
  if (table === undefined) return
  const inner = state.tables.at(-1)?.cell
  if (inner === undefined) {
    pushTable(state, table, table.rows)
    resume(state)
  } else
    append(state, ` ${table.rows.map((row) => row.map((cell) => cell.text.trim()).join(' ')).join('; ')} `)
}
