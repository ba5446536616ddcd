// Hostile and broken files (BAD-20 to BAD-31), small to keep and large to unpack.

import { crc32, deflateRawSync, deflateSync } from 'node:zlib'
import { CFB } from '@e965/xlsx'
import { contentTypes, officeTypes, relations } from './office.ts'
import { makeZip } from './zip.ts'

/** A PDF of the given objects, 1 the catalog; streams are `dictionary` without its length and bytes. */
export function rawPdf(objects: readonly (string | { dictionary: string; bytes: Buffer })[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.5\n')]
  objects.forEach((object, i) => {
    parts.push(Buffer.from(`${i + 1} 0 obj\n`))
    if (typeof object === 'string') parts.push(Buffer.from(object))
    else {
      parts.push(Buffer.from(`<< ${object.dictionary} /Length ${object.bytes.length} >>\nstream\n`))
      parts.push(object.bytes, Buffer.from('\nendstream'))
    }
    parts.push(Buffer.from('\nendobj\n'))
  })
  return Buffer.concat([...parts, Buffer.from('trailer << /Root 1 0 R >>\n%%EOF\n')])
}

const catalog = '<< /Type /Catalog /Pages 2 0 R >>'
const page = (more: string): string => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${more} >>`

/** Drawing operators without end: a fifth of a megabyte becomes 150 MB. */
export function flateBomb(): Buffer {
  const megabyte = Buffer.from('0 0 m 1 1 l S\n'.repeat(75_000))
  const bytes = deflateSync(Buffer.concat(Array.from({ length: 150 }, () => megabyte)))
  return rawPdf([
    catalog,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    page('/Contents 4 0 R'),
    { dictionary: '/Filter /FlateDecode', bytes },
  ])
}

/** A page tree that holds itself, and a form that draws itself. */
export function circularPdf(): Buffer {
  const form =
    '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /A 4 0 R /B 5 0 R >> >>'
  return rawPdf([
    catalog,
    '<< /Type /Pages /Kids [2 0 R 3 0 R 2 0 R] /Count 3 >>',
    page('/Contents 6 0 R /Resources << /XObject << /A 4 0 R /B 5 0 R >> >>'),
    { dictionary: form, bytes: Buffer.from('/A Do /B Do') },
    { dictionary: form, bytes: Buffer.from('/B Do /A Do') },
    { dictionary: '', bytes: Buffer.from('/A Do /B Do') },
  ])
}

export function manyPages(count: number): Buffer {
  const kids = Array.from({ length: count }, (_, i) => `${i + 3} 0 R`).join(' ')
  return rawPdf([
    catalog,
    `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
    ...Array.from({ length: count }, () => page('')),
  ])
}

/** Two to the power of `levels` pages, in a kilobyte: every node of their tree holds the one below it twice. */
export function doublingPages(levels: number): Buffer {
  const node = (no: number): string =>
    `<< /Type /Pages /Kids [${no + 1} 0 R ${no + 1} 0 R] /Count ${2 ** (levels + 2 - no)} >>`
  return rawPdf([catalog, ...Array.from({ length: levels }, (_, i) => node(i + 2)), page('')])
}

/** Whatever is opened, launched or asked for points at `port` of this machine. */
export function callingPdf(port: number): Buffer {
  const uri = `http://127.0.0.1:${port}/pdf`
  return rawPdf([
    `<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /URI /URI (${uri}) >> /AA << /WC << /S /JavaScript /JS (app.launchURL\\("${uri}"\\)) >> >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    page('/Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> /Annots [6 0 R]'),
    {
      dictionary: '',
      bytes: Buffer.from('BT /F 12 Tf 72 700 Td (Tide tables of the northern harbours) Tj ET'),
    },
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Type /Annot /Subtype /Link /Rect [0 0 99 99] /A << /S /SubmitForm /F << /FS /URL /F (${uri}) >> >> >>`,
  ])
}

interface Entry {
  name: string
  /** Deflated bytes as they stand in the file. */
  packed: Buffer
  /** What the headers claim. */
  size: number
  crc: number
  /** Where the local header stands, when not where it was written: entries may share their bytes. */
  at?: number
  /** The directory says that it is a symbolic link. */
  link?: boolean
}

/** What ends a zip; the larger form ([APPNOTE] 4.3.14) is for more than 65,535 entries, and for whoever wants it. */
function zipEnd(entries: number, directoryBytes: number, directoryAt: number, zip64: boolean): Buffer {
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(zip64 ? 0xffff : entries, 8)
  end.writeUInt16LE(zip64 ? 0xffff : entries, 10)
  end.writeUInt32LE(directoryBytes, 12)
  end.writeUInt32LE(zip64 ? 0xffffffff : directoryAt, 16)
  if (!zip64) return end
  const large = Buffer.alloc(56)
  large.write('PK\x06\x06', 'latin1')
  large.writeBigUInt64LE(44n, 4)
  large.writeUInt16LE(45, 12)
  large.writeUInt16LE(45, 14)
  large.writeBigUInt64LE(BigInt(entries), 24)
  large.writeBigUInt64LE(BigInt(entries), 32)
  large.writeBigUInt64LE(BigInt(directoryBytes), 40)
  large.writeBigUInt64LE(BigInt(directoryAt), 48)
  const locator = Buffer.alloc(20)
  locator.write('PK\x06\x07', 'latin1')
  locator.writeBigUInt64LE(BigInt(directoryAt + directoryBytes), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([large, locator, end])
}

/** A zip written by hand: its headers may lie and its entries overlap. */
export function handMadeZip(entries: readonly Entry[], zip64 = false): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const { name, packed, size, crc, at, link } of entries) {
    const head = Buffer.alloc(30)
    head.write('PK\x03\x04', 'latin1')
    head.writeUInt16LE(20, 4)
    head.writeUInt16LE(8, 8)
    head.writeUInt32LE(crc, 14)
    head.writeUInt32LE(packed.length, 18)
    head.writeUInt32LE(size, 22)
    head.writeUInt16LE(name.length, 26)
    const directory = Buffer.alloc(46)
    directory.write('PK\x01\x02', 'latin1')
    directory.writeUInt16LE(20, 6)
    head.copy(directory, 10, 8, 30)
    directory.writeUInt16LE(name.length, 28)
    if (link) {
      // Made on Unix, where the upper half of the attributes is the mode.
      directory.writeUInt16LE(0x0314, 4)
      directory.writeUInt32LE(0o120777 * 0x10000, 38)
    }
    directory.writeUInt32LE(at ?? offset, 42)
    central.push(directory, Buffer.from(name))
    if (at !== undefined) continue
    locals.push(head, Buffer.from(name), packed)
    offset += 30 + name.length + packed.length
  }
  const directory = Buffer.concat(central)
  return Buffer.concat([...locals, directory, zipEnd(entries.length, directory.length, offset, zip64)])
}

const deflated = (content: string | Buffer): Omit<Entry, 'name'> => {
  const bytes = Buffer.from(content)
  return { packed: deflateRawSync(bytes), size: bytes.length, crc: crc32(bytes) }
}

const entry = (name: string, content: string | Buffer): Entry => ({ ...deflated(content), name })

/** The parts around a Word document's text. */
const wordParts = {
  '[Content_Types].xml': contentTypes({
    '/word/document.xml': `${officeTypes}.wordprocessingml.document.main+xml`,
  }),
  '_rels/.rels': relations({ rId1: ['officeDocument', 'word/document.xml'] }),
}
const namespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const wordXml = (body: string, before = ''): string =>
  `<?xml version="1.0"?>${before}<w:document ${namespace}><w:body>${body}</w:body></w:document>`

/** A docx whose text is `megabytes` of one repeated word; `claims` is what its headers say of that. */
export function zipBomb(megabytes: number, claims?: number): Buffer {
  const body = `<w:p><w:r><w:t>${'again '.repeat((megabytes * 2 ** 20) / 6)}</w:t></w:r></w:p>`
  const text = entry('word/document.xml', wordXml(body))
  return handMadeZip([
    ...Object.entries(wordParts).map(([name, part]) => entry(name, part)),
    claims === undefined ? text : { ...text, size: claims },
  ])
}

/** Thousands of entries that all unpack the same megabytes (Fifield's better zip bomb, in its simplest form). */
export function overlappingZip(entries: number): Buffer {
  const sharedStream = deflated('x'.repeat(2 ** 20))
  return handMadeZip(
    Array.from({ length: entries }, (_, i) => ({
      ...sharedStream,
      name: i === 0 ? 'word/document.xml' : `word/media/${i}`,
      ...(i === 0 ? {} : { at: 0 }),
    })),
  )
}

/** A docx of so many entries, all but one empty; a million are 94 MB. */
export function manyEntries(entries: number): Buffer {
  const names = (i: number): string => (i === 0 ? 'word/document.xml' : `w/${String(i).padStart(6, '0')}`)
  const empty = handMadeZip([entry('', '')])
  const [local, central] = [empty.subarray(0, 32), empty.subarray(32, 78)]
  const locals = Buffer.alloc(entries * 60)
  const directory = Buffer.alloc(entries * 80)
  let [at, to] = [0, 0]
  for (let i = 0; i < entries; i++) {
    const name = names(i)
    central.copy(directory, to)
    directory.writeUInt16LE(name.length, to + 28)
    directory.writeUInt32LE(at, to + 42)
    to += 46 + directory.write(name, to + 46, 'latin1')
    local.copy(locals, at, 0, 30)
    locals.writeUInt16LE(name.length, at + 26)
    at += 30 + locals.write(name, at + 30, 'latin1')
    at += local.copy(locals, at, 30)
  }
  return Buffer.concat([
    locals.subarray(0, at),
    directory.subarray(0, to),
    zipEnd(entries, to, at, entries > 0xffff),
  ])
}

const wordEntries = (text: string): Entry[] => [
  ...Object.entries(wordParts).map(([name, part]) => entry(name, part)),
  entry('word/document.xml', wordXml(`<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`)),
]

/** A docx that holds a zip of ten zips of ten zips …, six deep, with 10 MB in each of the last: 10 TB in all. */
export function nestedZip(text: string): Buffer {
  let inner = handMadeZip([entry('0', Buffer.alloc(10 * 2 ** 20))])
  for (let depth = 0; depth < 6; depth++) {
    const packedStream = deflated(inner)
    inner = handMadeZip(Array.from({ length: 10 }, (_, i) => ({ ...packedStream, name: `${i}.zip` })))
  }
  return handMadeZip([...wordEntries(text), entry('word/embeddings/inner.zip', inner)])
}

/** A docx in the form for large zips, with two texts of one name and a symbolic link. */
export const oddZip = (text: string): Buffer =>
  handMadeZip(
    [
      ...wordEntries(text),
      entry('word/document.xml', wordXml('<w:p><w:r><w:t>A second text</w:t></w:r></w:p>')),
      { ...entry('word/media/link.png', '/etc/passwd'), link: true },
    ],
    true,
  )

/** A docx with entries of hostile names beside its text. */
export const slippingZip = (text: string): Promise<Buffer> =>
  Promise.resolve(
    handMadeZip(
      Object.entries({
        ...wordParts,
        'word/document.xml': wordXml(`<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`),
        '../../../../tmp/kenning-slipped.txt': 'slipped',
        '/tmp/kenning-slipped.txt': 'slipped',
      }).map(([name, part]) => entry(name, part)),
    ),
  )

/** A docx whose XML asks for a local file, a server, a billion laughs, or a long text ten thousand times. */
export function entityDocx(
  kind: 'file' | 'server' | 'laughs' | 'quadratic' | 'include',
  port: number,
): Promise<Buffer> {
  const laughs = Array.from({ length: 12 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join(
    '',
  )
  const definitions = {
    file: '<!ENTITY x SYSTEM "file:///etc/passwd">',
    server: `<!ENTITY % remote SYSTEM "http://127.0.0.1:${port}/dtd"> %remote; <!ENTITY x SYSTEM "http://127.0.0.1:${port}/xxe">`,
    laughs: `<!ENTITY l0 "laughs "> ${laughs} <!ENTITY x "&l12;">`,
    quadratic: `<!ENTITY x "${'laughs '.repeat(15_000)}">`,
    include: '',
  }
  const doctype =
    kind === 'include' ? '' : `<!DOCTYPE d SYSTEM "http://127.0.0.1:${port}/d.dtd" [${definitions[kind]}]>`
  const reference = {
    quadratic: '&x;'.repeat(10_000),
    include: `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd" parse="text"/><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="http://127.0.0.1:${port}/x"/>`,
  }
  const content = kind === 'quadratic' || kind === 'include' ? reference[kind] : '&x;'
  return makeZip({
    ...wordParts,
    'word/document.xml': wordXml(
      `<w:p><w:r><w:t>Rules of the harbour ${content} end</w:t></w:r></w:p>`,
      doctype,
    ),
  })
}

/** Elements within elements, `depth` deep. */
export const deepDocx = (depth: number): Promise<Buffer> =>
  makeZip({
    ...wordParts,
    'word/document.xml': wordXml(
      `${'<w:tbl><w:tr><w:tc>'.repeat(depth)}<w:p><w:r><w:t>deep</w:t></w:r></w:p>${'</w:tc></w:tr></w:tbl>'.repeat(depth)}`,
    ),
  })

/** The header of a PNG that claims so many pixels, and nothing to show for it. */
export function floodPng(width: number, height: number): Buffer {
  const png = Buffer.alloc(80)
  png.write('89504e470d0a1a0a0000000d49484452', 'hex')
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  png.writeUInt8(8, 24)
  png.writeUInt8(2, 25)
  return png
}

/** Numbers below a bound, the same for the same seed. */
function dice(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** `bytes` with some of them changed, cut or doubled, the same for the same seed. */
export function withDamage(bytes: Buffer, seed: number): Buffer {
  const next = dice(seed)
  const copy = Buffer.from(bytes)
  for (let i = 0; i < 1 + copy.length / 400; i++) copy[next(copy.length)] = next(256)
  if (seed % 3 === 0) return copy.subarray(0, next(copy.length) + 1)
  if (seed % 3 === 1) return Buffer.concat([copy.subarray(0, next(copy.length)), copy])
  return copy
}

/** What a zip holds, by name. */
export function partsOf(zip: Buffer): Record<string, Buffer> {
  const container = CFB.read(zip, { type: 'buffer' })
  const parts: Record<string, Buffer> = {}
  container.FullPaths.forEach((path: string, i: number) => {
    const content = container.FileIndex[i]?.content
    if (content && !path.endsWith('/'))
      parts[path.replace(/^Root Entry\//, '')] = Buffer.from(content as Uint8Array)
  })
  return parts
}

/** A zip with one or two of its XML parts damaged as markup and packed again: past the checksums, into the readers. */
export async function damagedInside(zip: Buffer, seed: number): Promise<Buffer> {
  const next = dice(seed)
  const parts = partsOf(zip)
  const names = Object.keys(parts).filter((name) => /\.(xml|rels|xhtml|opf)$/.test(name))
  for (let i = 0; i <= next(2); i++) {
    const name = names[next(names.length)] ?? ''
    if (next(12) === 0) delete parts[name]
    else parts[name] = Buffer.from(damagedMarkup(parts[name]?.toString() ?? '', next))
  }
  return makeZip(parts)
}

const oddValues = ['-1', '999999999999', 'NaN', '', '1e308', '../../x', '&#0;', 'A1048577', '0', '2147483648']

/** Tags dropped, moved and repeated, odd values, a piece left out, an end too soon: one to four of them. */
function damagedMarkup(xml: string, next: (below: number) => number): string {
  let text = xml
  for (let i = 0; i <= next(4); i++) {
    const tags = [...text.matchAll(/<[^>]+>/g)]
    const [one, other] = [tags[next(tags.length)], tags[next(tags.length)]]
    if (one === undefined || other === undefined) return text
    const [from, to] = [Math.min(one.index, other.index), Math.max(one.index, other.index)]
    const after = one.index + one[0].length
    const odd = oddValues[next(oddValues.length)] ?? ''
    const ways = [
      () => text.slice(0, one.index) + text.slice(after),
      () => text.slice(0, one.index) + other[0] + text.slice(one.index),
      () => text.slice(0, one.index) + one[0].replace(/"[^"]*"/, `"${odd}"`) + text.slice(after),
      () => text.slice(0, from) + text.slice(to),
      () =>
        text.slice(0, to) +
        text.slice(from, Math.min(to, from + 20_000)).repeat(1 + next(20)) +
        text.slice(to),
      () => text.slice(0, next(text.length)),
    ]
    text = ways[next(ways.length)]?.() ?? text
  }
  return text
}
