// The paragraphs of a Word 6 or 95 file: the pieces of its text, and pages of 512 bytes that give each paragraph's style
// and whether it is in a table.

import { builtInName, headingLevel } from '../../../shared/office/style-names.ts'

export interface RawParagraph {
  /** Its position in the text, in characters. */
  start: number
  bytes: Buffer
  /** The heading level, 0 for none. */
  level: number
  inTable: boolean
  isRowEnd: boolean
  isCellEnd: boolean
}

interface Properties {
  style: number
  inTable: boolean
  isRowEnd: boolean
}

const PAGE_BYTES = 512
const COMPLEX = 0x0004
const TEXT_AT = 0x18
const LENGTHS = 0x34
const STYLES = 0x60
const PARAGRAPHS = 0xc0
const PIECES = 0x160

const part = (stream: Buffer, at: number): Buffer => {
  const from = stream.readUInt32LE(at)
  return stream.subarray(from, from + stream.readUInt32LE(at + 4))
}

/** The paragraphs of all stories, in order. */
export function paragraphsOf(stream: Buffer): RawParagraph[] {
  const properties = readProperties(stream)
  const levels = readLevels(part(stream, STYLES))
  const paragraphs: RawParagraph[] = []
  let open: Buffer[] = []
  let start = 0
  let at = 0
  for (const { from, to } of piecesOf(stream)) {
    let begin = from
    for (let place = from; place < to; place++, at++) {
      const mark = stream[place]
      if (mark !== 0x0d && mark !== 0x07 && mark !== 0x0c) continue
      const own = properties(place)
      const bytes = Buffer.concat([...open, stream.subarray(begin, place)])
      paragraphs.push({
        start,
        bytes,
        level: levels[own.style] ?? 0,
        inTable: own.inTable,
        isRowEnd: own.isRowEnd,
        isCellEnd: mark === 0x07,
      })
      open = []
      begin = place + 1
      start = at + 1
    }
    if (begin < to) open.push(stream.subarray(begin, to))
  }
  if (open.length > 0)
    paragraphs.push({
      start,
      bytes: Buffer.concat(open),
      level: 0,
      inTable: false,
      isRowEnd: false,
      isCellEnd: false,
    })
  return paragraphs
}

/** The positions of the text in the file: one piece, or several in the order of a table. */
function piecesOf(stream: Buffer): { from: number; to: number }[] {
  const first = stream.readUInt32LE(TEXT_AT)
  const lengths = Array.from({ length: 8 }, (_, i) => stream.readUInt32LE(LENGTHS + 4 * i))
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const table = (stream.readUInt16LE(0x0a) & COMPLEX) === 0 ? undefined : pieceTable(part(stream, PIECES))
  if (table === undefined) return [{ from: first, to: Math.min(stream.length, first + total) }]
  const count = Math.floor((table.length - 4) / 12)
  let letters = 0
  return Array.from({ length: count }, (_, i) => {
    const length = table.readUInt32LE(4 * i + 4) - table.readUInt32LE(4 * i)
    const from = table.readUInt32LE(4 * (count + 1) + 8 * i + 2)
    letters += length
    // A damaged table may refer to the same characters over and over.
    if (length < 0 || letters > stream.length) throw new Error('pieces out of order')
    return { from, to: Math.min(stream.length, from + length) }
  })
}

function pieceTable(complex: Buffer): Buffer | undefined {
  let at = 0
  while (complex[at] === 1 && at + 3 <= complex.length) at += 3 + complex.readUInt16LE(at + 1)
  return complex[at] === 2 && at + 5 <= complex.length ? complex.subarray(at + 5) : undefined
}

/** Finds the properties of the paragraph whose end mark is at a position of the file. */
function readProperties(stream: Buffer): (place: number) => Properties {
  const plex = part(stream, PARAGRAPHS)
  const pages = Math.floor((plex.length - 4) / 6)
  const runs: { start: number; end: number; properties: Properties }[] = []
  for (let p = 0; p < pages; p++) {
    const number = plex.readUInt16LE(4 * (pages + 1) + 2 * p)
    const page = stream.subarray(number * PAGE_BYTES, (number + 1) * PAGE_BYTES)
    const count = page[PAGE_BYTES - 1] ?? 0
    if (page.length < PAGE_BYTES || 4 * (count + 1) + 7 * count > PAGE_BYTES) continue
    for (let i = 0; i < count; i++) {
      const at = (page[4 * (count + 1) + 7 * i] ?? 0) * 2
      const bytes = at === 0 ? Buffer.alloc(0) : page.subarray(at + 1, at + 1 + 2 * (page[at] ?? 0))
      const [start, end] = [page.readUInt32LE(4 * i), page.readUInt32LE(4 * i + 4)]
      runs.push({ start, end, properties: propertiesOf(bytes) })
    }
  }
  runs.sort((a, b) => a.start - b.start)
  return (place) => {
    let [low, high] = [0, runs.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const run = runs[middle]
      if (run === undefined) break
      if (place < run.start) high = middle - 1
      else if (place >= run.end) low = middle + 1
      else return run.properties
    }
    return { style: 0, inTable: false, isRowEnd: false }
  }
}

const IN_TABLE = 24
const ROW_END = 25
/** The number of bytes after each code below those of tables; for other codes the first byte after the code states it. */
const sizes: Record<number, number> = {
  2: 2,
  4: 1,
  5: 1,
  6: 1,
  7: 1,
  8: 1,
  9: 1,
  10: 1,
  11: 1,
  13: 1,
  14: 1,
  16: 2,
  17: 2,
  18: 2,
  19: 2,
  20: 4,
  21: 2,
  22: 2,
  24: 1,
  25: 1,
}

/** The style, then codes in ascending order; those for tables come before most others. */
function propertiesOf(bytes: Buffer): Properties {
  const properties: Properties = { style: bytes[0] ?? 0, inTable: false, isRowEnd: false }
  for (let at = 2; at + 1 < bytes.length; ) {
    const code = bytes[at] ?? 0
    if (code > ROW_END) break
    if (code === IN_TABLE) properties.inTable = bytes[at + 1] === 1
    if (code === ROW_END) properties.isRowEnd = bytes[at + 1] === 1
    // A zero is padding.
    at += code === 0 ? 1 : 1 + (sizes[code] ?? 1 + (bytes[at + 1] ?? 0))
  }
  return properties
}

const MAX_ANCESTORS = 20

/** The heading level of each style, 0 for none. */
function readLevels(sheet: Buffer): number[] {
  if (sheet.length < 6) return []
  const count = sheet.readUInt16LE(2)
  const styles: { kind: number; base: number }[] = []
  let at = 2 + sheet.readUInt16LE(0)
  for (let i = 0; i < count && at + 2 <= sheet.length; i++) {
    const size = sheet.readUInt16LE(at)
    const isHere = size >= 4 && at + 6 <= sheet.length
    styles.push(
      isHere
        ? { kind: sheet.readUInt16LE(at + 2) & 0x0fff, base: sheet.readUInt16LE(at + 4) >> 4 }
        : { kind: 0x0fff, base: 0x0fff },
    )
    at += 2 + size + (size % 2)
  }
  return styles.map((own) => {
    const chain: { name: string }[] = []
    let style: typeof own | undefined = own
    for (; style !== undefined && chain.length < MAX_ANCESTORS; style = styles[style.base])
      chain.push({ name: builtInName(style.kind) })
    return headingLevel(chain) ?? 0
  })
}
