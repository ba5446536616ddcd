// Turns the paragraphs of a word processor into headings, list items, lines of code or paragraphs. At the end it finds what
// depends on all paragraphs: headings without styles, typed lists and the title.

import type { Block, ParsedDocument } from '../../block.ts'
import { type Cell, flatText, tableBlocks } from '../blocks/table.ts'
import { chooseTitle } from '../blocks/title.ts'
import { coverTitle, isNumbered, type Look, promoteHeadings } from './headings-by-look.ts'
import { joinTypedLists } from './typed-lists.ts'

export interface Paragraph {
  text: string
  /** A heading's level from 1; 0 for other paragraphs. */
  level: number
  /** The automatic number of a heading or list item, "-" for a bullet; undefined outside of lists. */
  label?: string | undefined
  /** The depth of a list item, from 0. */
  depth?: number
  /** Whether the paragraph is a further one of the list item above. */
  continuesItem?: boolean
  /** The level of an entry in a table of contents, from 1. */
  contents?: number | undefined
  /** The text of a line of code with its spaces. Undefined for other paragraphs. */
  code?: string | undefined
  look?: Look | undefined
}

/** The blocks of a body, text box, cell or note while its paragraphs are read. */
export interface BlockList {
  blocks: Block[]
  /** How the paragraphs among the blocks look. */
  looks: Map<Block, Look>
}

const MAX_LIST_DEPTH = 5
const MAX_HEADING_LEVEL = 6
// A longer paragraph has a heading style by mistake.
const MAX_HEADING_CHARACTERS = 500

export const emptyList = (): BlockList => ({ blocks: [], looks: new Map() })

export function addParagraph(list: BlockList, paragraph: Paragraph): void {
  const { text, level, label, depth = 0, continuesItem, contents, code, look } = paragraph
  const indent = '  '.repeat(Math.min(depth, MAX_LIST_DEPTH))
  if (level > 0 && text.length <= MAX_HEADING_CHARACTERS) {
    const heading = label === undefined || label === '-' ? text : `${label} ${text}`
    list.blocks.push({
      kind: 'heading',
      text: heading.replace(/\s+/g, ' ').trim(),
      level: Math.min(MAX_HEADING_LEVEL, level),
    })
  } else if (label !== undefined) addLine(list, 'list', `${indent}${`${label} `.trimStart()}${text}`)
  else if (continuesItem && lastVisibleBlock(list)?.kind === 'list')
    addLine(list, 'list', `${indent}  ${text}`)
  else if (contents !== undefined) addLine(list, 'list', `${'  '.repeat(contents - 1)}${text}`)
  else if (code !== undefined) addLine(list, 'code', code)
  else {
    const block: Block = { kind: 'paragraph', text }
    if (look !== undefined) list.looks.set(block, look)
    list.blocks.push(block)
  }
}

function addLine(list: BlockList, kind: 'list' | 'code', line: string): void {
  const last = lastVisibleBlock(list)
  if (last?.kind === kind) last.text += `\n${line}`
  else list.blocks.push({ kind, text: line })
}

/** The last block, apart from pictures without words, which do not end a list. */
const lastVisibleBlock = ({ blocks }: BlockList): Block | undefined =>
  blocks.findLast(({ text, picture }) => text !== '' || picture === undefined)

/** A table cell that contains blocks. */
export interface BlockCell {
  text: string
  content: readonly Block[]
  /** Notes and figures of the cell, which follow the table. */
  blocksAfter: readonly Block[]
}

/** A cell with these blocks. Notes and figures are moved out of the table. */
export function blockCell(blocks: readonly Block[]): BlockCell {
  const isAfter = ({ kind }: Block): boolean => kind === 'note' || kind === 'figure'
  const content = blocks.filter((block) => !isAfter(block))
  return {
    text: content.map((block) => flatText(block)).join('\n'),
    content,
    blocksAfter: blocks.filter(isAfter),
  }
}

/** Adds a table. `toCells` returns its cells with their spans. A table of one column is only a frame and becomes its content. */
export function addTable<Row extends readonly BlockCell[]>(
  { blocks }: BlockList,
  rows: readonly Row[],
  toCells: (rows: readonly Row[]) => readonly (readonly Cell[])[],
): void {
  const allCells = rows.flat()
  const isFrame = rows.every((row) => row.length <= 1)
  const content = isFrame
    ? allCells.flatMap((cell) => [...cell.content, ...cell.blocksAfter])
    : [...tableBlocks(toCells(rows)), ...allCells.flatMap(({ blocksAfter }) => blocksAfter)]
  for (const block of content) blocks.push(block)
}

/** The finished document; `property` is the title in the file's metadata. */
export function finishDocument(
  { blocks, looks }: BlockList,
  property: string | undefined,
): Pick<ParsedDocument, 'title' | 'blocks'> {
  const nonEmpty = blocks.filter(({ text }) => text !== '')
  promoteHeadings(nonEmpty, looks)
  const titleCandidates = blocks.filter((block) => !(looks.has(block) && isNumbered(block)))
  const title = chooseTitle(property, []) ?? chooseTitle(coverTitle(nonEmpty, looks), titleCandidates)
  joinTypedLists(blocks, looks)
  return { ...(title === undefined ? {} : { title }), blocks }
}
