// Reads the shapes of an old slide ([MS-ODRAW]) with their positions and texts, and the groups that are tables.

import type { Block } from '../../block.ts'
import { type Cell, tableBlocks } from '../../shared/blocks/table.ts'
import type { Place } from '../../shared/office/shape-order.ts'
import { inOrder } from '../../shared/office/shape-order.ts'
import { type PptRecord, recordInside, recordsOf, recordTypes } from './records.ts'
import { plainText, type SlideText, textBlocks, textsOf } from './text.ts'

export interface Shape {
  place?: Place
  texts: readonly SlideText[]
  /** The indexes of the texts in the outline of the slide that the shape shows. */
  outline: readonly number[]
  /** Whether the shape is the date, number, footer or header of the slide. */
  isRunning: boolean
}

export interface Group {
  place?: Place
  members: readonly (Shape | Group)[]
  isTable: boolean
}

const MAX_DEPTH = 50
const TABLE_PROPERTY = 0x039f
// The placeholders for the date, the slide number, the footer and the header.
const RUNNING_PLACEHOLDERS = new Set([7, 8, 9, 10])

/** The shapes of a slide or of its notes. */
export function shapesOf(slide: Buffer): (Shape | Group)[] {
  const root = recordInside(slide, recordTypes.drawing, recordTypes.officeDrawing, recordTypes.group)
  return root === undefined ? [] : membersOf(root, 0)
}

/** The members of a group. The first record is left out, because it is the shape of the group itself. */
function membersOf(group: PptRecord, depth: number): (Shape | Group)[] {
  if (depth > MAX_DEPTH) return []
  return recordsOf(group.data)
    .slice(1)
    .flatMap((record): (Shape | Group)[] => {
      if (record.type === recordTypes.shape) return [readShape(record.data)]
      return record.type === recordTypes.group ? [readGroup(record, depth + 1)] : []
    })
}

function readGroup(group: PptRecord, depth: number): Group {
  const shapeData = recordInside(group.data, recordTypes.shape)?.data ?? Buffer.alloc(0)
  const place = placeOf(shapeData)
  return { ...(place && { place }), members: membersOf(group, depth), isTable: isTable(shapeData) }
}

function isTable(shape: Buffer): boolean {
  const properties = recordInside(shape, recordTypes.moreProperties)
  for (let i = 0; properties !== undefined && i < properties.instance; i++) {
    if (6 * i + 2 > properties.data.length) return false
    if ((properties.data.readUInt16LE(6 * i) & 0x3fff) === TABLE_PROPERTY) return true
  }
  return false
}

function readShape(shape: Buffer): Shape {
  const place = placeOf(shape)
  const text = recordsOf(recordInside(shape, recordTypes.clientTextbox)?.data ?? Buffer.alloc(0))
  const placeholderData = recordInside(shape, recordTypes.clientData, recordTypes.placeholder)?.data
  return {
    ...(place && { place }),
    texts: textsOf(text),
    outline: text.flatMap(({ type, data }) =>
      type === recordTypes.outlineText && data.length >= 4 ? [data.readUInt32LE(0)] : [],
    ),
    isRunning:
      placeholderData !== undefined &&
      placeholderData.length > 4 &&
      RUNNING_PLACEHOLDERS.has(placeholderData[4] ?? 0),
  }
}

/** The position of a shape. A number has four bytes in a group, and four or two bytes on a slide. */
function placeOf(shape: Buffer): Place | undefined {
  const child = recordInside(shape, recordTypes.childAnchor)?.data
  if (child !== undefined && child.length >= 16) {
    const [x, y] = [child.readInt32LE(0), child.readInt32LE(4)]
    return { x, y, width: child.readInt32LE(8) - x, height: child.readInt32LE(12) - y }
  }
  const anchor = recordInside(shape, recordTypes.clientAnchor)?.data
  if (anchor === undefined || anchor.length < 8) return undefined
  const coordinate = (i: number): number =>
    anchor.length >= 16 ? anchor.readInt32LE(4 * i) : anchor.readInt16LE(2 * i)
  return {
    x: coordinate(1),
    y: coordinate(0),
    width: coordinate(2) - coordinate(1),
    height: coordinate(3) - coordinate(0),
  }
}

/** The blocks of shapes in reading order. @param textsOfShape returns the texts that a shape shows */
export function shapeBlocks(
  shapes: readonly (Shape | Group)[],
  textsOfShape: (shape: Shape) => readonly SlideText[],
): Block[] {
  return inOrder(shapes.map((item) => ({ item, ...(item.place && { place: item.place }) }))).flatMap(
    (item) => {
      if (!('members' in item)) return item.isRunning ? [] : textsOfShape(item).flatMap(textBlocks)
      return item.isTable ? tableOf(item, textsOfShape) : shapeBlocks(item.members, textsOfShape)
    },
  )
}

// Edges on the same line of a table differ by a few units (1/576 inch).
const MAX_EDGE_DISTANCE = 5

function tableOf({ members }: Group, textsOfShape: (shape: Shape) => readonly SlideText[]): Block[] {
  const cells = members.flatMap((shape) =>
    'members' in shape || shape.place === undefined || !isCell(shape)
      ? []
      : [{ ...shape.place, text: textsOfShape(shape).map(plainText).join('\n') }],
  )
  const [lefts, tops] = [distinctEdges(cells.map(({ x }) => x)), distinctEdges(cells.map(({ y }) => y))]
  const rows: Cell[][] = tops.map(() => [])
  for (const { x, y, width, height, text } of cells.toSorted((a, b) => a.x - b.x)) {
    const spanOf = (tableEdges: readonly number[], from: number, size: number): number =>
      tableEdges.filter((edge) => edge > from + MAX_EDGE_DISTANCE && edge < from + size - MAX_EDGE_DISTANCE)
        .length + 1
    const row = tops.findIndex((top) => Math.abs(top - y) <= MAX_EDGE_DISTANCE)
    rows[row]?.push({ text, colSpan: spanOf(lefts, x, width), rowSpan: spanOf(tops, y, height) })
  }
  return tableBlocks(rows)
}

/** Whether a shape is a cell and not a line between cells. */
const isCell = ({ place, texts }: Shape): boolean =>
  texts.length > 0 || Math.min(place?.width ?? 0, place?.height ?? 0) > MAX_EDGE_DISTANCE

/** The distinct edges of a table. Edges on the same line count once. */
function distinctEdges(edges: readonly number[]): number[] {
  const offsets: number[] = []
  for (const edge of edges.toSorted((a, b) => a - b))
    if (edge > (offsets.at(-1) ?? -Infinity) + MAX_EDGE_DISTANCE) offsets.push(edge)
  return offsets
}
