// Reads the binary format of Word 97 to 2003 ([MS-DOC]): its text and the properties of paragraphs and runs. Text is stored in
// pieces by character position (CP). Properties are stored by position in the file (FC).

import { UnreadableFile } from '../../block.ts'
import { countLists } from '../../shared/office/list-counter.ts'
import { readLists } from './lists.ts'
import { eachModifier, type ParagraphProperties, paragraphProperties } from './properties.ts'
import { type DocStyle, readStyles } from './styles.ts'

export interface WordBinary {
  /** The characters of all stories. Deleted and hidden characters are NUL. */
  text: string
  /** The length of each story, in this order. */
  stories: Record<'body' | 'footnotes' | 'headers' | 'macros' | 'comments' | 'endnotes' | 'boxes', number>
  /** The properties of the paragraph that ends at a character position. */
  paragraphAt: (position: number) => ParagraphProperties
  /** Whether a character is a superscript. */
  isRaised: (position: number) => boolean
  styleOf: (style: number) => DocStyle
  /** The label of the next item of a list: "2.", "(b)", "-" for a bullet. */
  labelOf: (list: number, level: number) => string
  /** A table of the file by its index in the header. */
  table: (index: number) => Buffer
}

interface Piece {
  start: number
  end: number
  offset: number
  isUtf16: boolean
}

interface Run {
  start: number
  end: number
  properties: Buffer
}

const FIRST_TABLE_OFFSET = 0x9a
const MAGIC = 0xa5ec
// The marks of Word 6 and 95, Western and East Asian. Some of these programs also wrote the newer mark, so the version is checked
// as well.
const OLD_MAGIC = new Set([0xa5dc, 0xa697, 0xa698, 0xa699])
const WORD_97 = 0xc1
const PAGE_BYTES = 512
export const tableIndexes = {
  styles: 1,
  footnoteMarks: 2,
  footnotes: 3,
  commentMarks: 4,
  comments: 5,
  headers: 11,
  runs: 12,
  paragraphs: 13,
  pieces: 33,
  commentAuthors: 36,
  endnoteMarks: 46,
  endnotes: 47,
  lists: 73,
  listOverrides: 74,
}

/**
 * Reads the streams of a document. Throws UnreadableFile for a password and for Word before 97, other errors if it is not
 * in this format.
 */
export function readBinary(stream: Buffer, tableStream: (name: string) => Buffer): WordBinary {
  const magic = stream.length < 0x200 ? 0 : stream.readUInt16LE(0)
  if (OLD_MAGIC.has(magic)) throw new UnreadableFile('unsupported')
  if (magic !== MAGIC) throw new Error('no Word document')
  const flags = stream.readUInt16LE(0x0a)
  if ((flags & 0x0100) !== 0) throw new UnreadableFile('encrypted')
  if (stream.readUInt16LE(2) < WORD_97) throw new UnreadableFile('unsupported')
  const source = tableStream((flags & 0x0200) === 0 ? '0Table' : '1Table')
  const table = (index: number): Buffer => {
    const headerOffset = FIRST_TABLE_OFFSET + 8 * index
    const from = stream.readUInt32LE(headerOffset)
    return source.subarray(from, from + stream.readUInt32LE(headerOffset + 4))
  }
  const lengthAt = (at: number): number => stream.readUInt32LE(at)
  const pieces = readPieces(table(tableIndexes.pieces))
  const data = tableStream('Data')
  const paragraphs = readRuns(stream, table(tableIndexes.paragraphs), paragraphBytes)
  const runs = readRuns(stream, table(tableIndexes.runs), runBytes)
  const raisedRuns = runs.filter(isRaised)
  const styles = readStyles(table(tableIndexes.styles))
  // The levels of lists come after the table of lists, and are not part of its stated length.
  const listsStart = stream.readUInt32LE(FIRST_TABLE_OFFSET + 8 * tableIndexes.lists)
  const numberer = countLists(
    readLists(
      source.subarray(listsStart),
      table(tableIndexes.lists).length,
      table(tableIndexes.listOverrides),
    ),
  )
  return {
    text: readText(stream, pieces, runs.filter(isHidden)),
    stories: {
      body: lengthAt(0x4c),
      footnotes: lengthAt(0x50),
      headers: lengthAt(0x54),
      macros: lengthAt(0x58),
      comments: lengthAt(0x5c),
      endnotes: lengthAt(0x60),
      boxes: lengthAt(0x64),
    },
    paragraphAt: (position) =>
      paragraphProperties(rangeAt(paragraphs, fileOffset(pieces, position))?.properties, data),
    isRaised: (position) =>
      raisedRuns.length > 0 && rangeAt(raisedRuns, fileOffset(pieces, position)) !== undefined,
    styleOf: (style) => styles[style] ?? { level: 0 },
    labelOf: (list, level) => numberer.next(String(list), level),
    table,
  }
}

/** The pieces of the text, from the structure that [MS-DOC] 2.9.38 calls Clx. */
function readPieces(clx: Buffer): Piece[] {
  let offset = 0
  while (offset < clx.length && clx[offset] === 1) offset += 3 + clx.readUInt16LE(offset + 1)
  if (clx[offset] !== 2) throw new Error('no piece table')
  const size = clx.readUInt32LE(offset + 1)
  const pieces = clx.subarray(offset + 5, offset + 5 + size)
  const count = Math.floor((pieces.length - 4) / 12)
  return Array.from({ length: count }, (_, i) => {
    const offset = pieces.readUInt32LE(4 * (count + 1) + 8 * i + 2)
    const isUtf16 = (offset & 0x40000000) === 0
    return {
      start: pieces.readUInt32LE(4 * i),
      end: pieces.readUInt32LE(4 * i + 4),
      offset: isUtf16 ? offset : (offset & 0x3fffffff) / 2,
      isUtf16,
    }
  })
}

function readText(stream: Buffer, pieces: readonly Piece[], hiddenRuns: readonly Run[]): string {
  const windows1252 = new TextDecoder('windows-1252')
  let text = ''
  for (const { start, end, offset, isUtf16 } of pieces) {
    // A character takes at least one byte, but a damaged table may state a hundred million.
    if (start !== text.length || end < start || end > stream.length) throw new Error('pieces out of order')
    const bytes = stream.subarray(offset, offset + (end - start) * (isUtf16 ? 2 : 1))
    const decodedText = isUtf16 ? bytes.toString('utf16le') : windows1252.decode(bytes)
    text += withoutHidden(decodedText.padEnd(end - start, '\0'), offset, isUtf16 ? 2 : 1, hiddenRuns)
  }
  return text
}

function withoutHidden(
  text: string,
  offset: number,
  characterBytes: number,
  hiddenRuns: readonly Run[],
): string {
  const end = offset + text.length * characterBytes
  const overlappingRuns = hiddenRuns.filter((run) => run.start < end && run.end > offset)
  let visibleText = text
  for (const run of overlappingRuns) {
    const from = Math.max(0, Math.ceil((run.start - offset) / characterBytes))
    const to = Math.min(text.length, Math.ceil((run.end - offset) / characterBytes))
    visibleText =
      visibleText.slice(0, from) + '\0'.repeat(Math.max(0, to - from)) + visibleText.slice(Math.max(from, to))
  }
  return visibleText
}

function fileOffset(pieces: readonly Piece[], position: number): number {
  const piece = rangeAt(pieces, position)
  return piece === undefined ? -1 : piece.offset + (position - piece.start) * (piece.isUtf16 ? 2 : 1)
}

/** The range that contains a position, found by binary search in sorted ranges. */
function rangeAt<T extends { start: number; end: number }>(
  ranges: readonly T[],
  position: number,
): T | undefined {
  let low = 0
  let high = ranges.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const range = ranges[middle]
    if (range === undefined) return undefined
    if (position < range.start) high = middle - 1
    else if (position >= range.end) low = middle + 1
    else return range
  }
  return undefined
}

/** The runs on the pages of the file that a table lists, in file order. @param plex the table, a PLC of [MS-DOC] 2.2.2 */
function readRuns(
  stream: Buffer,
  plex: Buffer,
  bytesOf: (page: Buffer, count: number, i: number) => Buffer,
): Run[] {
  const pages = Math.floor((plex.length - 4) / 8)
  const runs: Run[] = []
  for (let p = 0; p < pages; p++) {
    const number = plex.readUInt32LE(4 * (pages + 1) + 4 * p) & 0x3fffff
    const page = stream.subarray(number * PAGE_BYTES, (number + 1) * PAGE_BYTES)
    const count = page[PAGE_BYTES - 1] ?? 0
    if (page.length < PAGE_BYTES || 4 * (count + 1) > PAGE_BYTES) continue
    for (let i = 0; i < count; i++) {
      runs.push({
        start: page.readUInt32LE(4 * i),
        end: page.readUInt32LE(4 * i + 4),
        properties: bytesOf(page, count, i),
      })
    }
  }
  return runs.sort((a, b) => a.start - b.start)
}

function paragraphBytes(page: Buffer, count: number, i: number): Buffer {
  const offset = (page[4 * (count + 1) + 13 * i] ?? 0) * 2
  const size = page[offset] ?? 0
  if (offset === 0) return Buffer.alloc(0)
  if (size !== 0) return page.subarray(offset + 1, offset + 2 * size)
  return page.subarray(offset + 2, offset + 2 + 2 * (page[offset + 1] ?? 0))
}

function runBytes(page: Buffer, count: number, i: number): Buffer {
  const offset = (page[4 * (count + 1) + i] ?? 0) * 2
  return offset === 0 ? Buffer.alloc(0) : page.subarray(offset + 1, offset + 1 + (page[offset] ?? 0))
}

const DELETED = 0x0800
const HIDDEN = 0x083c
const SUPERSCRIPT = 0x2a48
const POSITION = 0x4845
const MIN_RAISE_HALF_POINTS = 4

function isHidden({ properties }: Run): boolean {
  let hasHiddenMark = false
  eachModifier(properties, 0, (code, offset) => {
    if ((code === DELETED || code === HIDDEN) && properties[offset] === 1) hasHiddenMark = true
  })
  return hasHiddenMark
}

function isRaised({ properties }: Run): boolean {
  let isSuperscript = false
  eachModifier(properties, 0, (code, offset) => {
    if (code === SUPERSCRIPT) isSuperscript = properties[offset] === 1
    else if (code === POSITION) isSuperscript = properties.readInt16LE(offset) >= MIN_RAISE_HALF_POINTS
  })
  return isSuperscript
}
