// PDFs for tests, written by hand: text at places, in Helvetica; optionally locked, damaged or with a picture.

export interface PdfText {
  x: number
  /** Points from the page's lower edge, as PDF counts. */
  y: number
  text: string
  size?: number
  bold?: boolean
}

export interface PdfOptions {
  title?: string
  /** Adds an encryption dictionary no password opens. */
  locked?: boolean
}

/** A letter-size PDF, one page a list of texts. */
export function makePdf(pages: readonly (readonly PdfText[])[], options: PdfOptions = {}): Buffer {
  const objects: string[] = []
  const add = (body: string): number => objects.push(body)
  const font = add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>')
  const bold = add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>')
  const parent = objects.length + pages.length * 2 + 1
  const kids = pages.map((texts) => {
    const content = texts.map(show).join('\n')
    const stream = add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`)
    const resources = `<< /Font << /F1 ${font} 0 R /F2 ${bold} 0 R >> >>`
    return add(
      `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 612 792] /Resources ${resources} /Contents ${stream} 0 R >>`,
    )
  })
  add(`<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /Count ${kids.length} >>`)
  const root = add(`<< /Type /Catalog /Pages ${parent} 0 R >>`)
  const info =
    options.title === undefined ? '' : ` /Info ${add(`<< /Title (${escapeText(options.title)}) >>`)} 0 R`
  const locked = options.locked === true ? lock : ''
  return assemble(objects, `/Root ${root} 0 R${info}${locked}`)
}

const lock = ` /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'5a'.repeat(32)}> /U <${'a5'.repeat(32)}> >> /ID [<00> <00>]`

function show({ x, y, text, size = 11, bold = false }: PdfText): string {
  return `BT /F${bold ? 2 : 1} ${size} Tf ${x} ${y} Td (${escapeText(text)}) Tj ET`
}

function escapeText(text: string): string {
  return text.replace(/[\\()]/g, '\\$&')
}

function assemble(objects: readonly string[], trailer: string): Buffer {
  let file = '%PDF-1.4\n'
  const offsets = objects.map((body, i) => {
    const at = file.length
    file += `${i + 1} 0 obj\n${body}\nendobj\n`
    return at
  })
  const start = file.length
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`
  file += `trailer\n<< /Size ${objects.length + 1} ${trailer} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

/** Lines of prose from the top of a page, 14 points apart. */
export function prose(lines: readonly string[], top = 700, x = 72): PdfText[] {
  return lines.map((text, i) => ({ x, y: top - i * 14, text }))
}

/** A table without rules: columns at the given places, 18 points a row. */
export function grid(
  rows: readonly (readonly string[])[],
  columns: readonly number[],
  top: number,
): PdfText[] {
  return rows.flatMap((row, r) => row.map((text, c) => ({ x: columns[c] ?? 72, y: top - r * 18, text })))
}
