// The properties of a paragraph in an old Word file. The properties of the mark at the end of a row describe the row.

import { outlineLevel } from '../../shared/office/style-names.ts'
import { listNumber } from './lists.ts'

export interface ParagraphProperties {
  style: number
  inTable: boolean
  /** Whether this is the mark at the end of a row. */
  rowEnd: boolean
  /** The nesting depth of tables, 1 for a plain table. */
  depth: number
  /** The number of its list, 0 for none; undefined if the style decides. */
  list?: number
  listLevel?: number
  /** The outline level, 1 to 9; 0 for body text, undefined if the style decides. */
  outline?: number
  /** The left edges of the row's cells and the right edge of the last, in twentieths of a point. */
  edges?: number[]
  /** For each cell of the row, whether it continues the cell above. */
  continues?: boolean[]
  /** Whether the row is repeated on each page. */
  isHeader?: boolean
  /** The position of further properties in the Data stream. */
  elsewhere?: number
}

/** The properties in `bytes`, and those in the Data stream that they refer to (rows with many cells). */
export function paragraphProperties(bytes: Buffer = Buffer.alloc(0), data: Buffer): ParagraphProperties {
  const properties: ParagraphProperties = {
    style: bytes.length < 2 ? 0 : bytes.readUInt16LE(0),
    inTable: false,
    rowEnd: false,
    depth: 0,
  }
  readModifiers(bytes, 2, properties)
  const elsewhere = properties.elsewhere === undefined ? Buffer.alloc(0) : data.subarray(properties.elsewhere)
  if (elsewhere.length > 2) readModifiers(elsewhere.subarray(0, 2 + elsewhere.readUInt16LE(0)), 2, properties)
  if (properties.inTable) properties.depth = Math.max(1, properties.depth)
  return properties
}

function readModifiers(bytes: Buffer, from: number, properties: ParagraphProperties): void {
  eachModifier(bytes, from, (code, at, size) => {
    const byte = bytes[at] ?? 0
    if (code === 0x2416) properties.inTable = byte === 1
    else if (code === 0x2417 || code === 0x244c) properties.rowEnd = byte === 1
    else if (code === 0x6649) properties.depth = bytes.readUInt32LE(at)
    else if (code === 0x260a) properties.listLevel = byte
    else if (code === 0x460b) properties.list = listNumber(bytes.readInt16LE(at))
    else if (code === 0x2640) properties.outline = outlineLevel(byte)
    else if (code === 0xd608) readRow(bytes.subarray(at, at + size), properties)
    else if (code === 0x3404) properties.isHeader = byte === 1
    else if (code === 0x6645 || code === 0x6646) properties.elsewhere = bytes.readUInt32LE(at)
  })
}

function readRow(bytes: Buffer, properties: ParagraphProperties): void {
  const count = bytes[2] ?? 0
  const flagsAt = 3 + 2 * (count + 1)
  if (bytes.length < flagsAt) return
  properties.edges = Array.from({ length: count + 1 }, (_, i) => bytes.readInt16LE(3 + 2 * i))
  properties.continues = Array.from({ length: count }, (_, i) => {
    const at = flagsAt + 20 * i
    const flags = at + 2 <= bytes.length ? bytes.readUInt16LE(at) : 0
    return (flags & 0x20) !== 0 && (flags & 0x40) === 0
  })
}

/** Visits single property modifiers, whose size is given by three bits of their code ([MS-DOC] 2.6.1). */
export function eachModifier(
  bytes: Buffer,
  from: number,
  visit: (code: number, at: number, size: number) => void,
): void {
  let at = from
  while (at + 2 < bytes.length) {
    const code = bytes.readUInt16LE(at)
    at += 2
    const fixedSize = [1, 1, 2, 4, 2, 2, undefined, 3][code >> 13]
    // The definition of a table row has its length in two bytes. All other modifiers have it in one byte.
    const hasLongLength = code === 0xd608 && at + 2 <= bytes.length
    const size = fixedSize ?? (hasLongLength ? bytes.readUInt16LE(at) + 1 : (bytes[at] ?? 0) + 1)
    if (at + size > bytes.length) return
    visit(code, at, size)
    at += size
  }
}
