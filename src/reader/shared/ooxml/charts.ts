// The data of charts as tables ([ECMA-376-1] 21.2). The data are the values that the file stores beside the formulas.

import type { Block } from '../../block.ts'
import { markdownTable } from '../blocks/table.ts'
import { child, descendants, elements, isOn, textLines, textOf, type XmlElement } from '../containers/xml.ts'
import { numberText } from '../sheets/number-format.ts'

const MAX_POINTS = 100_000

interface Series {
  name: string
  labels: Points
  values: Points
}

/** Texts by the index of their point. */
type Points = ReadonlyMap<number, string>

/** The titles of a chart as a figure and its data as tables, with a row for each category and a column for each series. */
export function chartBlocks(part: XmlElement): Block[] {
  const [chart] = part.name === 'c:chart' ? [part] : descendants(part, 'c:chart')
  const plotArea = child(chart, 'c:plotArea')
  const axisTitles = (kind: RegExp): string[] =>
    elements(plotArea)
      .filter(({ name }) => kind.test(name))
      .map((axis) => richText(child(axis, 'c:title')))
      .filter((title) => title !== '')
  // Only the title of the value axis describes the values.
  const titles = [richText(child(chart, 'c:title')), ...axisTitles(/^c:valAx$/)].filter(
    (title) => title !== '',
  )
  const heading: Block[] = titles.length === 0 ? [] : [{ kind: 'figure', text: titles.join('\n') }]
  const [cornerText = ''] = axisTitles(/^c:(cat|date)Ax$/)
  // Workbooks from old Macintoshes count days from 1904.
  const date1904 = isOn(child(part, 'c:date1904'))
  const series = descendants(plotArea, 'c:ser').map((element, i) => readSeries(element, i, date1904))
  return [...heading, ...groupByLabels(series).map((group) => tableOf(group, cornerText))]
}

const readSeries = (series: XmlElement, i: number, date1904: boolean): Series => ({
  name: cachedPoints(child(series, 'c:tx'), date1904).get(0) ?? `Series ${i + 1}`,
  labels: cachedPoints(child(series, 'c:cat') ?? child(series, 'c:xVal'), date1904),
  values: cachedPoints(child(series, 'c:val') ?? child(series, 'c:yVal'), date1904),
})

/** Groups series with the same labels. A series without labels has those of the last group; in scatter plots each has its own. */
function groupByLabels(series: readonly Series[]): Series[][] {
  const groups = new Map<string, Series[]>()
  for (const oneSeries of series) {
    const key =
      oneSeries.labels.size === 0 ? ([...groups.keys()].at(-1) ?? '') : JSON.stringify([...oneSeries.labels])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [oneSeries])
    else group.push(oneSeries)
  }
  return [...groups.values()]
}

function tableOf(series: readonly Series[], cornerText: string): Block {
  const columns = [
    series[0]?.labels ?? new Map<number, string>(),
    ...series.map((oneSeries) => oneSeries.values),
  ]
  // Only indexes with data become rows. Otherwise a hundred series with a single point at the last index would take a minute.
  const indexes = [...new Set(columns.flatMap((points) => [...points.keys()]))].sort((a, b) => a - b)
  const rows = indexes.map((index) => columns.map((points) => points.get(index) ?? ''))
  return { kind: 'table', text: markdownTable([[cornerText, ...series.map(({ name }) => name)], ...rows]) }
}

/** The last index; -1 if there is none. Math.max with a hundred thousand arguments would overflow the stack. */
const lastIndex = (points: Points): number =>
  [...points.keys()].reduce((max, index) => Math.max(max, index), -1)

/** The stored points as they are shown. Several levels of categories are joined, the outer first. */
function cachedPoints(source: XmlElement | undefined, date1904 = false): Map<number, string> {
  const levels = descendants(source, 'c:lvl')
  // Labels of several levels are texts, not numbers: 007 is a code.
  if (levels.length > 1) return joinSparseLevels(levels.map((level) => pointsOf(level, undefined, date1904)))
  const [format] = descendants(source, 'c:formatCode')
  const points = pointsOf(source, format === undefined ? undefined : textOf(format), date1904)
  const [literal] = points.size === 0 ? elements(source, 'c:v') : []
  if (literal !== undefined) points.set(0, textOf(literal))
  return points
}

const pointsOf = (
  source: XmlElement | undefined,
  format: string | undefined,
  date1904: boolean,
): Map<number, string> =>
  textsByIndex(descendants(source, 'c:pt'), (point) =>
    formatText(textOf(child(point, 'c:v')), point.attributes.formatCode ?? format, date1904),
  )

function textsByIndex(
  points: readonly XmlElement[],
  toText: (point: XmlElement) => string,
): Map<number, string> {
  const texts = new Map<number, string>()
  for (const point of points) {
    const index = Number(point.attributes.idx)
    if (Number.isInteger(index) && index >= 0 && index <= MAX_POINTS) texts.set(index, toText(point))
  }
  return texts
}

/** A stored number in its format, because files contain 4.4000000000000004 for 4.4. Other texts are unchanged. */
function formatText(text: string, format: string | undefined, date1904: boolean): string {
  const number = Number(text)
  if (format === undefined || text.trim() === '' || !Number.isFinite(number)) return text
  return numberText(number, format, date1904)
}

/** Joins levels of categories, the inner level first. An outer level has a text only at the first index to which it applies. */
function joinSparseLevels([inner = new Map(), ...outer]: readonly Points[]): Map<number, string> {
  const points = new Map<number, string>()
  const outerTexts = outer.map(() => '')
  const last = lastIndex(inner)
  for (let index = 0; index <= last; index++) {
    for (const [i, level] of outer.entries()) outerTexts[i] = level.get(index) ?? outerTexts[i] ?? ''
    const text = inner.get(index)
    if (text !== undefined)
      points.set(index, [...outerTexts.toReversed(), text].filter((part) => part !== '').join(' '))
  }
  return points
}

function richText(title: XmlElement | undefined): string {
  const text = textLines(title).join('\n')
  return text === '' ? (cachedPoints(child(title, 'c:tx')).get(0) ?? '') : text
}

/**
 * The blocks of a chart of a kind that Office 2016 added (waterfall, treemap, funnel, histogram): the title as a figure, and
 * each set of data as a table. These charts store their data beside the series ([MS-ODRAWXML] 2.24.3).
 */
export function chartExBlocks(part: XmlElement): Block[] {
  const chart = child(part, 'cx:chart')
  const title = titleOf(child(chart, 'cx:title'))
  const heading: Block[] = title === '' ? [] : [{ kind: 'figure', text: title }]
  const names = new Map<string, string>()
  for (const series of descendants(chart, 'cx:series')) {
    const data = child(series, 'cx:dataId')?.attributes.val ?? ''
    names.set(data, names.get(data) ?? textOf(child(series, 'cx:tx', 'cx:txData', 'cx:v')))
  }
  return [
    ...heading,
    ...elements(child(part, 'cx:chartData'), 'cx:data').flatMap((data) =>
      dataTable(data, names.get(data.attributes.id ?? '') || 'Series 1'),
    ),
  ]
}

function dataTable(data: XmlElement, name: string): Block[] {
  // The inner level of categories comes first in the file.
  const labels = levelsOf(elements(data, 'cx:strDim')).toReversed()
  const values = levelsOf(elements(data, 'cx:numDim'))
  if (values.every(({ size }) => size === 0)) return []
  const series: Series[] = values.map((points, i) => ({
    name: i === 0 ? name : `Series ${i + 1}`,
    labels: joinFullLevels(labels),
    values: points,
  }))
  return [tableOf(series, '')]
}

const levelsOf = (dimensions: readonly XmlElement[]): Points[] =>
  dimensions
    .flatMap((dimension) => elements(dimension, 'cx:lvl'))
    .map((level) =>
      textsByIndex(elements(level, 'cx:pt'), (point) =>
        formatText(textOf(point), level.attributes.formatCode, false),
      ),
    )

/** Joins levels of categories, the outer level first. Each level has its text at every index. */
function joinFullLevels(levels: readonly Points[]): Points {
  const indexes = new Set(levels.flatMap((points) => [...points.keys()]))
  return new Map(
    [...indexes].map((index) => [index, levels.flatMap((points) => points.get(index) ?? []).join(' ')]),
  )
}

function titleOf(title: XmlElement | undefined): string {
  const typedTitle = textLines(title).join('\n')
  return typedTitle === '' ? textOf(child(title, 'cx:tx', 'cx:txData', 'cx:v')).trim() : typedTitle
}
