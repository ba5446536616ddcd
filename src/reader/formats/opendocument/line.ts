// Reads the text of an OpenDocument paragraph and its attachments: notes, comments, frames and shapes.

import type { Block } from '../../block.ts'
import { commentBlock } from '../../shared/blocks/comment.ts'
import { withRaised } from '../../shared/blocks/raised.ts'
import { markedPageNumber } from '../../shared/blocks/running.ts'
import { elements, textOf, type XmlElement } from '../../shared/containers/xml.ts'
import type { Look } from '../../shared/office/headings-by-look.ts'
import type { OdfStyles, TextStyle } from './styles.ts'

/** An attachment of a paragraph: a block, or an element whose paragraphs must still be read. */
export type Attachment = { block: Block } | { box: XmlElement } | { note: XmlElement; mark: string }

/** An embedded formula, which is a part of its line, or the blocks of a chart, which follow the line. */
export type EmbeddedObject = { formula: string } | { blocks: readonly Block[] }

export interface OdfContext {
  styles: OdfStyles
  /** Embedded charts and formulas by their folder in the package. */
  objects: ReadonlyMap<string, EmbeddedObject>
  /** Hidden text, in order. */
  hidden: string[]
}

/** The hidden text of a document as blocks. */
export const hiddenBlocks = ({ hidden }: Pick<OdfContext, 'hidden'>): Block[] =>
  hidden.map((text) => ({ kind: 'paragraph', text, hidden: true }))

export interface Line {
  text: string
  attachments: Attachment[]
  look?: Look
  /** The automatic number, if the file contains it. */
  number?: string
}

interface State extends Line {
  context: OdfContext
  paragraph: TextStyle
}

const DEFAULT_HALF_POINTS = 24
const MAX_SPACES = 1000

/** Reads a paragraph or heading. */
export function readLine(paragraph: XmlElement, context: OdfContext): Line {
  const style = context.styles.textStyle('paragraph', paragraph.attributes['style-name'])
  const state: State = { text: '', attachments: [], context, paragraph: style }
  if (style.hidden) context.hidden.push(paragraphText(paragraph))
  else readAll(paragraph, state, style)
  const { text, attachments, look, number } = state
  return { text, attachments, ...(look && { look }), ...(number !== undefined && { number }) }
}

/** The content of an anchored frame or shape. */
export function shapeAttachments(shape: XmlElement, context: OdfContext): Attachment[] {
  const state: State = {
    text: '',
    attachments: [],
    context,
    paragraph: context.styles.textStyle('text', undefined),
  }
  readShape(shape, state)
  return state.text === ''
    ? state.attachments
    : [{ block: { kind: 'paragraph', text: state.text } }, ...state.attachments]
}

const IGNORED_ELEMENTS = new Set([
  'text:ruby-text',
  'text:hidden-text',
  'text:script',
  'text:tracked-changes',
])

function readAll(element: XmlElement, state: State, style: TextStyle): void {
  for (const inner of element.children) {
    if (typeof inner !== 'string') readElement(inner, state, style)
    else {
      // A run of white space counts as one space, as in HTML. Further spaces are elements.
      const text = inner.replace(/\s+/g, ' ')
      state.text += text
      if (text.trim() !== '') updateLook(state, style)
    }
  }
}

function readElement(element: XmlElement, state: State, style: TextStyle): void {
  const { name } = element
  if (IGNORED_ELEMENTS.has(name)) return
  if (name === 'text:span') readSpan(element, state, style)
  else if (name === 'text:s') state.text += spaces(element)
  else if (name === 'text:tab') state.text += '\t'
  else if (name === 'text:line-break') state.text += '\n'
  else if (name === 'text:number') state.number = textOf(element).trim()
  else if (name === 'text:page-number' || name === 'text:page-count')
    state.text += markedPageNumber(textOf(element))
  else if (name === 'text:note') readNote(element, state)
  else if (name === 'office:annotation') state.attachments.push({ block: annotationBlock(element) })
  else if (name.startsWith('draw:')) readShape(element, state)
  else if (name.startsWith('text:')) readAll(element, state, style)
}

function readSpan(span: XmlElement, state: State, outer: TextStyle): void {
  const ownStyle = state.context.styles.textStyle('text', span.attributes['style-name'])
  if (ownStyle.hidden) {
    state.context.hidden.push(paragraphText(span))
    return
  }
  const style = {
    ...outer,
    ...(ownStyle.bold !== undefined && { bold: ownStyle.bold }),
    ...(ownStyle.size && { size: ownStyle.size }),
  }
  const [textBefore, attachmentsBefore] = [state.text, state.attachments.length]
  if (!ownStyle.isRaised) {
    readAll(span, state, style)
    return
  }
  state.text = ''
  readAll(span, state, style)
  // The mark of a note stays as it is. Other raised text is written as an exponent.
  const hasAttachment = state.attachments.length > attachmentsBefore
  state.text = textBefore + (hasAttachment ? state.text : withRaised(textBefore.slice(-8), state.text))
}

function updateLook(state: State, { bold = false, size = DEFAULT_HALF_POINTS }: TextStyle): void {
  const previousLook = state.look
  state.look = {
    bold: bold && (previousLook?.bold ?? true),
    size: Math.min(size, previousLook?.size ?? size),
    centred: state.paragraph.centred,
  }
}

function readNote(note: XmlElement, state: State): void {
  const citation = elements(note, 'text:note-citation')[0]
  const citationText = (citation?.attributes.label ?? textOf(citation)).trim()
  const mark = citationText === '' ? '' : `[${citationText}]`
  state.text += mark
  for (const body of elements(note, 'text:note-body')) state.attachments.push({ note: body, mark })
}

/** A comment as a block. */
export function annotationBlock(annotation: XmlElement, cellName = ''): Block {
  const author = textOf(elements(annotation, 'dc:creator')[0])
  const lines = elements(annotation)
    .flatMap((inner) => (inner.name === 'text:list' ? paragraphsOf(inner) : [inner]))
    .filter(({ name }) => name === 'text:p')
  return commentBlock(author, lines.map(paragraphText).join('\n'), cellName)
}

const paragraphsOf = (element: XmlElement): XmlElement[] =>
  elements(element).flatMap((inner) => (inner.name === 'text:p' ? [inner] : paragraphsOf(inner)))

/** The plain text of a paragraph. A run of white space counts as one space, as in HTML. Further spaces are elements. */
export function paragraphText(paragraph: XmlElement): string {
  return paragraph.children
    .map((inner) => {
      if (typeof inner === 'string') return inner.replace(/\s+/g, ' ')
      if (inner.name === 'text:s') return spaces(inner)
      if (inner.name === 'text:tab') return '\t'
      if (inner.name === 'text:line-break') return '\n'
      return inner.name.startsWith('text:') ? paragraphText(inner) : ''
    })
    .join('')
}

const spaces = ({ attributes }: XmlElement): string =>
  ' '.repeat(Math.min(Math.max(1, Number(attributes.c) || 1), MAX_SPACES))

/** Reads a shape. A group contains shapes. A frame contains alternatives of one content, of which the first is read. */
function readShape(shape: XmlElement, state: State): void {
  if (shape.attributes.placeholder === 'true' || shape.name === 'draw:page-thumbnail') return
  if (shape.name === 'draw:g' || shape.name === 'draw:a') {
    addDescription(shape, state)
    for (const inner of elements(shape)) if (inner.name.startsWith('draw:')) readShape(inner, state)
    return
  }
  if (shape.name !== 'draw:frame') {
    addDescription(shape, state)
    if (elements(shape).some(({ name }) => /^text:(?:p|h|list)$/.test(name)))
      state.attachments.push({ box: shape })
    return
  }
  const [firstAlternative] = elements(shape).filter(({ name }) =>
    /^(?:draw:(?:text-box|object|image)|table:table)$/.test(name),
  )
  if (firstAlternative?.name === 'draw:object') readObject(firstAlternative, shape, state)
  else if (firstAlternative?.name === 'draw:image') readPicture(firstAlternative, shape, state)
  else {
    addDescription(shape, state)
    if (firstAlternative?.name === 'draw:text-box') state.attachments.push({ box: firstAlternative })
    else if (firstAlternative !== undefined)
      state.attachments.push({ box: { ...shape, children: [firstAlternative] } })
  }
}

function readObject(object: XmlElement, frame: XmlElement, state: State): void {
  const embedded = state.context.objects.get(packagePathOf(object.attributes.href ?? ''))
  if (embedded === undefined) addDescription(frame, state)
  else if ('formula' in embedded) state.text += `$${embedded.formula}$`
  else {
    addDescription(frame, state)
    for (const block of embedded.blocks) state.attachments.push({ block: { ...block } })
  }
}

const packagePathOf = (href: string): string => href.replace(/^\.\//, '').replace(/\/+$/, '')

function readPicture(image: XmlElement, frame: XmlElement, state: State): void {
  const text = descriptionOf(frame)
  const href = image.attributes.href ?? ''
  const isInPackage = href !== '' && !/^[a-z]+:/i.test(href) && !href.startsWith('../')
  if (isInPackage) state.attachments.push({ block: { kind: 'figure', text, picture: packagePathOf(href) } })
  else if (text !== '') state.attachments.push({ block: { kind: 'figure', text } })
}

function addDescription(shape: XmlElement, { attachments }: State): void {
  const text = descriptionOf(shape)
  if (text !== '') attachments.push({ block: { kind: 'figure', text } })
}

function descriptionOf(shape: XmlElement): string {
  const text = (name: string): string => textOf(elements(shape, name)[0]).trim()
  return text('svg:desc') || text('svg:title')
}
