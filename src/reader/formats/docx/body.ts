// Turns paragraphs, tables and text boxes of a Word document into blocks, element by element.

import type { Block } from '../../block.ts'
import { commentBlock } from '../../shared/blocks/comment.ts'
import { type GridCell, storyText, withRowSpans } from '../../shared/blocks/table.ts'
import { child, elements, isOn, valueAt, type XmlElement } from '../../shared/containers/xml.ts'
import type { Numberer } from '../../shared/office/list-counter.ts'
import {
  addParagraph,
  addTable,
  type BlockCell,
  type BlockList,
  blockCell,
  emptyList,
} from '../../shared/office/paragraphs.ts'
import { contentsLevel, isCodeStyle } from '../../shared/office/style-names.ts'
import { type Attachment, type LineContext, readLine } from './inline.ts'
import { isShaded } from './shading.ts'
import { lookOf, numberingOf, statedLevel, styleOf } from './styles.ts'

export interface WordContext extends LineContext {
  numberer: Numberer
  notes: Record<'footnote' | 'endnote' | 'comment', ReadonlyMap<string, XmlElement>>
}

export interface BodyReader extends BlockList {
  add: (element: XmlElement) => void
}

interface State extends BlockList {
  context: WordContext
  /** The text of paragraphs whose end mark was deleted. The next paragraph continues it. */
  carriedText: string
  /** Whether the background is known to be white. */
  isOnWhite: boolean
}

/** Reads a story (the body, a text box, a cell, a note) element by element. */
export function openBody(context: WordContext, isOnWhite = false): BodyReader {
  const state: State = { ...emptyList(), context, carriedText: '', isOnWhite }
  return { add: (element) => readElement(element, state), blocks: state.blocks, looks: state.looks }
}

function readElement(element: XmlElement, state: State): void {
  switch (element.name) {
    case 'w:p':
    case 'm:oMathPara':
      readParagraph(element, state)
      break
    case 'w:tbl':
      readTable(element, state)
      break
    case 'w:altChunk':
      for (const block of state.context.parts.get(element.attributes['r:id'] ?? '') ?? [])
        state.blocks.push({ ...block })
      break
    case 'w:del':
    case 'w:moveFrom':
    case 'w:sdtPr':
    case 'w:sectPr':
      break
    case 'mc:AlternateContent':
      for (const inner of elements(child(element, 'mc:Choice') ?? child(element, 'mc:Fallback')))
        readElement(inner, state)
      break
    default:
      for (const inner of elements(element)) readElement(inner, state)
  }
}

function readParagraph(element: XmlElement, state: State): void {
  const { context } = state
  const properties = child(element, 'w:pPr')
  const line = readLine(element.name === 'w:p' ? element : inParagraph(element), context, state.isOnWhite)
  if (child(properties, 'w:rPr', 'w:del') !== undefined) {
    state.carriedText += line.text
    addAttachments(line.attachments, state)
    return
  }
  const text = state.carriedText + line.text
  state.carriedText = ''
  const styleId = valueAt(properties, 'w:pStyle')
  const style = styleOf(context.styles, styleId)
  const numbering = numberingOf(child(properties, 'w:numPr')) ?? style.numbering
  const label = labelOf(numbering, styleId, context)
  const level = statedLevel(properties) ?? style.level ?? 0
  const trimmedText = text.replace(/ {2,}/g, ' ').trim()
  if (trimmedText === '') {
    addAttachments(line.attachments, state)
    return
  }
  addParagraph(state, {
    text: trimmedText,
    level,
    label,
    depth: numbering?.level ?? 0,
    contents: contentsLevel(style.name),
    code: isCodeStyle(style.name) ? text : undefined,
    look: lookOf(element, styleId ?? '', context.styles),
  })
  addAttachments(line.attachments, state)
}

/** An equation that is between paragraphs, in a paragraph of its own. */
const inParagraph = (element: XmlElement): XmlElement => ({
  name: 'w:p',
  attributes: {},
  children: [element],
})

/**
 * The automatic number of a paragraph. Undefined without numbering. It must be called for empty paragraphs too, because the
 * call counts them.
 */
function labelOf(
  numbering: { id: string; level: number } | undefined,
  styleId: string | undefined,
  { numberer }: WordContext,
): string | undefined {
  if (numbering === undefined || numbering.id === '0') return undefined
  const level = styleId === undefined ? undefined : numberer.levelOfStyle(numbering.id, styleId)
  return numberer.next(numbering.id, numbering.level === 0 ? (level ?? 0) : numbering.level)
}

/** Adds the notes, comments, text boxes and figures of a paragraph after it. */
function addAttachments(attachments: readonly Attachment[], state: State): void {
  for (const attachment of attachments) {
    if ('block' in attachment) state.blocks.push(attachment.block)
    else if ('box' in attachment)
      for (const block of blocksOf(attachment.box, state.context)) state.blocks.push(block)
    else if ('comment' in attachment) {
      const comment = state.context.notes.comment.get(attachment.comment)
      const text = comment === undefined ? '' : storyText(blocksOf(comment, state.context))
      state.blocks.push(commentBlock(comment?.attributes.author ?? '', text))
    } else {
      const note = state.context.notes[attachment.note].get(attachment.id)
      const text = note === undefined ? '' : storyText(blocksOf(note, state.context))
      if (text !== '') state.blocks.push({ kind: 'note', text: `${attachment.mark} ${text}`.trim() })
    }
  }
}

function blocksOf(story: XmlElement, context: WordContext, isOnWhite = false): Block[] {
  const reader = openBody(context, isOnWhite)
  for (const element of elements(story)) reader.add(element)
  return reader.blocks
}

type WordCell = GridCell & BlockCell

// The ids of table styles without background: '' (the table states no style), the default style, and a style with lines only.
const PLAIN_TABLE = /^(?:|TableNormal|TableGrid)$/

function readTable(table: XmlElement, state: State): void {
  const { styles } = state.context
  const style = valueAt(table, 'w:tblPr', 'w:tblStyle') ?? ''
  const isPlain = styles.get(style)?.isShaded === false || PLAIN_TABLE.test(style)
  const isShadedTable = isShaded(child(table, 'w:tblPr', 'w:shd')) || styleOf(styles, style).isShaded
  const isOnWhite = state.isOnWhite && isPlain && !isShadedTable
  const rows = tableRows(table).map((row) => readRow(row, state.context, isOnWhite))
  addTable(state, rows, withRowSpans)
}

function tableRows(table: XmlElement): XmlElement[] {
  return elements(table).flatMap((inner) => {
    if (inner.name === 'w:tr') return child(inner, 'w:trPr', 'w:del') === undefined ? [inner] : []
    return inner.name === 'w:tblPr' || inner.name === 'w:tblGrid' ? [] : tableRows(inner)
  })
}

function cellElements(row: XmlElement): XmlElement[] {
  return elements(row).flatMap((inner) => {
    if (inner.name === 'w:tc') return [inner]
    return inner.name === 'w:trPr' || inner.name === 'w:tblPrEx' ? [] : cellElements(inner)
  })
}

// A damaged file may state any number of columns.
const MAX_GRID_COLUMNS = 1000

function readRow(row: XmlElement, context: WordContext, isOnWhite: boolean): WordCell[] {
  const isRowOnWhite = isOnWhite && !isShaded(child(row, 'w:tblPrEx', 'w:shd'))
  let column = Math.min(Number(valueAt(row, 'w:trPr', 'w:gridBefore') ?? 0) || 0, MAX_GRID_COLUMNS)
  return cellElements(row).map((cell) => {
    const properties = child(cell, 'w:tcPr')
    const statedSpan = Number(valueAt(properties, 'w:gridSpan') ?? 1) || 1
    const colSpan = Math.min(Math.max(statedSpan, 1), MAX_GRID_COLUMNS)
    const merge = child(properties, 'w:vMerge')
    const wordCell: WordCell = {
      ...blockCell(blocksOf(cell, context, isRowOnWhite && !isShaded(child(properties, 'w:shd')))),
      column,
      colSpan,
      continues: merge !== undefined && (merge.attributes.val ?? 'continue') === 'continue',
    }
    column += colSpan
    return wordCell
  })
}

/** Whether a note is one of Word's separator lines. */
export function isSeparator(note: XmlElement): boolean {
  return /separator|continuationNotice/i.test(note.attributes.type ?? '') || isOn(child(note, 'w:separator'))
}
