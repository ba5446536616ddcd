// Reads graphics: charts as tables, SmartArt diagrams as lists ([ECMA-376-1] 21.4), and pictures as empty figures.

import type { Block } from '../../block.ts'
import type { Archive } from '../containers/archive.ts'
import { type Relation, readOptionalPart } from '../containers/package.ts'
import { child, elements, textLines, type XmlElement } from '../containers/xml.ts'
import { chartBlocks, chartExBlocks } from './charts.ts'

/** The blocks of the graphics to which a part refers, by relationship id. */
export async function graphicsOf(
  archive: Archive,
  relations: readonly Relation[],
): Promise<Map<string, Block[]>> {
  const blocksById = new Map<string, Block[]>()
  for (const { id, type, target } of relations) {
    if (type === 'image') blocksById.set(id, [{ kind: 'figure', text: '', picture: target }])
    const part = /^(chart|chartEx|diagramData)$/.test(type)
      ? await readOptionalPart(archive, target)
      : undefined
    if (part === undefined) continue
    const toBlocks = { diagramData: diagramBlocks, chartEx: chartExBlocks }[type] ?? chartBlocks
    blocksById.set(id, toBlocks(part))
  }
  return blocksById
}

// What Office adds to a description that it generated.
const REMARK =
  /\s+(?:AI-generated content may be incorrect\.|Description automatically generated.*|KI-generierte Inhalte können fehlerhaft sein\.|Automatisch generierte Beschreibung|Le contenu généré par l[’']IA peut être incorrect\.|Description générée automatiquement|El contenido generado por IA puede ser incorrecto\.|Descripción generada automáticamente)$/u
// Only the name of a file, or "Picture 4".
const NO_DESCRIPTION =
  /^(?:[^/\n]{1,100}\.(?:png|jpe?g|gif|bmp|tiff?|svg|emf|wmf|webp)|(?:picture|image|graphic|grafik|bild|imagen) ?\d*)$/i

/** The alternative text of a drawing, '' if there is none. */
export function descriptionOf(shape: XmlElement | undefined): string {
  const text = (shape?.attributes.descr ?? shape?.attributes.alt ?? '').trim().replace(REMARK, '')
  return NO_DESCRIPTION.test(text) ? '' : text
}

/** The points of a diagram as a nested list. */
export function diagramBlocks(part: XmlElement): Block[] {
  const points = new Map(
    elements(child(part, 'dgm:ptLst'), 'dgm:pt').map((point) => [point.attributes.modelId ?? '', point]),
  )
  const childrenByParent = new Map<string, { id: string; order: number }[]>()
  for (const { attributes } of elements(child(part, 'dgm:cxnLst'), 'dgm:cxn')) {
    if ((attributes.type ?? 'parOf') !== 'parOf') continue
    const siblings = childrenByParent.get(attributes.srcId ?? '') ?? []
    siblings.push({ id: attributes.destId ?? '', order: Number(attributes.srcOrd ?? 0) })
    childrenByParent.set(attributes.srcId ?? '', siblings)
  }
  const lines: string[] = []
  const visited = new Set<string>()
  const visit = (id: string, depth: number): void => {
    if (visited.has(id)) return
    visited.add(id)
    const text = pointText(points.get(id))
    if (text !== '') lines.push(`${'  '.repeat(Math.min(depth, 5))}- ${text}`)
    const children = (childrenByParent.get(id) ?? []).sort((a, b) => a.order - b.order)
    for (const next of children) visit(next.id, text === '' ? depth : depth + 1)
  }
  for (const [id, point] of points) if (point.attributes.type === 'doc') visit(id, 0)
  for (const [id, point] of points) if ((point.attributes.type ?? 'node') === 'node') visit(id, 0)
  return lines.length === 0 ? [] : [{ kind: 'list', text: lines.join('\n') }]
}

function pointText(point: XmlElement | undefined): string {
  return textLines(child(point, 'dgm:t')).join(' ')
}
