// Pages of known text for the OCR bench: prose, two columns, a table; set in PDF's own fonts and drawn to pictures.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LiteParse } from '@llamaindex/liteparse'

export interface KnownPage {
  name: string
  /** The words in reading order. */
  words: string[]
  pdf: (skewDegrees: number) => Buffer
}

interface Placed {
  x: number
  y: number
  text: string
}

type Font = 'Times-Roman' | 'Helvetica' | 'Courier'

const WIDTH = 612
const HEIGHT = 792
const MARGIN = 72
// Average advance of a letter in ems; lines are broken by it, never wider than their column.
const ADVANCE: Record<Font, number> = { 'Times-Roman': 0.47, Helvetica: 0.53, Courier: 0.6 }

/** One page of each layout a scan may have, from paragraphs of prose. */
export function knownPages(paragraphs: readonly string[]): KnownPage[] {
  const figures = table()
  return [
    page('prose, Times 11', 'Times-Roman', 11, column(paragraphs, 'Times-Roman', 11, MARGIN, 468)),
    page('two columns, Helvetica 9', 'Helvetica', 9, [
      ...column(paragraphs.slice(0, Math.ceil(paragraphs.length / 2)), 'Helvetica', 9, 54, 240),
      ...column(paragraphs.slice(Math.ceil(paragraphs.length / 2)), 'Helvetica', 9, 324, 240),
    ]),
    page('table of figures, Helvetica 10', 'Helvetica', 10, figures),
  ]
}

function page(name: string, font: Font, size: number, lines: Placed[]): KnownPage {
  const words = lines.flatMap(({ text }) => text.split(' '))
  return { name, words, pdf: (skew) => onePage(font, size, lines, skew) }
}

function column(paragraphs: readonly string[], font: Font, size: number, x: number, width: number): Placed[] {
  const most = Math.floor(width / (size * ADVANCE[font]))
  const lines: Placed[] = []
  let y = HEIGHT - MARGIN
  for (const paragraph of paragraphs) {
    for (const text of wrap(paragraph, most)) {
      y -= size * 1.3
      if (y > MARGIN) lines.push({ x, y, text })
    }
    y -= size * 0.8
  }
  return lines
}

function wrap(paragraph: string, most: number): string[] {
  const lines: string[] = []
  for (const word of paragraph.split(/\s+/)) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > most) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

function table(): Placed[] {
  const columns = [72, 240, 330, 420, 500]
  const head = ['Station', 'Reading', 'Corrected', 'Deviation', 'Share']
  const rows = Array.from({ length: 24 }, (_, i) => [
    `Harbour gauge ${i + 1}`,
    (i * 137.51 + 12.05).toFixed(2),
    `(${(i * 41 + 9).toLocaleString('en')})`,
    `${(i % 5) - 2}.0${i % 10}`,
    `${((i * 7) % 100) + 0.5}%`,
  ])
  return [head, ...rows].flatMap((cells, r) =>
    cells.map((text, c) => ({ x: columns[c] ?? 72, y: HEIGHT - 110 - r * 20, text })),
  )
}

/** A PDF of one page, turned about its middle as a sheet goes askew through a scanner. */
function onePage(font: Font, size: number, lines: readonly Placed[], skewDegrees: number): Buffer {
  const [sin, cos] = [Math.sin((skewDegrees * Math.PI) / 180), Math.cos((skewDegrees * Math.PI) / 180)]
  const dx = WIDTH / 2 - (cos * WIDTH) / 2 + (sin * HEIGHT) / 2
  const dy = HEIGHT / 2 - (sin * WIDTH) / 2 - (cos * HEIGHT) / 2
  const turn = [cos, sin, -sin, cos, dx, dy].map((value) => value.toFixed(5)).join(' ')
  const escaped = (text: string): string => text.replace(/[\\()]/g, '\\$&')
  const texts = lines.map(
    ({ x, y, text }) => `BT /F ${size} Tf ${x} ${y.toFixed(2)} Td (${escaped(text)}) Tj ET`,
  )
  const content = `${turn} cm\n${texts.join('\n')}`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    `<< /Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding /WinAnsiEncoding >>`,
  ]
  const body = objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.4\n${body}trailer << /Root 1 0 R >>\n%%EOF\n`, 'latin1')
}

/** The page as PNG, lying as a scanner's operator laid it. */
export async function picture(
  folder: string,
  pdf: Buffer,
  dpi: number,
  angle: 0 | 90 | 180 | 270,
): Promise<Buffer> {
  const path = join(folder, 'known.pdf')
  await writeFile(path, pdf)
  const pageOrientationCorrections = angle === 0 ? [] : [{ page: 1, angle }]
  const drawer = new LiteParse({ dpi, quiet: true, ocrEnabled: false, pageOrientationCorrections })
  const [shot] = await drawer.screenshot(path, [1])
  if (shot === undefined) throw new Error('nothing drawn')
  return shot.imageBuffer
}
