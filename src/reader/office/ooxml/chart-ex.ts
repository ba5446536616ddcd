// The kinds of charts that came with Office 2016 (waterfall, treemap, funnel, histogram): a part of another form
// ([MS-ODRAWXML] 2.24.3), whose numbers stand beside the series and not in them.

import type { Block } from '../../block.ts'
import { type Points, type Series, shown, tableOf } from './charts.ts'
import { child, descendants, elements, textOf, type XmlElement } from './xml.ts'

const MOST_POINTS = 100_000

/** Such a chart's title as a figure and its numbers as a table a set of data. */
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
  // The inner level of categories comes first, as in a spreadsheet read from the right.
  const labels = levelsOf(elements(data, 'cx:strDim')).toReversed()
  const values = levelsOf(elements(data, 'cx:numDim'))
  if (values.every(({ size }) => size === 0)) return []
  const series: Series[] = values.map((points, i) => ({
    name: i === 0 ? name : `Series ${i + 1}`,
    labels: joined(labels),
    values: points,
  }))
  return [tableOf(series, '')]
}

function levelsOf(dimensions: readonly XmlElement[]): Points[] {
  return dimensions
    .flatMap((one) => elements(one, 'cx:lvl'))
    .map((level) => {
      const points = new Map<number, string>()
      for (const point of elements(level, 'cx:pt')) {
        const index = Number(point.attributes.idx)
        if (!Number.isInteger(index) || index < 0 || index > MOST_POINTS) continue
        points.set(index, shown(textOf(point), level.attributes.formatCode, false))
      }
      return points
    })
}

/** Each place with what all levels say of it, the outer first. */
function joined(levels: readonly Points[]): Points {
  const places = new Set(levels.flatMap((points) => [...points.keys()]))
  return new Map(
    [...places].map((place) => [place, levels.flatMap((points) => points.get(place) ?? []).join(' ')]),
  )
}

function titleOf(title: XmlElement | undefined): string {
  const typed = descendants(title, 'a:p')
    .map((paragraph) => descendants(paragraph, 'a:t').map(textOf).join(''))
    .filter((line) => line.trim() !== '')
    .join('\n')
  return typed === '' ? textOf(child(title, 'cx:tx', 'cx:txData', 'cx:v')).trim() : typed
}
