// PDFs for tests, written by hand: text at places, in Helvetica; optionally locked, damaged or with a picture.

export interface PdfText {
  x: number
  /** Points from the page's lower edge, as PDF counts. */
  y: number
  text: string
  size?: number
  bold?: boolean
  /** 'unicode' draws any letters of the basic plane, from the left. */
  font?: 'italic' | 'typewriter' | 'unicode'
}

export interface PdfOptions {
  title?: string
  /** Adds an encryption dictionary no password opens. */
  locked?: boolean
  /** Lines drawn on every page. */
  rules?: readonly PdfRule[]
  /** PDF operators that draw on every page. */
  drawn?: string
  /** The pages' /Rotate, clockwise. */
  rotate?: number
  /** Draws all of a page from its lower edge to the upper one. */
  sideways?: boolean
  /** A picture over the whole page under invisible text, as a scanner with recognition writes it. */
  scan?: boolean
  bookmarks?: readonly PdfBookmark[]
  /** Typed onto every page with a viewer. */
  typed?: readonly PdfTyped[]
  /** Buttons and boxes of a form, on every page; those of one name are one group. */
  buttons?: readonly PdfButton[]
  /** The pages' width and height in points; letter size without it. */
  size?: readonly [number, number]
}

/** Text typed onto a page, or a note there. */
export interface PdfTyped extends PdfText {
  hidden?: boolean
  note?: 'Text' | 'Highlight'
  author?: string
}

/** A button of 14 points to be chosen, with what the group's value is then. */
export interface PdfButton {
  x: number
  y: number
  name: string
  /** What people see as its name. */
  title?: string
  value: string
  isChosen?: boolean
  isRadio?: boolean
}

export interface PdfBookmark {
  title: string
  /** 1-based. */
  page: number
  y: number
  below?: readonly PdfBookmark[]
}

/** A line from one point to another, y from the lower edge. */
export type PdfRule = readonly [number, number, number, number]

/** A PDF, one page a list of texts. */
export function makePdf(pages: readonly (readonly PdfText[])[], options: PdfOptions = {}): Buffer {
  const objects: string[] = []
  const add = (body: string): number => objects.push(body)
  const font = add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>')
  const bold = add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>')
  const italic = add(
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Oblique /Encoding /WinAnsiEncoding >>',
  )
  const fixed = add('<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>')
  const unicode = unicodeFont(add, pages.flat())
  const { rules: ruled = [], drawn = '', rotate = 0, scan = false, size = [612, 792] } = options
  const lines = [...ruled.map(([x1, y1, x2, y2]) => `${x1} ${y1} m ${x2} ${y2} l S`), drawn].join('\n')
  const picture = scan ? add(greyPicture) : undefined
  const rotation = options.sideways === true ? '0 1 -1 0 612 0 cm\n' : ''
  const background = `${rotation}${picture === undefined ? '' : 'q 612 0 0 792 0 0 cm /Im1 Do Q\n3 Tr\n'}`
  const pictures = picture === undefined ? '' : ` /XObject << /Im1 ${picture} 0 R >>`
  const buttons = buttonGroups(objects, options.buttons ?? [])
  const parent = objects.length + pages.length * 2 + 1
  const kids = pages.map((texts) => {
    const content = `${background}${texts.map(show).join('\n')}\n${lines}`
    const stream = add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`)
    const resources = `<< /Font << /F1 ${font} 0 R /F2 ${bold} 0 R /F3 ${italic} 0 R /F4 ${fixed} 0 R /F5 ${unicode} 0 R >>${pictures} >>`
    const annotationIds = [
      ...(options.typed ?? []).map(annotation),
      ...buttons.widgets.map((id) => `${id} 0 R`),
    ]
    const annotations = annotationIds.length > 0 ? ` /Annots [${annotationIds.join(' ')}]` : ''
    return add(
      `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 ${size.join(' ')}] /Rotate ${rotate} /Resources ${resources} /Contents ${stream} 0 R${annotations} >>`,
    )
  })
  add(`<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /Count ${kids.length} >>`)
  const outlines = outline(objects, kids, options.bookmarks ?? [])
  const root = add(`<< /Type /Catalog /Pages ${parent} 0 R${outlines}${buttons.form} >>`)
  const info =
    options.title === undefined ? '' : ` /Info ${add(`<< /Title (${escapeText(options.title)}) >>`)} 0 R`
  const encryption = options.locked === true ? lock : ''
  return assemble(objects, `/Root ${root} 0 R${info}${encryption}`)
}

/** Adds the bookmarks; gives the catalog's entry for them. */
function outline(objects: string[], pages: readonly number[], bookmarks: readonly PdfBookmark[]): string {
  if (bookmarks.length === 0) return ''
  const level = (siblings: readonly PdfBookmark[], parent: number): string => {
    const numbers = siblings.map(() => objects.push(''))
    siblings.forEach(({ title, page, y, below = [] }, i) => {
      const own = numbers[i] ?? 0
      const next = numbers[i + 1] === undefined ? '' : ` /Next ${numbers[i + 1]} 0 R`
      const childLevel = below.length === 0 ? '' : ` ${level(below, own)}`
      const dest = `[${pages[page - 1]} 0 R /XYZ 0 ${y} null]`
      objects[own - 1] =
        `<< /Title (${escapeText(title)}) /Parent ${parent} 0 R /Dest ${dest}${next}${childLevel} >>`
    })
    return `/First ${numbers[0]} 0 R /Last ${numbers.at(-1)} 0 R /Count ${numbers.length}`
  }
  const root = objects.push('')
  objects[root - 1] = `<< /Type /Outlines ${level(bookmarks, root)} >>`
  return ` /Outlines ${root} 0 R`
}

function annotation({ x, y, text, hidden = false, note, author = '' }: PdfTyped): string {
  const [right, top] = [x + 200, y + 14]
  const quadPoints =
    note === 'Highlight' ? ` /QuadPoints [${x} ${top} ${right} ${top} ${x} ${y} ${right} ${y}]` : ''
  return `<< /Type /Annot /Subtype /${note ?? 'FreeText'} /Rect [${x} ${y} ${right} ${top}]${quadPoints} /T (${escapeText(author)}) /Contents (${escapeText(text)}) /DA (/Helv 11 Tf 0 g) /F ${hidden ? 2 : 4} >>`
}

/** Adds the buttons of a form; gives their numbers and the catalog's entry for the form. */
function buttonGroups(objects: string[], buttons: readonly PdfButton[]): { widgets: number[]; form: string } {
  const widgets: number[] = []
  const fields = [...new Set(buttons.map(({ name }) => name))].map((name) => {
    const group = buttons.filter((button) => button.name === name)
    const field = objects.push('')
    const kids = group.map(({ x, y, value, isChosen = false }) => {
      const looks = objects.push(
        '<< /Type /XObject /Subtype /Form /BBox [0 0 14 14] /Length 0 >>\nstream\n\nendstream',
      )
      const states = `/AP << /N << /${pdfName(value)} ${looks} 0 R /Off ${looks} 0 R >> >>`
      const state = isChosen ? pdfName(value) : 'Off'
      return objects.push(
        `<< /Type /Annot /Subtype /Widget /Rect [${x} ${y} ${x + 14} ${y + 14}] /F 4 /Parent ${field} 0 R /AS /${state} ${states} >>`,
      )
    })
    widgets.push(...kids)
    const [{ title = undefined, isRadio = false } = {}] = group
    const chosen = group.find(({ isChosen }) => isChosen)?.value
    const tooltip = title === undefined ? '' : ` /TU (${escapeText(title)})`
    objects[field - 1] =
      `<< /FT /Btn /Ff ${isRadio ? 49152 : 0} /T (${name})${tooltip} /V /${chosen === undefined ? 'Off' : pdfName(chosen)} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`
    return `${field} 0 R`
  })
  return { widgets, form: fields.length === 0 ? '' : ` /AcroForm << /Fields [${fields.join(' ')}] >>` }
}

const pdfName = (text: string): string => text.replaceAll(' ', '#20')

const greyPicture =
  '<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /ASCIIHexDecode /Length 3 >>\nstream\nE0>\nendstream'

const lock = ` /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'5a'.repeat(32)}> /U <${'a5'.repeat(32)}> >> /ID [<00> <00>]`

const faces = { italic: 'F3', typewriter: 'F4', unicode: 'F5' }

function show({ x, y, text, size = 11, bold = false, font }: PdfText): string {
  const face = font === undefined ? (bold ? 'F2' : 'F1') : faces[font]
  const string = font === 'unicode' ? hexText(text) : `(${escapeText(text)})`
  return `BT /${face} ${size} Tf ${x} ${y} Td ${string} Tj ET`
}

const hexText = (text: string): string =>
  `<${Array.from(text, (letter) => letter.charCodeAt(0).toString(16).padStart(4, '0')).join('')}>`

/** A font of no outlines whose codes are UTF-16: what a reader takes from the page is the text itself. */
function unicodeFont(add: (body: string) => number, texts: readonly PdfText[]): number {
  const letters = new Set(texts.flatMap(({ text, font }) => (font === 'unicode' ? Array.from(text) : [])))
  const codes = Array.from(letters, hexText)
  const map = `/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Text def\n/CMapType 2 def\n1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n${codes.map((code) => `1 beginbfchar\n${code} ${code}\nendbfchar`).join('\n')}\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend`
  const toUnicode = add(`<< /Length ${map.length} >>\nstream\n${map}\nendstream`)
  const info = '/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>'
  // Without a descriptor pdf.js takes the codes for bytes.
  const descriptor = add(
    '<< /Type /FontDescriptor /FontName /Any /Flags 4 /FontBBox [0 -200 1000 800] /Ascent 800 /Descent -200 /CapHeight 700 /ItalicAngle 0 /StemV 80 >>',
  )
  const descendant = add(
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Any ${info} /FontDescriptor ${descriptor} 0 R /DW 600 >>`,
  )
  return add(
    `<< /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /Identity-H /DescendantFonts [${descendant} 0 R] /ToUnicode ${toUnicode} 0 R >>`,
  )
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

/** The lines of a grid: columns' and rows' edges. */
export function rules(xs: readonly number[], ys: readonly number[]): PdfRule[] {
  const [left = 0, right = 0] = [xs[0], xs.at(-1)]
  const [top = 0, bottom = 0] = [ys[0], ys.at(-1)]
  return [...xs.map((x): PdfRule => [x, top, x, bottom]), ...ys.map((y): PdfRule => [left, y, right, y])]
}
