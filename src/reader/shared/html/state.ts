// The state while HTML is read: the text of the open paragraph or cell, and the finished blocks.

import type { Block, BlockKind } from '../../block.ts'
import { withRaised } from '../blocks/raised.ts'
import type { Cell, GrowingTable } from '../blocks/table.ts'
import type { OpenList } from './lists.ts'
import { trimmedLines } from './tags.ts'
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
  /** The numbers of layout tables, the number of tables so far, and which of the open tables are layout. */
  layout: ReadonlySet<number>
  tableCount: number
  isLayout: boolean[]
  /** The number of open elements that are left out: the outermost one and those inside it. */
  skipDepth: number
  /** The number of open elements inside a hidden element, and inside an element without text for readers. */
  hiddenDepth: number
  muteDepth: number
  /** The current look of text, and the rules of the page that change it. */
  look: Look
  sheet: StyleSheet
  /** The open hidden passage, and the finished ones. */
  hiddenText: string
  hidden: string[]
  preDepth: number
  /** The number of open <main> and <article> elements. */
  mainDepth: number
  /** The blocks in the main part of the page. */
  mainBlocks: Set<Block>
  inTitle: boolean
  title?: string
  /** Gives the name of a picture that can be read by its address. */
  nameOf: NamePicture
  /** The text that was added last, and the superscript that is being read. */
  lastText: string
  raisedText: string | undefined
  /** Whether the open link is a reference to a note. */
  noteLink: boolean
  /** The pictures in the open text, which follow it. */
  pictures: string[]
  /** Whether the next text is separate from the text before. */
  isApart: boolean
  /** Whether a list item of Word's HTML is open. */
  item: 'none' | 'open' | 'closed'
  /** The number of open elements, and what to do when one of them closes. */
  depth: number
  closers: { depth: number; close: () => void }[]
}

/** The name of a picture in the file by its address; undefined for external pictures. */
export type NamePicture = (address: string) => string | undefined

/** The initial state; `layout` has the numbers of layout tables. */
export function newState(
  layout: ReadonlySet<number>,
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
    layout,
    tableCount: 0,
    isLayout: [],
    skipDepth: 0,
    preDepth: 0,
    mainDepth: 0,
    mainBlocks: new Set(),
    inTitle: false,
    nameOf,
    lastText: '',
    raisedText: undefined,
    noteLink: false,
    pictures: [],
    isApart: false,
    item: 'none',
    depth: 0,
    closers: [],
  }
}

export function pushBlock(state: State, block: Block): void {
  state.blocks.push(block)
  if (state.mainDepth > 0) state.mainBlocks.add(block)
}

/** Ends the superscript that is being read, even if it was not closed. */
export function endSuperscript(state: State): void {
  const { raisedText } = state
  state.raisedText = undefined
  state.noteLink = false
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

/** Adds to the open hidden passage. */
export function addHiddenText(state: State, text: string): void {
  state.hiddenText += text
}

/** Ends the hidden passage. A passage without letters and digits is not recorded. */
export function endHiddenPassage(state: State): void {
  const text = state.hiddenText.replace(/\s+/g, ' ').trim()
  state.hiddenText = ''
  if (/[\p{L}\p{N}]/u.test(text)) state.hidden.push(text)
}

export function addText(state: State, text: string): void {
  const collapsed = state.preDepth > 0 ? text : text.replace(/\s+/g, ' ')
  const separated = state.isApart && needsSpace(state.tail, collapsed) ? ` ${collapsed}` : collapsed
  if (separated !== '') state.isApart = false
  if (state.raisedText !== undefined) {
    state.raisedText += separated
    return
  }
  state.lastText = separated
  const isRepeated = state.tables.length === 0 && state.preDepth === 0 && /\s$/.test(state.tail)
  appendText(state, isRepeated ? separated.trimStart() : separated)
}

/** Whether separate texts need a space between them; not before punctuation or after a drop cap. */
function needsSpace(tail: string, text: string): boolean {
  if (!/\S$/.test(tail) || !/^[\p{L}\p{N}\p{S}([“‘"«+-]/u.test(text)) return false
  return !(/(?:^|\s)\p{Lu}$/u.test(tail.slice(-2)) && /^\p{Ll}/u.test(text))
}

/** Begins a new paragraph, or a new line in a list item. */
export function startBlock(state: State): void {
  if (state.lists.length === 0) beginBlock(state, 'paragraph')
  else if (/\S$/.test(state.tail) && !/(^|\n)\s*(-|\w+\.) ?$/.test(state.tail)) appendText(state, '\n')
}

export function beginBlock(state: State, kind: BlockKind, level = 1): void {
  flush(state)
  state.kind = kind
  state.level = level
  state.item = 'none'
}

/** Continues the list around a heading, table or code. */
export function resume(state: State): void {
  beginBlock(state, state.lists.length > 0 ? 'list' : 'paragraph')
}

export function flush(state: State): void {
  endSuperscript(state)
  state.isApart = false
  state.lastText = ''
  const text = trimmedLines(state.text)
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
