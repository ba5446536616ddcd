// Reads the background of the text in a Word document, because white letters are hidden only on white.

import type { Archive } from '../../shared/containers/archive.ts'
import { eachPartChild, type Relation } from '../../shared/containers/package.ts'
import { child, elements, isTrue, valueAt, type XmlElement } from '../../shared/containers/xml.ts'

export const NEAR_WHITE = /^(?:f[0-9a-f]){3}$/i

/** Whether a shading has, or may have, another colour than white. */
export function isShaded(shading: XmlElement | undefined): boolean {
  if (shading === undefined) return false
  const { fill = 'auto', val = 'clear', themeFill } = shading.attributes
  return (
    themeFill !== undefined || !/^(?:clear|nil)$/.test(val) || !(fill === 'auto' || NEAR_WHITE.test(fill))
  )
}

/** Whether runs with these properties are highlighted in another colour than white. */
export const isHighlighted = (properties: XmlElement | undefined): boolean =>
  isShaded(child(properties, 'w:shd')) || !/^(?:|none|white)$/.test(valueAt(properties, 'w:highlight') ?? '')

const PROPERTY_ELEMENTS = ['w:pPr', 'w:rPr', 'w:tblPr', 'w:trPr', 'w:tcPr']

/** Whether a style, or a table's style in some of its cells, has another colour than white behind its text. */
export const isShadedStyle = (style: XmlElement | undefined): boolean =>
  PROPERTY_ELEMENTS.some((name) => isHighlighted(child(style, name))) ||
  elements(style, 'w:tblStylePr').some(isShadedStyle)

/**
 * Whether there are pictures or shapes behind the text of the document, including its headers and footers. It is not known
 * which text is in front of them, because the pages are not laid out.
 */
export async function hasDrawingsBehind(
  archive: Archive,
  main: string,
  relations: readonly Relation[],
): Promise<boolean> {
  const running = relations.filter(({ type }) => type === 'header' || type === 'footer')
  let isBehind = false
  for (const name of [main, ...running.map(({ target }) => target)]) {
    if (isBehind || !archive.has(name)) continue
    await eachPartChild(archive, name, {}, ({ name, attributes }) => {
      isBehind ||= name === 'wp:anchor' ? isTrue(attributes.behindDoc) : isBehindText(name, attributes)
    })
  }
  return isBehind
}

/** Whether a shape of an older file is behind the text. */
const isBehindText = (name: string, { style = '' }: XmlElement['attributes']): boolean =>
  name.startsWith('v:') && /(?:^|;)\s*z-index:\s*-/.test(style)
