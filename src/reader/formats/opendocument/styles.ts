// Reads the styles of an OpenDocument file ([ODF 1.3-3] 16): names, hidden and raised text, the numbering of lists and headings.

import { child, elements, type XmlElement } from '../../shared/containers/xml.ts'
import type { Level } from '../../shared/office/list-counter.ts'

export interface TextStyle {
  /** The display names of the style and of the styles on which it is based, such as "Heading 1". */
  names: readonly string[]
  list?: string
  hidden: boolean
  isRaised: boolean
  centred: boolean
  bold?: boolean
  /** The font size in half points. */
  size?: number
}

export type ListLevels = ReadonlyMap<number, Level>

export interface OdfStyles {
  /** Adds a style, which replaces an earlier style with the same name. */
  add: (style: XmlElement) => void
  textStyle: (family: 'paragraph' | 'text', name: string | undefined) => TextStyle
  /** The levels of a list style, from 0. */
  listLevels: (name: string) => ListLevels | undefined
  /** The numbering of headings by level, from 0. */
  outline: ListLevels
  isHidden: (section: XmlElement) => boolean
}

const NO_STYLE: TextStyle = { names: [], hidden: false, isRaised: false, centred: false }
const MAX_ANCESTORS = 20
const DEFAULT_POINTS = 12

/** An empty set of styles. */
export function openStyles(): OdfStyles {
  const elementsByKey = new Map<string, XmlElement>()
  const resolvedStyles = new Map<string, TextStyle>()
  const lists = new Map<string, ListLevels>()
  const outline = new Map<number, Level>()
  return {
    outline,
    listLevels: (name) => lists.get(name),
    isHidden: ({ attributes }) => attributes.display === 'none',
    add: (style) => {
      const { name = '', family = '' } = style.attributes
      if (style.name === 'text:list-style') lists.set(name, levelsOf(style))
      else if (style.name === 'text:outline-style')
        for (const [levelIndex, level] of levelsOf(style)) outline.set(levelIndex, level)
      else if (style.name === 'style:style') elementsByKey.set(`${family} ${name}`, style)
    },
    textStyle: (family, name) => {
      if (name === undefined) return NO_STYLE
      const key = `${family} ${name}`
      const style = resolvedStyles.get(key) ?? resolveStyle(elementsByKey, family, name)
      resolvedStyles.set(key, style)
      return style
    },
  }
}

function resolveStyle(
  elementsByKey: ReadonlyMap<string, XmlElement>,
  family: string,
  name: string,
): TextStyle {
  const chain: XmlElement[] = []
  for (
    let style = elementsByKey.get(`${family} ${name}`);
    style !== undefined && chain.length < MAX_ANCESTORS;
    style = elementsByKey.get(`${family} ${style.attributes['parent-style-name'] ?? ''}`)
  )
    chain.push(style)
  const textProperty = (attribute: string): string | undefined =>
    firstValue(chain, 'style:text-properties', attribute)
  const list = chain.map(({ attributes }) => attributes['list-style-name']).find((name) => name !== undefined)
  const weight = textProperty('font-weight')
  const size = sizeOf(chain)
  return {
    // The last name may be that of a style that is not in the file.
    names: [name, ...chain.map(({ attributes }) => attributes['parent-style-name'] ?? '')].map(displayName),
    hidden: textProperty('display') === 'none',
    isRaised: /^(?:super|[1-9])/.test(textProperty('text-position') ?? ''),
    centred: firstValue(chain, 'style:paragraph-properties', 'text-align') === 'center',
    ...(list === undefined ? {} : { list }),
    ...(weight === undefined ? {} : { bold: weight === 'bold' || Number(weight) >= 600 }),
    ...(size === undefined ? {} : { size }),
  }
}

const firstValue = (chain: readonly XmlElement[], part: string, attribute: string): string | undefined =>
  chain.map((style) => child(style, part)?.attributes[attribute]).find((value) => value !== undefined)

/** The size in half points. A style states it as "14pt", or as "130%" of the size of its parent. */
function sizeOf(chain: readonly XmlElement[]): number | undefined {
  let share = 1
  for (const style of chain) {
    const value = child(style, 'style:text-properties')?.attributes['font-size']
    if (value === undefined) continue
    const number = Number.parseFloat(value)
    if (value.endsWith('%')) share *= number / 100
    else return Math.round(2 * number * share) || undefined
  }
  return share === 1 ? undefined : Math.round(2 * DEFAULT_POINTS * share)
}

/** The display name of an encoded name: "Heading 1" for "Heading_20_1". */
const displayName = (name: string): string =>
  name.replace(/_([0-9a-f]{2,4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

function levelsOf(style: XmlElement): Map<number, Level> {
  const levelStyles = elements(style).filter(({ name }) => /^text:(?:list|outline)-level-style/.test(name))
  return new Map(levelStyles.map((level) => [Number(level.attributes.level ?? 1) - 1, levelOf(level)]))
}

const NUMBER_FORMATS: Record<string, string> = {
  1: 'decimal',
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
}

function levelOf({ name, attributes }: XmlElement): Level {
  const isCounted = /-number$|^text:outline-level-style$/.test(name)
  const format = attributes['num-format'] ?? ''
  const level = Number(attributes.level ?? 1)
  const displayLevels = Math.min(Math.max(1, Number(attributes['display-levels']) || 1), level)
  const numbers = Array.from({ length: displayLevels }, (_, i) => `%${level - displayLevels + 1 + i}`).join(
    '.',
  )
  const { 'num-prefix': prefix = '', 'num-suffix': suffix = '' } = attributes
  return {
    format: !isCounted ? 'bullet' : format === '' ? 'none' : (NUMBER_FORMATS[format] ?? 'decimal'),
    text: !isCounted || format === '' ? '' : `${prefix}${numbers}${suffix}`,
    start: Number(attributes['start-value'] ?? 1) || 0,
    legal: false,
  }
}
