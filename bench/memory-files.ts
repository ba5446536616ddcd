// The largest files each kind may have: 100 MB as uploaded, or what becomes the most once unpacked.

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, deflateSync } from 'node:zlib'
import { ZipFile } from 'yazl'

const MEGABYTE = 2 ** 20
const PDF_PAGES = 15_000
const LINES_A_PAGE = 45

const sentence = (i: number): string =>
  `Gauge ${i} of the harbour office read ${(i * 37) % 997} millimetres above the datum on day ${i % 365}, and the keeper signed.`

export interface LargeFile {
  name: string
  says: string
  write: (folder: string, megabytes: number) => Promise<void>
  /** It is followed to its end, and then the query must find this page first. */
  last?: { query: string; page: number }
}

/** Lines until so many megabytes are written. */
async function lines(path: string, megabytes: number, line: (i: number) => string): Promise<void> {
  let left = megabytes * MEGABYTE
  function* pieces() {
    for (let i = 0; left > 0; i++) {
      const piece = line(i).slice(0, left)
      left -= piece.length
      yield piece
    }
  }
  await pipeline(Readable.from(pieces(), { objectMode: true }), createWriteStream(path))
}

export const largeFiles: readonly LargeFile[] = [
  {
    name: 'large.txt',
    says: 'text',
    write: (folder, megabytes) =>
      lines(join(folder, 'large.txt'), megabytes, (i) => `${sentence(i)}${i % 5 === 4 ? '\n\n' : ' '}`),
  },
  {
    name: 'large.md',
    says: 'Markdown',
    write: (folder, megabytes) =>
      lines(join(folder, 'large.md'), megabytes, (i) =>
        i % 40 === 0 ? `\n\n## Part ${i}\n\n` : `${sentence(i)}${i % 5 === 4 ? '\n\n' : ' '}`,
      ),
  },
  {
    name: 'large.csv',
    says: 'CSV',
    write: (folder, megabytes) =>
      lines(join(folder, 'large.csv'), megabytes, (i) =>
        i === 0
          ? 'gauge,day,reading,keeper,remark\n'
          : `${i},${i % 365},${(i * 37) % 997},K${i % 40},"high, calm"\n`,
      ),
  },
  { name: 'large.xlsx', says: 'workbook of 100,000 rows × 20 columns', write: writeWorkbook },
  {
    name: 'large.pdf',
    says: 'PDF of 15,000 pages of text',
    write: writePdf,
    last: { query: sentence(PDF_PAGES * LINES_A_PAGE - 1), page: PDF_PAGES },
  },
  { name: 'large.png', says: 'picture of 49 million pixels', write: writePng },
]

async function writeWorkbook(folder: string): Promise<void> {
  const zip = new ZipFile()
  const part = (name: string, text: string): void => zip.addBuffer(Buffer.from(text), name)
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const packages = 'http://schemas.openxmlformats.org/package/2006'
  part(
    '[Content_Types].xml',
    `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
  )
  part(
    '_rels/.rels',
    `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${relation}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  )
  part(
    'xl/workbook.xml',
    `<workbook xmlns="${main}" xmlns:r="${relation}"><sheets><sheet name="Gauges" sheetId="1" r:id="r1"/></sheets></workbook>`,
  )
  part(
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${relation}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  )
  function* rows() {
    yield `<worksheet xmlns="${main}"><sheetData>`
    for (let r = 1; r <= 100_000; r++) {
      const cells = Array.from(
        { length: 20 },
        (_, c) =>
          `<c r="${String.fromCharCode(65 + c)}${r}"><v>${(r * 7919 + c * 104_729) % 999_983}</v></c>`,
      )
      yield `<row r="${r}">${cells.join('')}</row>`
    }
    yield '</sheetData></worksheet>'
  }
  zip.addReadStream(Readable.from(rows(), { objectMode: false }), 'xl/worksheets/sheet1.xml')
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(join(folder, 'large.xlsx')))
}

async function writePdf(folder: string): Promise<void> {
  const out = createWriteStream(join(folder, 'large.pdf'))
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

/** Grey noise in 7,000 × 7,000 pixels: nothing to read and the most to hold. */
async function writePng(folder: string): Promise<void> {
  const side = 7000
  const rows = Buffer.alloc((side + 1) * side, 200)
  for (let y = 0; y < side; y++) rows[y * (side + 1)] = 0
  for (let at = 3; at < rows.length; at += 97) if (at % (side + 1) !== 0) rows[at] = at % 251
  const chunk = (name: string, data: Buffer): Buffer => {
    const whole = Buffer.alloc(12 + data.length)
    whole.writeUInt32BE(data.length, 0)
    whole.write(name, 4, 'latin1')
    data.copy(whole, 8)
    whole.writeUInt32BE(crc32(whole.subarray(4, 8 + data.length)), 8 + data.length)
    return whole
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head[8] = 8
  const parts = [
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]
  await writeFile(
    join(folder, 'large.png'),
    Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]),
  )
}
