// Reads the styles of old Word files ([MS-DOC] 2.9.271 STSH): headings, entries of contents, list items.

import { builtInName, contentsLevel, headingLevel, outlineLevel } from '../../shared/office/style-names.ts'
import { listNumber } from './lists.ts'
import { eachModifier, MODIFIERS } from './properties.ts'

export interface DocStyle {
  /** The heading level, 0 for none. */
  level: number
  /** The number of its list, 0 for none. */
  list?: number
  listLevel?: number
  /** The level of an entry in a table of contents, from 1. */
  contents?: number
}

interface RawStyle {
  kind: number
  base: number
  outline?: number
  list?: number
  listLevel?: number
}

const NO_STYLE: RawStyle = { kind: 0x0fff, base: 0x0fff }
const MAX_ANCESTORS = 20

/** A document's styles by number. */
export function readStyles(sheet: Buffer): DocStyle[] {
  if (sheet.length < 6) return []
  const headerBytes = sheet.readUInt16LE(0)
  const count = sheet.readUInt16LE(2)
  const fixedBytes = sheet.readUInt16LE(4)
  const styles: RawStyle[] = []
  let offset = 2 + headerBytes
  for (let i = 0; i < count && offset + 2 <= sheet.length; i++) {
    const size = sheet.readUInt16LE(offset)
    const style = sheet.subarray(offset + 2, offset + 2 + size)
    styles.push(style.length < 4 ? NO_STYLE : readStyle(style, fixedBytes))
    offset += 2 + size + (size % 2)
  }
  return styles.map((style, i) => {
    const chain = ancestors(styles, i)
    const { list } = chain.find((style) => style.list !== undefined) ?? {}
    const { listLevel } = chain.find((style) => style.listLevel !== undefined) ?? {}
    const contents = contentsLevel(builtInName(style.kind))
    return {
      level: headingLevel(chain.map(({ kind, outline }) => ({ name: builtInName(kind), outline }))) ?? 0,
      ...(list === undefined ? {} : { list }),
      ...(listLevel === undefined ? {} : { listLevel }),
      ...(contents === undefined ? {} : { contents }),
    }
  })
}

/** Reads a style. The properties of its paragraphs come after its name. */
function readStyle(style: Buffer, fixedBytes: number): RawStyle {
  const [kind, base] = [style.readUInt16LE(0) & 0x0fff, style.readUInt16LE(2) >> 4]
  const rawStyle: RawStyle = { kind, base }
  const isOfParagraphs = (style.readUInt16LE(2) & 0xf) === 1
  if (!isOfParagraphs || style.length < fixedBytes + 2) return rawStyle
  const propertiesStart = fixedBytes + 2 + 2 * (style.readUInt16LE(fixedBytes) + 1)
  if (propertiesStart + 2 > style.length) return rawStyle
  const properties = style.subarray(
    propertiesStart + 2,
    propertiesStart + 2 + style.readUInt16LE(propertiesStart),
  )
  eachModifier(properties, 2, (code, offset) => {
    if (code === MODIFIERS.listLevel) rawStyle.listLevel = properties[offset] ?? 0
    else if (code === MODIFIERS.list) rawStyle.list = listNumber(properties.readInt16LE(offset))
    else if (code === MODIFIERS.outline) rawStyle.outline = outlineLevel(properties[offset] ?? 0)
  })
  return rawStyle
}

function ancestors(styles: readonly RawStyle[], from: number): RawStyle[] {
  const chain: RawStyle[] = []
  for (let style = styles[from]; style && chain.length <= MAX_ANCESTORS; style = styles[style.base])
    chain.push(style)
  return chain
}
