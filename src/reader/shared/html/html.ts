// HTML to blocks: pages, e-mail, chapters of books, HTML inside Markdown. Scripts, styles and menus are left out, and so is
// everything outside of the main part if a page marks one. Hidden text becomes blocks of its own at the end.

import { Parser } from 'htmlparser2'
import type { Block } from '../../block.ts'
import { addCell, type Cell, emptyTable, tableBlocks, takeFinishedRows } from '../blocks/table.ts'
import { fieldText } from './form-field.ts'
import { layoutTables, selectMainBlocks } from './layout.ts'
import { MAX_LIST_CHARACTERS, newList, nextItemLabel } from './lists.ts'
import {
  addHiddenText,
  addText,
  appendText,
  beginBlock,
  endHiddenPassage,
  endSuperscript,
  flush,
  type NamePicture,
  newState,
  pushBlock,
  replaceText,
  resumeText,
  type State,
  startParagraph,
  type TableState,
} from './state.ts'
import {
  blockTags,
  forgetOutermost,
  hasNoText,
  isFileName,
  isLeftOut,
  isMain,
  isNoteLink,
  spanOf,
  voidTags,
} from './tags.ts'
import { isHiddenElement, isHiddenLook, lookIn, pageLook, pageSheet } from './visibility.ts'
import { closeWordItem, openWordParagraph, openWordSpan } from './word-html.ts'

const MAX_NESTED_TABLES = 20
const TABLE_PART_TAG = /^t[rdh]$/
const HEADING_TAG = /^h([1-6])$/

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
      if (name === 'title' && state.skipDepth <= 1) state.isInTitle = true
      if (name === 'table') state.tableCount++
      state.depth++
      if (state.hiddenDepth > 0) openHidden(state, name)
      else if (state.skipDepth > 0 || isLeftOut(name, attributes, state.mainDepth > 0)) {
        if (!voidTags.has(name)) state.skipDepth++
      } else if (isHiddenElement(attributes, state.look)) openHidden(state, name)
      else openVisible(state, name, attributes)
    },
    ontext: (text) => {
      if (state.isInTitle) state.title = (state.title ?? '') + text
      else if (state.hiddenDepth > 0) {
        if (state.muteDepth === 0) addHiddenText(state, text)
      } else if (state.skipDepth > 0) return
      else if (isHiddenLook(state.look)) addHiddenText(state, text)
      else {
        if (/\S/.test(text)) endHiddenPassage(state)
        addText(state, text)
      }
    },
    onclosetag: (name) => {
      if (name === 'title') state.isInTitle = false
      for (; state.closeHandlers.at(-1)?.depth === state.depth; state.closeHandlers.pop())
        state.closeHandlers.at(-1)?.close()
      state.depth--
      if (state.hiddenDepth > 0) closeHidden(state, name)
      else if (state.skipDepth === 0) closeTag(state, name)
      else if (!voidTags.has(name)) state.skipDepth--
    },
  })
  parser.end(html)
  while (state.tables.length > 0) closeTable(state)
  flush(state)
  endHiddenPassage(state)
  const hidden = state.hidden.map((text): Block => ({ kind: 'paragraph', text, hidden: true }))
  return {
    blocks: [...selectMainBlocks(state.blocks, state.mainBlocks), ...hidden],
    ...(state.title === undefined ? {} : { title: state.title }),
  }
}

/** Opens a hidden element, or an element inside a hidden element. */
function openHidden(state: State, name: string): void {
  if (voidTags.has(name)) {
    if (name === 'br') addHiddenText(state, ' ')
    return
  }
  state.hiddenDepth++
  if (state.muteDepth > 0 || hasNoText(name)) state.muteDepth++
  else if (separatesWords(name) || TABLE_PART_TAG.test(name)) addHiddenText(state, ' ')
}

function closeHidden(state: State, name: string): void {
  if (voidTags.has(name)) return
  state.hiddenDepth--
  if (state.muteDepth > 0) state.muteDepth--
  if (state.hiddenDepth === 0) endHiddenPassage(state)
}

function openVisible(state: State, name: string, attributes: Record<string, string>): void {
  if (blockTags.has(name)) endHiddenPassage(state)
  const outer = state.look
  state.look = lookIn(outer, name, attributes, state.sheet)
  if (state.look !== outer && !voidTags.has(name))
    afterChildren(state, () => {
      state.look = outer
    })
  if (voidTags.has(name)) state.look = outer
  openTag(state, name, attributes)
}

/** Registers a function that is called when the element that is being opened closes. */
const afterChildren = (state: State, close: () => void): void => {
  state.closeHandlers.push({ depth: state.depth, close })
}

function openTag(state: State, name: string, attributes: Record<string, string>): void {
  if (isMain(name, attributes)) openMain(state)
  const closeSpan = name === 'span' ? openWordSpan(state, attributes) : undefined
  if (closeSpan !== undefined) afterChildren(state, closeSpan)
  const heading = HEADING_TAG.exec(name)?.[1]
  if (name === 'table') openTable(state)
  else if (TABLE_PART_TAG.test(name) && state.isLayoutTable.at(-1)) resumeText(state)
  else if (name === 'tr') openRow(state)
  else if (name === 'td' || name === 'th') openCell(state, attributes)
  else if (name === 'br') addBreak(state)
  else if (name === 'img') addPicture(state, attributes)
  else if (name === 'input') addField(state, attributes)
  else if (name === 'option' || name === 'textarea') openField(state)
  else if (name === 'sup') state.raisedText ??= ''
  else if (state.tables.length > 0) addGap(state, name)
  else if (heading !== undefined) beginBlock(state, 'heading', Number(heading))
  else if (name === 'ul' || name === 'ol') openList(state, name, attributes)
  else if (name === 'li') openItem(state, attributes)
  else if (name === 'pre') {
    beginBlock(state, 'code')
    state.preDepth++
  } else if (openWordParagraph(state, name, attributes)) return
  else if (name === 'blockquote') openQuotation(state)
  else if (blockTags.has(name)) startParagraph(state)
  else if (name === 'a' && isNoteLink(attributes)) {
    state.isInNoteLink = state.raisedText === undefined
    state.raisedText ??= ''
  }
}

function openMain(state: State): void {
  if (state.tables.length === 0) beginBlock(state, 'paragraph')
  state.mainDepth++
  afterChildren(state, () => {
    if (state.tables.length === 0) beginBlock(state, 'paragraph')
    state.mainDepth--
  })
}

function openQuotation(state: State): void {
  startParagraph(state)
  state.quoteDepth++
  afterChildren(state, () => {
    startParagraph(state)
    state.quoteDepth--
  })
}

function closeTag(state: State, name: string): void {
  // Deleted text is shown struck out, followed by its replacement.
  if (name === 'del') state.needsGap = true
  if (closeWordItem(state, name)) return
  if (name === 'table') {
    if (state.isLayoutTable.pop()) resumeText(state)
    else closeTable(state)
  } else if (name === 'sup' || (name === 'a' && state.isInNoteLink)) endSuperscript(state)
  else if (TABLE_PART_TAG.test(name) && state.isLayoutTable.at(-1)) resumeText(state)
  else if ((name === 'td' || name === 'th') && state.tables.length > 0) closeCell(state)
  else if (state.tables.length > 0) addGap(state, name)
  else if (name === 'ul' || name === 'ol') {
    state.lists.pop()
    if (state.lists.length === 0) beginBlock(state, 'paragraph')
  } else if (name === 'pre') {
    state.preDepth = Math.max(0, state.preDepth - 1)
    resumeText(state)
  } else if (HEADING_TAG.test(name)) resumeText(state)
  else if (blockTags.has(name)) startParagraph(state)
}

/** Adds the alternative text of a picture to the line. */
function addPicture(state: State, { alt = '', src = '' }: Record<string, string>): void {
  if (!isFileName(alt)) addText(state, alt)
  const name = state.nameOf(src)
  if (name !== undefined) state.pictures.push(name)
}

function addField(state: State, attributes: Record<string, string>): void {
  state.needsGap = true
  addText(state, fieldText(attributes))
  state.needsGap = true
}

/** Opens a form field whose value is separated by spaces from the words beside it. */
function openField(state: State): void {
  state.needsGap = true
  afterChildren(state, () => {
    state.needsGap = true
  })
}

function openList(state: State, name: string, attributes: Record<string, string>): void {
  if (state.lists.length === 0) beginBlock(state, 'list')
  state.lists.push(newList(name, attributes))
}

function openItem(state: State, attributes: Record<string, string>): void {
  if (state.lists.length === 0) {
    // The page has an item outside of a list.
    beginBlock(state, 'list')
    replaceText(state, '- ')
    return
  }
  if (state.text.length > MAX_LIST_CHARACTERS) flush(state)
  replaceText(state, `${state.text.trimEnd()}\n${nextItemLabel(state.lists, attributes)}`)
}

function addBreak(state: State): void {
  if (state.tables.length > 0) addText(state, ' ')
  else appendText(state, '\n')
}

/** Whether the words before and after the tag belong to different lines. */
const separatesWords = (name: string): boolean =>
  blockTags.has(name) || name === 'li' || HEADING_TAG.test(name)

/** Adds a space in a cell, in which there are no blocks. */
function addGap(state: State, name: string): void {
  if (separatesWords(name)) addText(state, ' ')
}

function openTable(state: State): void {
  const isLayoutTable = state.tables.length === 0 && state.layoutTables.has(state.tableCount - 1)
  state.isLayoutTable.push(isLayoutTable)
  if (state.tables.length === 0) resumeText(state)
  if (!isLayoutTable && state.tables.length < MAX_NESTED_TABLES)
    state.tables.push({ ...emptyTable(), caption: '' })
  state.tail = ''
}

function openRow(state: State): void {
  const [table] = state.tables
  const rows = state.tables.length === 1 && table !== undefined ? takeFinishedRows(table) : undefined
  if (table !== undefined && rows !== undefined) pushTable(state, table, rows)
  state.tables.at(-1)?.rows.push([])
}

function pushTable(state: State, table: TableState, rows: readonly Cell[][]): void {
  const caption = table.caption.trim()
  table.caption = ''
  if (caption !== '') pushBlock(state, { kind: 'paragraph', text: caption })
  for (const block of tableBlocks(rows)) pushBlock(state, block)
}

function closeCell(state: State): void {
  endSuperscript(state)
  delete state.tables.at(-1)?.cell
  state.tail = ''
}

function openCell(state: State, attributes: Record<string, string>): void {
  closeCell(state)
  state.lastText = ''
  const table = state.tables.at(-1)
  if (table === undefined) return
  const cell: Cell = { text: '', rowSpan: spanOf(attributes.rowspan), colSpan: spanOf(attributes.colspan) }
  table.cell = cell
  addCell(table, cell)
}

/** Closes a table. A table inside a cell becomes text of the cell, with spaces between cells and semicolons between rows. */
function closeTable(state: State): void {
  endSuperscript(state)
  const table = state.tables.pop()
  if (table === undefined) return
  const inner = state.tables.at(-1)?.cell
  if (inner === undefined) {
    pushTable(state, table, table.rows)
    resumeText(state)
  } else
    appendText(
      state,
      ` ${table.rows.map((row) => row.map((cell) => cell.text.trim()).join(' ')).join('; ')} `,
    )
}
