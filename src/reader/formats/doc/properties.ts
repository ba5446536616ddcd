// Reads the properties of a paragraph in an old Word file. The properties of the mark at the end of a row describe the row.

import { outlineLevel } from '../../shared/office/style-names.ts'
import { listNumber } from './lists.ts'

/** The codes of the property modifiers that are read ([MS-DOC] 2.6). */
export const MODIFIERS = {
  inTable: 0x2416,
  rowEnd: 0x2417,
  innerRowEnd: 0x244c,
  tableDepth: 0x6649,
  listLevel: 0x260a,
  list: 0x460b,
  outline: 0x2640,
  row: 0xd608,
  rowHeader: 0x3404,
  /** Two codes with the same meaning. */
  furtherProperties: [0x6645, 0x6646],
}
// The flags of a cell: it is merged with cells above or below, and it is the first of the merged cells.
const IS_MERGED = 0x20
const IS_FIRST_MERGED = 0x40

export interface ParagraphProperties {
  style: number
  inTable: boolean
  /** Whether this is the mark at the end of a row. */
  rowEnd: boolean
  /** The nesting depth of tables, 1 for a plain table. */
  depth: number
  /** The number of its list, 0 for none. Undefined if the style decides. */
  list?: number
  listLevel?: number
  /** The outline level, 1 to 9, or 0 for body text. Undefined if the style decides. */
  outline?: number
  /** The left edges of the row's cells and the right edge of the last, in twentieths of a point. */
  edges?: number[]
  /** For each cell of the row, whether it continues the cell above. */
  continues?: boolean[]
  /** Whether the row is repeated on each page. */
  isHeader?: boolean
  /** The position of further properties in the Data stream. */
  dataPosition?: number
}

/** The properties in `bytes`, and those to which they refer in the Data stream, as rows with many cells do. */
export function paragraphProperties(bytes: Buffer = Buffer.alloc(0), data: Buffer): ParagraphProperties {
  const properties: ParagraphProperties = {
    style: bytes.length < 2 ? 0 : bytes.readUInt16LE(0),
    inTable: false,
    rowEnd: false,
    depth: 0,
  }
  readModifiers(bytes, 2, properties)
  const furtherBytes =
    properties.dataPosition === undefined ? Buffer.alloc(0) : data.subarray(properties.dataPosition)
  if (furtherBytes.length > 2)
    readModifiers(furtherBytes.subarray(0, 2 + furtherBytes.readUInt16LE(0)), 2, properties)
  if (properties.inTable) properties.depth = Math.max(1, properties.depth)
  return properties
}

function readModifiers(bytes: Buffer, from: number, properties: ParagraphProperties): void {
  eachModifier(bytes, from, (code, offset, size) => {
    const byte = bytes[offset] ?? 0
    if (code === MODIFIERS.inTable) properties.inTable = byte === 1
    else if (code === MODIFIERS.rowEnd || code === MODIFIERS.innerRowEnd) properties.rowEnd = byte === 1
    else if (code === MODIFIERS.tableDepth) properties.depth = bytes.readUInt32LE(offset)
    else if (code === MODIFIERS.listLevel) properties.listLevel = byte
    else if (code === MODIFIERS.list) properties.list = listNumber(bytes.readInt16LE(offset))
    else if (code === MODIFIERS.outline) properties.outline = outlineLevel(byte)
    else if (code === MODIFIERS.row) readRow(bytes.subarray(offset, offset + size), properties)
    else if (code === MODIFIERS.rowHeader) properties.isHeader = byte === 1
    else if (MODIFIERS.furtherProperties.includes(code)) properties.dataPosition = bytes.readUInt32LE(offset)
  })
}

function readRow(bytes: Buffer, properties: ParagraphProperties): void {
  const count = bytes[2] ?? 0
  const flagsStart = 3 + 2 * (count + 1)
  if (bytes.length < flagsStart) return
  properties.edges = Array.from({ length: count + 1 }, (_, i) => bytes.readInt16LE(3 + 2 * i))
  properties.continues = Array.from({ length: count }, (_, i) => {
    const cellOffset = flagsStart + 20 * i
    const flags = cellOffset + 2 <= bytes.length ? bytes.readUInt16LE(cellOffset) : 0
    return (flags & IS_MERGED) !== 0 && (flags & IS_FIRST_MERGED) === 0
  })
}

/** Visits property modifiers one by one. Three bits of a modifier's code state its size ([MS-DOC] 2.6.1). */
export function eachModifier(
  bytes: Buffer,
  from: number,
  visit: (code: number, offset: number, size: number) => void,
): void {
  let offset = from
  while (offset + 2 < bytes.length) {
    const code = bytes.readUInt16LE(offset)
    offset += 2
    const fixedSize = [1, 1, 2, 4, 2, 2, undefined, 3][code >> 13]
    // The definition of a table row has its length in two bytes. All other modifiers have it in one byte.
    const hasLongLength = code === MODIFIERS.row && offset + 2 <= bytes.length
    const size = fixedSize ?? (hasLongLength ? bytes.readUInt16LE(offset) + 1 : (bytes[offset] ?? 0) + 1)
    if (offset + size > bytes.length) return
    visit(code, offset, size)
    offset += size
  }
}
