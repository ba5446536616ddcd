// Reads the lists of old Word files ([MS-DOC] 2.9.131 LSTF, 2.9.150 LVLF, 2.9.128 LFO).

import type { Level, Numbering } from '../../shared/office/list-counter.ts'

const LIST_BYTES = 28
const LEVEL_BYTES = 28
const OVERRIDE_BYTES = 16
const LEVEL_COUNT = 9
// All other codes are read as decimal numbers.
const FORMAT_BY_CODE: Record<number, string> = {
  1: 'upperRoman',
  2: 'lowerRoman',
  3: 'upperLetter',
  4: 'lowerLetter',
  5: 'ordinal',
  11: 'japaneseCounting',
  18: 'decimalEnclosedCircle',
  22: 'decimalZero',
  23: 'bullet',
  37: 'chineseCounting',
  39: 'chineseCountingThousand',
  255: 'none',
}
const NO_LIST = -2047

/** The list number of a paragraph, 0 for none. A negative value means that the paragraph has indents of its own. */
export const listNumber = (value: number): number => (value === NO_LIST ? 0 : Math.abs(value))

/**
 * The lists by the number that paragraphs refer to. @param lists the table of lists, followed by their levels @param size the
 * length of the table alone
 */
export function readLists(lists: Buffer, size: number, overrides: Buffer): Map<string, Numbering> {
  try {
    return size < 2 || overrides.length < 4 ? new Map() : readOverrides(overrides, readSchemes(lists, size))
  } catch (error) {
    // The tables are truncated, but the text can be read without the numbers of its lists.
    if (error instanceof RangeError) return new Map()
    throw error
  }
}

type Levels = Map<number, Level>

function readSchemes(lists: Buffer, size: number): Map<number, Levels> {
  const schemes = new Map<number, Levels>()
  let offset = size
  for (let i = 0; i < lists.readUInt16LE(0); i++) {
    const listStart = 2 + LIST_BYTES * i
    const isSimple = (lists.readUInt8(listStart + 26) & 1) === 1
    const levels: Levels = new Map()
    for (let k = 0; k < (isSimple ? 1 : LEVEL_COUNT); k++) {
      const { level, end } = readLevel(lists, offset)
      levels.set(k, level)
      offset = end
    }
    schemes.set(lists.readUInt32LE(listStart), levels)
  }
  return schemes
}

function readLevel(bytes: Buffer, offset: number): { level: Level; end: number } {
  const properties = bytes.readUInt8(offset + 24) + bytes.readUInt8(offset + 25)
  const textStart = offset + LEVEL_BYTES + properties
  const end = textStart + 2 + 2 * bytes.readUInt16LE(textStart)
  if (end > bytes.length) throw new RangeError('a list level is truncated')
  const flags = bytes.readUInt8(offset + 5)
  const level = {
    format: FORMAT_BY_CODE[bytes.readUInt8(offset + 4)] ?? 'decimal',
    text: [...bytes.toString('utf16le', textStart + 2, end)].map(placeholder).join(''),
    start: bytes.readInt32LE(offset),
    legal: (flags & 4) !== 0,
    ...((flags & 8) === 0 ? {} : { restart: bytes.readUInt8(offset + 26) }),
  }
  return { level, end }
}

/** A control character in a label stands for the number of a level, which is written as %1 to %9. */
function placeholder(character: string): string {
  const code = character.charCodeAt(0)
  return code < LEVEL_COUNT ? `%${code + 1}` : character
}

function readOverrides(bytes: Buffer, schemes: ReadonlyMap<number, Levels>): Map<string, Numbering> {
  const numberings = new Map<string, Numbering>()
  const count = bytes.readUInt32LE(0)
  let offset = 4 + OVERRIDE_BYTES * count
  for (let i = 0; i < count && offset <= bytes.length; i++) {
    const overrideStart = 4 + OVERRIDE_BYTES * i
    const scheme = bytes.readUInt32LE(overrideStart)
    const levels: Levels = new Map(schemes.get(scheme))
    const starts = new Map<number, number>()
    const overrideCount = bytes.readUInt8(overrideStart + 12)
    // The levels come after a field that is not used here.
    offset += 4
    for (let k = 0; k < overrideCount; k++) {
      const flags = bytes.readUInt32LE(offset + 4)
      if ((flags & 0x10) !== 0) starts.set(flags & 0xf, bytes.readInt32LE(offset))
      offset += 8
      if ((flags & 0x20) === 0) continue
      const { level, end } = readLevel(bytes, offset)
      levels.set(flags & 0xf, level)
      offset = end
    }
    numberings.set(String(i + 1), { scheme: String(scheme), starts, levels })
  }
  return numberings
}
