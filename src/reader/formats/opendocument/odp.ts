// Reads OpenDocument presentations (.odp, .otp). Each slide is a page with its title as heading, boxes in reading order, tables
// with merged cells, charts, pictures, comments and speaker notes. The text of hidden slides is marked as hidden.

import type { Backend } from '../../backend.ts'
import { type Block, UnreadableFile } from '../../block.ts'
import { storyText } from '../../shared/blocks/table.ts'
import { chooseTitle } from '../../shared/blocks/title.ts'
import { eachNamedPart, withArchive } from '../../shared/containers/archive.ts'
import { eachPartChild, withWarnings } from '../../shared/containers/package.ts'
import { child, elements, type XmlElement } from '../../shared/containers/xml.ts'
import type { Place } from '../../shared/office/shape-order.ts'
import { inOrder, type Placeable } from '../../shared/office/shape-order.ts'
import type { Parser } from '../../task.ts'
import { hiddenBlocks, type OdfContext } from './line.ts'
import { metaTitle, openDocument } from './package.ts'
import { openStory } from './story.ts'

const PLACEHOLDERS_ON_EVERY_SLIDE = new Set(['header', 'footer', 'date-time', 'page-number'])

/** The slides as pages, in presentation order. */
const parseOdp: Parser = (task, report) =>
  withArchive(task.path, async (archive) => {
    const { context } = await openDocument(archive)
    const blocks: Block[] = []
    const hiddenStyles = new Set<string>()
    let page = 0
    await eachPartChild(archive, 'content.xml', {
      'office:automatic-styles': (style) => {
        context.styles.add(style)
        if (child(style, 'style:drawing-page-properties')?.attributes.visibility === 'hidden')
          hiddenStyles.add(style.attributes.name ?? '')
      },
      'office:presentation': (slide) => {
        if (slide.name !== 'draw:page') return
        page++
        const isHidden = hiddenStyles.has(slide.attributes['style-name'] ?? '')
        for (const block of slideBlocks(slide, context))
          blocks.push({ ...block, page, ...(isHidden && { hidden: true }) })
        report({ share: page / (page + 1) })
      },
    })
    if (page === 0) throw new UnreadableFile('damaged', 'the presentation has no slides')
    const title = chooseTitle(await metaTitle(archive), blocks)
    blocks.push(...hiddenBlocks(context))
    return withWarnings(archive, { ...(title === undefined ? {} : { title }), pages: page, blocks })
  })

export const odp: Backend = { parse: parseOdp, eachPicture: eachNamedPart }

function slideBlocks(slide: XmlElement, context: OdfContext): Block[] {
  const shapes = elements(slide).filter(
    ({ name, attributes }) =>
      (name.startsWith('draw:') || name === 'office:annotation') &&
      !PLACEHOLDERS_ON_EVERY_SLIDE.has(attributes.class ?? ''),
  )
  const titles = shapes.filter(isTitle)
  const otherShapes = inOrder(shapes.filter((shape) => !isTitle(shape)).map(toPlaceable))
  const notes = elements(child(slide, 'presentation:notes'))
    .filter(({ attributes }) => attributes.class === 'notes')
    .map((shape) => storyText(shapeBlocks(shape, context)))
    .join('\n')
    .trim()
  return [
    ...titles.flatMap((shape) => titleBlocks(shape, context)),
    ...otherShapes.flatMap((shape) => shapeBlocks(shape, context)),
    ...(notes === '' ? [] : [{ kind: 'note' as const, text: notes }]),
  ]
}

const isTitle = ({ attributes }: XmlElement): boolean => attributes.class === 'title'

function titleBlocks(shape: XmlElement, context: OdfContext): Block[] {
  const text = storyText(shapeBlocks(shape, context))
    .replace(/(^|\n)\s*- /g, '$1')
    .replace(/\s+/g, ' ')
  return text === '' ? [] : [{ kind: 'heading', text, level: 1 }]
}

function shapeBlocks(shape: XmlElement, context: OdfContext): Block[] {
  const story = openStory(context)
  story.add(shape)
  return story.blocks
}

function toPlaceable(element: XmlElement): Placeable<XmlElement> {
  const place = placeOf(element)
  return { item: element, ...(place && { place }) }
}

/** The position of a shape. That of a group is the box around its members. */
function placeOf(element: XmlElement): Place | undefined {
  const { attributes } = element
  if (element.name === 'draw:g') return boundsOf(elements(element).flatMap((inner) => placeOf(inner) ?? []))
  const [x, y] = [toCentimetres(attributes.x), toCentimetres(attributes.y)]
  if (x === undefined || y === undefined) return undefined
  return { x, y, width: toCentimetres(attributes.width) ?? 0, height: toCentimetres(attributes.height) ?? 0 }
}

function boundsOf(places: readonly Place[]): Place | undefined {
  if (places.length === 0) return undefined
  const [x, y] = [Math.min(...places.map((place) => place.x)), Math.min(...places.map((place) => place.y))]
  const right = Math.max(...places.map((place) => place.x + place.width))
  const bottom = Math.max(...places.map((place) => place.y + place.height))
  return { x, y, width: right - x, height: bottom - y }
}

const CENTIMETRES_PER_UNIT: Record<string, number> = {
  cm: 1,
  mm: 0.1,
  in: 2.54,
  pt: 2.54 / 72,
  pc: 2.54 / 6,
  px: 2.54 / 96,
}

function toCentimetres(value: string | undefined): number | undefined {
  const [, number, unit = ''] = /^(-?[\d.]+)([a-z]+)$/.exec(value ?? '') ?? []
  const size = Number(number) * (CENTIMETRES_PER_UNIT[unit] ?? Number.NaN)
  return Number.isFinite(size) ? size : undefined
}
