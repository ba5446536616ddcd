// Old Word files for tests, written byte by byte: the header, one piece of text, pages of paragraph properties, styles.

import { makeCompound } from './office.ts'

export interface DocParagraph {
  text: string
  /** Style by number: 1 to 9 are headings. */
  style?: number
  /** The level of an item; of the first list where none is named. */
  list?: number
  of?: number
  /** 'cell' ends a cell, 'row' a row. */
  mark?: 'cell' | 'row'
  /** On a row: the edges of its cells in twentieths of a point. */
  edges?: readonly number[]
  /** On a row: which cells go on from above. */
  continues?: readonly boolean[]
  /** On a row: its properties stand in the stream of data, as those of many cells do. */
  elsewhere?: boolean
  /** Left out of what is shown. */
  deleted?: boolean
  /** How many characters at its end are superscripts. */
  raised?: number
}

const FIRST_TABLE = 0x9a
const TEXT_AT = 0x800
const PAGE = 512

/** The levels of a list: the number of their format, their text (%1 for the first level's number), where they begin anew. */
export type DocList = readonly (readonly [format: number, text: string, restart?: number])[]

/** The lists of a document, and what paragraphs count by: a list, and where its first level begins anew. */
export interface DocLists {
  lists: readonly DocList[]
  counted: readonly { list: number; start?: number }[]
}

const NO_LISTS: DocLists = { lists: [], counted: [] }

/** Those of a row that stands elsewhere go to `data`. */
function properties(paragraph: DocParagraph, data: Buffer[]): Buffer {
  if (paragraph.elsewhere !== true) return ownProperties(paragraph)
  const at = data.reduce((sum, { length }) => sum + length, 0)
  const own = ownProperties({ ...paragraph, style: 0 }).subarray(2)
  const size = Buffer.alloc(2)
  size.writeUInt16LE(own.length, 0)
  data.push(size, own)
  const place = Buffer.from([paragraph.style ?? 0, 0, 0x46, 0x66, 0, 0, 0, 0, 0])
  place.writeUInt32LE(at, 4)
  return place
}

function ownProperties({ style = 0, list, of = 1, mark, edges, continues }: DocParagraph): Buffer {
  const parts = [Buffer.from([style, 0])]
  if (mark !== undefined) parts.push(Buffer.from([0x16, 0x24, 1]))
  if (mark === 'row') parts.push(Buffer.from([0x17, 0x24, 1]))
  if (list !== undefined) parts.push(Buffer.from([0x0a, 0x26, list, 0x0b, 0x46, of, 0]))
  if (edges !== undefined) {
    const count = edges.length - 1
    const row = Buffer.alloc(3 + 2 * edges.length + 20 * count)
    row.writeUInt16LE(row.length - 1, 0)
    row.writeUInt8(count, 2)
    edges.forEach((edge, i) => {
      row.writeInt16LE(edge, 3 + 2 * i)
    })
    for (let i = 0; i < count; i++) {
      if (continues?.[i] === true) row.writeUInt16LE(0x20, 3 + 2 * edges.length + 20 * i)
    }
    parts.push(Buffer.from([0x08, 0xd6]), row)
  }
  const all = Buffer.concat(parts)
  // Whole words, one byte of which says how many.
  return all.length % 2 === 1 ? all : Buffer.concat([all, Buffer.from([0])])
}

/** One page of 512 bytes a run: bounds, an entry, the properties at the page's end. */
function page(start: number, end: number, entry: (at: number) => Buffer, body: Buffer): Buffer {
  const bytes = Buffer.alloc(PAGE)
  bytes.writeUInt32LE(start, 0)
  bytes.writeUInt32LE(end, 4)
  const at = (PAGE - 2 - body.length) & ~1
  body.copy(bytes, at)
  entry(at / 2).copy(bytes, 8)
  bytes.writeUInt8(1, PAGE - 1)
  return bytes
}

/** A Word 97 document of the given paragraphs. */
export function makeDoc(paragraphs: readonly DocParagraph[], counting: DocLists = NO_LISTS): Buffer {
  const text = paragraphs.map(({ text: own, mark }) => own + (mark === undefined ? '\r' : '\u0007')).join('')
  const characters = Buffer.from(text, 'utf16le')
  const firstPage = Math.ceil((TEXT_AT + characters.length) / PAGE)
  const bounds: number[] = [TEXT_AT]
  for (const { text: own } of paragraphs) bounds.push((bounds.at(-1) ?? 0) + 2 * (own.length + 1))
  const data: Buffer[] = []
  const paragraphPages = paragraphs.map((one, i) => {
    const body = properties(one, data)
    const sizedBody = Buffer.concat([Buffer.from([(body.length + 1) / 2]), body])
    return page(
      bounds[i] ?? 0,
      bounds[i + 1] ?? 0,
      (at) => Buffer.concat([Buffer.from([at]), Buffer.alloc(12)]),
      sizedBody,
    )
  })
  const runBounds: number[] = [TEXT_AT]
  const runPages = paragraphs.flatMap(({ text: own, deleted = false, raised = 0 }, i) => {
    const [start, end] = [bounds[i] ?? 0, bounds[i + 1] ?? 0]
    const middle = start + 2 * (own.length - raised)
    const body = Buffer.from([3, 0x00, 0x08, deleted ? 1 : 0])
    if (raised === 0) {
      runBounds.push(end)
      return [page(start, end - 2, (at) => Buffer.from([at]), body)]
    }
    runBounds.push(middle, end)
    const up = Buffer.from([3, 0x48, 0x2a, 1])
    return [
      page(start, middle, (at) => Buffer.from([at]), body),
      page(middle, end - 2, (at) => Buffer.from([at]), up),
    ]
  })
  const tables: [place: number, content: Buffer][] = [
    [1, styleSheet()],
    [12, plex(runBounds, firstPage + paragraphPages.length)],
    [13, plex(bounds, firstPage)],
    [33, pieceTable(text.length)],
    [74, listOverrides(counting)],
    [73, listTable(counting)],
  ]
  const head = Buffer.alloc(TEXT_AT)
  head.writeUInt16LE(0xa5ec, 0)
  head.writeUInt16LE(0xc1, 2)
  head.writeUInt32LE(text.length, 0x4c)
  let at = 0
  for (const [place, content] of tables) {
    head.writeUInt32LE(at, FIRST_TABLE + 8 * place)
    head.writeUInt32LE(content.length, FIRST_TABLE + 8 * place + 4)
    at += content.length
  }
  // The levels stand behind the table that tells of the lists.
  const levels = Buffer.concat(counting.lists.flatMap((list) => list.map(listLevel)))
  const body = Buffer.alloc(firstPage * PAGE - TEXT_AT)
  characters.copy(body)
  return makeCompound({
    WordDocument: Buffer.concat([head, body, ...paragraphPages, ...runPages]),
    '0Table': Buffer.concat([...tables.map(([, content]) => content), levels, Buffer.alloc(4096)]),
    ...(data.length === 0 ? {} : { Data: Buffer.concat(data) }),
  })
}

function plex(bounds: readonly number[], firstPage: number): Buffer {
  const bytes = Buffer.alloc(4 * bounds.length + 4 * (bounds.length - 1))
  bounds.forEach((bound, i) => {
    bytes.writeUInt32LE(bound, 4 * i)
    if (i < bounds.length - 1) bytes.writeUInt32LE(firstPage + i, 4 * bounds.length + 4 * i)
  })
  return bytes
}

function pieceTable(length: number): Buffer {
  const bytes = Buffer.alloc(5 + 16)
  bytes.writeUInt8(2, 0)
  bytes.writeUInt32LE(16, 1)
  bytes.writeUInt32LE(length, 9)
  bytes.writeUInt32LE(TEXT_AT, 15)
  return bytes
}

function listTable({ lists }: DocLists): Buffer {
  const bytes = Buffer.alloc(2 + 28 * lists.length)
  bytes.writeUInt16LE(lists.length, 0)
  lists.forEach((list, i) => {
    if (list.length !== 1 && list.length !== 9) throw new Error('a list has one level or nine')
    bytes.writeUInt32LE(i + 1, 2 + 28 * i)
    bytes.writeUInt8(list.length === 1 ? 1 : 0, 2 + 28 * i + 26)
  })
  return bytes
}

function listLevel([format, text, restart]: readonly [number, string, number?]): Buffer {
  const label = text.replace(/%([1-9])/g, (_, digit: string) => String.fromCharCode(Number(digit) - 1))
  const bytes = Buffer.alloc(28 + 3 + 2 + 2 * label.length)
  bytes.writeInt32LE(1, 0)
  bytes.writeUInt8(format, 4)
  if (restart !== undefined) bytes.writeUInt8(8, 5)
  if (restart !== undefined) bytes.writeUInt8(restart, 26)
  // Three bytes of properties.
  bytes.writeUInt8(3, 24)
  bytes.writeUInt16LE(label.length, 31)
  bytes.write(label, 33, 'utf16le')
  return bytes
}

function listOverrides({ counted }: DocLists): Buffer {
  const heads = counted.map(({ list, start }) => {
    const bytes = Buffer.alloc(16)
    bytes.writeUInt32LE(list + 1, 0)
    bytes.writeUInt8(start === undefined ? 0 : 1, 12)
    return bytes
  })
  const starts = counted.map(({ start }) => {
    const bytes = Buffer.alloc(start === undefined ? 4 : 12)
    if (start !== undefined) bytes.writeInt32LE(start, 4)
    if (start !== undefined) bytes.writeUInt32LE(0x10, 8)
    return bytes
  })
  const count = Buffer.alloc(4)
  count.writeUInt32LE(counted.length, 0)
  return Buffer.concat([count, ...heads, ...starts])
}

/**
 * Normal, nine headings, style 10 based on heading 2, style 11 an entry of contents on the second level, and style 12
 * an item of the second list.
 */
function styleSheet(): Buffer {
  const style = (kind: number, base: number): Buffer => {
    const bytes = Buffer.alloc(12)
    bytes.writeUInt16LE(10, 0)
    bytes.writeUInt16LE(kind, 2)
    bytes.writeUInt16LE((base << 4) | 1, 4)
    return bytes
  }
  const styles = Array.from({ length: 10 }, (_, i) => style(i, 0xfff))
  const head = Buffer.from([4, 0, 13, 0, 10, 0])
  return Buffer.concat([head, ...styles, style(0xffe, 2), style(20, 0), itemStyle()])
}

/** Named "It", its paragraphs items of the second list. */
function itemStyle(): Buffer {
  const name = Buffer.from('\u0002It\0', 'utf16le')
  const items = Buffer.from([8, 0, 12, 0, 0x0b, 0x46, 2, 0, 0x0a, 0x26, 0, 0])
  const bytes = Buffer.alloc(12)
  bytes.writeUInt16LE(10 + name.length + items.length, 0)
  bytes.writeUInt16LE(0xffe, 2)
  bytes.writeUInt16LE(1, 4)
  return Buffer.concat([bytes, name, items])
}
