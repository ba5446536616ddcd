// Reads tables with ruling lines around every cell. The lines give the rows, columns and spans, the words fill them.

import type { BBox } from '../../../block.ts'
import { union } from '../layout/boxes.ts'
import type { MergedCell } from '../merged-cells.ts'
import { type Frame, ruledCells } from './frames.ts'
import { type GridCell, joinLines, type PageTable } from './grid.ts'
import { isNumeric, type Segment, textLines, type Word } from './lines.ts'

interface Slot extends MergedCell {
  lines: { segments: Segment[]; bbox: BBox; text: string }[]
}

// A frame with a smaller share of filled cells is a form, a drawing or the grid of a chart.
const MIN_FILLED_SHARE = 0.3
const MIN_CELLS = 4

/** The table in a frame. Undefined if its lines are not a grid or contain too little text. */
export function latticeTable(frame: Frame, words: readonly Word[]): PageTable | undefined {
  if (frame.xs.length < 3 || frame.ys.length < 3) return undefined
  const cells = ruledCells(frame)
  if (cells === undefined || cells.length < MIN_CELLS) return undefined
  if (new Set(cells.map(({ column }) => column)).size < 2) return undefined
  const frameWords = words.filter(({ bbox }) => isInside(middle(bbox), frame.bbox))
  const allSlots = fillCells(frame, cells, frameWords).flatMap((slot) => splitColumns(frame, slot))
  if (allSlots.filter(({ lines }) => lines.length > 0).length < cells.length * MIN_FILLED_SHARE)
    return undefined
  const slots = withoutNotes(allSlots, frame)
  if (slots.some(hasLinesOfNumbers)) return undefined
  const tableWords = slots.flatMap(({ lines }) =>
    lines.flatMap(({ segments }) => segments.flatMap((segment) => segment.words)),
  )
  if (tableWords.length === 0) return undefined
  return {
    cells: splitRows(slots),
    bbox: tableWords.map(({ bbox }) => bbox).reduce((a, b) => union(a, b)),
    words: tableWords,
  }
}

/** The cells with the lines of the words inside them. */
function fillCells(frame: Frame, cells: readonly MergedCell[], words: readonly Word[]): Slot[] {
  const filledCells = cells.map((cell) => ({ cell, box: cellBox(frame, cell), words: [] as Word[] }))
  for (const word of words) {
    const centre = middle(word.bbox)
    filledCells.find(({ box }) => isInside(centre, box))?.words.push(word)
  }
  return filledCells.map(({ cell, words: cellWords }) => ({
    ...cell,
    lines: textLines(cellWords).map((line) => ({
      ...line,
      text: line.segments.map(({ text }) => text).join(' '),
    })),
  }))
}

const MIN_LINES_OF_NUMBERS = 3

/** Whether a cell has several lines with several numbers. Then the rules separate groups of columns, and gaps the columns. */
const hasLinesOfNumbers = ({ lines }: Slot): boolean =>
  lines.filter(({ segments }) => segments.filter(({ text }) => isNumeric(text)).length > 1).length >=
  MIN_LINES_OF_NUMBERS

// A text over the full width of the frame with more words is not a header but a caption or a note.
const MAX_HEADER_WORDS = 12

/** Removes caption and notes, which are long texts at the top and bottom of the frame over its full width. */
function withoutNotes(slots: readonly Slot[], { xs, ys }: Frame): Slot[] {
  const isNote = ({ columns, lines }: Slot): boolean =>
    columns === xs.length - 1 &&
    lines
      .map(({ text }) => text)
      .join(' ')
      .split(' ').length > MAX_HEADER_WORDS
  let [first, end] = [0, ys.length - 1]
  while (slots.some((slot) => slot.row === first && isNote(slot))) first++
  while (slots.some((slot) => slot.row + slot.rows === end && isNote(slot))) end--
  return slots
    .filter(({ row }) => row >= first && row < end)
    .map((slot) => ({ ...slot, row: slot.row - first }))
}

/** Splits a slot over several columns, such as a coloured band behind a row, if its texts fit the columns of the other rows. */
function splitColumns({ xs }: Frame, slot: Slot): Slot[] {
  if (slot.columns === 1) return [slot]
  const columnSlots: Slot[] = Array.from({ length: slot.columns }, (_, i) => ({
    ...slot,
    column: slot.column + i,
    columns: 1,
    lines: [],
  }))
  for (const line of slot.lines) {
    // The segments of a line that are in the same column are one line there.
    const segmentsOf = new Map<Slot, Segment[]>()
    for (const segment of line.segments) {
      const columnCell = columnSlots.find(
        ({ column }) =>
          segment.bbox[0] >= (xs[column] ?? 0) - 1 && segment.bbox[2] <= (xs[column + 1] ?? 0) + 1,
      )
      if (columnCell === undefined) return [slot]
      segmentsOf.set(columnCell, [...(segmentsOf.get(columnCell) ?? []), segment])
    }
    for (const [{ lines }, segments] of segmentsOf)
      lines.push({
        segments,
        bbox: segments.map(({ bbox }) => bbox).reduce((a, b) => union(a, b)),
        text: segments.map(({ text }) => text).join(' '),
      })
  }
  const filledCount = columnSlots.filter(({ lines }) => lines.length > 0).length
  return filledCount >= Math.max(2, slot.columns / 2) ? columnSlots : [slot]
}

function cellBox({ xs, ys }: Frame, { row, column, rows, columns }: MergedCell): BBox {
  return [xs[column] ?? 0, ys[row] ?? 0, xs[column + columns] ?? 0, ys[row + rows] ?? 0]
}

const middle = (box: BBox): [number, number] => [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]

const isInside = ([x, y]: [number, number], box: BBox): boolean =>
  x >= box[0] - 1 && x <= box[2] + 1 && y >= box[1] - 1 && y <= box[3] + 1

/** The cells of the table. If a row between ruling lines contains several rows of numbers, each of its lines becomes a row. */
function splitRows(slots: readonly Slot[]): GridCell[] {
  const height = Math.max(...slots.map(({ row, rows }) => row + rows))
  const cells: GridCell[] = []
  let addedCount = 0
  // For each ruled row the number of rows that were added above it.
  const addedRows: number[] = []
  for (let r = 0; r < height; r++) {
    addedRows[r] = addedCount
    const rowSlots = slots.filter(({ row, rows }) => row === r && rows === 1)
    const baselines = baselinesInRow(rowSlots)
    if (baselines === undefined) {
      for (const slot of rowSlots) cells.push(wholeCell(slot, r + addedCount))
      continue
    }
    rowSlots.forEach((slot) => {
      baselines.forEach((baseline, i) => {
        const lines = slot.lines.filter((line) => nearest(baselines, line.bbox[3]) === baseline)
        const text = joinLines(lines.map((line) => line.text))
        cells.push({ row: r + addedCount + i, column: slot.column, rows: 1, columns: slot.columns, text })
      })
    })
    addedCount += baselines.length - 1
  }
  addedRows[height] = addedCount
  for (const slot of slots.filter(({ rows }) => rows > 1)) {
    const first = slot.row + (addedRows[slot.row] ?? 0)
    const end = slot.row + slot.rows + (addedRows[slot.row + slot.rows] ?? 0)
    cells.push({ ...wholeCell(slot, first), rows: end - first })
  }
  return cells
}

function wholeCell({ column, rows, columns, lines }: Slot, row: number): GridCell {
  return { row, column, rows, columns, text: joinLines(lines.map((line) => line.text)) }
}

const nearest = (values: readonly number[], value: number): number | undefined =>
  values.reduce<number | undefined>(
    (nearestSoFar, each) =>
      nearestSoFar === undefined || Math.abs(each - value) < Math.abs(nearestSoFar - value)
        ? each
        : nearestSoFar,
    undefined,
  )

/** The baselines of the rows inside a ruled row. Undefined if it does not have two lines with numbers in at least two cells. */
function baselinesInRow(slots: readonly Slot[]): number[] | undefined {
  const bottoms: { at: number; numbers: number; cells: number }[] = []
  for (const { lines } of slots)
    for (const line of lines) {
      const sameBottom = bottoms.find(
        ({ at }) => Math.abs(at - line.bbox[3]) < (line.bbox[3] - line.bbox[1]) / 2,
      )
      const numbers = isNumeric(line.text) ? 1 : 0
      if (sameBottom === undefined) bottoms.push({ at: line.bbox[3], numbers, cells: 1 })
      else {
        sameBottom.numbers += numbers
        sameBottom.cells++
      }
    }
  const rows = bottoms.filter(({ numbers, cells }) => numbers >= 2 || (numbers === 1 && cells === 2))
  const multiCellCount = bottoms.filter(({ cells }) => cells > 1).length
  if (rows.length < 2 || rows.length < multiCellCount * 0.7) return undefined
  return bottoms.map(({ at }) => at).sort((a, b) => a - b)
}
