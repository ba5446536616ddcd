// OpenDocument texts and presentations for tests.

import type { Model, ModelItem } from './model.ts'
import { escapeText } from './office.ts'
import { makeZip } from './zip.ts'

const oasis = 'urn:oasis:names:tc:opendocument:xmlns'
const namespaces = [
  ...['office', 'text', 'table', 'style', 'draw', 'presentation', 'chart'].map(
    (name) => `xmlns:${name}="${oasis}:${name === 'draw' ? 'drawing' : name}:1.0"`,
  ),
  ...['fo:xsl-fo', 'svg:svg'].map((pair) => {
    const [prefix, name] = pair.split(':')
    return `xmlns:${prefix}="${oasis}:${name}-compatible:1.0"`
  }),
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
].join(' ')

export interface OdfExtra {
  /** Inside <office:styles> and <office:master-styles> of styles.xml. */
  styles?: string
  masters?: string
  /** Inside <office:automatic-styles> of content.xml. */
  automatic?: string
  title?: string
  manifest?: string
  parts?: Record<string, string | Buffer>
}

/** A part of the given name with the common namespaces. */
export const odfPart = (name: string, content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><office:${name} ${namespaces}>${content}</office:${name}>`

function makeOdf(type: 'text' | 'presentation', body: string, extra: OdfExtra): Promise<Buffer> {
  const { styles = '', masters = '', automatic = '', title = '', manifest = '', parts } = extra
  return makeZip({
    mimetype: `application/vnd.oasis.opendocument.${type}`,
    'META-INF/manifest.xml': `<manifest:manifest xmlns:manifest="${oasis}:manifest:1.0">${manifest}</manifest:manifest>`,
    'meta.xml': odfPart(
      'document-meta',
      `<office:meta><dc:title>${escapeText(title)}</dc:title></office:meta>`,
    ),
    'styles.xml': odfPart(
      'document-styles',
      `<office:styles>${styles}</office:styles><office:master-styles>${masters}</office:master-styles>`,
    ),
    'content.xml': odfPart(
      'document-content',
      `<office:automatic-styles>${automatic}</office:automatic-styles><office:body><office:${type}>${body}</office:${type}></office:body>`,
    ),
    ...parts,
  })
}

/** An .odt whose body is the given XML. */
export const makeOdt = (body: string, extra: OdfExtra = {}): Promise<Buffer> => makeOdf('text', body, extra)

/** An .odp whose slides are the given XML. */
export const makeOdp = (body: string, extra: OdfExtra = {}): Promise<Buffer> =>
  makeOdf('presentation', body, extra)

export const odfParagraph = (text: string, style = 'Standard'): string =>
  `<text:p text:style-name="${style}">${escapeText(text)}</text:p>`

export const odfHeading = (text: string, level: number): string =>
  `<text:h text:outline-level="${level}">${escapeText(text)}</text:h>`

/** A table of texts. */
export function odfTable(rows: readonly (readonly string[])[]): string {
  const cell = (text: string): string => `<table:table-cell>${odfParagraph(text)}</table:table-cell>`
  return `<table:table>${rows.map((row) => `<table:table-row>${row.map(cell).join('')}</table:table-row>`).join('')}</table:table>`
}

const bullets = [1, 2, 3].map(
  (level) => `<text:list-level-style-bullet text:level="${level}" text:bullet-char="•"/>`,
)

/** A list style of bullets, named "Bullets". */
export const bulletStyle = `<text:list-style style:name="Bullets">${bullets.join('')}</text:list-style>`

function odfList(items: readonly ModelItem[]): string {
  let xml = ''
  let depth = -1
  for (const { text, level } of items) {
    if (level > depth) xml += '<text:list text:style-name="Bullets"><text:list-item>'.repeat(level - depth)
    else xml += `</text:list-item>${'</text:list></text:list-item>'.repeat(depth - level)}<text:list-item>`
    depth = level
    xml += odfParagraph(text)
  }
  return `${xml}${'</text:list-item></text:list>'.repeat(depth + 1)}`
}

/** A drawn document as an .odt. */
export function asOdt(model: Model): Promise<Buffer> {
  const body = model.map((part) => {
    if (part.type === 'heading') return odfHeading(part.text, part.level)
    if (part.type === 'paragraph') return odfParagraph(part.text)
    return part.type === 'list' ? odfList(part.items) : odfTable(part.rows)
  })
  return makeOdt(body.join(''), { styles: bulletStyle })
}
