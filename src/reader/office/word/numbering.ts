// Word's automatic numbers, which stand in no text: "4.2", "(a)", "Article IV" ([ECMA-376-1] 17.9). People cite them.

import { child, elements, isOn, valueAt, type XmlElement } from '../ooxml/xml.ts'
import { numeral } from './numerals.ts'
import { type Styles, styleOf } from './styles.ts'

export interface Level {
  format: string
  text: string
  start: number
  /** All numbers of the label in decimal, as lawyers write. */
  legal: boolean
  /** It begins anew below an item of fewer levels than this, 0 for never; below any of a higher one where none is stated. */
  restart?: number
  style?: string
}

/** A list that paragraphs name; lists of one scheme count together. */
export interface Numbering {
  scheme: string
  starts: ReadonlyMap<number, number>
  levels: ReadonlyMap<number, Level>
}

export interface Numberer {
  /** The next label of a list at a level: "2.", "(b)", "-" for a bullet, '' where the number is not shown. */
  next: (id: string, level: number) => string
  /** The level that a heading style has in its list. */
  levelOfStyle: (id: string, style: string) => number | undefined
}

/** Counts a document's lists from its numbering part. */
export function openNumberer(part: XmlElement | undefined, styles: Styles): Numberer {
  return countLists(readNumberings(part, styles))
}

/** Counts the lists of a document, by what its paragraphs call them. */
export function countLists(lists: ReadonlyMap<string, Numbering>): Numberer {
  const counters = new Map<string, (number | undefined)[]>()
  const begun = new Set<string>()
  return {
    levelOfStyle: (id, style) =>
      [...(lists.get(id)?.levels ?? [])].find(([, level]) => level.style === style)?.[0],
    next: (id, at) => {
      const list = lists.get(id)
      const level = list?.levels.get(at)
      if (list === undefined || level === undefined) return '-'
      const counts = counters.get(list.scheme) ?? []
      counters.set(list.scheme, counts)
      if (!begun.has(id)) for (const start of list.starts.keys()) counts[start] = undefined
      begun.add(id)
      const start = (k: number): number => list.starts.get(k) ?? list.levels.get(k)?.start ?? 1
      for (let k = 0; k < at; k++) counts[k] ??= start(k)
      const count = counts[at]
      counts[at] = count === undefined ? start(at) : count + 1
      for (let k = at + 1; k < counts.length; k++)
        if (at < (list.levels.get(k)?.restart ?? counts.length)) counts[k] = undefined
      return label(level, list.levels, counts)
    },
  }
}

function label(
  level: Level,
  levels: ReadonlyMap<number, Level>,
  counts: readonly (number | undefined)[],
): string {
  if (level.format === 'bullet') return '-'
  if (level.format === 'none' && !/%/.test(level.text)) return level.text.trim()
  return level.text
    .replace(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1
      const format = levels.get(at)?.format ?? 'decimal'
      // Word's own "Article I. / Section 1.01" is legal and keeps the zero.
      return numeral(counts[at] ?? 1, level.legal && format !== 'decimalZero' ? 'decimal' : format)
    })
    .trim()
}

function readNumberings(part: XmlElement | undefined, styles: Styles): Map<string, Numbering> {
  const schemes = new Map(
    elements(part, 'w:abstractNum').map((scheme) => [scheme.attributes.abstractNumId ?? '', scheme]),
  )
  const numbers = new Map(elements(part, 'w:num').map((number) => [number.attributes.numId ?? '', number]))
  const found = new Map<string, Numbering>()
  for (const [id, number] of numbers) {
    let scheme = valueAt(number, 'w:abstractNumId') ?? ''
    // A list style keeps its levels in the scheme of the style's own list.
    const link = valueAt(schemes.get(scheme), 'w:numStyleLink')
    const linked = link === undefined ? undefined : styleOf(styles, link).numbering?.id
    scheme = valueAt(linked === undefined ? undefined : numbers.get(linked), 'w:abstractNumId') ?? scheme
    const levels = new Map(elements(schemes.get(scheme), 'w:lvl').map(readLevel))
    const starts = new Map<number, number>()
    for (const override of elements(number, 'w:lvlOverride')) {
      const at = Number(override.attributes.ilvl)
      const start = valueAt(override, 'w:startOverride')
      if (start !== undefined) starts.set(at, Number(start) || 0)
      const own = child(override, 'w:lvl')
      if (own !== undefined) levels.set(...readLevel(own))
    }
    found.set(id, { scheme, starts, levels })
  }
  return found
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
