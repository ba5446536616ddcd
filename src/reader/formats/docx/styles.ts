// The styles of a Word document with everything they inherit: heading level, numbering, bold type, size.

import { child, elements, isOn, textOf, valueAt, type XmlElement } from '../../shared/containers/xml.ts'
import type { Look } from '../../shared/office/headings-by-look.ts'
import { headingLevel, outlineLevel } from '../../shared/office/style-names.ts'
import { isShadedStyle } from './shading.ts'

export interface WordStyle {
  /** The name in lower case. */
  name: string
  /** The heading level, 1 to 9. */
  level?: number
  numbering?: { id: string; level: number }
  hidden: boolean
  /** Whether its background is, or may be, another colour than white. */
  isShaded: boolean
  bold?: boolean
  /** The size of type in half points. */
  size?: number
}

export type Styles = ReadonlyMap<string, WordStyle>

const NO_STYLE: WordStyle = { name: '', hidden: false, isShaded: false }
const MAX_ANCESTORS = 20
// Word's default size of type in half points.
const DEFAULT_HALF_POINTS = 20

/** The styles of a document by id. */
export function readStyles(part: XmlElement | undefined): Styles {
  const elementsById = new Map(
    elements(part, 'w:style').map((style) => [style.attributes.styleId ?? '', style]),
  )
  const defaults = lookOfRuns(child(part, 'w:docDefaults', 'w:rPrDefault'))
  const isShaded = elements(child(part, 'w:docDefaults')).some(isShadedStyle)
  const styles = new Map<string, WordStyle>()
  for (const id of elementsById.keys()) {
    const style = resolveStyle(elementsById, id)
    styles.set(id, { ...defaults, ...style, isShaded: isShaded || style.isShaded })
  }
  const defaultStyle = [...elementsById.values()].find(
    ({ attributes }) => attributes.type === 'paragraph' && attributes.default === '1',
  )
  // The id '' stands for paragraphs without a style.
  return styles.set(
    '',
    styles.get(defaultStyle?.attributes.styleId ?? '') ?? { ...NO_STYLE, ...defaults, isShaded },
  )
}

/** The style of a paragraph or run by its id. */
export function styleOf(styles: Styles, id: string | undefined): WordStyle {
  return (id === undefined ? undefined : styles.get(id)) ?? NO_STYLE
}

/** The bold type and size that runs have, if stated. */
function lookOfRuns(owner: XmlElement | undefined): Pick<WordStyle, 'bold' | 'size'> {
  const bold = child(owner, 'w:rPr', 'w:b')
  const size = Number(valueAt(owner, 'w:rPr', 'w:sz'))
  return { ...(bold === undefined ? {} : { bold: isOn(bold) }), ...(size > 0 ? { size } : {}) }
}

function resolveStyle(elementsById: ReadonlyMap<string, XmlElement>, id: string): WordStyle {
  const chain: XmlElement[] = []
  let ancestorId: string | undefined = id
  while (ancestorId !== undefined && chain.length < MAX_ANCESTORS) {
    const style: XmlElement | undefined = elementsById.get(ancestorId)
    if (style === undefined) break
    chain.push(style)
    ancestorId = valueAt(style, 'w:basedOn')
  }
  const names = chain.map((style) => (valueAt(style, 'w:name') ?? '').toLowerCase())
  const level = headingLevel(
    chain.map((style, i) => ({ name: names[i] ?? '', outline: statedLevel(child(style, 'w:pPr')) })),
  )
  const numbering = chain.map(ownNumbering).find((candidate) => candidate !== undefined)
  return {
    name: names[0] ?? '',
    ...(level === undefined || level === 0 ? {} : { level }),
    ...(numbering === undefined ? {} : { numbering }),
    ...Object.assign({}, ...chain.map(lookOfRuns).reverse()),
    isShaded: chain.some(isShadedStyle),
    hidden: chain.some((style) => isOn(child(style, 'w:rPr', 'w:vanish'))),
  }
}

/** The outline level that a paragraph or style states: 1 to 9, 0 for body text. */
export function statedLevel(properties: XmlElement | undefined): number | undefined {
  const value = valueAt(properties, 'w:outlineLvl')
  return value === undefined ? undefined : outlineLevel(Number(value))
}

function ownNumbering(style: XmlElement): WordStyle['numbering'] {
  return numberingOf(child(style, 'w:pPr', 'w:numPr'))
}

/** A reference to a list. The id '0' removes inherited numbering. */
export function numberingOf(reference: XmlElement | undefined): { id: string; level: number } | undefined {
  const id = valueAt(reference, 'w:numId')
  const level = Number(valueAt(reference, 'w:ilvl') ?? 0)
  return id === undefined ? undefined : { id, level: Math.min(8, Math.max(0, level || 0)) }
}

/** How the text of a paragraph looks. Undefined for an empty paragraph. */
export function lookOf(paragraph: XmlElement, styleId: string | undefined, styles: Styles): Look | undefined {
  const style = styleOf(styles, styleId)
  const centred = valueAt(paragraph, 'w:pPr', 'w:jc') === 'center'
  let look: Look | undefined
  const visit = (element: XmlElement): void => {
    for (const inner of elements(element)) {
      if (inner.name === 'w:hyperlink' || inner.name === 'w:ins' || inner.name === 'w:smartTag') visit(inner)
      if (inner.name !== 'w:r' || !elements(inner, 'w:t').some((text) => textOf(text).trim() !== '')) continue
      const properties = child(inner, 'w:rPr')
      const ownBold = child(properties, 'w:b')
      const runStyle = styleOf(styles, valueAt(properties, 'w:rStyle'))
      const bold = ownBold === undefined ? (runStyle.bold ?? style.bold ?? false) : isOn(ownBold)
      const halfPoints = Number(valueAt(properties, 'w:sz'))
      const size = halfPoints > 0 ? halfPoints : (runStyle.size ?? style.size ?? DEFAULT_HALF_POINTS)
      look = { bold: bold && (look?.bold ?? true), size: Math.min(size, look?.size ?? size), centred }
    }
  }
  visit(paragraph)
  return look
}
