// Reads PowerPoint files (.pptx, .pptm, .ppsx, .potx). Each slide is a page with its title as heading, text in reading order,
// tables with merged cells, chart data, SmartArt, the alternative text of pictures, comments and speaker notes. The text of
// hidden slides, and of shapes outside a slide, is hidden text.

import type { Backend } from '../../backend.ts'
import { type Block, UnreadableFile } from '../../block.ts'
import type { Cell } from '../../shared/blocks/table.ts'
import { tableBlocks } from '../../shared/blocks/table.ts'
import { chooseTitle } from '../../shared/blocks/title.ts'
import { type Archive, eachNamedPart, withArchive } from '../../shared/containers/archive.ts'
import {
  mainPart,
  packageTitle,
  type Relation,
  readOptionalPart,
  readPart,
  relationsOf,
  withWarnings,
} from '../../shared/containers/package.ts'
import { child, descendants, elements, textOf, type XmlElement } from '../../shared/containers/xml.ts'
import type { Place } from '../../shared/office/shape-order.ts'
import { embeddedFiles } from '../../shared/ooxml/embedded-files.ts'
import { descriptionOf, graphicsOf } from '../../shared/ooxml/graphics.ts'
import { bodyBlocks, paragraphText } from '../../shared/ooxml/shape-text.ts'
import type { Parser, Report } from '../../task.ts'
import { type Authors, readAuthors, slideComments } from './comments.ts'
import {
  inheritedShape,
  type ParentPlaceholders,
  placeholder,
  placeholdersOf,
  type Shape,
  shapesInOrder,
} from './shapes.ts'
import { titleBySize } from './title-by-size.ts'

interface Layout {
  placeholders: ParentPlaceholders[]
  /** The master's list style for body text. */
  bodyStyle?: XmlElement
}

/** The size of a slide in the units of the positions of shapes. */
interface SlideSize {
  width: number
  height: number
}

interface Deck {
  archive: Archive
  size: SlideSize | undefined
  authors: Authors
  layouts: Map<string, Layout>
}

interface SlideContext {
  layout: Layout
  graphics: ReadonlyMap<string, readonly Block[]>
}

const PLACEHOLDERS_WITHOUT_TEXT = new Set(['sldNum', 'ftr', 'hdr', 'sldImg'])

/** The slides as pages, in presentation order. */
const parsePptx: Parser = (task, report) =>
  withArchive(task.path, async (archive) => {
    const { slides, authors, size } = await openDeck(archive)
    const blocks = await readSlides({ archive, authors, size, layouts: new Map() }, slides, report)
    const title = chooseTitle(await packageTitle(archive), blocks)
    const relations: Relation[] = []
    for (const slide of slides) relations.push(...(await relationsOf(archive, slide).catch(() => [])))
    const enclosed = await embeddedFiles(task.path, archive, relations)
    const document = { ...(title === undefined ? {} : { title }), pages: slides.length, blocks }
    return { ...withWarnings(archive, document), enclosed }
  })

export const pptx: Backend = { parse: parsePptx, eachPicture: eachNamedPart }

async function openDeck(archive: Archive): Promise<Pick<Deck, 'authors' | 'size'> & { slides: string[] }> {
  const main = await mainPart(archive, 'ppt/presentation.xml')
  const presentation = await readPart(archive, main)
  if (main === undefined || presentation === undefined) {
    throw new UnreadableFile('damaged', 'the presentation part is missing')
  }
  const relations = await relationsOf(archive, main)
  const targets = new Map(relations.map(({ id, target }) => [id, target]))
  const slides = elements(child(presentation, 'p:sldIdLst'), 'p:sldId').map(
    ({ attributes }) => targets.get(attributes['r:id'] ?? '') ?? '',
  )
  const { cx, cy } = child(presentation, 'p:sldSz')?.attributes ?? {}
  const size = Number(cx) > 0 && Number(cy) > 0 ? { width: Number(cx), height: Number(cy) } : undefined
  return { slides, size, authors: await readAuthors(archive, relations) }
}

async function readSlides(deck: Deck, slides: readonly string[], report: Report): Promise<Block[]> {
  const blocks: Block[] = []
  for (const [i, part] of slides.entries()) {
    for (const block of await readSlide(deck, part)) blocks.push({ ...block, page: i + 1 })
    report({ share: (i + 1) / slides.length, pages: slides.length })
  }
  return blocks
}

async function readSlide(deck: Deck, part: string): Promise<Block[]> {
  // A missing slide is an empty page, so that the later slides keep their numbers.
  if (!deck.archive.has(part)) {
    deck.archive.incomplete.add(part)
    return []
  }
  const slide = await readPart(deck.archive, part)
  const relations = await relationsOf(deck.archive, part)
  const layout = await layoutOf(deck, relations)
  const context: SlideContext = { layout, graphics: await graphicsOf(deck.archive, relations) }
  const shapes = shapesInOrder(slide, layout.placeholders)
  const hiddenShapes = new Set(
    shapes.filter(
      ({ place, isGrouped }) => place !== undefined && !isGrouped && !isOnSlide(place, deck.size),
    ),
  )
  const visibleShapes = shapes.filter((shape) => !hiddenShapes.has(shape))
  const title = titleBySize(visibleShapes)
  const texts = visibleShapes.flatMap((shape) =>
    shape === title ? titleBlocks(shape) : shapeBlocks(shape, context),
  )
  const hiddenBlocks = [...hiddenShapes].flatMap((shape) => shapeBlocks(shape, context)).map(asHidden)
  const comments = await slideComments(deck.archive, relations, deck.authors)
  const blocks = [...texts, ...comments, ...(await notesOf(deck.archive, relations)), ...hiddenBlocks]
  return isFalse(slide?.attributes.show) ? blocks.map(asHidden) : blocks
}

const asHidden = (block: Block): Block => ({ ...block, hidden: true })

const isFalse = (value: string | undefined): boolean => value === '0' || value === 'false'

/** Whether any part of a shape is on its slide. */
const isOnSlide = ({ x, y, width, height }: Place, size: SlideSize | undefined): boolean =>
  size === undefined || (x + width > 0 && y + height > 0 && x < size.width && y < size.height)

/** The layout of a slide with its master. It is read once for all slides that use it. */
async function layoutOf({ archive, layouts }: Deck, relations: readonly Relation[]): Promise<Layout> {
  const part = relations.find(({ type }) => type === 'slideLayout')?.target
  const cachedLayout = layouts.get(part ?? '')
  if (cachedLayout !== undefined) return cachedLayout
  const layout: Layout = { placeholders: [] }
  if (part !== undefined) {
    // A slide can also be read without its layout.
    const layoutPart = await readPart(archive, part).catch(() => undefined)
    const masterPart = (await relationsOf(archive, part)).find(({ type }) => type === 'slideMaster')?.target
    const master = await readPart(archive, masterPart).catch(() => undefined)
    layout.placeholders = [placeholdersOf(layoutPart), placeholdersOf(master)]
    const bodyStyle = child(master, 'p:txStyles', 'p:bodyStyle')
    if (bodyStyle !== undefined) layout.bodyStyle = bodyStyle
  }
  layouts.set(part ?? '', layout)
  return layout
}

async function notesOf(archive: Archive, relations: readonly Relation[]): Promise<Block[]> {
  const part = relations.find(({ type }) => type === 'notesSlide')?.target
  const notes = await readOptionalPart(archive, part)
  const text = descendants(notes, 'p:sp')
    .filter((shape) => (placeholder(shape)?.attributes.type ?? 'body') === 'body')
    .flatMap((shape) => elements(child(shape, 'p:txBody'), 'a:p').map(paragraphText))
    .join('\n')
    .trim()
  return text === '' ? [] : [{ kind: 'note', text }]
}

function shapeBlocks(shape: Shape, context: SlideContext): Block[] {
  const { element, kind, placeholder } = shape
  if (placeholder !== undefined && PLACEHOLDERS_WITHOUT_TEXT.has(placeholder)) return []
  if (placeholder === 'dt' && isDate(element)) return []
  if (kind === 'p:pic') return pictureBlocks(element, context)
  if (kind === 'p:graphicFrame') return frameBlocks(element, context)
  const body = child(element, 'p:txBody')
  if (placeholder === 'title' || placeholder === 'ctrTitle') return titleBlocks(shape)
  const blocks = bodyBlocks(body, listStyles(element, context.layout))
  return blocks.length > 0 ? blocks : figureBlocks(element)
}

function titleBlocks({ element }: Shape): Block[] {
  const paragraphs = elements(child(element, 'p:txBody'), 'a:p')
  const text = paragraphs.map(paragraphText).join('\n').replace(/\s+/g, ' ').trim()
  return text === '' ? [] : [{ kind: 'heading', text, level: 1 }]
}

/** Whether the placeholder for the date contains a date. Some people type text into it, which is read. */
function isDate(shape: XmlElement): boolean {
  return descendants(shape, 'a:fld').length > 0 || /\d/.test(textOf(child(shape, 'p:txBody')))
}

/** The list styles that a placeholder inherits from layout and master. A free text box inherits none. */
function listStyles(shape: XmlElement, { placeholders, bodyStyle }: Layout): XmlElement[] {
  const placeholderElement = placeholder(shape)
  if (placeholderElement === undefined) return []
  const ownPlaceholders = placeholders
    .map((from) => child(inheritedShape(placeholderElement, from), 'p:txBody', 'a:lstStyle'))
    .filter((style) => style !== undefined)
  return [...ownPlaceholders, ...(bodyStyle === undefined ? [] : [bodyStyle])]
}

function figureBlocks(shape: XmlElement): Block[] {
  const properties = elements(shape).find(({ name }) => /^p:nv\w+Pr$/.test(name))
  const text = descriptionOf(child(properties, 'p:cNvPr'))
  return text === '' ? [] : [{ kind: 'figure', text }]
}

/** The figure of a picture, with its alternative text if there is one. */
function pictureBlocks(shape: XmlElement, { graphics }: SlideContext): Block[] {
  const id = child(shape, 'p:blipFill', 'a:blip')?.attributes['r:embed'] ?? ''
  const [description] = figureBlocks(shape)
  return (graphics.get(id) ?? (description === undefined ? [] : [description])).map((block) => ({
    ...block,
    ...description,
  }))
}

function frameBlocks(frame: XmlElement, { graphics }: SlideContext): Block[] {
  const [table] = descendants(frame, 'a:tbl')
  if (table !== undefined) return tableBlocks(tableRows(table))
  const data = child(frame, 'a:graphic', 'a:graphicData')
  const blocks = elements(data).flatMap(({ attributes }) => {
    const id = attributes['r:id'] ?? attributes['r:dm'] ?? ''
    return (graphics.get(id) ?? []).map((block) => ({ ...block }))
  })
  return blocks.length > 0 ? blocks : figureBlocks(frame)
}

function tableRows(table: XmlElement): Cell[][] {
  const isCovered = ({ attributes }: XmlElement): boolean =>
    /^(1|true)$/.test(attributes.hMerge ?? '') || /^(1|true)$/.test(attributes.vMerge ?? '')
  return elements(table, 'a:tr').map((row) =>
    elements(row, 'a:tc')
      .filter((cell) => !isCovered(cell))
      .map((cell) => ({
        text: elements(child(cell, 'a:txBody'), 'a:p').map(paragraphText).join('\n'),
        rowSpan: Number(cell.attributes.rowSpan ?? 1) || 1,
        colSpan: Number(cell.attributes.gridSpan ?? 1) || 1,
      })),
  )
}
