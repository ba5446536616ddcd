// Sheets whose rules break at every column, with lines down some gutters only: each column has rows of its own height.
// A company's products with periods, regions and comments were two tables, their labels text.

import { RULE_END, SAME_RULE } from '../../../page/tolerance.ts'
import type { Frame } from '../frames.ts'
import type { Rule, Rules } from '../rules.ts'

type Piece = [number, number]

const LEAST_COLUMNS = 5
const LEAST_ROWS = 3
const WIDEST_GUTTER = 12
// Of the gutters so many have a line down half of the sheet: underlined totals have none.
const LEAST_LINES = 2
// A sheet of 200 columns and 250 rows took 20 s; more than a page's frames may have is a drawing.
const MOST_CELLS = 4_000

/** The frames such rules make, with the lines that are not drawn. */
export function brokenFrames({ horizontal, vertical }: Rules): Frame[] {
  if (vertical.length < LEAST_LINES) return []
  const rows = ruleRows(horizontal)
  const found: Frame[] = []
  let next = 0
  rows.forEach((row, i) => {
    if (i < next || !isFinest(row)) return
    const columns = row.map(({ from, to }): Piece => [from, to])
    const lines = gutterLines(columns, vertical)
    let end = i + 1
    while (end < rows.length && fits(rows[end] ?? [], columns) && isCrossed(rows, end, lines)) end++
    let start = i
    while (start > 0 && i - start < 2 && fits(rows[start - 1] ?? [], columns)) start--
    next = end
    if ((end - start) * columns.length > MOST_CELLS) return
    const frame = toFrame(rows.slice(start, end), columns, at(row), lines)
    if (end - i >= LEAST_ROWS && frame !== undefined) found.push(frame)
  })
  return found
}

/** Rules in rows from the top, each from the left. */
function ruleRows(horizontal: readonly Rule[]): Rule[][] {
  const rows: Rule[][] = []
  for (const rule of [...horizontal].sort((a, b) => a.at - b.at)) {
    const last = rows.at(-1)
    if (last !== undefined && rule.at - at(last) < SAME_RULE) last.push(rule)
    else rows.push([rule])
  }
  return rows.map((row) => row.sort((a, b) => a.from - b.from))
}

const at = (row: readonly Rule[]): number => row[0]?.at ?? 0

const isFinest = (row: readonly Rule[]): boolean =>
  row.length >= LEAST_COLUMNS &&
  row.every(({ from }, i) => {
    const gap = from - (row[i - 1]?.to ?? from - RULE_END)
    return gap > SAME_RULE && gap < WIDEST_GUTTER
  })

/** Whether each rule runs from the edge of a column to the edge of one. */
const fits = (row: readonly Rule[], columns: readonly Piece[]): boolean =>
  row.every(
    ({ from, to }) =>
      columns.some(([left]) => Math.abs(left - from) < RULE_END) &&
      columns.some(([, right]) => Math.abs(right - to) < RULE_END),
  )

/** Whether a line goes on to the row of rules from the one above: what stands over a rule below the sheet is none of it. */
function isCrossed(rows: readonly Rule[][], row: number, lines: readonly Rule[]): boolean {
  const [above, below] = [at(rows[row - 1] ?? []), at(rows[row] ?? [])]
  return lines.some(({ from, to }) => Math.min(to, below) - Math.max(from, above) > (below - above) / 2)
}

const guttersOf = (columns: readonly Piece[]): Piece[] =>
  columns.slice(1).map(([from], i): Piece => [columns[i]?.[1] ?? from, from])

const isIn = (line: Rule, [from, to]: Piece): boolean => line.at > from - RULE_END && line.at < to + RULE_END

const gutterLines = (columns: readonly Piece[], vertical: readonly Rule[]): Rule[] => {
  const gutters = guttersOf(columns)
  return vertical.filter((line) => gutters.some((gutter) => isIn(line, gutter)))
}

function toFrame(
  rows: readonly Rule[][],
  columns: readonly Piece[],
  head: number,
  lines: readonly Rule[],
): Frame | undefined {
  const [left, right, top] = [columns[0]?.[0], columns.at(-1)?.[1], rows[0]?.[0]?.at]
  if (left === undefined || right === undefined || top === undefined) return undefined
  const gutters = guttersOf(columns)
  const last = at(rows.at(-1) ?? [])
  const drawn = gutters.map((gutter) =>
    lines.filter((line) => isIn(line, gutter) && line.to > head && line.from < last),
  )
  const isLong = (own: readonly Rule[]): boolean =>
    own.some((line) => line.to - line.from > (last - head) / 2)
  if (drawn.filter(isLong).length < LEAST_LINES) return undefined
  const bottom = Math.max(last, ...drawn.flat().map(({ to }) => to))
  const ys = [...rows.map(at), ...(bottom - last > SAME_RULE ? [bottom] : [])]
  const xs = [left, ...gutters.map(([from, to]) => (from + to) / 2), right]
  const slack = WIDEST_GUTTER / 2
  const horizontal = [
    ...rows.flatMap((row) => row.map((rule) => ({ ...rule, from: rule.from - slack, to: rule.to + slack }))),
    { at: bottom, from: left, to: right },
  ]
  const vertical = [left, right].map((x) => ({ at: x, from: top, to: bottom }))
  for (const [g, [from, to]] of gutters.entries())
    for (const [i, y] of ys.slice(1).entries()) {
      // Over the names of the columns a rule across a gutter underlines what spans both.
      const spans = y <= head && rows[i + 1]?.some((rule) => rule.from < from && rule.to > to)
      if (!spans) vertical.push({ at: xs[g + 1] ?? 0, from: ys[i] ?? 0, to: y })
    }
  return { bbox: [left, top, right, bottom], xs, ys, rules: { horizontal, vertical } }
}
