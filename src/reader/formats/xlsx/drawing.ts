// Reads the drawings on a sheet: text boxes, diagrams, charts with their data, the positions of pictures ([ECMA-376-1] 20.5).

import type { Block } from '../../block.ts'
import type { Archive } from '../../shared/containers/archive.ts'
import { readPart, relationsOf } from '../../shared/containers/package.ts'
import { child, descendants, elements, isTrue, textOf, type XmlElement } from '../../shared/containers/xml.ts'
import { descriptionOf, graphicsOf } from '../../shared/ooxml/graphics.ts'
import { bodyBlocks } from '../../shared/ooxml/shape-text.ts'

/** The blocks of a sheet's drawings by their anchors, row by row. Empty if the drawings are damaged. */
export const drawingBlocks = (archive: Archive, sheet: string): Promise<Block[]> =>
  readDrawing(archive, sheet).catch(() => {
    archive.incomplete.add(sheet)
    return []
  })

async function readDrawing(archive: Archive, sheet: string): Promise<Block[]> {
  const part = (await relationsOf(archive, sheet)).find(({ type }) => type === 'drawing')?.target
  const drawing = await readPart(archive, part)
  if (part === undefined || drawing === undefined) return []
  const graphics = await graphicsOf(archive, await relationsOf(archive, part))
  const anchorNumber = (anchor: XmlElement, side: string): number =>
    Number(textOf(child(anchor, 'xdr:from', side))) || 0
  return elements(drawing)
    .toSorted(
      (a, b) =>
        anchorNumber(a, 'xdr:row') - anchorNumber(b, 'xdr:row') ||
        anchorNumber(a, 'xdr:col') - anchorNumber(b, 'xdr:col'),
    )
    .flatMap((anchor) => shapesOf(anchor).flatMap((shape) => shapeBlocks(shape, graphics)))
}

/** The visible shapes, including those in groups and alternatives. */
function shapesOf(parent: XmlElement): XmlElement[] {
  return elements(parent).flatMap((element) => {
    if (element.name === 'mc:AlternateContent') return shapesOf(child(element, 'mc:Choice') ?? element)
    if (element.name === 'xdr:grpSp') return shapesOf(element)
    const hidden = propertiesOf(element)?.attributes.hidden
    return isTrue(hidden) ? [] : [element]
  })
}

function propertiesOf(shape: XmlElement): XmlElement | undefined {
  const properties = elements(shape).find(({ name }) => /^xdr:nv\w+Pr$/.test(name))
  return child(properties, 'xdr:cNvPr')
}

function shapeBlocks(shape: XmlElement, graphics: ReadonlyMap<string, Block[]>): Block[] {
  const text = descriptionOf(propertiesOf(shape))
  const descriptionBlocks: Block[] = text === '' ? [] : [{ kind: 'figure', text }]
  if (shape.name === 'xdr:sp') return bodyBlocks(child(shape, 'xdr:txBody'), [])
  if (shape.name === 'xdr:pic') {
    const [figure] = graphics.get(child(shape, 'xdr:blipFill', 'a:blip')?.attributes['r:embed'] ?? '') ?? []
    return figure === undefined ? descriptionBlocks : [{ ...figure, text }]
  }
  if (shape.name !== 'xdr:graphicFrame') return []
  const graphicData = descendants(shape, 'a:graphicData')
    .flatMap((data) => elements(data))
    .flatMap(({ attributes }) => graphics.get(attributes['r:id'] ?? attributes['r:dm'] ?? '') ?? [])
  return graphicData.length > 0 ? graphicData.map((block) => ({ ...block })) : descriptionBlocks
}
