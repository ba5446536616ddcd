// What is known of an HTML text while it is read.

import type { Block, BlockKind } from '../../block.ts'
import type { Cell, GrowingTable } from '../../blocks/table.ts'
import type { Styling } from './boxes.ts'
import type { OpenList } from './lists.ts'

export interface TableState extends GrowingTable {
  /** What stands in the table but in no cell: its caption. */
  caption: string
  /** The text gathered so far for the cell being read, when one is open. */
  cell?: Cell
}

export interface State {
  blocks: Block[]
  text: string
  /** The end of that, or of the cell that is being read. */
  tail: string
  kind: BlockKind
  level: number
  lists: OpenList[]
  tables: TableState[]
  /** Tables that are none, by their number; how many there were so far; which of those that are open are none. */
  layout: ReadonlySet<number>
  count: number
  isLayout: boolean[]
  /** How many elements deep in something unseen, or 0. */
  skip: number
  pre: number
  /** How many <main> or <article> elements are open. */
  main: number
  /** The blocks that stand in the page's main part. */
  mainBlocks: Set<Block>
  inTitle: boolean
  title?: string
  /** The name of a picture by its address, where it is one that may be read. */
  nameOf: NamePicture
  /** What was added last, and the superscript that is being read. */
  last: string
  raised: string | undefined
  /** Whether the link to a note is read as one. */
  noteLink: boolean
  /** Pictures met in the text being gathered: they stand behind it. */
  pictures: string[]
  /** What is open, by its style; undefined where nothing is styled. */
  styling: Styling | undefined
  /** What comes next stands apart from what was before. */
  apart: boolean
  /** The item of a list that only Word calls one. */
  item: 'none' | 'open' | 'closed'
  /** How many elements are open, and what to do when one of them closes. */
  depth: number
  closers: { depth: number; close: () => void }[]
}

/** A picture's name in its file by its address; undefined for one that is elsewhere. */
export type NamePicture = (address: string) => string | undefined

/** Before the first word; `layout` are the tables that are none. */
export function newState(
  layout: ReadonlySet<number>,
  nameOf: NamePicture,
  styling: Styling | undefined,
): State {
  return {
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
    raised: undefined,
    noteLink: false,
    pictures: [],
    styling,
    apart: false,
    item: 'none',
    depth: 0,
    closers: [],
  }
}
