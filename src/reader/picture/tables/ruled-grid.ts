// Grids of ruled tables: crossing ruling lines bound cells, and cells without a line between them are merged. Pure.

import { mergedCells } from '../../page/merged-cells.ts'
import type { Rect } from '../raster/grey-image.ts'
import type { RulingLine, RulingLines } from '../raster/ruling-lines.ts'

/** The inside of a cell in pixels, and the rows and columns it spans. */
export interface RuledCell extends Rect {
  row: number
  column: number
  rowSpan: number
  columnSpan: number
}

/** Its cells are row by row from the left. */
export interface RuledGrid extends Rect {
  rows: number
  columns: number
  cells: RuledCell[]
}

// Of a page, as each is recognised by itself. A grid of more is a calendar or squared paper.
export const MAX_CELLS = 400
const MAX_LINES = 400
// Of the side between two cells: a line that covers less does not separate them.
const MIN_SEPARATED_SHARE = 0.7
// Of a grid: a larger merged cell is the page between a ruled header and footer.
const MAX_MERGED_SHARE = 0.5

/** Grids of at least two rows and two columns; lines up to `tolerance` apart are at the same position. */
export function findGrids({ horizontal, vertical }: RulingLines, tolerance: number): RuledGrid[] {
  if (horizontal.length > MAX_LINES || vertical.length > MAX_LINES) return []
  const groups = connectedLines(horizontal, vertical, tolerance)
  const grids = groups.flatMap((lines) => gridOf(lines, tolerance) ?? [])
  const tables = grids.filter((grid) => !isPageFrame(grid))
  let cells = 0
  return tables.filter((grid) => {
    // A grid inside a table is recognised as part of its cell.
    if (tables.some((other) => isWithin(grid, other))) return false
    cells += grid.cells.length
    return cells <= MAX_CELLS
  })
}

const areaOf = ({ width, height }: Rect): number => width * height

const isPageFrame = (grid: RuledGrid): boolean =>
  grid.cells.some(
    (cell) => cell.rowSpan * cell.columnSpan > 1 && areaOf(cell) > areaOf(grid) * MAX_MERGED_SHARE,
  )

const isWithin = (inner: Rect, outer: Rect): boolean =>
  areaOf(inner) < areaOf(outer) &&
  inner.left >= outer.left &&
  inner.top >= outer.top &&
  inner.left + inner.width <= outer.left + outer.width &&
  inner.top + inner.height <= outer.top + outer.height

/** Groups of lines that cross one another, directly or through other lines. */
function connectedLines(
  horizontal: readonly RulingLine[],
  vertical: readonly RulingLine[],
  tolerance: number,
): RulingLines[] {
  const open = new Set(horizontal)
  const groups: RulingLines[] = []
  for (const first of horizontal) {
    if (!open.delete(first)) continue
    const group: RulingLines = { horizontal: [first], vertical: [] }
    const seen = new Set<RulingLine>()
    for (const line of group.horizontal) {
      for (const other of vertical.filter((one) => !seen.has(one) && crosses(line, one, tolerance))) {
        seen.add(other)
        group.vertical.push(other)
        for (const next of [...open].filter((one) => crosses(one, other, tolerance))) {
          open.delete(next)
          group.horizontal.push(next)
        }
      }
    }
    groups.push(group)
  }
  return groups
}

const crosses = (horizontal: RulingLine, vertical: RulingLine, tolerance: number): boolean =>
  vertical.at >= horizontal.from - tolerance &&
  vertical.at <= horizontal.to + tolerance &&
  horizontal.at >= vertical.from - tolerance &&
  horizontal.at <= vertical.to + tolerance

function gridOf({ horizontal, vertical }: RulingLines, tolerance: number): RuledGrid | undefined {
  const ys = linePositions(horizontal, vertical, tolerance)
  const xs = linePositions(vertical, horizontal, tolerance)
  const [rows, columns] = [ys.length - 1, xs.length - 1]
  if (rows < 2 || columns < 2 || rows * columns > MAX_CELLS) return undefined
  const cells = cellsOf(xs, ys, { horizontal, vertical }, tolerance)
  if (cells === undefined) return undefined
  const [left, top] = [xs[0] ?? 0, ys[0] ?? 0]
  return { left, top, width: (xs[columns] ?? 0) - left, height: (ys[rows] ?? 0) - top, rows, columns, cells }
}

/** The positions of lines in order, and of the ends of those that cross them: a table may have no lines at its sides. */
function linePositions(
  lines: readonly RulingLine[],
  crossing: readonly RulingLine[],
  tolerance: number,
): number[] {
  const found: number[] = []
  for (const at of lines.map((line) => line.at).sort((a, b) => a - b))
    if (at - (found.at(-1) ?? -Infinity) > tolerance) found.push(at)
  const first = Math.min(...crossing.map(({ from }) => from))
  const last = Math.max(...crossing.map(({ to }) => to))
  if (first < (found[0] ?? 0) - 2 * tolerance) found.unshift(first)
  if (last > (found.at(-1) ?? 0) + 2 * tolerance) found.push(last)
  return found
}

/** Cells of the grid, merged where no line separates them; undefined when a merged cell is not a rectangle. */
function cellsOf(
  xs: readonly number[],
  ys: readonly number[],
  { horizontal, vertical }: RulingLines,
  tolerance: number,
): RuledCell[] | undefined {
  const edge = (edges: readonly number[], at: number): number => edges[at] ?? 0
  const cells = mergedCells(ys.length - 1, xs.length - 1, {
    right: (row, column) =>
      !isSeparated(vertical, edge(xs, column + 1), edge(ys, row), edge(ys, row + 1), tolerance),
    below: (row, column) =>
      !isSeparated(horizontal, edge(ys, row + 1), edge(xs, column), edge(xs, column + 1), tolerance),
  })
  return cells?.map(({ row, column, rows, columns }) => {
    const [left, right] = innerEdges(vertical, edge(xs, column), edge(xs, column + columns), tolerance)
    const [top, bottom] = innerEdges(horizontal, edge(ys, row), edge(ys, row + rows), tolerance)
    const inside = { left, top, width: right - left, height: bottom - top }
    return { row, column, rowSpan: rows, columnSpan: columns, ...inside }
  })
}

/** The inner edges of the lines at two positions: the text of a spreadsheet is only 1.5 points away from them. */
function innerEdges(
  lines: readonly RulingLine[],
  first: number,
  last: number,
  tolerance: number,
): [number, number] {
  let [from, to] = [first, last]
  for (const { at, thickness } of lines) {
    if (Math.abs(at - first) <= tolerance) from = Math.max(from, at + thickness / 2)
    if (Math.abs(at - last) <= tolerance) to = Math.min(to, at - thickness / 2)
  }
  return [from, to]
}

/** Whether lines at position `at` cover the side from `from` to `to`. */
function isSeparated(
  lines: readonly RulingLine[],
  at: number,
  from: number,
  to: number,
  tolerance: number,
): boolean {
  const covered = lines
    .filter((line) => Math.abs(line.at - at) <= tolerance)
    .reduce((sum, line) => sum + Math.max(0, Math.min(line.to, to) - Math.max(line.from, from)), 0)
  return covered >= MIN_SEPARATED_SHARE * (to - from)
}
