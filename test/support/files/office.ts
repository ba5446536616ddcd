// Word, PowerPoint and Excel files for tests, of the few parts a reader needs.

import * as XLSX from '@e965/xlsx'
import { makeZip } from './zip.ts'

export const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
export const officeTypes = 'application/vnd.openxmlformats-officedocument'

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

export function contentTypes(overrides: Record<string, string>): string {
  const parts = Object.entries(overrides).map(
    ([name, type]) => `<Override PartName="${name}" ContentType="${type}"/>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${parts.join('')}</Types>`
}

export function relations(targets: Record<string, [type: string, target: string]>): string {
  const parts = Object.entries(targets).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${relation}/${type}" Target="${target}"/>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${parts.join('')}</Relationships>`
}

export function coreProperties(title: string): string {
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

export interface DocxExtra {
  title?: string
  /** Footnotes by id, as text; refer to them with `noteReference`. */
  notes?: Record<string, string>
  endnotes?: Record<string, string>
  /** WordprocessingML inside <w:styles> and <w:numbering>. */
  styles?: string
  numbering?: string
  /** Parts of other kinds, with the relationships of the main part that lead to them. */
  parts?: Record<string, string | Buffer>
  relations?: Record<string, [type: string, target: string]>
}

const wordNamespaces = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"',
  'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"',
  `xmlns:r="${relation}"`,
].join(' ')

/** A reference to a note by its id. */
export function noteReference(id: string, kind: 'footnote' | 'endnote' = 'footnote'): string {
  return `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`
}

/** A .docx whose body is the given WordprocessingML. */
export function makeDocx(body: string, extra: DocxExtra = {}): Promise<Buffer> {
  const part = (name: string, content: string): string =>
    `<?xml version="1.0"?><w:${name} ${wordNamespaces}>${content}</w:${name}>`
  const notes = (kind: string, texts: Record<string, string> = {}): string =>
    Object.entries(texts)
      .map(([id, text]) => `<w:${kind} w:id="${id}">${wordParagraph(text)}</w:${kind}>`)
      .join('')
  const heading = (n: number): string =>
    `<w:style w:type="paragraph" w:styleId="Heading${n}"><w:name w:val="heading ${n}"/></w:style>`
  const headings = [1, 2, 3, 4, 5, 6].map(heading).join('')
  const separator =
    '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:t>line</w:t></w:r></w:p></w:footnote>'
  const word = `${officeTypes}.wordprocessingml`
  return makeZip({
    '[Content_Types].xml': contentTypes({
      '/word/document.xml': `${word}.document.main+xml`,
      '/word/styles.xml': `${word}.styles+xml`,
      '/word/numbering.xml': `${word}.numbering+xml`,
      '/word/footnotes.xml': `${word}.footnotes+xml`,
      '/word/endnotes.xml': `${word}.endnotes+xml`,
    }),
    '_rels/.rels': relations({ r1: ['officeDocument', 'word/document.xml'] }),
    'word/_rels/document.xml.rels': relations({
      r1: ['styles', 'styles.xml'],
      r2: ['footnotes', 'footnotes.xml'],
      r3: ['endnotes', 'endnotes.xml'],
      r4: ['numbering', 'numbering.xml'],
      ...extra.relations,
    }),
    'word/styles.xml': part('styles', `${headings}${extra.styles ?? ''}`),
    'word/numbering.xml': part('numbering', extra.numbering ?? ''),
    'word/footnotes.xml': part('footnotes', `${separator}${notes('footnote', extra.notes)}`),
    'word/endnotes.xml': part('endnotes', notes('endnote', extra.endnotes)),
    'word/document.xml': part('document', `<w:body>${body}</w:body>`),
    'docProps/core.xml': coreProperties(extra.title ?? ''),
    ...extra.parts,
  })
}

/** A workbook of sheets given as rows of values, in the format of the file type. */
export function makeWorkbook(
  sheets: Record<string, unknown[][]>,
  type: 'xlsx' | 'biff8' | 'ods' = 'xlsx',
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
