// The lists of a Word document, from its numbering part ([ECMA-376-1] 17.9).

import { child, elements, isOn, valueAt, type XmlElement } from '../../shared/containers/xml.ts'
import { countLists, type Level, type Numberer, type Numbering } from '../../shared/office/list-counter.ts'
import { type Styles, styleOf } from './styles.ts'

export const openNumberer = (part: XmlElement | undefined, styles: Styles): Numberer =>
  countLists(readNumberings(part, styles))

function readNumberings(part: XmlElement | undefined, styles: Styles): Map<string, Numbering> {
  const schemes = new Map(
    elements(part, 'w:abstractNum').map((scheme) => [scheme.attributes.abstractNumId ?? '', scheme]),
  )
  const numbers = new Map(elements(part, 'w:num').map((number) => [number.attributes.numId ?? '', number]))
  const numberings = new Map<string, Numbering>()
  for (const [id, number] of numbers) {
    let scheme = valueAt(number, 'w:abstractNumId') ?? ''
    // If the scheme refers to a list style, the levels are in the scheme of that style's list.
    const link = valueAt(schemes.get(scheme), 'w:numStyleLink')
    const linkedId = link === undefined ? undefined : styleOf(styles, link).numbering?.id
    scheme = valueAt(linkedId === undefined ? undefined : numbers.get(linkedId), 'w:abstractNumId') ?? scheme
    const levels = new Map(elements(schemes.get(scheme), 'w:lvl').map(readLevel))
    const starts = new Map<number, number>()
    for (const override of elements(number, 'w:lvlOverride')) {
      const levelIndex = Number(override.attributes.ilvl)
      const start = valueAt(override, 'w:startOverride')
      if (start !== undefined) starts.set(levelIndex, Number(start) || 0)
      const ownLevel = child(override, 'w:lvl')
      if (ownLevel !== undefined) levels.set(...readLevel(ownLevel))
    }
    numberings.set(id, { scheme, starts, levels })
  }
  return numberings
}

function readLevel(level: XmlElement): [number, Level] {
  const style = valueAt(level, 'w:pStyle')
  const restart = valueAt(level, 'w:lvlRestart')
  return [
    Number(level.attributes.ilvl ?? 0),
    {
      format: valueAt(level, 'w:numFmt') ?? 'decimal',
      text: valueAt(level, 'w:lvlText') ?? '',
      start: Number(valueAt(level, 'w:start') ?? 1) || 0,
      legal: isOn(child(level, 'w:isLgl')),
      ...(restart === undefined ? {} : { restart: Number(restart) || 0 }),
      ...(style === undefined ? {} : { style }),
    },
  ]
}
