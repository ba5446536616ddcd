// Drawings that carry words and numbers: a chart's data as a table, a SmartArt diagram's text as a list
// ([ECMA-376-1] 21.2 and 21.4). Both stand in parts of their own.

import type { Block } from '../../block.ts'
import { markdownTable } from '../../blocks/table.ts'
import type { Archive } from '../../identify/archive.ts'
import { type Relation, readSidePart } from './package.ts'
import { child, descendants, elements, textOf, type XmlElement } from './xml.ts'

/** The blocks of every chart and diagram a part refers to, by relationship id; of a picture its place without a word. */
export async function graphicsOf(
  archive: Archive,
  relations: readonly Relation[],
): Promise<Map<string, Block[]>> {
  const found = new Map<string, Block[]>()
  for (const { id, type, target } of relations) {
    if (type === 'image') found.set(id, [{ kind: 'figure', text: '', picture: target }])
    const part = /^(chart|chartEx|diagramData)$/.test(type) ? await readSidePart(archive, target) : undefined
    if (part === undefined) continue
    found.set(id, type === 'diagramData' ? diagramBlocks(part) : chartBlocks(part))
  }
  return found
}

/** A chart's title as a figure and its cached numbers as a table: categories down, series across. */
export function chartBlocks(part: XmlElement): Block[] {
  const [chart] = part.name === 'c:chart' ? [part] : descendants(part, 'c:chart')
  const series = descendants(child(chart, 'c:plotArea'), 'c:ser')
  const title = richText(child(chart, 'c:title'))
  const heading: Block[] = title === '' ? [] : [{ kind: 'figure', text: title }]
  if (series.length === 0) return heading
  const names = series.map((one, i) => cached(child(one, 'c:tx')).get(0) ?? `Series ${i + 1}`)
  const labels = cached(child(series[0], 'c:cat') ?? child(series[0], 'c:xVal'))
  const values = series.map((one) => cached(child(one, 'c:val') ?? child(one, 'c:yVal')))
  const last = Math.max(-1, ...[labels, ...values].flatMap((points) => [...points.keys()]))
  const rows = Array.from({ length: last + 1 }, (_, i) => [
    labels.get(i) ?? '',
    ...values.map((points) => points.get(i) ?? ''),
  ])
  const axis = elements(child(chart, 'c:plotArea')).find(({ name }) => /^c:(cat|date)Ax$/.test(name))
  const header = [richText(child(axis, 'c:title')), ...names]
  return [...heading, { kind: 'table', text: markdownTable([header, ...rows]) }]
}

/** The points of a cache by their index; several levels of categories are joined. */
function cached(source: XmlElement | undefined): Map<number, string> {
  const points = new Map<number, string>()
  for (const point of descendants(source, 'c:pt')) {
    const index = Number(point.attributes.idx)
    const text = textOf(child(point, 'c:v'))
    if (!Number.isInteger(index) || index < 0 || index > 100_000) continue
    points.set(index, points.has(index) ? `${text} ${points.get(index)}` : text)
  }
  const [literal] = points.size === 0 ? elements(source, 'c:v') : []
  if (literal !== undefined) points.set(0, textOf(literal))
  return points
}

function richText(title: XmlElement | undefined): string {
  const paragraphs = descendants(title, 'a:p').map((paragraph) =>
    descendants(paragraph, 'a:t').map(textOf).join(''),
  )
  const text = paragraphs.filter((line) => line.trim() !== '').join('\n')
  return text === '' ? (cached(child(title, 'c:tx')).get(0) ?? '') : text
}

/** A diagram's points as a list, children under their parents. */
export function diagramBlocks(part: XmlElement): Block[] {
  const points = new Map(
    elements(child(part, 'dgm:ptLst'), 'dgm:pt').map((point) => [point.attributes.modelId ?? '', point]),
  )
  const children = new Map<string, { to: string; order: number }[]>()
  for (const { attributes } of elements(child(part, 'dgm:cxnLst'), 'dgm:cxn')) {
    if ((attributes.type ?? 'parOf') !== 'parOf') continue
    const siblings = children.get(attributes.srcId ?? '') ?? []
    siblings.push({ to: attributes.destId ?? '', order: Number(attributes.srcOrd ?? 0) })
    children.set(attributes.srcId ?? '', siblings)
  }
  const lines: string[] = []
  const seen = new Set<string>()
  const visit = (id: string, depth: number): void => {
    if (seen.has(id)) return
    seen.add(id)
    const text = pointText(points.get(id))
    if (text !== '') lines.push(`${'  '.repeat(Math.min(depth, 5))}- ${text}`)
    const next = (children.get(id) ?? []).sort((a, b) => a.order - b.order)
    for (const { to } of next) visit(to, text === '' ? depth : depth + 1)
  }
  for (const [id, point] of points) if (point.attributes.type === 'doc') visit(id, 0)
  for (const [id, point] of points) if ((point.attributes.type ?? 'node') === 'node') visit(id, 0)
  return lines.length === 0 ? [] : [{ kind: 'list', text: lines.join('\n') }]
}

function pointText(point: XmlElement | undefined): string {
  return descendants(child(point, 'dgm:t'), 'a:p')
    .map((paragraph) => descendants(paragraph, 'a:t').map(textOf).join(''))
    .filter((line) => line.trim() !== '')
    .join(' ')
}
