// The state while HTML is read: the text of the open paragraph or cell, and the finished blocks.

import type { Block, BlockKind } from '../../block.ts'
import { withRaised } from '../blocks/raised.ts'
import type { Cell, GrowingTable } from '../blocks/table.ts'
import type { OpenList } from './lists.ts'
import { trimLines } from './tags.ts'
import type { Look, StyleSheet } from './visibility.ts'

export interface TableState extends GrowingTable {
  /** The text in the table outside of cells. */
  caption: string
  /** The open cell. */
  cell?: Cell
}

export interface State {
  blocks: Block[]
  text: string
  /** The last characters of `text`, or of the text of the open cell. */
  tail: string
  kind: BlockKind
  level: number
  lists: OpenList[]
  tables: TableState[]
  /** The indexes of the page's layout tables. */
  layoutTables: ReadonlySet<number>
  /** The number of tables so far. */
  tableCount: number
  /** For each open table, whether it is a layout table. */
  isLayoutTable: boolean[]
  /** The number of open elements that are left out: the outermost one and those inside it. */
  skipDepth: number
  /** The number of open hidden elements: the outermost one and those inside it. */
  hiddenDepth: number
  /** Inside a hidden element, the number of open elements without text for readers. */
  muteDepth: number
  /** The current look of text. */
  look: Look
  /** The rules of the page that change the look of text. */
  sheet: StyleSheet
  /** The text of the open hidden passage. */
  hiddenText: string
  /** The texts of the finished hidden passages. */
  hidden: string[]
  /** The number of open <pre> elements, in which white space counts. */
  preDepth: number
  /** The number of open <main> and <article> elements. */
  mainDepth: number
  /** The number of open <blockquote> elements. */
  quoteDepth: number
  /** The blocks in the main part of the page. */
  mainBlocks: Set<Block>
  isInTitle: boolean
  title?: string
  nameOf: NamePicture
  /** The text that was added last. */
  lastText: string
  /** The superscript that is being read; undefined outside of one. */
  raisedText: string | undefined
  /** Whether the open link is a reference to a note. */
  isInNoteLink: boolean
  /** The pictures in the open text. They become blocks after it. */
  pictures: string[]
  /** Whether a space is needed before the next text. */
  needsGap: boolean
  /** The state of the last list item of Word's HTML. */
  wordItem: 'none' | 'open' | 'closed'
  /** The number of open elements. */
  depth: number
  /** The functions to call when the element at a depth closes. */
  closeHandlers: { depth: number; close: () => void }[]
}

/** Gives the name of a picture in the file by its address; undefined for external pictures. */
export type NamePicture = (address: string) => string | undefined

export function newState(
  layoutTables: ReadonlySet<number>,
  nameOf: NamePicture,
  { look, sheet }: Pick<State, 'look' | 'sheet'>,
): State {
  return {
    hiddenDepth: 0,
    muteDepth: 0,
    look,
    sheet,
    hiddenText: '',
    hidden: [],
    blocks: [],
    text: '',
    tail: '',
    kind: 'paragraph',
    level: 1,
    lists: [],
    tables: [],
    layoutTables,
    tableCount: 0,
    isLayoutTable: [],
    skipDepth: 0,
    preDepth: 0,
    mainDepth: 0,
    quoteDepth: 0,
    mainBlocks: new Set(),
    isInTitle: false,
    nameOf,
    lastText: '',
    raisedText: undefined,
    isInNoteLink: false,
    pictures: [],
    needsGap: false,
    wordItem: 'none',
    depth: 0,
    closeHandlers: [],
  }
}

export function pushBlock(state: State, block: Block): void {
  if (state.quoteDepth > 0) block.quoteDepth = state.quoteDepth
  state.blocks.push(block)
  if (state.mainDepth > 0) state.mainBlocks.add(block)
}

/** Ends the superscript that is being read, even if it was not closed. */
export function endSuperscript(state: State): void {
  const { raisedText } = state
  state.raisedText = undefined
  state.isInNoteLink = false
  if (raisedText) addText(state, withRaised(state.lastText, raisedText))
}

/** The text of the open paragraph or cell. */
export const textOfOpenPart = (state: State): string => {
  const table = state.tables.at(-1)
  return table === undefined ? state.text : (table.cell?.text ?? '')
}

// The end of the open text is kept separately, because V8 flattens a concatenated string before any part of it can be
// read: a paragraph of 120,000 styled words took half a minute.
const TAIL_CHARACTERS = 40

/** Replaces the open text. */
export function replaceText(state: State, text: string): void {
  const cell = state.tables.at(-1)?.cell
  if (cell !== undefined) cell.text = text
  else if (state.tables.length === 0) state.text = text
  state.tail = text.slice(-TAIL_CHARACTERS)
}

/** Adds to the open text. In a table outside of cells it adds to the caption. */
export function appendText(state: State, text: string): void {
  const table = state.tables.at(-1)
  if (table === undefined) state.text += text
  else if (table.cell === undefined) table.caption += text
  else table.cell.text += text
  state.tail = (state.tail + text).slice(-TAIL_CHARACTERS)
}

export function addHiddenText(state: State, text: string): void {
  state.hiddenText += text
}

/** Ends the hidden passage. A passage without letters and digits is not recorded. */
export function endHiddenPassage(state: State): void {
  const text = state.hiddenText.replace(/\s+/g, ' ').trim()
  state.hiddenText = ''
  if (/[\p{L}\p{N}]/u.test(text)) state.hidden.push(text)
}

/** Adds text of the page: to the open superscript, cell or block, with white space as a browser shows it. */
export function addText(state: State, text: string): void {
  const collapsed = state.preDepth > 0 ? text : text.replace(/\s+/g, ' ')
  const separated = state.needsGap && needsSpace(state.tail, collapsed) ? ` ${collapsed}` : collapsed
  if (separated !== '') state.needsGap = false
  if (state.raisedText !== undefined) {
    state.raisedText += separated
    return
  }
  state.lastText = separated
  const isAfterSpace = state.tables.length === 0 && state.preDepth === 0 && /\s$/.test(state.tail)
  appendText(state, isAfterSpace ? separated.trimStart() : separated)
}

/** Whether separate texts need a space between them; not before punctuation or after a drop cap. */
function needsSpace(tail: string, text: string): boolean {
  if (!/\S$/.test(tail) || !/^[\p{L}\p{N}\p{S}([“‘"«+-]/u.test(text)) return false
  const isDropCap = /(?:^|\s)\p{Lu}$/u.test(tail.slice(-2)) && /^\p{Ll}/u.test(text)
  return !isDropCap
}

// A line that has only the label of its item so far: "- ", "3. ".
const LABEL_ONLY = /(^|\n)\s*(-|\w+\.) ?$/

/** Begins a new paragraph, or a new line in a list item. */
export function startParagraph(state: State): void {
  if (state.lists.length === 0) beginBlock(state, 'paragraph')
  else if (/\S$/.test(state.tail) && !LABEL_ONLY.test(state.tail)) appendText(state, '\n')
}

/** Ends the open block and begins one of this kind. */
export function beginBlock(state: State, kind: BlockKind, level = 1): void {
  flush(state)
  state.kind = kind
  state.level = level
  state.wordItem = 'none'
}

/** Begins the text after a heading, table or code: the rest of the list around it, or a paragraph. */
export function resumeText(state: State): void {
  beginBlock(state, state.lists.length > 0 ? 'list' : 'paragraph')
}

/** Ends the open block: adds it to the blocks, and after it its pictures. */
export function flush(state: State): void {
  endSuperscript(state)
  state.needsGap = false
  state.lastText = ''
  const text = trimLines(state.text)
  state.text = ''
  state.tail = ''
  const { kind } = state
  if (text.trim() !== '') {
    if (kind === 'heading')
      pushBlock(state, { kind, text: text.replace(/\s+/g, ' ').trim(), level: state.level })
    else pushBlock(state, { kind, text: kind === 'paragraph' ? text.trim() : text })
  }
  for (const picture of state.pictures.splice(0)) pushBlock(state, { kind: 'figure', text: '', picture })
}
