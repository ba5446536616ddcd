// Documents with pictures in them: a screenshot of known words, a photograph of nothing, in each kind that holds some.

import { crc32, deflateSync } from 'node:zlib'
import { rawPdf } from './bad.ts'
import { makeDocx, wordParagraph } from './office.ts'
import { drawLine, type Grey } from './pictures.ts'
import { makePptx } from './slides.ts'
import { makeZip } from './zip.ts'

/** Lines of type below each other, as on a screen: 24 points at 96 dots an inch, 347 pixels wide. */
export async function screenshot(lines: readonly string[]): Promise<Grey> {
  const pictures: Grey[] = []
  for (const line of lines) pictures.push(await drawLine(line, 96))
  const width = pictures[0]?.width ?? 0
  const pixels = Uint8Array.from(Buffer.concat(pictures.map((grey) => grey.pixels)))
  return { width, height: pixels.length / width, pixels }
}

/** Light and shade as leaves have them, the same for the same seed. */
export function photograph(seed: number, width = 400, height = 300): Grey {
  let state = seed
  const noise = Uint8Array.from({ length: width * height }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  })
  const at = (x: number, y: number): number =>
    noise[((y + height) % height) * width + ((x + width) % width)] ?? 0
  const pixels = noise.map((_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)]
    let sum = 0
    for (let dx = -2; dx <= 2; dx++) for (let dy = -2; dy <= 2; dy++) sum += at(x + dx, y + dy)
    return sum / 25
  })
  return { width, height, pixels }
}

/** A PNG of eight bits a pixel, grey. */
export function makePng({ width, height, pixels }: Grey): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(8, 8)
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.concat([Buffer.from([0]), pixels.subarray(y * width, (y + 1) * width)]),
  )
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

export interface PicturedPage {
  lines: readonly string[]
  /** Drawn below the lines, a point a pixel. */
  picture?: Grey
}

/** A letter-size PDF: on each page its lines and, below them, its picture; the same picture is one object. */
export function picturedPdf(pages: readonly PicturedPage[]): Buffer {
  const pictures = [...new Set(pages.flatMap(({ picture }) => picture ?? []))]
  const objects: Parameters<typeof rawPdf>[0][number][] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((_, i) => `${4 + pictures.length + 2 * i} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pictures.map(({ width, height, pixels }) => ({
      dictionary: `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode`,
      bytes: deflateSync(Buffer.from(pixels)),
    })),
  ]
  for (const { lines, picture } of pages) {
    const text = lines.map((line, i) => `BT /F1 11 Tf 72 ${720 - 14 * i} Td (${line}) Tj ET`)
    const { width = 0, height = 0 } = picture ?? {}
    const pictureCommand =
      picture === undefined
        ? ''
        : `q ${width} 0 0 ${height} 72 ${680 - 14 * lines.length - height} cm /P Do Q`
    const object = picture === undefined ? '' : `/XObject << /P ${4 + pictures.indexOf(picture)} 0 R >>`
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> ${object} >> /Contents ${objects.length + 2} 0 R >>`,
      { dictionary: '', bytes: Buffer.from([...text, pictureCommand].join('\n')) },
    )
  }
  return rawPdf(objects)
}

const drawing = (no: number, description = ''): string =>
  `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="${no}" name="Picture ${no}" descr="${description}"/><a:graphic><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:embed="p${no}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`

/** Paragraphs and, where a number stands, that picture; `described` gives the pictures their alternative text. */
export const picturedDocx = (
  body: readonly (string | number)[],
  pictures: readonly Buffer[],
  described?: string,
): Promise<Buffer> =>
  makeDocx(
    body.map((item) => (typeof item === 'string' ? wordParagraph(item) : drawing(item, described))).join(''),
    {
      parts: Object.fromEntries(pictures.map((bytes, no) => [`word/media/image${no}.png`, bytes])),
      relations: Object.fromEntries(pictures.map((_, no) => [`p${no}`, ['image', `media/image${no}.png`]])),
    },
  )

/** Slides of a line each and, where one is named, a picture. */
export const picturedPptx = (
  slides: readonly { line: string; picture?: number }[],
  pictures: readonly Buffer[],
): Promise<Buffer> =>
  makePptx(
    slides.map(({ line, picture }) => ({
      title: line,
      relations: picture === undefined ? {} : { p1: ['image', `../media/image${picture}.png`] },
    })),
    Object.fromEntries(pictures.map((bytes, no) => [`ppt/media/image${no}.png`, bytes])),
    Object.fromEntries(
      slides.flatMap(({ picture }, no) =>
        picture === undefined
          ? []
          : [
              [
                no,
                '<p:pic><p:nvPicPr><p:cNvPr id="90" name="Picture"/></p:nvPicPr><p:blipFill><a:blip r:embed="p1"/></p:blipFill></p:pic>',
              ],
            ],
      ),
    ),
  )

export const picturedHtml = (text: string, picture: Buffer): string =>
  `<html><body><p>${text}</p><p><img src="data:image/png;base64,${picture.toString('base64')}"></p><p><img src="https://elsewhere.example/x.png"> The end.</p></body></html>`

export const picturedEpub = (text: string, picture: Buffer): Promise<Buffer> =>
  makeZip({
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="book/content.opf"/></rootfiles></container>',
    'book/content.opf':
      '<package><metadata/><manifest><item id="c" href="text/one.xhtml"/></manifest><spine><itemref idref="c"/></spine></package>',
    'book/text/one.xhtml': `<html><body><p>${text}</p><img src="../images/a%20picture.png"/></body></html>`,
    'book/images/a picture.png': picture,
  })

/** A mail with `html` as its text, a picture it may show as `cid:p@x`, and a Word file. */
export function picturedMail(html: string, picture: Buffer, docx: Buffer): Buffer {
  const part = (head: string, content: Buffer): string =>
    `${head}\r\nContent-Transfer-Encoding: base64\r\n\r\n${content.toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n`
  return Buffer.from(
    [
      'From: a@b.example\r\nSubject: Valves\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=m\r\n',
      '--m\r\nContent-Type: multipart/related; boundary=r\r\n',
      `--r\r\n${part('Content-Type: text/html; charset=utf-8', Buffer.from(html))}`,
      `--r\r\n${part('Content-Type: image/png\r\nContent-ID: <p@x>\r\nContent-Disposition: inline', picture)}--r--\r\n`,
      `--m\r\n${part('Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=notes.docx', docx)}--m--\r\n`,
    ].join('\r\n'),
  )
}
