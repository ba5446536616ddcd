// Repairs what the layout pass does to tables: a column of row labels it left out (seen on a third of Pfizer's notes:
// numbers without names), and rows it merged into one cell ("(8,360) 354"). Both only from the page's own items.

import type { LayoutCell, TextItem } from '@llamaindex/liteparse'
import type { BBox } from '../../block.ts'
import { rectBox, standsIn, union } from './place.ts'
import { plainWords } from './words.ts'

export interface RepairedTable {
  rows: string[][]
  bbox: BBox
}

interface Row {
  cells: string[]
  /** Cells cut out of a run of text have no place of their own. */
  bbox?: BBox
}

interface Placed {
  item: TextItem
  text: string
  bbox: BBox
}

const number = /^[($€£¥\s-]*[\d.,]*\d[\d.,]*[)%\s]*$|^[$€£¥\s]*[—–-]$/u
const trailingSign = /\s*([$€£¥])$/u

/** The table's rows with merged ones parted and lost labels attached; labels used are taken out of `missing`. */
export function repairTable(
  layout: readonly (readonly LayoutCell[])[],
  items: readonly TextItem[],
  missing: Set<TextItem>,
): RepairedTable | undefined {
  const columns = columnRanges(layout)
  const placed = items.map((item) => ({ item, text: item.text, bbox: rectBox(item) }))
  const rows = layout.flatMap((cells) => {
    return splitRow(toRow(cells), columns, placed)
  })
  const boxes = rows.flatMap((row) => (row.bbox === undefined ? [] : [row.bbox]))
  if (boxes.length === 0) return undefined
  const labels = attachLabels(
    rows,
    placed.filter(({ item }) => missing.has(item)),
  )
  for (const { item } of labels.used) missing.delete(item)
  const bbox = [...boxes, ...labels.used.map((label) => label.bbox)].reduce((a, b) => union(a, b))
  if (labels.used.length === 0) return { rows: rows.map((row) => row.cells), bbox }
  return { rows: rows.map((row, i) => [labels.texts[i] ?? '', ...row.cells]), bbox }
}

function toRow(cells: readonly LayoutCell[]): Row {
  const boxes = cells.flatMap((cell) => (cell.bbox === undefined ? [] : [rectBox(cell.bbox)]))
  const texts = cellSignsForward(cells.map((cell) => cell.text))
  return boxes.length === 0 ? { cells: texts } : { cells: texts, bbox: boxes.reduce((a, b) => union(a, b)) }
}

/** Left and right edge of each column, from all its cells. */
function columnRanges(layout: readonly (readonly LayoutCell[])[]): ([number, number] | undefined)[] {
  const ranges: ([number, number] | undefined)[] = []
  for (const cells of layout) {
    cells.forEach((cell, i) => {
      if (cell.bbox === undefined) return
      const { x, width } = cell.bbox
      const range = ranges[i]
      ranges[i] =
        range === undefined ? [x, x + width] : [Math.min(range[0], x), Math.max(range[1], x + width)]
    })
  }
  return ranges
}

/** Parts a row of which several lines carry numbers in two columns or more; kept whole when a single word would move. */
function splitRow(
  row: Row,
  columns: readonly ([number, number] | undefined)[],
  placed: readonly Placed[],
): Row[] {
  const { bbox: place } = row
  if (place === undefined) return [row]
  const inside = placed.filter(({ bbox }) => standsIn(bbox, place))
  const lines = byLine(inside).map(signsForward)
  const numeric = lines.filter((line) => line.filter(({ text }) => number.test(text)).length >= 2)
  if (numeric.length < 2 || numeric.length !== lines.length) return [row]
  const parts = lines.map((line) => {
    const cells = row.cells.map(() => '')
    for (const { text, bbox } of line) {
      const column = columnOf(bbox, columns)
      if (column === undefined || column >= cells.length) return undefined
      cells[column] = `${cells[column] ?? ''} ${text}`.trim()
    }
    return { cells, bbox: line.map((entry) => entry.bbox).reduce((a, b) => union(a, b)) }
  })
  const whole = parts.flatMap((part) => (part === undefined ? [] : [part]))
  if (whole.length !== lines.length || wordsKey(whole.flatMap((part) => part.cells)) !== wordsKey(row.cells))
    return [row]
  return whole
}

function wordsKey(cells: readonly string[]): string {
  return cells.flatMap(plainWords).sort().join(' ')
}

/** The column an item overlaps most; columns of right-aligned numbers may overlap each other's edges. */
function columnOf(bbox: BBox, columns: readonly ([number, number] | undefined)[]): number | undefined {
  let best: { column: number; overlap: number } | undefined
  columns.forEach((range, column) => {
    if (range === undefined) return
    const overlap = Math.min(bbox[2], range[1]) - Math.max(bbox[0], range[0])
    if (overlap > 0 && (best === undefined || overlap > best.overlap)) best = { column, overlap }
  })
  return best?.column
}

/** "(8,360) $" next to "(412)": the sign is the next number's, printed at the left edge of its column. */
function signsForward(line: readonly Placed[]): Placed[] {
  let sign = ''
  return line.map((entry, i) => {
    const text = `${sign} ${entry.text}`.trim()
    const trailing = trailingSign.exec(text)?.[1] ?? ''
    sign = i + 1 < line.length && text !== trailing ? trailing : ''
    return { ...entry, text: sign === '' ? text : text.replace(trailingSign, '') }
  })
}

/** The same in cells; a sign alone in its cell stays there. */
function cellSignsForward(cells: readonly string[]): string[] {
  const moved = [...cells]
  for (let i = 0; i + 1 < moved.length; i++) {
    const cell = moved[i] ?? ''
    const sign = trailingSign.exec(cell)?.[1]
    if (sign === undefined || cell.trim() === sign || !/^[\s(—–-]*\d|^[—–-]$/u.test(moved[i + 1] ?? ''))
      continue
    moved[i] = cell.replace(trailingSign, '')
    moved[i + 1] = `${sign} ${moved[i + 1]}`
  }
  return moved
}

/** Items in lines from the top, each line from the left. */
function byLine(items: readonly Placed[]): Placed[][] {
  const lines: Placed[][] = []
  for (const entry of [...items].sort((a, b) => a.bbox[3] - b.bbox[3])) {
    const last = lines.at(-1)?.[0]
    const height = entry.bbox[3] - entry.bbox[1]
    if (last !== undefined && Math.abs(entry.bbox[3] - last.bbox[3]) < height / 2) lines.at(-1)?.push(entry)
    else lines.push([entry])
  }
  return lines.map((line) => line.sort((a, b) => a.bbox[0] - b.bbox[0]))
}

/** Lost items left of the table go to the row they stand beside, wrapped lines to the row they lead to. */
function attachLabels(rows: readonly Row[], lost: readonly Placed[]): { texts: string[]; used: Placed[] } {
  const texts = rows.map(() => '')
  const used: Placed[] = []
  for (const label of byLine(lost).flat()) {
    const height = label.bbox[3] - label.bbox[1]
    const near = rowNear(rows, label.bbox)
    if (near === undefined || near.distance > height * 1.5 || label.bbox[2] > near.left + height) continue
    texts[near.index] = `${texts[near.index] ?? ''} ${label.item.text}`.trim()
    used.push(label)
  }
  return { texts, used }
}

/** The row beside a label, or the next one below it; a row above counts double the distance. */
function rowNear(
  rows: readonly Row[],
  label: BBox,
): { index: number; distance: number; left: number } | undefined {
  const y = (label[1] + label[3]) / 2
  let best: { index: number; distance: number; left: number } | undefined
  rows.forEach(({ bbox }, index) => {
    if (bbox === undefined) return
    const beside = y >= bbox[1] && y <= bbox[3]
    const distance = beside ? 0 : y < bbox[1] ? bbox[1] - y : (y - bbox[3]) * 2
    if (best === undefined || distance < best.distance) best = { index, distance, left: bbox[0] }
  })
  return best
}
