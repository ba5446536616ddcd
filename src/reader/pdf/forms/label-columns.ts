// Names with their values in two columns whose lines stand between each other's: the layout pass reads such columns
// line by line, so that a name gets the value beside it of the other column.

import type { TextItem } from '@llamaindex/liteparse'
import type { BBox } from '../../block.ts'
import { BLANK_ROW_PITCH, EDGE, sameEdge } from '../../page/tolerance.ts'
import { centreIn, rectBox, union } from '../layout/place.ts'

const LABEL = /^[\p{L}\p{N}][^:]{0,40}:$/u
const LEAST_LABELS = 3
// Of one column's names so many stand on no line of the other's.
const LEAST_OFF = 0.6
// Points between a name and its value.
const MOST_GAP = 160

interface LabelColumn {
  labels: TextItem[]
  left: number
  top: number
  bottom: number
}

/** Where such columns stand, each with its values: places to look for tables of two columns. */
export function labelColumns(items: readonly TextItem[]): BBox[] {
  const columns = columnsOf(items.filter(({ text }) => LABEL.test(text.trim())))
  const between = columns.filter((column) => columns.some((other) => standsBetween(column, other)))
  return between.flatMap((column) => {
    const place = withValues(column, between, items)
    return place === undefined ? [] : [place]
  })
}

function columnsOf(labels: readonly TextItem[]): LabelColumn[] {
  const columns: LabelColumn[] = []
  for (const label of [...labels].sort((a, b) => a.y - b.y)) {
    const column = columns.find(
      ({ left, bottom }) =>
        sameEdge(left, label.x, label.height) && label.y - bottom < label.height * BLANK_ROW_PITCH,
    )
    const bottom = label.y + label.height
    if (column === undefined) columns.push({ labels: [label], left: label.x, top: label.y, bottom })
    else {
      column.labels.push(label)
      column.bottom = bottom
    }
  }
  return columns.filter(({ labels: own }) => own.length >= LEAST_LABELS)
}

/** Whether the columns stand beside each other, on other lines. */
function standsBetween(a: LabelColumn, b: LabelColumn): boolean {
  if (a === b || a.top > b.bottom || b.top > a.bottom) return false
  const off = a.labels.filter(({ y, height }) => b.labels.every((other) => !sameEdge(other.y, y, height)))
  return off.length >= a.labels.length * LEAST_OFF
}

/** The column's names and what stands right of them, up to the next column; undefined when names have no values. */
function withValues(
  { labels, left, top, bottom }: LabelColumn,
  columns: readonly LabelColumn[],
  items: readonly TextItem[],
): BBox | undefined {
  const height = labels[0]?.height ?? 0
  const next = Math.min(
    ...columns.flatMap((other) => (other.left > left + height * EDGE ? [other.left] : [])),
  )
  const values = labels.flatMap(
    (label) =>
      items.find(
        ({ x, y }) =>
          sameEdge(y, label.y, height) && x >= label.x + label.width && x - label.x < MOST_GAP && x < next,
      ) ?? [],
  )
  if (values.length * 2 < labels.length) return undefined
  const edge = Math.min(...values.map(({ x }) => x))
  const area: BBox = [edge - height * EDGE, top, next, bottom + height * (BLANK_ROW_PITCH - 1)]
  const lines = items.filter((item) => centreIn(item, area) && sameEdge(item.x, edge, height))
  return [...labels, ...below(lines)].map(rectBox).reduce(union)
}

/** The values and the lines that follow them without a gap. */
function below(values: readonly TextItem[]): TextItem[] {
  const kept: TextItem[] = []
  for (const value of [...values].sort((a, b) => a.y - b.y)) {
    const last = kept.at(-1)
    if (last !== undefined && value.y - last.y > value.height * 2) break
    kept.push(value)
  }
  return kept
}
