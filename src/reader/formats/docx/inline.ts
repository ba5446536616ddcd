// Reads the text of a Word paragraph and its attachments: pictures, charts, text boxes, notes, comments. Tracked insertions are
// part of the text, deletions and the codes of fields are not. Hidden text is collected separately.

import type { Block } from '../../block.ts'
import { numeral } from '../../shared/blocks/numerals.ts'
import { withRaised } from '../../shared/blocks/raised.ts'
import {
  child,
  descendants,
  elements,
  isOn,
  textOf,
  valueAt,
  type XmlElement,
} from '../../shared/containers/xml.ts'
import { inFont, symbol } from '../../shared/office/symbol-fonts.ts'
import { descriptionOf } from '../../shared/ooxml/graphics.ts'
import { latex } from '../../shared/ooxml/math.ts'
import { isHighlighted, isShaded, NEAR_WHITE } from './shading.ts'
import { type Styles, styleOf } from './styles.ts'

/** An attachment of a paragraph: a finished block, a text box that is still to be read, a note or a comment. */
export type Attachment =
  | { block: Block }
  | { box: XmlElement }
  | { note: 'footnote' | 'endnote'; id: string; mark: string }
  | { comment: string }

export interface Line {
  text: string
  attachments: Attachment[]
}

/** The parts of the document that are needed to read a paragraph, and the counters of notes. */
export interface LineContext {
  styles: Styles
  /** The blocks of other parts by relationship id: charts, diagrams, pictures, and chunks of other kinds. */
  parts: ReadonlyMap<string, readonly Block[]>
  footnotes: number
  endnotes: number
  /** Hidden text, in order. */
  hidden: string[]
}

interface State extends Line {
  context: LineContext
  /** Whether the background is known to be white. Behind a shape or a styled table it is not known. */
  isOnWhite: boolean
  /** The hidden text of the paragraph. */
  hidden: string
  /** For each open field, whether its code or its result is being read. */
  fields: ('code' | 'result')[]
  /** The font of the run that is being read. */
  font: string
}

/**
 * Reads a paragraph. A field without an end mark ends with the paragraph, so that it cannot hide the rest of the
 * document.
 */
export function readLine(paragraph: XmlElement, context: LineContext, isOnWhite = false): Line {
  const properties = child(paragraph, 'w:pPr')
  const isWhite =
    isOnWhite &&
    !isShaded(child(properties, 'w:shd')) &&
    !styleOf(context.styles, valueAt(properties, 'w:pStyle') ?? '').isShaded
  const state: State = {
    text: '',
    attachments: [],
    context,
    isOnWhite: isWhite,
    hidden: '',
    fields: [],
    font: '',
  }
  readAll(paragraph, state)
  if (/[\p{L}\p{N}]/u.test(state.hidden)) context.hidden.push(state.hidden)
  return { text: state.text, attachments: state.attachments }
}

// Text that is raised by at least this much is a superscript. LibreOffice writes superscripts of imported files in this way.
const MIN_RAISE_HALF_POINTS = 4

const IGNORED_ELEMENTS = new Set(
  'w:pPr w:rPr w:del w:moveFrom w:delText w:instrText w:rt w:sectPr w:sdtPr w:tblPr w:fldData w:annotationRef w:footnoteRef w:endnoteRef'.split(
    ' ',
  ),
)

function readAll(element: XmlElement, state: State): void {
  for (const inner of elements(element)) readElement(inner, state)
}

function readElement(element: XmlElement, state: State): void {
  const { name, attributes } = element
  if (IGNORED_ELEMENTS.has(name)) return
  if (name === 'w:r') {
    if (isHidden(element, state)) state.hidden += descendants(element, 'w:t').map(textOf).join('')
    else readRun(element, state)
  } else if (name === 'w:t') addText(state, inFont(textOf(element), state.font))
  else if (name === 'w:tab' || name === 'w:ptab') addText(state, '\t')
  else if (name === 'w:br' || name === 'w:cr') addText(state, '\n')
  else if (name === 'w:noBreakHyphen') addText(state, '-')
  else if (name === 'w:sym') addText(state, symbol(attributes.font ?? '', attributes.char ?? ''))
  else if (name === 'w:fldChar') readFieldMark(element, state)
  else if (name === 'w:footnoteReference' || name === 'w:endnoteReference') readNoteMark(element, state)
  else if (name === 'w:commentReference') state.attachments.push({ comment: attributes.id ?? '' })
  else if (name === 'm:oMathPara') addText(state, equations(element))
  else if (name === 'm:oMath') addText(state, asInlineMath(latex(element)))
  else if (name === 'w:drawing' || name === 'w:pict' || name === 'w:object') readDrawing(element, state)
  else if (name === 'mc:AlternateContent') readAlternate(element, (choice) => readAll(choice, state), state)
  else readAll(element, state)
}

/** Reads a run. Superscript digits become exponents, but the mark of a note stays as it is. */
function readRun(run: XmlElement, state: State): void {
  state.font = child(run, 'w:rPr', 'w:rFonts')?.attributes.ascii ?? ''
  const isRaised =
    valueAt(run, 'w:rPr', 'w:vertAlign') === 'superscript' ||
    Number(valueAt(run, 'w:rPr', 'w:position')) >= MIN_RAISE_HALF_POINTS
  if (!isRaised) {
    readAll(run, state)
    return
  }
  const [textBefore, attachmentCount] = [state.text, state.attachments.length]
  state.text = ''
  readAll(run, state)
  const isNote = state.attachments.length > attachmentCount
  state.text = textBefore + (isNote ? state.text : withRaised(textBefore.slice(-8), state.text))
}

function addText(state: State, text: string): void {
  if (!state.fields.includes('code')) state.text += text
}

const asInlineMath = (math: string): string => (math === '' ? '' : `$${math}$`)

function equations(paragraph: XmlElement): string {
  return elements(paragraph, 'm:oMath')
    .map((math) => asInlineMath(latex(math)))
    .join(' ')
}

const MAX_HIDDEN_HALF_POINTS = 2

/** Whether a run is marked as hidden, is at most a point high, or is white on white. */
function isHidden(run: XmlElement, { context: { styles }, isOnWhite }: State): boolean {
  const properties = child(run, 'w:rPr')
  if (properties === undefined) return false
  const vanish = child(properties, 'w:vanish')
  if (vanish === undefined ? styleOf(styles, valueAt(properties, 'w:rStyle')).hidden : isOn(vanish))
    return true
  const size = Number(valueAt(properties, 'w:sz'))
  if (size > 0 && size <= MAX_HIDDEN_HALF_POINTS) return true
  return (
    isOnWhite &&
    !isHighlighted(properties) &&
    !styleOf(styles, valueAt(properties, 'w:rStyle')).isShaded &&
    NEAR_WHITE.test(valueAt(properties, 'w:color') ?? '')
  )
}

function readFieldMark(element: XmlElement, state: State): void {
  const { fields } = state
  const type = element.attributes.fldCharType
  if (type === 'separate' && fields.length > 0) fields[fields.length - 1] = 'result'
  else if (type === 'end') fields.pop()
  else if (type === 'begin') {
    const box = child(element, 'w:ffData', 'w:checkBox')
    if (box !== undefined)
      addText(state, isOn(child(box, 'w:checked') ?? child(box, 'w:default')) ? '[x]' : '[ ]')
    addText(state, selectedItem(child(element, 'w:ffData', 'w:ddList')))
    fields.push('code')
  }
}

/** The entry that a drop-down list of an old form shows: the chosen entry, otherwise the first. */
function selectedItem(list: XmlElement | undefined): string {
  const index = Number(valueAt(list, 'w:result') ?? valueAt(list, 'w:default') ?? 0)
  return elements(list, 'w:listEntry')[index]?.attributes.val ?? ''
}

/** Adds the mark of a note: footnotes are numbered 1, 2, 3 and endnotes i, ii, iii as in Word. Custom marks are in the text. */
function readNoteMark({ name, attributes }: XmlElement, state: State): void {
  const note = name === 'w:footnoteReference' ? 'footnote' : 'endnote'
  const { context } = state
  const hasOwnMark = attributes.customMarkFollows === '1' || attributes.customMarkFollows === 'true'
  let mark = ''
  if (!hasOwnMark) {
    const count = note === 'footnote' ? ++context.footnotes : ++context.endnotes
    mark = `[${numeral(count, note === 'footnote' ? 'decimal' : 'lowerRoman')}]`
  }
  addText(state, mark)
  state.attachments.push({ note, id: attributes.id ?? '', mark })
}

/** Reads the first choice that gives any content, otherwise the fallback. */
function readAlternate(element: XmlElement, readChoice: (choice: XmlElement) => void, state: State): void {
  const lengthBefore = state.text.length + state.attachments.length
  for (const choice of elements(element, 'mc:Choice')) {
    readChoice(choice)
    if (state.text.length + state.attachments.length > lengthBefore) return
  }
  for (const fallback of elements(element, 'mc:Fallback')) readChoice(fallback)
}

/** Reads the alternative text of pictures, the data of charts and diagrams, the text in shapes. */
function readDrawing(drawing: XmlElement, state: State): void {
  const text = inlineText(drawing, state.context)
  if (text !== undefined) {
    addText(state, text)
    return
  }
  const figures = new Set<string>()
  const firstAttachment = state.attachments.length
  const walk = (element: XmlElement): void => {
    for (const inner of elements(element)) {
      const graphic = inner.attributes['r:id'] ?? inner.attributes['r:dm']
      const description = alternativeText(inner)
      if (description !== '' && !figures.has(description)) {
        figures.add(description)
        state.attachments.push({ block: { kind: 'figure', text: description } })
      }
      if (inner.name === 'a:blip' || inner.name === 'v:imagedata') addPicture(inner, state, firstAttachment)
      if (inner.name === 'w:txbxContent') state.attachments.push({ box: inner })
      else if (inner.name === 'mc:AlternateContent') readAlternate(inner, walk, state)
      else if (/^(c:chart|cx:chart|dgm:relIds)$/.test(inner.name) && graphic !== undefined) {
        for (const block of state.context.parts.get(graphic) ?? [])
          state.attachments.push({ block: { ...block } })
      } else walk(inner)
    }
  }
  walk(drawing)
}

/** Adds the picture to the figure with its description, which was read before it. Without one, adds a figure without text. */
function addPicture(
  { attributes }: XmlElement,
  { context, attachments }: State,
  firstAttachment: number,
): void {
  const [figure] = context.parts.get(attributes['r:embed'] ?? attributes['r:id'] ?? '') ?? []
  if (figure?.picture === undefined) return
  const last = attachments.slice(firstAttachment).at(-1)
  const describedFigure =
    last !== undefined && 'block' in last && last.block.kind === 'figure' ? last.block : undefined
  if (describedFigure !== undefined && describedFigure.picture === undefined)
    describedFigure.picture = figure.picture
  else attachments.push({ block: { ...figure } })
}

/** The text of an inline shape with a single paragraph. It is part of the line. */
function inlineText(drawing: XmlElement, context: LineContext): string | undefined {
  const [box, ...more] = descendants(child(drawing, 'wp:inline'), 'w:txbxContent')
  const [paragraph, ...others] = elements(box)
  if (paragraph?.name !== 'w:p' || more.length > 0 || others.length > 0) return undefined
  if (descendants(paragraph, 'w:drawing').length > 0 || paragraph.children.length === 0) return undefined
  const line = readLine(paragraph, context)
  return line.attachments.length > 0 || line.text.trim() === '' ? undefined : line.text
}

const DRAWING_PROPERTIES = /^(?:wp:docPr|pic:cNvPr|v:shape|v:rect)$/

const alternativeText = (element: XmlElement): string =>
  DRAWING_PROPERTIES.test(element.name) ? descriptionOf(element) : ''
