// What is gathered while HTML is read, and where it becomes a block.

import type { Block, BlockKind } from '../../block.ts'
import { raised } from '../../blocks/raised.ts'
import { needsSpace } from './boxes.ts'
import type { State } from './state.ts'
import { trimmedLines } from './tags.ts'

export function push(state: State, block: Block): void {
  state.blocks.push(block)
  if (state.main > 0) state.mainBlocks.add(block)
}

/** What stood in <sup>, or in one that nobody closed. */
export function raise(state: State): void {
  const { raised: text } = state
  state.raised = undefined
  state.noteLink = false
  if (text) addText(state, raised(state.last, text))
}

/** The text so far of what is being read. */
export const gathered = (state: State): string => {
  const table = state.tables.at(-1)
  return table === undefined ? state.text : (table.cell?.text ?? '')
}

// The end of what is gathered is kept beside it: V8 copies all of a text that was added to before it shows a part of it. A
// paragraph of 120,000 styled words took half a minute.
const TAIL = 40

/** Puts `text` in the place of what was gathered. */
export function regathered(state: State, text: string): void {
  const cell = state.tables.at(-1)?.cell
  if (cell !== undefined) cell.text = text
  else if (state.tables.length === 0) state.text = text
  state.tail = text.slice(-TAIL)
}

/** Adds to what is gathered, in a table outside its cells to its caption. */
export function append(state: State, text: string): void {
  const table = state.tables.at(-1)
  if (table === undefined) state.text += text
  else if (table.cell === undefined) table.caption += text
  else table.cell.text += text
  state.tail = (state.tail + text).slice(-TAIL)
}

export function addText(state: State, text: string): void {
  const shown = state.pre > 0 ? text : text.replace(/\s+/g, ' ')
  const plain = state.apart && needsSpace(state.tail, shown) ? ` ${shown}` : shown
  if (plain !== '') state.apart = false
  if (state.raised !== undefined) {
    state.raised += plain
    return
  }
  state.last = plain
  const isRepeated = state.tables.length === 0 && state.pre === 0 && /\s$/.test(state.tail)
  append(state, isRepeated ? plain.trimStart() : plain)
}

/** A block parts paragraphs, and lines of an item: what a quotation in one begins with was glued to the word before. */
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

/** After a heading, a table or code the list around it goes on. */
export function resume(state: State): void {
  start(state, state.lists.length > 0 ? 'list' : 'paragraph')
}

export function flush(state: State): void {
  raise(state)
  state.apart = false
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
