// Word paragraphs, tables and text boxes to blocks, one element of the body after the other.

import type { Block } from '../../block.ts'
import { commentBlock } from '../../blocks/comment.ts'
import type { Cell } from '../../blocks/table.ts'
import { flatText, storyText, tableBlocks } from '../../blocks/table.ts'
import { child, elements, isOn, valueAt, type XmlElement } from '../ooxml/xml.ts'
import { type Look, lookOf } from './emphasis.ts'
import { type Attachment, type LineContext, readLine } from './inline.ts'
import type { Numberer } from './numbering.ts'
import { numberingOf, outlineLevel, styleOf } from './styles.ts'

export interface WordContext extends LineContext {
  numberer: Numberer
  notes: Record<'footnote' | 'endnote' | 'comment', ReadonlyMap<string, XmlElement>>
}

export interface BodyReader {
  add: (element: XmlElement) => void
  blocks: Block[]
  /** How the paragraphs among the blocks look. */
  looks: ReadonlyMap<Block, Look>
}

const MOST_LIST_DEPTH = 5
const MOST_HEADING_CHARACTERS = 500

interface State {
  context: WordContext
  blocks: Block[]
  looks: Map<Block, Look>
  /** Text of paragraphs whose end was deleted: it goes on in the next one. */
  carry: string
  /** The list or code block that the next item or line may join. */
  open?: Block
}

/** Reads a story (the body, a text box, a cell, a note) element by element. */
export function openBody(context: WordContext): BodyReader {
  const state: State = { context, blocks: [], looks: new Map(), carry: '' }
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

function push(state: State, block: Block): void {
  // A picture without words between two items does not part their list.
  if (block.picture === undefined || block.text !== '') delete state.open
  state.blocks.push(block)
}

function readParagraph(element: XmlElement, state: State): void {
  const { context } = state
  const properties = child(element, 'w:pPr')
  const line = readLine(element.name === 'w:p' ? element : wrap(element), context)
  if (child(properties, 'w:rPr', 'w:del') !== undefined) {
    state.carry += line.text
    attach(line.attachments, state)
    return
  }
  const text = state.carry + line.text
  state.carry = ''
  const styleId = valueAt(properties, 'w:pStyle')
  const style = styleOf(context.styles, styleId)
  const numbering = numberingOf(child(properties, 'w:numPr')) ?? style.numbering
  const label = labelOf(numbering, styleId, context)
  const level = outlineLevel(properties) ?? style.level ?? 0
  const words = text.replace(/ {2,}/g, ' ').trim()
  if (words === '') {
    attach(line.attachments, state)
    return
  }
  // A whole paragraph in a heading style is a mistake of its author.
  if (level > 0 && words.length <= MOST_HEADING_CHARACTERS) {
    const heading = label === undefined || label === '-' ? words : `${label} ${words}`.trim()
    // "A.", a tab, "PURPOSE".
    push(state, { kind: 'heading', text: heading.replace(/[ \t]+/g, ' '), level: Math.min(6, level) })
  } else if (label !== undefined) {
    const depth = '  '.repeat(Math.min(numbering?.level ?? 0, MOST_LIST_DEPTH))
    join(state, 'list', `${depth}${`${label} `.trimStart()}${words}`)
  } else if (/^toc \d$/.test(style.name)) {
    join(state, 'list', `${'  '.repeat(Number(style.name.slice(4)) - 1)}${words}`)
  } else if (/^(html preformatted|(source )?code|plain code)$/.test(style.name)) join(state, 'code', text)
  else {
    const block: Block = { kind: 'paragraph', text: words }
    const look = lookOf(element, styleId ?? '', context.styles)
    if (look !== undefined) state.looks.set(block, look)
    push(state, block)
  }
  attach(line.attachments, state)
}

/** An equation that stands between paragraphs is one. */
const wrap = (element: XmlElement): XmlElement => ({ name: 'w:p', attributes: {}, children: [element] })

/** The automatic number, counted whether or not the paragraph has text; undefined without numbering. */
function labelOf(
  numbering: { id: string; level: number } | undefined,
  styleId: string | undefined,
  { numberer }: WordContext,
): string | undefined {
  if (numbering === undefined || numbering.id === '0') return undefined
  const level = styleId === undefined ? undefined : numberer.levelOfStyle(numbering.id, styleId)
  return numberer.next(numbering.id, numbering.level === 0 ? (level ?? 0) : numbering.level)
}

function join(state: State, kind: 'list' | 'code', line: string): void {
  if (state.open?.kind === kind) {
    state.open.text += `\n${line}`
    return
  }
  const block: Block = { kind, text: line }
  push(state, block)
  state.open = block
}

/** Notes stand where they are referred to, text boxes and figures where they are anchored. */
function attach(attachments: readonly Attachment[], state: State): void {
  for (const attachment of attachments) {
    if ('block' in attachment) push(state, attachment.block)
    else if ('box' in attachment)
      for (const block of inside(attachment.box, state.context)) push(state, block)
    else if ('comment' in attachment) {
      const remark = state.context.notes.comment.get(attachment.comment)
      const text = remark === undefined ? '' : storyText(inside(remark, state.context))
      push(state, commentBlock(remark?.attributes.author ?? '', text))
    } else {
      const note = state.context.notes[attachment.note].get(attachment.id)
      const text = note === undefined ? '' : storyText(inside(note, state.context))
      if (text !== '') push(state, { kind: 'note', text: `${attachment.mark} ${text}`.trim() })
    }
  }
}

function inside(story: XmlElement, context: WordContext): Block[] {
  const reader = openBody(context)
  for (const element of elements(story)) reader.add(element)
  return reader.blocks
}

interface GridCell extends Cell {
  column: number
  /** Continues the cell above. */
  continues: boolean
  /** Notes and figures of the cell, which follow the table. */
  after: Block[]
  content: Block[]
}

function readTable(table: XmlElement, state: State): void {
  const rows = tableRows(table).map((row) => readRow(row, state.context))
  const cells = rows.flat()
  // A frame around text, not a table: what is inside stands for itself.
  if (rows.every((row) => row.length === 1)) {
    for (const block of cells.flatMap(({ content, after }) => [...content, ...after])) push(state, block)
    return
  }
  for (const block of tableBlocks(joinRows(rows))) push(state, block)
  for (const block of cells.flatMap(({ after }) => after)) push(state, block)
}

function tableRows(table: XmlElement): XmlElement[] {
  return elements(table).flatMap((inner) => {
    if (inner.name === 'w:tr') return child(inner, 'w:trPr', 'w:del') === undefined ? [inner] : []
    return inner.name === 'w:tblPr' || inner.name === 'w:tblGrid' ? [] : tableRows(inner)
  })
}

function rowCells(row: XmlElement): XmlElement[] {
  return elements(row).flatMap((inner) => {
    if (inner.name === 'w:tc') return [inner]
    return inner.name === 'w:trPr' || inner.name === 'w:tblPrEx' ? [] : rowCells(inner)
  })
}

function readRow(row: XmlElement, context: WordContext): GridCell[] {
  let column = Math.min(Number(valueAt(row, 'w:trPr', 'w:gridBefore') ?? 0) || 0, 1000)
  return rowCells(row).map((cell) => {
    const properties = child(cell, 'w:tcPr')
    const colSpan = Math.min(Math.max(Number(valueAt(properties, 'w:gridSpan') ?? 1) || 1, 1), 1000)
    const merge = child(properties, 'w:vMerge')
    const blocks = inside(cell, context)
    const aside = (block: Block): boolean => block.kind === 'note' || block.kind === 'figure'
    const content = blocks.filter((block) => !aside(block))
    const found: GridCell = {
      text: content.map((block) => flatText(block)).join('\n'),
      column,
      colSpan,
      continues: merge !== undefined && (merge.attributes.val ?? 'continue') === 'continue',
      after: blocks.filter(aside),
      content,
    }
    column += colSpan
    return found
  })
}

/** Cells with their row spans; slots left free before a row's first cell are empty cells. */
function joinRows(rows: readonly (readonly GridCell[])[]): Cell[][] {
  return rows.map((row, r) => {
    const first = row[0]?.column ?? 0
    const gap: Cell[] = first > 0 ? [{ text: '', colSpan: first }] : []
    const cells = row.flatMap((cell): Cell[] => {
      if (cell.continues && r > 0) return []
      return [{ text: cell.text, colSpan: cell.colSpan ?? 1, rowSpan: spanOf(rows, r, cell) }]
    })
    return [...gap, ...cells]
  })
}

function spanOf(rows: readonly (readonly GridCell[])[], at: number, cell: GridCell): number {
  let span = 1
  while (rows[at + span]?.some((below) => below.continues && below.column === cell.column)) span++
  return span
}

/** Whether Word leaves a story's separator lines out. */
export function isSeparator(note: XmlElement): boolean {
  return /separator|continuationNotice/i.test(note.attributes.type ?? '') || isOn(child(note, 'w:separator'))
}
