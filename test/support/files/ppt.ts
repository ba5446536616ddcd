// Old PowerPoint files for tests, written record by record ([MS-PPT]): a document with its lists, slides of placed
// shapes, notes, the directory of what was saved last.

import { makeCompound } from './office.ts'

export interface PptText {
  /** 0 title, 1 body, 4 other. */
  kind: number
  text: string
  /** In one byte a letter. */
  narrow?: boolean
  /** How deep each paragraph is, and whether it says that it is an item. */
  looks?: readonly { level: number; isItem?: boolean }[]
  /** Where the number of the slide stands. */
  numberAt?: number
}

export interface PptShape {
  /** Left, top, width, height in 576ths of an inch. */
  box: readonly [number, number, number, number]
  text?: PptText
  /** It shows a text of the slide's outline by its number. */
  outline?: number
  /** The kind of placeholder: 7 a date, 8 the number of the slide. */
  placeholder?: number
}

export type PptItem = PptShape | { table: readonly PptItem[]; box: PptShape['box'] }

export interface PptSlide {
  shapes: readonly PptItem[]
  outline?: readonly PptText[]
  notes?: string
  hidden?: boolean
  comment?: { author: string; text: string }
}

const CONTAINER = 0xf

function record(type: number, data: Buffer, instance = 0, version = 0): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt16LE((instance << 4) | version, 0)
  head.writeUInt16LE(type, 2)
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data])
}

const container = (type: number, inner: readonly Buffer[], instance = 0): Buffer =>
  record(type, Buffer.concat(inner), instance, CONTAINER)

const numbers = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [i, value] of values.entries()) bytes.writeInt32LE(value | 0, 4 * i)
  return bytes
}

function textRecords({ kind, text, narrow = false, looks, numberAt }: PptText): Buffer[] {
  return [
    record(3999, numbers(kind)),
    narrow ? record(4008, Buffer.from(text, 'latin1')) : record(4000, Buffer.from(text, 'utf16le')),
    ...(looks === undefined ? [] : [record(4001, lookBytes(text, looks))]),
    ...(numberAt === undefined ? [] : [record(4056, numbers(numberAt))]),
  ]
}

/** Each run states a bullet, its letter and the distance to the line before, so that there are fields to pass over. */
function lookBytes(text: string, looks: NonNullable<PptText['looks']>): Buffer {
  const runs = text.split('\r').map((line, i) => {
    const { level = 0, isItem } = looks[i] ?? {}
    const run = Buffer.alloc(isItem === undefined ? 12 : 16)
    run.writeUInt32LE(line.length + 1, 0)
    run.writeUInt16LE(level, 4)
    run.writeUInt32LE(0x2000 | (isItem === undefined ? 0 : 0x81), 6)
    if (isItem !== undefined) run.writeUInt16LE(isItem ? 1 : 0, 10)
    if (isItem !== undefined) run.writeUInt16LE(0x2022, 12)
    return run
  })
  return Buffer.concat(runs)
}

function shapeRecord(
  { box: [x, y, width, height], text, outline, placeholder }: PptShape,
  isChild = false,
): Buffer {
  const short = Buffer.alloc(8)
  for (const [i, value] of [y, x, x + width, y + height].entries()) short.writeInt16LE(value, 2 * i)
  const inner = [
    ...(text === undefined ? [] : textRecords(text)),
    ...(outline === undefined ? [] : [record(3998, numbers(outline))]),
  ]
  return container(0xf004, [
    isChild ? record(0xf00f, numbers(x, y, x + width, y + height)) : record(0xf010, short),
    ...(placeholder === undefined
      ? []
      : [
          container(0xf011, [record(3011, Buffer.concat([numbers(0), Buffer.from([placeholder, 0, 0, 0])]))]),
        ]),
    container(0xf00d, inner),
  ])
}

function drawing(shapes: PptSlide['shapes']): Buffer {
  const ownShapes = container(0xf004, [record(0xf009, Buffer.alloc(16), 0, 1)])
  const member = (shape: PptItem, isChild = false): Buffer => {
    if (!('table' in shape)) return shapeRecord(shape, isChild)
    const table = Buffer.alloc(6)
    table.writeUInt16LE(0x039f, 0)
    const [x, y, width, height] = shape.box
    const place = numbers(y, x, x + width, y + height)
    const head = container(0xf004, [
      record(0xf009, Buffer.alloc(16), 0, 1),
      record(0xf122, table, 1, 3),
      record(0xf010, place),
    ])
    return container(0xf003, [head, ...shape.table.map((cell) => member(cell, true))])
  }
  return container(1036, [
    container(0xf002, [container(0xf003, [ownShapes, ...shapes.map((shape) => member(shape))])]),
  ])
}

function slideRecord({ shapes, hidden = false, comment }: PptSlide): Buffer {
  const show = Buffer.alloc(16)
  show.writeUInt16LE(hidden ? 4 : 0, 10)
  const said = (text: string, no: number): Buffer => record(4026, Buffer.from(text, 'utf16le'), no)
  const tags =
    comment === undefined
      ? []
      : [
          container(5000, [
            container(5002, [
              said('___PPT10', 0),
              record(5003, container(12_000, [said(comment.author, 0), said(comment.text, 1)])),
            ]),
          ]),
        ]
  return container(1006, [record(1007, Buffer.alloc(24), 0, 2), record(1017, show), drawing(shapes), ...tags])
}

const FIRST_SLIDE = 256

/** A .ppt of the given slides. `stale` stands in the stream as well, as an older state of the first one. */
export function makePpt(slides: readonly PptSlide[], stale?: PptSlide, locked = false): Buffer {
  const notes = slides.map(({ notes: text }, i) =>
    text === undefined
      ? undefined
      : container(1008, [
          record(1009, numbers(FIRST_SLIDE + i, 0), 0, 1),
          drawing([
            { box: [0, 0, 10, 10], text: { kind: 4, text: '*' } },
            { box: [0, 20, 10, 10], text: { kind: 2, text } },
          ]),
        ]),
  )
  const entry = (id: number, slide: number): Buffer => record(1011, numbers(id, 0, 0, slide, 0))
  // The document is the first thing kept, then the slides, then the notes.
  const lists = [
    container(
      4080,
      slides.flatMap(({ outline = [] }, i) => [
        entry(2 + i, FIRST_SLIDE + i),
        ...outline.flatMap(textRecords),
      ]),
      0,
    ),
    container(
      4080,
      notes.flatMap((one, i) => (one === undefined ? [] : [entry(2 + slides.length + i, FIRST_SLIDE + i)])),
      2,
    ),
  ]
  const kept = [
    container(1000, lists),
    ...slides.map(slideRecord),
    ...notes.map((one) => one ?? Buffer.alloc(0)),
  ]
  const before = stale === undefined ? Buffer.alloc(0) : slideRecord(stale)
  const offsets: number[] = []
  let at = before.length
  for (const one of kept) {
    offsets.push(at)
    at += one.length
  }
  const directory = record(6002, numbers((kept.length << 20) | 1, ...offsets))
  const edit = record(4085, numbers(0, 0, 0, at, 1, 0, 0))
  const user = Buffer.alloc(24)
  user.writeUInt32LE(locked ? 0xf3d1c4df : 0xe391c05f, 12)
  user.writeUInt32LE(at + directory.length, 16)
  return makeCompound({
    'PowerPoint Document': Buffer.concat([before, ...kept, directory, edit, Buffer.alloc(4096)]),
    'Current User': user,
  })
}
