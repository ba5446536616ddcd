// A chart's data as a table ([ECMA-376-1] 21.2), from the numbers its part keeps beside the formulas.

import type { Block } from '../../block.ts'
import { markdownTable } from '../../blocks/table.ts'
import { numberText } from '../sheets/number-text.ts'
import { child, descendants, elements, isOn, textOf, type XmlElement } from './xml.ts'

const MOST_POINTS = 100_000

export interface Series {
  name: string
  labels: Points
  values: Points
}

export type Points = ReadonlyMap<number, string>

/** A chart's titles as a figure and its cached numbers as tables: categories down, series across. */
export function chartBlocks(part: XmlElement): Block[] {
  const [chart] = part.name === 'c:chart' ? [part] : descendants(part, 'c:chart')
  const area = child(chart, 'c:plotArea')
  const axes = (kind: RegExp): string[] =>
    elements(area)
      .filter(({ name }) => kind.test(name))
      .map((axis) => richText(child(axis, 'c:title')))
      .filter((title) => title !== '')
  // What the values are stands beside their axis and nowhere else.
  const titles = [richText(child(chart, 'c:title')), ...axes(/^c:valAx$/)].filter((title) => title !== '')
  const heading: Block[] = titles.length === 0 ? [] : [{ kind: 'figure', text: titles.join('\n') }]
  const [corner = ''] = axes(/^c:(cat|date)Ax$/)
  // Workbooks of old Macintoshes count their days from 1904.
  const date1904 = isOn(child(part, 'c:date1904'))
  const series = descendants(area, 'c:ser').map((one, i) => readSeries(one, i, date1904))
  return [...heading, ...byLabels(series).map((group) => tableOf(group, corner))]
}

const readSeries = (series: XmlElement, i: number, date1904: boolean): Series => ({
  name: cached(child(series, 'c:tx'), date1904).get(0) ?? `Series ${i + 1}`,
  labels: cached(child(series, 'c:cat') ?? child(series, 'c:xVal'), date1904),
  values: cached(child(series, 'c:val') ?? child(series, 'c:yVal'), date1904),
})

/** The points of a scatter have places of their own in each series; bars share theirs, often said with the first alone. */
function byLabels(series: readonly Series[]): Series[][] {
  const groups = new Map<string, Series[]>()
  for (const one of series) {
    const key = one.labels.size === 0 ? ([...groups.keys()].at(-1) ?? '') : JSON.stringify([...one.labels])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [one])
    else group.push(one)
  }
  return [...groups.values()]
}

export function tableOf(series: readonly Series[], corner: string): Block {
  const all = [series[0]?.labels ?? new Map<number, string>(), ...series.map((one) => one.values)]
  // A hundred series with one point each at the last place were a minute of empty rows.
  const places = [...new Set(all.flatMap((points) => [...points.keys()]))].sort((a, b) => a - b)
  const rows = places.map((place) => all.map((points) => points.get(place) ?? ''))
  return { kind: 'table', text: markdownTable([[corner, ...series.map(({ name }) => name)], ...rows]) }
}

/** The last index; a hundred thousand arguments of Math.max would end its stack. */
const lastOf = (all: readonly Points[]): number =>
  all.reduce((last, points) => [...points.keys()].reduce((most, index) => Math.max(most, index), last), -1)

/** The points of a cache by their index, as they are shown; several levels of categories are joined, the outer first. */
function cached(source: XmlElement | undefined, date1904 = false): Map<number, string> {
  const levels = descendants(source, 'c:lvl')
  // Levels are texts: 007 is a code.
  if (levels.length > 1) return joined(levels.map((level) => pointsOf(level, undefined, date1904)))
  const [format] = descendants(source, 'c:formatCode')
  const points = pointsOf(source, format === undefined ? undefined : textOf(format), date1904)
  const [literal] = points.size === 0 ? elements(source, 'c:v') : []
  if (literal !== undefined) points.set(0, textOf(literal))
  return points
}

function pointsOf(
  source: XmlElement | undefined,
  format: string | undefined,
  date1904: boolean,
): Map<number, string> {
  const points = new Map<number, string>()
  for (const point of descendants(source, 'c:pt')) {
    const index = Number(point.attributes.idx)
    if (!Number.isInteger(index) || index < 0 || index > MOST_POINTS) continue
    points.set(index, shown(textOf(child(point, 'c:v')), point.attributes.formatCode ?? format, date1904))
  }
  return points
}

/** A number of a cache that has a format; 4.4000000000000004 stands in files for 4.4. */
export function shown(text: string, format: string | undefined, date1904: boolean): string {
  const number = Number(text)
  if (format === undefined || text.trim() === '' || !Number.isFinite(number)) return text
  return numberText(number, format, date1904)
}

/** The inner level comes first; an outer one is said once for all that stand below it. */
function joined([inner = new Map(), ...outer]: readonly Points[]): Map<number, string> {
  const points = new Map<number, string>()
  const above = outer.map(() => '')
  const last = lastOf([inner])
  for (let index = 0; index <= last; index++) {
    for (const [i, level] of outer.entries()) above[i] = level.get(index) ?? above[i] ?? ''
    const text = inner.get(index)
    if (text !== undefined)
      points.set(index, [...above.toReversed(), text].filter((part) => part !== '').join(' '))
  }
  return points
}

function richText(title: XmlElement | undefined): string {
  const paragraphs = descendants(title, 'a:p').map((paragraph) =>
    descendants(paragraph, 'a:t').map(textOf).join(''),
  )
  const text = paragraphs.filter((line) => line.trim() !== '').join('\n')
  return text === '' ? (cached(child(title, 'c:tx')).get(0) ?? '') : text
}
