// Tables by their ruling lines: where rules cross one another there are cells, and where one is missing cells are one.

import type { Part } from '../raster/rect.ts'
import type { Rule, Rules } from '../raster/ruling-lines.ts'

/** What lies within a cell's rules, in pixels, and the slots of the grid it covers. */
export interface RuledCell extends Part {
  row: number
  column: number
  rows: number
  columns: number
}

/** A ruled table; its cells row by row from the left. */
export interface Grid extends Part {
  rows: number
  columns: number
  cells: RuledCell[]
}

// Of a page: each is read by itself. More in one grid are a calendar or squared paper.
export const MOST_CELLS = 400
const MOST_RULES = 400
// Of a side between two cells: a rule that covers less does not part them.
const PARTING_SHARE = 0.7
// Of a grid: a merged cell that is larger is the page between a ruled head and foot, whatever stands there.
const FRAME_SHARE = 0.5

/** Ruled tables of two rows and two columns at least; `near` is how far apart rules at one place may stand. */
export function findGrids({ across, down }: Rules, near: number): Grid[] {
  if (across.length > MOST_RULES || down.length > MOST_RULES) return []
  const grids = connected(across, down, near).flatMap((rules) => gridOf(rules, near) ?? [])
  const tables = grids.filter((grid) => !isFrame(grid))
  let cells = 0
  return tables.filter((grid) => {
    // What stands in a table is read with the cell it stands in.
    if (tables.some((other) => isWithin(grid, other))) return false
    cells += grid.cells.length
    return cells <= MOST_CELLS
  })
}

const areaOf = ({ width, height }: Part): number => width * height

const isFrame = (grid: Grid): boolean =>
  grid.cells.some((cell) => cell.rows * cell.columns > 1 && areaOf(cell) > areaOf(grid) * FRAME_SHARE)

const isWithin = (part: Part, other: Part): boolean =>
  areaOf(part) < areaOf(other) &&
  part.left >= other.left &&
  part.top >= other.top &&
  part.left + part.width <= other.left + other.width &&
  part.top + part.height <= other.top + other.height

/** Rules that cross one another, directly or by others. */
function connected(across: readonly Rule[], down: readonly Rule[], near: number): Rules[] {
  const open = new Set(across)
  const groups: Rules[] = []
  for (const first of across) {
    if (!open.delete(first)) continue
    const group: Rules = { across: [first], down: [] }
    const seen = new Set<Rule>()
    for (const rule of group.across) {
      for (const other of down.filter((one) => !seen.has(one) && crosses(rule, one, near))) {
        seen.add(other)
        group.down.push(other)
        for (const next of [...open].filter((one) => crosses(one, other, near))) {
          open.delete(next)
          group.across.push(next)
        }
      }
    }
    groups.push(group)
  }
  return groups
}

const crosses = (across: Rule, down: Rule, near: number): boolean =>
  down.at >= across.from - near &&
  down.at <= across.to + near &&
  across.at >= down.from - near &&
  across.at <= down.to + near

function gridOf({ across, down }: Rules, near: number): Grid | undefined {
  const ys = places(across, down, near)
  const xs = places(down, across, near)
  const [rows, columns] = [ys.length - 1, xs.length - 1]
  if (rows < 2 || columns < 2 || rows * columns > MOST_CELLS) return undefined
  const cells = cellsOf(xs, ys, { across, down }, near)
  if (cells === undefined) return undefined
  const [left, top] = [xs[0] ?? 0, ys[0] ?? 0]
  return { left, top, width: (xs[columns] ?? 0) - left, height: (ys[rows] ?? 0) - top, rows, columns, cells }
}

/** Where rules stand, in order; also where those that cross them begin and end, for a table that is open at its sides. */
function places(rules: readonly Rule[], crossing: readonly Rule[], near: number): number[] {
  const found: number[] = []
  for (const at of rules.map((rule) => rule.at).sort((a, b) => a - b))
    if (at - (found.at(-1) ?? -Infinity) > near) found.push(at)
  const first = Math.min(...crossing.map(({ from }) => from))
  const last = Math.max(...crossing.map(({ to }) => to))
  if (first < (found[0] ?? 0) - 2 * near) found.unshift(first)
  if (last > (found.at(-1) ?? 0) + 2 * near) found.push(last)
  return found
}

/** Slots without a rule between them are one cell; undefined when some cell is no rectangle. */
function cellsOf(
  xs: readonly number[],
  ys: readonly number[],
  { across, down }: Rules,
  near: number,
): RuledCell[] | undefined {
  const columns = xs.length - 1
  const taken = new Set<number>()
  const cells: RuledCell[] = []
  for (let row = 0; row < ys.length - 1; row++) {
    for (let column = 0; column < columns; column++) {
      if (taken.has(row * columns + column)) continue
      const open = (to: 'right' | 'below', r: number, c: number): boolean =>
        to === 'right'
          ? !isParted(down, xs[c + 1] ?? 0, ys[r] ?? 0, ys[r + 1] ?? 0, near)
          : !isParted(across, ys[r + 1] ?? 0, xs[c] ?? 0, xs[c + 1] ?? 0, near)
      let width = 1
      while (column + width < columns && open('right', row, column + width - 1)) width++
      let height = 1
      while (row + height < ys.length - 1 && open('below', row + height - 1, column)) height++
      for (let r = row; r < row + height; r++) {
        for (let c = column; c < column + width; c++) {
          const within =
            (c + 1 === column + width || open('right', r, c)) &&
            (r + 1 === row + height || open('below', r, c))
          if (taken.has(r * columns + c) || !within) return undefined
          taken.add(r * columns + c)
        }
      }
      const [left, right] = between(down, xs[column] ?? 0, xs[column + width] ?? 0, near)
      const [top, bottom] = between(across, ys[row] ?? 0, ys[row + height] ?? 0, near)
      const part = { left, top, width: right - left, height: bottom - top }
      cells.push({ row, column, rows: height, columns: width, ...part })
    }
  }
  return cells
}

/** Where the rules at one place end and those at another begin: text stands 1.5 points from them in a spreadsheet. */
function between(rules: readonly Rule[], first: number, last: number, near: number): [number, number] {
  let [from, to] = [first, last]
  for (const { at, thickness } of rules) {
    if (Math.abs(at - first) <= near) from = Math.max(from, at + thickness / 2)
    if (Math.abs(at - last) <= near) to = Math.min(to, at - thickness / 2)
  }
  return [from, to]
}

/** Whether rules at `at` cover the side from `from` to `to`. */
function isParted(rules: readonly Rule[], at: number, from: number, to: number, near: number): boolean {
  const covered = rules
    .filter((rule) => Math.abs(rule.at - at) <= near)
    .reduce((sum, rule) => sum + Math.max(0, Math.min(rule.to, to) - Math.max(rule.from, from)), 0)
  return covered >= PARTING_SHARE * (to - from)
}
