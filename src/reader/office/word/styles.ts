// What a Word style means: a heading's level, a list, code. Styles inherit, and people base their own on Word's.

import { child, elements, isOn, valueAt, type XmlElement } from '../ooxml/xml.ts'

export interface WordStyle {
  /** Lower case; Word writes built-in names in English whatever its language. */
  name: string
  /** 1 to 9, of this style or the one it is based on. */
  level?: number
  numbering?: { id: string; level: number }
  hidden: boolean
  bold?: boolean
  /** Half points. */
  size?: number
}

export type Styles = ReadonlyMap<string, WordStyle>

const NO_STYLE: WordStyle = { name: '', hidden: false }
const MOST_ANCESTORS = 20

/** The styles of a document by id. */
export function readStyles(part: XmlElement | undefined): Styles {
  const raw = new Map(elements(part, 'w:style').map((style) => [style.attributes.styleId ?? '', style]))
  const defaults = lookOfRuns(child(part, 'w:docDefaults', 'w:rPrDefault'))
  const styles = new Map([...raw.keys()].map((id) => [id, { ...defaults, ...resolve(raw, id) }]))
  const plain = [...raw.values()].find(
    ({ attributes }) => attributes.type === 'paragraph' && attributes.default === '1',
  )
  // What a paragraph without a style has.
  return styles.set('', styles.get(plain?.attributes.styleId ?? '') ?? { ...NO_STYLE, ...defaults })
}

/** The style of a paragraph or run by its id. */
export function styleOf(styles: Styles, id: string | undefined): WordStyle {
  return (id === undefined ? undefined : styles.get(id)) ?? NO_STYLE
}

/** Whether runs under these properties are bold, and their size, where stated. */
function lookOfRuns(owner: XmlElement | undefined): Pick<WordStyle, 'bold' | 'size'> {
  const bold = child(owner, 'w:rPr', 'w:b')
  const size = Number(valueAt(owner, 'w:rPr', 'w:sz'))
  return { ...(bold === undefined ? {} : { bold: isOn(bold) }), ...(size > 0 ? { size } : {}) }
}

function resolve(raw: ReadonlyMap<string, XmlElement>, id: string): WordStyle {
  const chain: XmlElement[] = []
  let at: string | undefined = id
  while (at !== undefined && chain.length < MOST_ANCESTORS) {
    const style: XmlElement | undefined = raw.get(at)
    if (style === undefined) break
    chain.push(style)
    at = valueAt(style, 'w:basedOn')
  }
  const level = chain.map(ownLevel).find((found) => found !== undefined)
  const numbering = chain.map(ownNumbering).find((found) => found !== undefined)
  return {
    name: (valueAt(chain[0], 'w:name') ?? '').toLowerCase(),
    ...(level === undefined || level === 0 ? {} : { level }),
    ...(numbering === undefined ? {} : { numbering }),
    ...Object.assign({}, ...chain.map(lookOfRuns).reverse()),
    hidden: chain.some((style) => isOn(child(style, 'w:rPr', 'w:vanish'))),
  }
}

/** 0 says body text, against what the style is based on. */
function ownLevel(style: XmlElement): number | undefined {
  const name = (valueAt(style, 'w:name') ?? '').toLowerCase()
  const numbered = /^heading ([1-9])$/.exec(name)?.[1]
  if (numbered !== undefined) return Number(numbered)
  if (name === 'title') return 1
  if (name === 'subtitle' || name.startsWith('toc ')) return 0
  return outlineLevel(child(style, 'w:pPr'))
}

/** The level a paragraph's properties state: 1 to 9, 0 for body text. */
export function outlineLevel(properties: XmlElement | undefined): number | undefined {
  const value = valueAt(properties, 'w:outlineLvl')
  if (value === undefined) return undefined
  const level = Number(value)
  return level >= 0 && level < 9 ? level + 1 : 0
}

function ownNumbering(style: XmlElement): WordStyle['numbering'] {
  return numberingOf(child(style, 'w:pPr', 'w:numPr'))
}

/** A numbering reference; id '0' takes numbering away. */
export function numberingOf(reference: XmlElement | undefined): { id: string; level: number } | undefined {
  const id = valueAt(reference, 'w:numId')
  const level = Number(valueAt(reference, 'w:ilvl') ?? 0)
  return id === undefined ? undefined : { id, level: Math.min(8, Math.max(0, level || 0)) }
}
