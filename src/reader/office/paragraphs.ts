// What a word processor's paragraph becomes: a heading, an item of a list, a line of code, a paragraph. And what the
// paragraphs of a whole document say about each other: headings without a style, typed lists, contents, the title.

import type { Block, ParsedDocument } from '../block.ts'
import { chooseTitle } from '../blocks/title.ts'
import { joinContents } from './contents.ts'
import { coverTitle, isNumbered, type Look, promoteHeadings } from './word/emphasis.ts'
import { joinTypedLists } from './word/typed-lists.ts'

export interface Paragraph {
  text: string
  /** A heading's from 1 on, 0 for any other paragraph. */
  level: number
  /** The automatic number of a heading or item; "-" for a bullet, undefined for a paragraph outside of lists. */
  label?: string | undefined
  /** How deep an item is, from 0 on. */
  depth?: number
  look?: Look | undefined
}

/** The blocks of a body, text box, cell or note while its paragraphs come in. */
export interface BlockList {
  blocks: Block[]
  /** How the paragraphs among the blocks look. */
  looks: Map<Block, Look>
}

const MOST_LIST_DEPTH = 5
const MOST_HEADING_LEVEL = 6
// A whole paragraph in a heading style is a mistake of its author.
const MOST_HEADING_CHARACTERS = 500

export const emptyList = (): BlockList => ({ blocks: [], looks: new Map() })

export function addParagraph(list: BlockList, { text, level, label, depth = 0, look }: Paragraph): void {
  const { blocks, looks } = list
  if (level > 0 && text.length <= MOST_HEADING_CHARACTERS) {
    const heading = label === undefined || label === '-' ? text : `${label} ${text}`
    blocks.push({
      kind: 'heading',
      text: heading.replace(/\s+/g, ' ').trim(),
      level: Math.min(MOST_HEADING_LEVEL, level),
    })
  } else if (label !== undefined) {
    const line = `${'  '.repeat(Math.min(depth, MOST_LIST_DEPTH))}${`${label} `.trimStart()}${text}`
    const last = blocks.at(-1)
    if (last?.kind === 'list') last.text += `\n${line}`
    else blocks.push({ kind: 'list', text: line })
  } else {
    const block: Block = { kind: 'paragraph', text }
    if (look !== undefined) looks.set(block, look)
    blocks.push(block)
  }
}

/** The document of all its blocks; `property` is the title that it states. */
export function finishDocument(
  { blocks, looks }: BlockList,
  property: string | undefined,
): Pick<ParsedDocument, 'title' | 'blocks'> {
  const shown = blocks.filter(({ text }) => text !== '')
  promoteHeadings(shown, looks)
  const named = blocks.filter((block) => !(looks.has(block) && isNumbered(block)))
  const title = chooseTitle(property, []) ?? chooseTitle(coverTitle(shown, looks), named)
  joinTypedLists(blocks, looks)
  return { ...(title === undefined ? {} : { title }), blocks: joinContents(blocks) }
}
