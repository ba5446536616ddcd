// Files of bytes: PDF, old Office, pictures.

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { crc32, deflateSync } from 'node:zlib'
import { makeDoc } from '../../test/support/files/doc.ts'
import { makeCompound } from '../../test/support/files/office.ts'
import { type LargeFile, MAX_BYTES, paragraph, sentence, writePieces } from './file.ts'

const PDF_PAGES = 15_000
const LINES_A_PAGE = 45

async function writePdf(path: string): Promise<void> {
  const out = createWriteStream(path)
  let at = 0
  const say = async (text: string): Promise<void> => {
    at += text.length
    if (!out.write(text)) await once(out, 'drain')
  }
  // With the table of its objects: without one a reader looks for them anew for every batch of pages.
  const offsets: number[] = []
  const object = async (number: number, body: string): Promise<void> => {
    offsets[number] = at
    await say(`${number} 0 obj\n${body}\nendobj\n`)
  }
  const kids = Array.from({ length: PDF_PAGES }, (_, i) => `${4 + 2 * i} 0 R`).join(' ')
  await say('%PDF-1.4\n')
  await object(1, '<< /Type /Catalog /Pages 2 0 R >>')
  await object(2, `<< /Type /Pages /Kids [${kids}] /Count ${PDF_PAGES} >>`)
  await object(3, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  for (let page = 0; page < PDF_PAGES; page++) {
    const texts = Array.from(
      { length: LINES_A_PAGE },
      (_, line) => `BT /F 10 Tf 72 ${740 - line * 15} Td (${sentence(page * LINES_A_PAGE + line)}) Tj ET`,
    ).join('\n')
    const number = 4 + 2 * page
    await object(
      number,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${number + 1} 0 R /Resources << /Font << /F 3 0 R >> >> >>`,
    )
    await object(number + 1, `<< /Length ${texts.length} >>\nstream\n${texts}\nendstream`)
  }
  const start = at
  const rows = offsets.slice(1).map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  await say(`xref\n0 ${offsets.length}\n0000000000 65535 f \n${rows.join('')}`)
  out.end(`trailer << /Size ${offsets.length} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`)
  await once(out, 'close')
}

// In a Word 97 file a paragraph of so many characters takes two bytes each and a kilobyte of what describes it.
const DOC_CHARACTERS = 570
const DOC_PARAGRAPHS = Math.floor(MAX_BYTES / (2 * DOC_CHARACTERS + 1100))

function writeDoc(path: string): Promise<void> {
  const paragraphs = Array.from({ length: DOC_PARAGRAPHS }, (_, i) => ({
    text: paragraph(i).slice(0, DOC_CHARACTERS),
  }))
  return writeFile(path, makeDoc(paragraphs))
}

const XLS_ROWS = 65_536

/** A workbook of numbers as Excel 97 writes it ([MS-XLS]): records of a number, a length, and their bytes. */
function writeXls(path: string, columns: number): Promise<void> {
  const record = (type: number, body: Buffer): Buffer => {
    const head = Buffer.alloc(4)
    head.writeUInt16LE(type, 0)
    head.writeUInt16LE(body.length, 2)
    return Buffer.concat([head, body])
  }
  const beginning = (type: number): Buffer => {
    const body = Buffer.alloc(16)
    body.writeUInt16LE(0x0600, 0)
    body.writeUInt16LE(type, 2)
    return record(0x0809, body)
  }
  const end = record(0x000a, Buffer.alloc(0))
  const sheet = Buffer.concat([Buffer.alloc(6), Buffer.from([6, 0]), Buffer.from('Gauges')])
  const globals = [beginning(0x0005), record(0x0085, sheet), end]
  sheet.writeUInt32LE(Buffer.concat(globals).length, 0)
  globals[1] = record(0x0085, sheet)
  const cells = Buffer.alloc(18 * XLS_ROWS * columns)
  for (let r = 0, at = 0; r < XLS_ROWS; r++)
    for (let c = 0; c < columns; c++, at += 18) {
      cells.writeUInt16LE(0x0203, at)
      cells.writeUInt16LE(14, at + 2)
      cells.writeUInt16LE(r, at + 4)
      cells.writeUInt16LE(c, at + 6)
      cells.writeDoubleLE((r * 7919 + c * 104_729) % 999_983, at + 10)
    }
  const size = Buffer.alloc(14)
  size.writeUInt32LE(XLS_ROWS, 4)
  size.writeUInt16LE(columns, 10)
  const rows = [beginning(0x0010), record(0x0200, size), cells, end]
  return writeFile(path, makeCompound({ Workbook: Buffer.concat([...globals, ...rows]) }))
}

const SIDE = 7000

/** Grey noise in 7,000 × 7,000 pixels: nothing to read and the most to hold. */
function writePng(path: string): Promise<void> {
  const rows = Buffer.alloc((SIDE + 1) * SIDE, 200)
  for (let y = 0; y < SIDE; y++) rows[y * (SIDE + 1)] = 0
  for (let at = 3; at < rows.length; at += 97) if (at % (SIDE + 1) !== 0) rows[at] = at % 251
  const chunk = (name: string, data: Buffer): Buffer => {
    const whole = Buffer.alloc(12 + data.length)
    whole.writeUInt32BE(data.length, 0)
    whole.write(name, 4, 'latin1')
    data.copy(whole, 8)
    whole.writeUInt32BE(crc32(whole.subarray(4, 8 + data.length)), 8 + data.length)
    return whole
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(SIDE, 0)
  head.writeUInt32BE(SIDE, 4)
  head[8] = 8
  const parts = [
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return writeFile(path, Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]))
}

const TIFF_PAGES = 2

/** The same noise on two pages, not compressed: 98 MB as it is uploaded. */
function writeTiff(path: string): Promise<void> {
  const pixels = Buffer.alloc(SIDE * SIDE, 200)
  for (let at = 3; at < pixels.length; at += 97) pixels[at] = at % 251
  const directoryBytes = 2 + 12 * 9 + 4
  const pageBytes = directoryBytes + pixels.length
  function* pieces() {
    yield Buffer.from('49492a0008000000', 'hex')
    for (let page = 0; page < TIFF_PAGES; page++) {
      const start = 8 + page * pageBytes
      const entries: [tag: number, value: number][] = [
        [256, SIDE],
        [257, SIDE],
        [258, 8],
        [259, 1],
        [262, 1],
        [273, start + directoryBytes],
        [277, 1],
        [278, SIDE],
        [279, pixels.length],
      ]
      const directory = Buffer.alloc(directoryBytes)
      directory.writeUInt16LE(entries.length, 0)
      entries.forEach(([tag, value], i) => {
        directory.writeUInt16LE(tag, 2 + 12 * i)
        // LONG, one of it.
        directory.writeUInt16LE(4, 4 + 12 * i)
        directory.writeUInt32LE(1, 6 + 12 * i)
        directory.writeUInt32LE(value, 10 + 12 * i)
      })
      directory.writeUInt32LE(page + 1 < TIFF_PAGES ? start + pageBytes : 0, directoryBytes - 4)
      yield directory
      yield pixels
    }
  }
  return writePieces(path, pieces())
}

export const binaries: readonly LargeFile[] = [
  { name: 'old.doc', says: 'Word 97', write: writeDoc },
  { name: 'old.xls', says: 'Excel 97, 65,536 rows × 16 columns', write: (path) => writeXls(path, 16) },
  { name: 'wide.xls', says: 'Excel 97, 65,536 rows × 80 columns', write: (path) => writeXls(path, 80) },
  { name: 'picture.png', says: 'picture of 49 million pixels', write: writePng },
  { name: 'pages.tiff', says: 'TIFF, two pages of 49 million pixels', write: writeTiff },
  {
    name: 'long.pdf',
    says: 'PDF of 15,000 pages of text',
    write: writePdf,
    last: { query: sentence(PDF_PAGES * LINES_A_PAGE - 1), page: PDF_PAGES },
  },
]
