// One Word paragraph as a line of text, and what hangs on it: pictures, charts, text boxes, notes. Deleted and moved-away
// text, field codes, comments and hidden text are not what a reader sees and are left out; inserted text stays.

import type { Block } from '../../block.ts'
import { numeral } from '../../blocks/numerals.ts'
import { raised } from '../../blocks/raised.ts'
import { latex } from '../ooxml/math.ts'
import { child, descendants, elements, isOn, textOf, valueAt, type XmlElement } from '../ooxml/xml.ts'
import { inFont, symbol } from '../symbol-fonts.ts'
import { type Styles, styleOf } from './styles.ts'

/** What stands beside a line: a finished block, a text box still to be read, or a note. */
export type Attachment =
  | { block: Block }
  | { box: XmlElement }
  | { note: 'footnote' | 'endnote'; id: string; mark: string }
  | { comment: string }

export interface Line {
  text: string
  attachments: Attachment[]
}

/** What reading a line needs to know of its document, and remembers from line to line. */
export interface LineContext {
  styles: Styles
  /** Charts and diagrams by relationship id. */
  graphics: ReadonlyMap<string, readonly Block[]>
  footnotes: number
  endnotes: number
}

interface State extends Line {
  context: LineContext
  /** One entry an open field: its code is an instruction, its result is text. */
  fields: ('code' | 'result')[]
  /** The font that the run being read states. */
  font: string
}

/** Reads a paragraph's content. A field left open ends with its paragraph: one lost mark must not swallow a document. */
export function readLine(paragraph: XmlElement, context: LineContext): Line {
  const state: State = { text: '', attachments: [], context, fields: [], font: '' }
  readAll(paragraph, state)
  return { text: state.text, attachments: state.attachments }
}

// Half points. LibreOffice raises what it read from pages and old files so.
const LEAST_RAISE = 4

const ignored = new Set(
  'w:pPr w:rPr w:del w:moveFrom w:delText w:instrText w:rt w:sectPr w:sdtPr w:tblPr w:fldData w:annotationRef w:footnoteRef w:endnoteRef'.split(
    ' ',
  ),
)

function readAll(element: XmlElement, state: State): void {
  for (const inner of elements(element)) readElement(inner, state)
}

function readElement(element: XmlElement, state: State): void {
  const { name, attributes } = element
  if (ignored.has(name)) return
  if (name === 'w:r') {
    if (!isHidden(element, state.context.styles)) readRun(element, state)
  } else if (name === 'w:t') add(state, inFont(textOf(element), state.font))
  else if (name === 'w:tab' || name === 'w:ptab') add(state, '\t')
  else if (name === 'w:br' || name === 'w:cr') add(state, '\n')
  else if (name === 'w:noBreakHyphen') add(state, '-')
  else if (name === 'w:sym') add(state, symbol(attributes.font ?? '', attributes.char ?? ''))
  else if (name === 'w:fldChar') readFieldMark(element, state)
  else if (name === 'w:footnoteReference' || name === 'w:endnoteReference') readNoteMark(element, state)
  else if (name === 'w:commentReference') state.attachments.push({ comment: attributes.id ?? '' })
  else if (name === 'm:oMathPara') add(state, equations(element))
  else if (name === 'm:oMath') add(state, dollars(latex(element)))
  else if (name === 'w:drawing' || name === 'w:pict' || name === 'w:object') readDrawing(element, state)
  else if (name === 'mc:AlternateContent') readAlternate(element, (choice) => readAll(choice, state), state)
  else readAll(element, state)
}

/** A superscript's figures say so; the mark of a note says it already. */
function readRun(run: XmlElement, state: State): void {
  state.font = child(run, 'w:rPr', 'w:rFonts')?.attributes.ascii ?? ''
  const isRaised =
    valueAt(run, 'w:rPr', 'w:vertAlign') === 'superscript' ||
    Number(valueAt(run, 'w:rPr', 'w:position')) >= LEAST_RAISE
  if (!isRaised) {
    readAll(run, state)
    return
  }
  const [before, attached] = [state.text, state.attachments.length]
  state.text = ''
  readAll(run, state)
  const isNote = state.attachments.length > attached
  state.text = before + (isNote ? state.text : raised(before.slice(-8), state.text))
}

function add(state: State, text: string): void {
  if (!state.fields.includes('code')) state.text += text
}

const dollars = (math: string): string => (math === '' ? '' : `$${math}$`)

function equations(paragraph: XmlElement): string {
  return elements(paragraph, 'm:oMath')
    .map((math) => dollars(latex(math)))
    .join(' ')
}

function isHidden(run: XmlElement, styles: Styles): boolean {
  const properties = child(run, 'w:rPr')
  if (properties === undefined) return false
  const own = child(properties, 'w:vanish')
  return own === undefined ? styleOf(styles, valueAt(properties, 'w:rStyle')).hidden : isOn(own)
}

function readFieldMark(element: XmlElement, state: State): void {
  const { fields } = state
  const type = element.attributes.fldCharType
  if (type === 'separate' && fields.length > 0) fields[fields.length - 1] = 'result'
  else if (type === 'end') fields.pop()
  else if (type === 'begin') {
    const box = child(element, 'w:ffData', 'w:checkBox')
    if (box !== undefined)
      add(state, isOn(child(box, 'w:checked') ?? child(box, 'w:default')) ? '[x]' : '[ ]')
    add(state, chosen(child(element, 'w:ffData', 'w:ddList')))
    fields.push('code')
  }
}

/** What an old form's list shows: its first entry where nobody chose. */
function chosen(list: XmlElement | undefined): string {
  const at = Number(valueAt(list, 'w:result') ?? valueAt(list, 'w:default') ?? 0)
  return elements(list, 'w:listEntry')[at]?.attributes.val ?? ''
}

/** Footnotes count 1, 2, 3, endnotes i, ii, iii, as Word shows them; an author's own mark stands in the text. */
function readNoteMark({ name, attributes }: XmlElement, state: State): void {
  const note = name === 'w:footnoteReference' ? 'footnote' : 'endnote'
  const { context } = state
  const own = attributes.customMarkFollows === '1' || attributes.customMarkFollows === 'true'
  let mark = ''
  if (!own) {
    const count = note === 'footnote' ? ++context.footnotes : ++context.endnotes
    mark = `[${numeral(count, note === 'footnote' ? 'decimal' : 'lowerRoman')}]`
  }
  add(state, mark)
  state.attachments.push({ note, id: attributes.id ?? '', mark })
}

/** Reads the newest form that says anything; the fallback is there for readers that do not know it. */
function readAlternate(element: XmlElement, read: (choice: XmlElement) => void, state: State): void {
  const before = state.text.length + state.attachments.length
  for (const choice of elements(element, 'mc:Choice')) {
    read(choice)
    if (state.text.length + state.attachments.length > before) return
  }
  for (const fallback of elements(element, 'mc:Fallback')) read(fallback)
}

/** Pictures by their alternative text, charts and diagrams by their data, shapes by the text in them. */
function readDrawing(drawing: XmlElement, state: State): void {
  const inside = inlineText(drawing, state.context)
  if (inside !== undefined) {
    add(state, inside)
    return
  }
  const figures = new Set<string>()
  const from = state.attachments.length
  const walk = (element: XmlElement): void => {
    for (const inner of elements(element)) {
      const graphic = inner.attributes['r:id'] ?? inner.attributes['r:dm']
      const described = alternativeText(inner)
      if (described !== '' && !figures.has(described)) {
        figures.add(described)
        state.attachments.push({ block: { kind: 'figure', text: described } })
      }
      if (inner.name === 'a:blip' || inner.name === 'v:imagedata') addPicture(inner, state, from)
      if (inner.name === 'w:txbxContent') state.attachments.push({ box: inner })
      else if (inner.name === 'mc:AlternateContent') readAlternate(inner, walk, state)
      else if (/^(c:chart|cx:chart|dgm:relIds)$/.test(inner.name) && graphic !== undefined) {
        for (const block of state.context.graphics.get(graphic) ?? [])
          state.attachments.push({ block: { ...block } })
      } else walk(inner)
    }
  }
  walk(drawing)
}

/** The picture goes with its drawing's description, which stands before it; without one it is a place alone. */
function addPicture({ attributes }: XmlElement, { context, attachments }: State, from: number): void {
  const [place] = context.graphics.get(attributes['r:embed'] ?? attributes['r:id'] ?? '') ?? []
  if (place?.picture === undefined) return
  const last = attachments.slice(from).at(-1)
  const described =
    last !== undefined && 'block' in last && last.block.kind === 'figure' ? last.block : undefined
  if (described !== undefined && described.picture === undefined) described.picture = place.picture
  else attachments.push({ block: { ...place } })
}

/** A shape that stands in the line like a word, with one paragraph in it, is part of the line. */
function inlineText(drawing: XmlElement, context: LineContext): string | undefined {
  const [box, ...more] = descendants(child(drawing, 'wp:inline'), 'w:txbxContent')
  const [paragraph, ...others] = elements(box)
  if (paragraph?.name !== 'w:p' || more.length > 0 || others.length > 0) return undefined
  if (descendants(paragraph, 'w:drawing').length > 0 || paragraph.children.length === 0) return undefined
  const line = readLine(paragraph, context)
  return line.attachments.length > 0 || line.text.trim() === '' ? undefined : line.text
}

function alternativeText({ name, attributes }: XmlElement): string {
  if (name === 'wp:docPr' || name === 'pic:cNvPr') return (attributes.descr ?? '').trim()
  if (name === 'v:shape' || name === 'v:rect') return (attributes.alt ?? '').trim()
  return ''
}
