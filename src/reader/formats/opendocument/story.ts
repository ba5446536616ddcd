// Converts paragraphs, lists, tables and frames of OpenDocument to blocks, element by element ([ODF 1.3-3] 5 and 9).

import type { Block } from '../../block.ts'
import { type Cell, storyText } from '../../shared/blocks/table.ts'
import { elements, type XmlElement } from '../../shared/containers/xml.ts'
import { countLists, type Numberer, type Numbering } from '../../shared/office/list-counter.ts'
import {
  addParagraph,
  addTable,
  type BlockCell,
  type BlockList,
  blockCell,
  emptyList,
} from '../../shared/office/paragraphs.ts'
import { contentsLevel, isCodeStyle } from '../../shared/office/style-names.ts'
import { type Attachment, annotationBlock, type OdfContext, readLine, shapeAttachments } from './line.ts'
import type { TextStyle } from './styles.ts'

export interface Story extends BlockList {
  add: (element: XmlElement) => void
}

/** The lists of a document while they are read. Each has its own numbering unless it continues another list. */
interface ListCounts {
  numberer: Numberer
  lists: Map<string, Numbering>
  /** The key of the last list with each style. */
  lastByStyle: Map<string, string>
  /** The key of each list that has an id in the file. */
  keyById: Map<string, string>
}

interface State extends BlockList {
  context: OdfContext
  listCounts: ListCounts
}

interface ListItem {
  id: string
  depth: number
  /** Whether the paragraph is the first of its item. Only the first has a number. */
  isFirst: boolean
}

const MAX_LEVEL = 9
const OUTLINE = 'outline'
const NO_LEVELS = new Map()

/** Reads a story (the body, a box, a header) element by element. */
export function openStory(context: OdfContext): Story {
  const lists = new Map<string, Numbering>()
  lists.set(OUTLINE, { scheme: OUTLINE, starts: new Map(), levels: context.styles.outline })
  const listCounts = { numberer: countLists(lists), lists, lastByStyle: new Map(), keyById: new Map() }
  const state: State = { ...emptyList(), context, listCounts }
  return { add: (element) => readElement(element, state), blocks: state.blocks, looks: state.looks }
}

function readElement(element: XmlElement, state: State): void {
  const { name } = element
  if (name === 'text:p' || name === 'text:h') readParagraph(element, state)
  else if (name === 'text:list') readList(element, state, undefined, 0)
  else if (name === 'table:table') readTable(element, state)
  else if (name === 'office:annotation') addBlock(state, annotationBlock(element))
  else if (name === 'text:tracked-changes' || name.startsWith('office:') || name.startsWith('style:')) return
  else if (name.startsWith('draw:')) addAttachments(shapeAttachments(element, state.context), state)
  else if (name === 'text:section' && state.context.styles.isHidden(element))
    state.context.hidden.push(...blocksIn(element, state).map(({ text }) => text))
  else for (const inner of elements(element)) readElement(inner, state)
}

function addBlock(state: State, block: Block): void {
  if (block.text !== '' || block.picture !== undefined) state.blocks.push(block)
}

function readParagraph(element: XmlElement, state: State, item?: ListItem): void {
  const { context } = state
  const line = readLine(element, context)
  const style = context.styles.textStyle('paragraph', element.attributes['style-name'])
  const level = headingLevel(element, style)
  const label = line.number ?? labelOf(element, state, { style, level, item })
  const trimmedText = line.text.replace(/ {2,}/g, ' ').trim()
  if (trimmedText === '') {
    addAttachments(line.attachments, state)
    return
  }
  const names = style.names.map((name) => name.toLowerCase())
  addParagraph(state, {
    text: trimmedText,
    level,
    label: label === '' ? undefined : label,
    depth: item?.depth ?? 0,
    continuesItem: item?.isFirst === false,
    contents: names.map(contentsLevel).find((contents) => contents !== undefined),
    code: names.some(isCodeStyle) ? line.text : undefined,
    look: line.look,
  })
  addAttachments(line.attachments, state)
}

/** The level of a heading, 1 for a title, 0 for a paragraph. */
function headingLevel({ name, attributes }: XmlElement, { names }: TextStyle): number {
  if (name === 'text:h') return Number(attributes['outline-level'] ?? 1) || 1
  return names.includes('Title') ? 1 : 0
}

/** The automatic number of a paragraph. Undefined if it has none. It must be called for empty paragraphs too, which are counted. */
function labelOf(
  element: XmlElement,
  { listCounts, context }: State,
  { style, level, item }: { style: TextStyle; level: number; item: ListItem | undefined },
): string | undefined {
  if (item !== undefined)
    return item.isFirst ? listCounts.numberer.next(item.id, Math.min(item.depth, MAX_LEVEL)) : undefined
  const isCountedHeading = element.name === 'text:h' && element.attributes['is-list-header'] !== 'true'
  // A style with an empty list name has no number.
  if (!isCountedHeading || style.list === '' || !context.styles.outline.has(level - 1)) return undefined
  return listCounts.numberer.next(OUTLINE, level - 1)
}

/**
 * Reads a list. It is numbered by its own style or by the style of the outer list, and may continue another list. @param outer
 * the key of the outer list
 */
function readList(list: XmlElement, state: State, outer: string | undefined, depth: number): void {
  const { attributes } = list
  const { listCounts } = state
  let id = outer ?? openList(attributes, state)
  if (outer !== undefined && attributes['style-name'] !== undefined)
    id = withListStyle(id, attributes['style-name'], state)
  for (const item of elements(list)) {
    if (item.name !== 'text:list-item' && item.name !== 'text:list-header') continue
    const start = Number(item.attributes['start-value'])
    if (item.attributes['start-value'] !== undefined && Number.isInteger(start))
      id = addList(listCounts, { ...listOf(listCounts, id), starts: new Map([[depth, start]]) })
    let isFirst = item.name === 'text:list-item'
    for (const inner of elements(item)) {
      if (inner.name === 'text:list') readList(inner, state, id, depth + 1)
      else if (inner.name === 'text:p' || inner.name === 'text:h') {
        readParagraph(inner, state, { id, depth, isFirst })
        isFirst = false
      } else readElement(inner, state)
    }
  }
  if (outer === undefined) listCounts.lastByStyle.set(attributes['style-name'] ?? '', id)
  if (attributes.id !== undefined) listCounts.keyById.set(attributes.id, id)
}

function openList(attributes: Record<string, string>, { listCounts, context }: State): string {
  const style = attributes['style-name'] ?? ''
  const continuedList =
    listCounts.keyById.get(attributes['continue-list'] ?? '') ??
    (attributes['continue-numbering'] === 'true' ? listCounts.lastByStyle.get(style) : undefined)
  const levels = context.styles.listLevels(style) ?? NO_LEVELS
  const scheme =
    continuedList === undefined ? `list ${listCounts.lists.size}` : listOf(listCounts, continuedList).scheme
  return addList(listCounts, { scheme, starts: new Map(), levels })
}

const listOf = ({ lists }: ListCounts, id: string): Numbering =>
  lists.get(id) ?? { scheme: id, starts: new Map(), levels: NO_LEVELS }

function addList({ lists }: ListCounts, list: Numbering): string {
  const id = `list ${lists.size}`
  lists.set(id, list)
  return id
}

function withListStyle(id: string, style: string, { listCounts, context }: State): string {
  const [list, levels] = [listOf(listCounts, id), context.styles.listLevels(style)]
  return levels === undefined || levels === list.levels ? id : addList(listCounts, { ...list, levels })
}

/** Adds the notes, text boxes and figures of a paragraph after it. */
function addAttachments(attachments: readonly Attachment[], state: State): void {
  for (const attachment of attachments) {
    if ('block' in attachment) addBlock(state, attachment.block)
    else if ('box' in attachment) for (const block of blocksIn(attachment.box, state)) addBlock(state, block)
    else {
      const text = storyText(blocksIn(attachment.note, state))
      if (text !== '') addBlock(state, { kind: 'note', text: `${attachment.mark} ${text}`.trim() })
    }
  }
}

/** The content of an element as a story of its own, with the numbering of the document. */
function blocksIn(element: XmlElement, { context, listCounts }: State): Block[] {
  const state: State = { ...emptyList(), context, listCounts }
  for (const inner of elements(element)) readElement(inner, state)
  return state.blocks
}

function readTable(table: XmlElement, state: State): void {
  const rows = tableRows(table).map((row) => readRow(row, state))
  addTable(state, rows, (tableRows) => tableRows)
}

const tableRows = (table: XmlElement): XmlElement[] =>
  elements(table).flatMap((inner) => {
    if (inner.name === 'table:table-row') return [inner]
    return /^table:table-(?:header-rows|rows|row-group)$/.test(inner.name) ? tableRows(inner) : []
  })

const readRow = (row: XmlElement, state: State): (Cell & BlockCell)[] =>
  elements(row, 'table:table-cell').map((cell) => ({
    ...blockCell(blocksIn(cell, state)),
    rowSpan: spanOf(cell, 'number-rows-spanned'),
    colSpan: spanOf(cell, 'number-columns-spanned'),
  }))

// A damaged file may state any number of rows or columns.
const MAX_SPAN = 1000

const spanOf = ({ attributes }: XmlElement, name: string): number =>
  Math.min(Math.max(1, Number(attributes[name]) || 1), MAX_SPAN)
