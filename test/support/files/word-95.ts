// Word 95 files for tests, byte by byte: a head, the text in one byte a letter, a page of paragraph properties, styles.

import { makeCompound } from './office.ts'

export interface Word95Paragraph {
  text: Buffer | string
  /** Style by number: 1 to 9 are headings, 10 is based on heading 2. */
  style?: number
  /** 'cell' ends a cell, 'row' a row, 'in' stands in a cell that goes on. */
  mark?: 'cell' | 'row' | 'in'
}

const PAGE = 512
const TEXT_AT = 0x200

/** The main stream's own password flag may be set, and how many of the last paragraphs are footnotes. */
export function makeWord95(
  paragraphs: readonly Word95Paragraph[],
  { locked = false, footnotes = 0, pieces = false } = {},
): Buffer {
  const texts = paragraphs.map(({ text, mark }) =>
    Buffer.concat([
      Buffer.from(text as string, 'latin1'),
      Buffer.from([mark === 'cell' || mark === 'row' ? 7 : 13]),
    ]),
  )
  const text = Buffer.concat(texts)
  const firstPage = Math.ceil((TEXT_AT + text.length) / PAGE)
  const bounds = [TEXT_AT]
  for (const one of texts) bounds.push((bounds.at(-1) ?? 0) + one.length)
  const pages = paragraphs.map((one, i) => propertyPage(bounds[i] ?? 0, bounds[i + 1] ?? 0, one))
  const plex = Buffer.alloc(4 * bounds.length + 2 * paragraphs.length)
  for (const [i, bound] of bounds.entries()) plex.writeUInt32LE(bound, 4 * i)
  for (const i of paragraphs.keys()) plex.writeUInt16LE(firstPage + i, 4 * bounds.length + 2 * i)
  const tables: [place: number, content: Buffer][] = [
    [0x60, styleSheet()],
    [0xc0, plex],
    ...(pieces ? [[0x160, pieceTable(text.length)] as [number, Buffer]] : []),
  ]
  const head = Buffer.alloc(TEXT_AT)
  head.writeUInt16LE(0xa5dc, 0)
  head.writeUInt16LE(0x68, 2)
  head.writeUInt16LE((locked ? 0x100 : 0) | (pieces ? 4 : 0), 0x0a)
  head.writeUInt32LE(TEXT_AT, 0x18)
  const notes = texts.slice(texts.length - footnotes).reduce((sum, { length }) => sum + length, 0)
  head.writeUInt32LE(text.length - (footnotes > 0 ? notes : 0), 0x34)
  head.writeUInt32LE(footnotes > 0 ? notes : 0, 0x38)
  let at = (firstPage + pages.length) * PAGE
  for (const [place, content] of tables) {
    head.writeUInt32LE(at, place)
    head.writeUInt32LE(content.length, place + 4)
    at += content.length
  }
  const body = Buffer.alloc(firstPage * PAGE - TEXT_AT)
  text.copy(body)
  const contents = tables.map(([, content]) => content)
  return makeCompound({
    WordDocument: Buffer.concat([head, body, ...pages, ...contents, Buffer.alloc(4096)]),
  })
}

/** One paragraph a page; other properties stand before those of tables. */
function propertyPage(start: number, end: number, { style = 0, mark }: Word95Paragraph): Buffer {
  const codes = mark === undefined ? [] : [5, 0, 17, 0, 0, 24, 1, ...(mark === 'row' ? [25, 1] : [])]
  const bytes = [style, 0, ...codes, ...(codes.length % 2 === 1 ? [0] : [])]
  const page = Buffer.alloc(PAGE)
  page.writeUInt32LE(start, 0)
  page.writeUInt32LE(end, 4)
  const at = (PAGE - 2 - bytes.length - 1) & ~1
  page.writeUInt8(at / 2, 8)
  page.writeUInt8(bytes.length / 2, at)
  Buffer.from(bytes).copy(page, at + 1)
  page.writeUInt8(1, PAGE - 1)
  return page
}

/** Two pieces, the second half of the letters before the first. */
function pieceTable(length: number): Buffer {
  const half = Math.floor(length / 2)
  const bytes = Buffer.alloc(5 + 28)
  bytes.writeUInt8(2, 0)
  bytes.writeUInt32LE(28, 1)
  for (const [i, at] of [0, length - half, length].entries()) bytes.writeUInt32LE(at, 5 + 4 * i)
  bytes.writeUInt32LE(TEXT_AT + half, 5 + 12 + 2)
  bytes.writeUInt32LE(TEXT_AT, 5 + 12 + 8 + 2)
  return bytes
}

function styleSheet(): Buffer {
  const style = (kind: number, base: number): Buffer => {
    const bytes = Buffer.alloc(12)
    bytes.writeUInt16LE(10, 0)
    bytes.writeUInt16LE(kind, 2)
    bytes.writeUInt16LE((base << 4) | 1, 4)
    return bytes
  }
  const styles = Array.from({ length: 10 }, (_, i) => style(i, 0xfff))
  return Buffer.concat([Buffer.from([4, 0, 11, 0, 10, 0]), ...styles, style(0xffe, 2)])
}
