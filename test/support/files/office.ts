// Word, PowerPoint and Excel files for tests, of the few parts a reader needs.

import * as XLSX from '@e965/xlsx'
import { makeZip } from './zip.ts'

const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const officeTypes = 'application/vnd.openxmlformats-officedocument'

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function contentTypes(overrides: Record<string, string>): string {
  const parts = Object.entries(overrides).map(
    ([name, type]) => `<Override PartName="${name}" ContentType="${type}"/>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${parts.join('')}</Types>`
}

function relations(targets: Record<string, [type: string, target: string]>): string {
  const parts = Object.entries(targets).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${relation}/${type}" Target="${target}"/>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${parts.join('')}</Relationships>`
}

function coreProperties(title: string): string {
  return `<?xml version="1.0"?><cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeText(title)}</dc:title></cp:coreProperties>`
}

/** A paragraph of WordprocessingML; `style` is a style's id such as Heading1. */
export function wordParagraph(text: string, style?: string): string {
  const properties = style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${escapeText(text)}</w:t></w:r></w:p>`
}

/** A table of WordprocessingML; a cell may be text or text with the number of columns it spans. */
export function wordTable(rows: readonly (readonly (string | [text: string, span: number])[])[]): string {
  const cell = (value: string | [string, number]): string => {
    const [text, span] = typeof value === 'string' ? [value, 1] : value
    const properties = span > 1 ? `<w:tcPr><w:gridSpan w:val="${span}"/></w:tcPr>` : ''
    return `<w:tc>${properties}${wordParagraph(text)}</w:tc>`
  }
  return `<w:tbl>${rows.map((row) => `<w:tr>${row.map(cell).join('')}</w:tr>`).join('')}</w:tbl>`
}

/** A .docx whose body is the given WordprocessingML; `note` becomes footnote 1, referred to at the end. */
export function makeDocx(body: string, extra: { title?: string; note?: string } = {}): Promise<Buffer> {
  const namespaces = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"`
  const reference = extra.note === undefined ? '' : '<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p>'
  const heading = (n: number): string =>
    `<w:style w:type="paragraph" w:styleId="Heading${n}"><w:name w:val="heading ${n}"/></w:style>`
  const word = `${officeTypes}.wordprocessingml`
  return makeZip({
    '[Content_Types].xml': contentTypes({
      '/word/document.xml': `${word}.document.main+xml`,
      '/word/styles.xml': `${word}.styles+xml`,
      '/word/footnotes.xml': `${word}.footnotes+xml`,
    }),
    '_rels/.rels': relations({ r1: ['officeDocument', 'word/document.xml'] }),
    'word/_rels/document.xml.rels': relations({
      r1: ['styles', 'styles.xml'],
      r2: ['footnotes', 'footnotes.xml'],
    }),
    'word/styles.xml': `<?xml version="1.0"?><w:styles ${namespaces}>${heading(1)}${heading(2)}</w:styles>`,
    'word/footnotes.xml': `<?xml version="1.0"?><w:footnotes ${namespaces}><w:footnote w:id="1">${wordParagraph(extra.note ?? '')}</w:footnote></w:footnotes>`,
    'word/document.xml': `<?xml version="1.0"?><w:document ${namespaces}><w:body>${body}${reference}</w:body></w:document>`,
    'docProps/core.xml': coreProperties(extra.title ?? ''),
  })
}

export interface Slide {
  title: string
  lines: string[]
  table?: string[][]
}

/** A .pptx of the given slides. */
export function makePptx(slides: readonly Slide[]): Promise<Buffer> {
  const present = `${officeTypes}.presentationml`
  const parts: Record<string, string> = {
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
    'ppt/presentation.xml': `<?xml version="1.0"?><p:presentation ${slideNamespaces}><p:sldIdLst>${slides.map((_, i) => `<p:sldId id="${256 + i}" r:id="s${i + 1}"/>`).join('')}</p:sldIdLst></p:presentation>`,
  }
  slides.forEach((slide, i) => {
    parts[`ppt/slides/slide${i + 1}.xml`] = slideXml(slide)
  })
  return makeZip(parts)
}

const slideNamespaces = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${relation}"`

function slideXml({ title, lines, table }: Slide): string {
  const text = (line: string): string => `<a:p><a:r><a:t>${escapeText(line)}</a:t></a:r></a:p>`
  const shape = (id: number, placeholder: string, body: string): string =>
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="s${id}"/><p:cNvSpPr/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>${body}</p:txBody></p:sp>`
  const row = (cells: string[]): string =>
    `<a:tr h="1">${cells.map((cell) => `<a:tc><a:txBody><a:bodyPr/>${text(cell)}</a:txBody></a:tc>`).join('')}</a:tr>`
  const frame =
    table === undefined
      ? ''
      : `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="9" name="t"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl>${table.map(row).join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
  return `<?xml version="1.0"?><p:sld ${slideNamespaces}><p:cSld><p:spTree>${shape(2, '<p:ph type="title"/>', text(title))}${shape(3, '', lines.map(text).join(''))}${frame}</p:spTree></p:cSld></p:sld>`
}

/** A workbook of sheets given as rows of values, in the format of the file type. */
export function makeWorkbook(
  sheets: Record<string, unknown[][]>,
  type: 'xlsx' | 'biff8' = 'xlsx',
  touch: (sheet: XLSX.WorkSheet, name: string) => void = () => undefined,
): Buffer {
  const workbook = XLSX.utils.book_new()
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = XLSX.utils.aoa_to_sheet(rows)
    touch(sheet, name)
    XLSX.utils.book_append_sheet(workbook, sheet, name)
  }
  return XLSX.write(workbook, { type: 'buffer', bookType: type }) as Buffer
}

/** An OLE compound file with the given streams: what old Office and encrypted new files are. */
export function makeCompound(streams: Record<string, Buffer>): Buffer {
  const container = XLSX.CFB.utils.cfb_new()
  for (const [name, content] of Object.entries(streams))
    XLSX.CFB.utils.cfb_add(container, `/${name}`, content)
  return Buffer.from(XLSX.CFB.write(container, { type: 'buffer' }) as Buffer)
}
