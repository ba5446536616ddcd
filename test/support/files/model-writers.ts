// The model as real files: Word, RTF, HTML, Markdown, EPUB, e-mail, PowerPoint, plain text.

import type { Model, ModelItem, ModelPart } from './model.ts'
import { makeDocx, wordParagraph, wordTable } from './office.ts'
import { makePptx, type Slide } from './slides.ts'
import { makeZip } from './zip.ts'

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A .docx with styles, a bulleted list of three levels and tables. */
export function asDocx(model: Model): Promise<Buffer> {
  const bullets = [0, 1, 2]
    .map((i) => `<w:lvl w:ilvl="${i}"><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/></w:lvl>`)
    .join('')
  const numberingXml = `<w:abstractNum w:abstractNumId="0">${bullets}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`
  const item = ({ text, level }: ModelItem): string =>
    wordParagraph(text).replace(
      '<w:p>',
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr></w:pPr>`,
    )
  const body = model.map((part) => {
    if (part.type === 'heading') return wordParagraph(part.text, `Heading${part.level}`)
    if (part.type === 'paragraph') return wordParagraph(part.text)
    return part.type === 'list' ? part.items.map(item).join('') : wordTable(part.rows)
  })
  return makeDocx(body.join(''), { numbering: numberingXml })
}

/** Rich text: letters beyond ASCII by their numbers; headings by their level in the outline, items by a bullet and a tab. */
export function asRtf(model: Model): string {
  const plain = (text: string): string =>
    text.replace(/[\\{}]|[^\x20-\x7e]/g, (letter) =>
      letter.length === 1 && letter > '~' ? `\\u${letter.charCodeAt(0)}?` : `\\${letter}`,
    )
  const row = (cells: readonly string[]): string => {
    const edges = cells.map((_, i) => `\\cellx${(i + 1) * 1500}`).join('')
    return `\\trowd${edges}\\pard\\intbl ${cells.map((cell) => `${plain(cell)}\\cell`).join(' ')}\\row\n`
  }
  const body = model.map((part) => {
    // Rows that follow each other are one table.
    if (part.type === 'table') return `${part.rows.map(row).join('')}\\pard\\par\n`
    if (part.type === 'heading') return `\\pard\\s${part.level} ${plain(part.text)}\\par\n`
    if (part.type === 'paragraph') return `\\pard ${plain(part.text)}\\par\n`
    const item = ({ text, level }: ModelItem): string =>
      `{\\listtext\\bullet\\tab}\\pard\\ls1\\ilvl${level} ${plain(text)}\\par\n`
    return part.items.map(item).join('')
  })
  const styles = [1, 2, 3, 4].map((level) => `{\\s${level} heading ${level};}`).join('')
  return `{\\rtf1\\ansi\\uc1{\\fonttbl{\\f0 Times;}}{\\stylesheet${styles}}${body.join('')}}`
}

/** The body of an HTML page. */
export function asHtmlBody(model: Model): string {
  return model
    .map((part) => {
      if (part.type === 'heading') return `<h${part.level}>${escapeXml(part.text)}</h${part.level}>`
      if (part.type === 'paragraph') return `<p>${escapeXml(part.text)}</p>`
      if (part.type === 'list') return htmlList(part.items)
      const row = (cells: string[]): string =>
        `<tr>${cells.map((cell) => `<td>${escapeXml(cell)}</td>`).join('')}</tr>`
      return `<table>${part.rows.map(row).join('\n')}</table>`
    })
    .join('\n')
}

function htmlList(items: readonly ModelItem[]): string {
  let html = ''
  let depth = -1
  for (const { text, level } of items) {
    if (level > depth) html += '<ul>'.repeat(level - depth)
    else html += `</li>${'</ul></li>'.repeat(depth - level)}`
    depth = level
    html += `<li>${escapeXml(text)}`
  }
  return `${html}${'</li></ul>'.repeat(depth + 1)}`
}

export const asHtml = (model: Model): string =>
  `<!doctype html><html><head><title>x</title></head><body>${asHtmlBody(model)}</body></html>`

/** Markdown with everything escaped that would mean something. */
export function asMarkdown(model: Model): string {
  const plain = (text: string): string => text.replace(/[\\`*_{}[\]()#+\-.!|<>&~=]/g, '\\$&')
  return model
    .map((part) => {
      if (part.type === 'heading') return `${'#'.repeat(part.level)} ${plain(part.text)}`
      if (part.type === 'paragraph') return plain(part.text)
      if (part.type === 'list')
        return part.items.map(({ text, level }) => `${'  '.repeat(level)}- ${plain(text)}`).join('\n')
      const [header = [], ...rows] = part.rows.map((row) => `| ${row.map(plain).join(' | ')} |`)
      return [header, `|${' --- |'.repeat(part.rows[0]?.length ?? 0)}`, ...rows].join('\n')
    })
    .join('\n\n')
}

/** A book of one chapter a heading of level 1. */
export function asEpub(model: Model): Promise<Buffer> {
  const chapters: ModelPart[][] = [[]]
  for (const part of model) {
    if (part.type === 'heading' && part.level === 1) chapters.push([])
    chapters.at(-1)?.push(part)
  }
  const names = chapters.map((_, i) => `c${i}.xhtml`)
  return makeZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="b/book.opf"/></rootfiles></container>',
    'b/book.opf': `<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest>${names.map((name) => `<item id="${name}" href="${name}"/>`).join('')}</manifest><spine>${names.map((name) => `<itemref idref="${name}"/>`).join('')}</spine></package>`,
    ...Object.fromEntries(
      chapters.map((parts, i) => [
        `b/${names[i]}`,
        `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body>${asHtmlBody(parts)}</body></html>`,
      ]),
    ),
  })
}

/** A mail whose HTML part is the model; base64 in UTF-8. */
export function asEmail(model: Model): string {
  const body = Buffer.from(asHtml(model)).toString('base64').replace(/.{76}/g, '$&\r\n')
  return `From: a@b.example\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${body}\r\n`
}

/** One slide a part, its text below the title. */
export function asPptx(model: Model): Promise<Buffer> {
  return makePptx(
    model.map((part, i): Slide => {
      const title = `Slide ${String.fromCharCode(65 + i)}`
      if (part.type === 'table') return { title, table: part.rows }
      if (part.type === 'list') {
        return { title, shapes: [{ lines: part.items, placeholder: 'type="body" idx="1"' }] }
      }
      return { title, lines: [part.text] }
    }),
  )
}
