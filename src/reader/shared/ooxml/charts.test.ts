// Charts as tables, with the values that they show.

import { expect, test } from 'vitest'
import { parseXml } from '../containers/xml.ts'
import { chartBlocks, chartExBlocks } from './charts.ts'

/** The texts of a chart's blocks. */
function read(area: string, before = ''): string[] {
  const xml = `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">${before}<c:chart><c:plotArea>${area}</c:plotArea></c:chart></c:chartSpace>`
  const { root } = parseXml(Buffer.from(xml))
  return root === undefined ? [] : chartBlocks(root).map(({ text }) => text)
}

const points = (values: readonly (string | number)[]): string =>
  values.map((value, i) => `<c:pt idx="${i}"><c:v>${value}</c:v></c:pt>`).join('')
const numbers = (format: string, values: readonly (string | number)[]): string =>
  `<c:numRef><c:numCache><c:formatCode>${format}</c:formatCode>${points(values)}</c:numCache></c:numRef>`

test('numbers as they are shown: dates, shares, and no digits that only binary has', () => {
  const series = `<c:ser><c:cat>${numbers('m/d/yyyy', [45292, 45323])}</c:cat><c:val>${numbers('0%', [0.25, 0.5])}</c:val></c:ser><c:ser><c:val>${numbers('General', ['4.4000000000000004', 2])}</c:val></c:ser>`
  expect(read(`<c:barChart>${series}</c:barChart>`)).toEqual([
    '|  | Series 1 | Series 2 |\n| --- | --- | --- |\n| 2024-01-01 | 25% | 4.4 |\n| 2024-02-01 | 50% | 2 |',
  ])
})

test('an outer level of categories is said for all below it', () => {
  const level = (of: string): string => `<c:lvl>${of}</c:lvl>`
  const outer = '<c:pt idx="0"><c:v>2023</c:v></c:pt><c:pt idx="2"><c:v>2024</c:v></c:pt>'
  const series = `<c:ser><c:cat><c:multiLvlStrRef><c:multiLvlStrCache>${level(points(['H1', 'H2', 'H1', 'H2']))}${level(outer)}</c:multiLvlStrCache></c:multiLvlStrRef></c:cat><c:val>${numbers('General', [1, 2, 3, 4])}</c:val></c:ser>`
  expect(read(series)[0]?.split('\n').slice(2)).toEqual([
    '| 2023 H1 | 1 |',
    '| 2023 H2 | 2 |',
    '| 2024 H1 | 3 |',
    '| 2024 H2 | 4 |',
  ])
})

test('series with places of their own are tables of their own; the axis says what the values are', () => {
  const series = (x: number[], y: number[]): string =>
    `<c:ser><c:xVal>${numbers('General', x)}</c:xVal><c:yVal>${numbers('General', y)}</c:yVal></c:ser>`
  const axis =
    '<c:valAx><c:title><c:tx><c:rich><a:p><a:r><a:t>Depth (m)</a:t></a:r></a:p></c:rich></c:tx></c:title></c:valAx>'
  expect(
    read(`<c:scatterChart>${series([1, 2], [5, 6])}${series([3], [7])}</c:scatterChart>${axis}`),
  ).toEqual([
    'Depth (m)',
    '|  | Series 1 |\n| --- | --- |\n| 1 | 5 |\n| 2 | 6 |',
    '|  | Series 2 |\n| --- | --- |\n| 3 | 7 |',
  ])
})

test('days are counted as the workbook counts them, and codes keep their zeros', () => {
  const dates = `<c:ser><c:cat>${numbers('m/d/yyyy', [43830])}</c:cat><c:val>${numbers('General', [1])}</c:val></c:ser>`
  expect(read(dates, '<c:date1904 val="1"/>')[0]).toContain('| 2024-01-01 | 1 |')
  const level = (value: string): string => `<c:lvl>${points([value])}</c:lvl>`
  const codes = `<c:ser><c:cat><c:multiLvlStrRef><c:multiLvlStrCache>${level('007')}${level('1e3')}</c:multiLvlStrCache></c:multiLvlStrRef></c:cat><c:val>${numbers('General', [1])}</c:val></c:ser>`
  expect(read(codes)[0]).toContain('| 1e3 007 | 1 |')
})

test('points far apart make no rows between them', () => {
  const lone = (x: number): string =>
    `<c:ser><c:xVal>${numbers('General', [x])}</c:xVal><c:yVal><c:numRef><c:numCache><c:pt idx="100000"><c:v>1</c:v></c:pt></c:numCache></c:numRef></c:yVal></c:ser>`
  // Row by row a hundred such series took a minute; so many would pass the test's time on any machine.
  const series = Array.from({ length: 1000 }, (_, i) => lone(i)).join('')
  expect(read(series)).toEqual(
    Array.from({ length: 1000 }, (_, i) => `|  | Series ${i + 1} |\n| --- | --- |\n| ${i} |  |\n|  | 1 |`),
  )
})

test('waterfalls and their like keep their numbers beside the series', () => {
  const level = (values: readonly (string | number)[], format = ''): string =>
    `<cx:lvl ${format}>${values.map((value, i) => `<cx:pt idx="${i}">${value}</cx:pt>`).join('')}</cx:lvl>`
  const xml = `<cx:chartSpace xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"><cx:chartData><cx:data id="0"><cx:strDim type="cat">${level(['Start', 'Gain'])}${level(['2025', '2026'])}</cx:strDim><cx:numDim type="val">${level([1000, 250], 'formatCode="#,##0"')}</cx:numDim></cx:data></cx:chartData><cx:chart><cx:title><cx:tx><cx:txData><cx:v>Bridge</cx:v></cx:txData></cx:tx></cx:title><cx:plotArea><cx:plotAreaRegion><cx:series layoutId="waterfall"><cx:tx><cx:txData><cx:f>A1</cx:f><cx:v>Tons</cx:v></cx:txData></cx:tx><cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>`
  const { root } = parseXml(Buffer.from(xml))
  expect(root && chartExBlocks(root).map(({ kind, text }) => [kind, text])).toEqual([
    ['figure', 'Bridge'],
    ['table', '|  | Tons |\n| --- | --- |\n| 2025 Start | 1,000 |\n| 2026 Gain | 250 |'],
  ])
})
