// PowerPoint files for tests: slides of placed shapes, with the parts around them that readers follow.

import { contentTypes, coreProperties, escapeText, officeTypes, relation, relations } from './office.ts'
import { makeZip } from './zip.ts'

/** Left, top, width, height in hundredths of an inch. */
export type Box = [number, number, number, number]

export interface SlideShape {
  lines?: (string | { text: string; level: number })[]
  /** PresentationML that stands in place of a text body. */
  raw?: string
  box?: Box
  /** The placeholder's attributes, such as type="body" idx="1". */
  placeholder?: string
}

export interface Slide {
  title: string
  lines?: string[]
  table?: string[][]
  shapes?: SlideShape[]
  notes?: string
  hidden?: boolean
  relations?: Record<string, [type: string, target: string]>
}

const namespaces = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${relation}" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"`

const bulletMaster = `<p:sldMaster ${namespaces}><p:cSld><p:spTree/></p:cSld><p:txStyles><p:bodyStyle><a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr><a:lvl2pPr><a:buChar char="–"/></a:lvl2pPr><a:lvl3pPr><a:buChar char="•"/></a:lvl3pPr></p:bodyStyle></p:txStyles></p:sldMaster>`
const layout = `<p:sldLayout ${namespaces}><p:cSld><p:spTree>${shapeXml(2, { placeholder: 'type="title"', box: [50, 20, 900, 100] })}${shapeXml(3, { placeholder: 'type="body" idx="1"', box: [50, 150, 900, 500] })}${shapeXml(4, { placeholder: 'type="subTitle" idx="2"', box: [50, 120, 900, 30] }).replace('<a:lstStyle/>', '<a:lstStyle><a:lvl1pPr><a:buNone/></a:lvl1pPr></a:lstStyle>')}</p:spTree></p:cSld></p:sldLayout>`

/** A text line of DrawingML. */
export function slideLine(line: string | { text: string; level: number }): string {
  const { text, level } = typeof line === 'string' ? { text: line, level: 0 } : line
  return `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${escapeText(text)}</a:t></a:r></a:p>`
}

function transform(box: Box | undefined, name = 'a:xfrm'): string {
  if (box === undefined) return ''
  const [x, y, width, height] = box.map((value) => value * 9144)
  return `<${name}><a:off x="${x}" y="${y}"/><a:ext cx="${width}" cy="${height}"/></${name}>`
}

/** One shape: a text body, or the given XML. */
export function shapeXml(id: number, { lines = [], raw, box, placeholder }: SlideShape): string {
  const ph = placeholder === undefined ? '' : `<p:ph ${placeholder}/>`
  const properties = `<p:cNvPr id="${id}" name="s${id}"/>`
  if (raw !== undefined) {
    return `<p:graphicFrame><p:nvGraphicFramePr>${properties}<p:cNvGraphicFramePr/><p:nvPr>${ph}</p:nvPr></p:nvGraphicFramePr>${transform(box, 'p:xfrm')}<a:graphic><a:graphicData>${raw}</a:graphicData></a:graphic></p:graphicFrame>`
  }
  return `<p:sp><p:nvSpPr>${properties}<p:cNvSpPr/><p:nvPr>${ph}</p:nvPr></p:nvSpPr><p:spPr>${transform(box)}</p:spPr><p:txBody><a:bodyPr/><a:lstStyle/>${lines.map(slideLine).join('')}</p:txBody></p:sp>`
}

/** A group around shapes, which have places of their own inside it. */
export function groupXml(box: Box, content: string): string {
  return `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="90" name="g"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr>${transform(box)}</p:grpSpPr>${content}</p:grpSp>`
}

/** A table of DrawingML; null stands for a cell that the one before it spans. */
export function slideTable(rows: readonly (readonly (string | null)[])[]): string {
  const cell = (text: string | null, span: number): string =>
    text === null
      ? '<a:tc hMerge="1"><a:txBody><a:p/></a:txBody></a:tc>'
      : `<a:tc${span > 1 ? ` gridSpan="${span}"` : ''}><a:txBody><a:bodyPr/>${slideLine(text)}</a:txBody></a:tc>`
  const xml = rows.map((row) => {
    const cells = row.map((text, i) => {
      const next = row.findIndex((other, k) => k > i && other !== null)
      return cell(text, (next === -1 ? row.length : next) - i)
    })
    return `<a:tr h="1">${cells.join('')}</a:tr>`
  })
  return `<a:tbl>${xml.join('')}</a:tbl>`
}

function slideXml({ title, lines = [], table, shapes = [], hidden }: Slide, extra: string): string {
  const all = [
    shapeXml(2, { lines: [title], placeholder: 'type="title"' }),
    ...(lines.length === 0 ? [] : [shapeXml(3, { lines, box: [50, 150, 900, 200] })]),
    ...(table === undefined ? [] : [shapeXml(4, { raw: slideTable(table), box: [50, 400, 900, 200] })]),
    ...shapes.map((shape, i) => shapeXml(10 + i, shape)),
  ]
  return `<?xml version="1.0"?><p:sld ${namespaces}${hidden === true ? ' show="0"' : ''}><p:cSld><p:spTree>${all.join('')}${extra}</p:spTree></p:cSld></p:sld>`
}

const notesXml = (text: string): string =>
  `<p:notes ${namespaces}><p:cSld><p:spTree>${shapeXml(2, { lines: ['7'], placeholder: 'type="sldNum"' })}${shapeXml(3, { lines: text.split('\n'), placeholder: 'type="body"' })}</p:spTree></p:cSld></p:notes>`

/** A .pptx of the given slides; `parts` and `extra` (XML at the end of each slide) for what they refer to. */
export function makePptx(
  slides: readonly Slide[],
  parts: Record<string, string | Buffer> = {},
  extra: Record<number, string> = {},
): Promise<Buffer> {
  const present = `${officeTypes}.presentationml`
  const all: Record<string, string | Buffer> = {
    '[Content_Types].xml': contentTypes(
      Object.fromEntries([
        ['/ppt/presentation.xml', `${present}.presentation.main+xml`],
        ...slides.map((_, i) => [`/ppt/slides/slide${i + 1}.xml`, `${present}.slide+xml`]),
      ]),
    ),
    '_rels/.rels': relations({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/_rels/presentation.xml.rels': relations(
      Object.fromEntries(slides.map((_, i) => [`s${i + 1}`, ['slide', `slides/slide${i + 1}.xml`]])),
    ),
    'ppt/presentation.xml': `<?xml version="1.0"?><p:presentation ${namespaces}><p:sldIdLst>${slides.map((_, i) => `<p:sldId id="${256 + i}" r:id="s${i + 1}"/>`).join('')}</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>`,
    'ppt/slideLayouts/slideLayout1.xml': layout,
    'ppt/slideLayouts/_rels/slideLayout1.xml.rels': relations({
      r1: ['slideMaster', '../slideMasters/slideMaster1.xml'],
    }),
    'ppt/slideMasters/slideMaster1.xml': bulletMaster,
    'docProps/core.xml': coreProperties(''),
    ...parts,
  }
  slides.forEach((slide, i) => {
    all[`ppt/slides/slide${i + 1}.xml`] = slideXml(slide, extra[i] ?? '')
    all[`ppt/slides/_rels/slide${i + 1}.xml.rels`] = relations({
      l1: ['slideLayout', '../slideLayouts/slideLayout1.xml'],
      ...(slide.notes === undefined ? {} : { n1: ['notesSlide', `../notesSlides/notesSlide${i + 1}.xml`] }),
      ...slide.relations,
    })
    if (slide.notes !== undefined) all[`ppt/notesSlides/notesSlide${i + 1}.xml`] = notesXml(slide.notes)
  })
  return makeZip(all)
}
