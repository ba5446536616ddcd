// The state while HTML is read: the text of the open paragraph or cell, and the blocks it becomes.

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
  /** The end of `text`, or of the text of the open cell. */
  tail: string
  kind: BlockKind
  level: number
  lists: OpenList[]
  tables: TableState[]
  /** The numbers of layout tables, the number of tables so far, and which of the open tables are layout. */
  layout: ReadonlySet<number>
  count: number
  isLayout: boolean[]
  /** The depth inside an element that is left out, 0 outside. */
  skip: number
  /** The depth inside a hidden element, and inside an element without text of its own. */
  hiddenDepth: number
  mute: number
  /** The current look of text, and the rules of the page that change it. */
  look: Look
  sheet: StyleSheet
  /** The open hidden passage, and the finished ones. */
  unseenText: string
  hidden: string[]
  pre: number
  /** The number of open <main> and <article> elements. */
  main: number
  /** The blocks in the main part of the page. */
  mainBlocks: Set<Block>
  inTitle: boolean
  title?: string
  /** Gives the name of a picture that can be read by its address. */
  nameOf: NamePicture
  /** The text added last, and the superscript being read. */
  last: string
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
    mute: 0,
    look,
    sheet,
    unseenText: '',
    hidden: [],
    blocks: [],
    text: '',
    tail: '',
    kind: 'paragraph',
    level: 1,
    lists: [],
    tables: [],
    layout,
    count: 0,
    isLayout: [],
    skip: 0,
    pre: 0,
    main: 0,
    mainBlocks: new Set(),
    inTitle: false,
    nameOf,
    last: '',
    raisedText: undefined,
    noteLink: false,
    pictures: [],
    isApart: false,
    item: 'none',
    depth: 0,
    closers: [],
  }
}

export function push(state: State, block: Block): void {
  state.blocks.push(block)
  if (state.main > 0) state.mainBlocks.add(block)
}

/** Ends a superscript, also one that was not closed. */
export function raise(state: State): void {
  const { raisedText } = state
  state.raisedText = undefined
  state.noteLink = false
  if (raisedText) addText(state, withRaised(state.last, raisedText))
}

/** The text of the open paragraph or cell. */
export const openText = (state: State): string => {
  const table = state.tables.at(-1)
  return table === undefined ? state.text : (table.cell?.text ?? '')
}

// The end of the open text is kept separately, because V8 flattens a concatenated string before any part of it can be
// read: a paragraph of 120,000 styled words took half a minute.
const TAIL = 40

/** Replaces the open text. */
export function replaceText(state: State, text: string): void {
  const cell = state.tables.at(-1)?.cell
  if (cell !== undefined) cell.text = text
  else if (state.tables.length === 0) state.text = text
  state.tail = text.slice(-TAIL)
}

/** Adds to the open text; in a table outside of cells, to its caption. */
export function append(state: State, text: string): void {
  const table = state.tables.at(-1)
  if (table === undefined) state.text += text
  else if (table.cell === undefined) table.caption += text
  else table.cell.text += text
  state.tail = (state.tail + text).slice(-TAIL)
}

/** Adds to the open hidden passage. */
export function addUnseen(state: State, text: string): void {
  state.unseenText += text
}

/** Ends the hidden passage; one without letters and digits is none. */
export function endUnseen(state: State): void {
  const text = state.unseenText.replace(/\s+/g, ' ').trim()
  state.unseenText = ''
  if (/[\p{L}\p{N}]/u.test(text)) state.hidden.push(text)
}

export function addText(state: State, text: string): void {
  const collapsed = state.pre > 0 ? text : text.replace(/\s+/g, ' ')
  const separated = state.isApart && needsSpace(state.tail, collapsed) ? ` ${collapsed}` : collapsed
  if (separated !== '') state.isApart = false
  if (state.raisedText !== undefined) {
    state.raisedText += separated
    return
  }
  state.last = separated
  const isRepeated = state.tables.length === 0 && state.pre === 0 && /\s$/.test(state.tail)
  append(state, isRepeated ? separated.trimStart() : separated)
}

/** Whether separate texts need a space between them; not before punctuation or after a drop cap. */
function needsSpace(tail: string, text: string): boolean {
  if (!/\S$/.test(tail) || !/^[\p{L}\p{N}\p{S}([“‘"«+-]/u.test(text)) return false
  return !(/(?:^|\s)\p{Lu}$/u.test(tail.slice(-2)) && /^\p{Ll}/u.test(text))
}

/** Begins a new paragraph, or a new line in a list item. */
export function startBlock(state: State): void {
  if (state.lists.length === 0) start(state, 'paragraph')
  else if (/\S$/.test(state.tail) && !/(^|\n)\s*(-|\w+\.) ?$/.test(state.tail)) append(state, '\n')
}

export function start(state: State, kind: BlockKind, level = 1): void {
  flush(state)
  state.kind = kind
  state.level = level
  state.item = 'none'
}

/** Continues the list around a heading, table or code. */
export function resume(state: State): void {
  start(state, state.lists.length > 0 ? 'list' : 'paragraph')
}

export function flush(state: State): void {
  raise(state)
  state.isApart = false
  state.last = ''
  const text = trimmedLines(state.text)
  state.text = ''
  state.tail = ''
  const { kind } = state
  if (text.trim() !== '') {
    if (kind === 'heading') push(state, { kind, text: text.replace(/\s+/g, ' ').trim(), level: state.level })
    else push(state, { kind, text: kind === 'paragraph' ? text.trim() : text })
  }
  for (const picture of state.pictures.splice(0)) push(state, { kind: 'figure', text: '', picture })
}
