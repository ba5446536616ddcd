// Names and values below each other without rules or colons: number, date and account at the top of an invoice. Other text may
// be
// on the same lines, such as an address.

import type { BBox } from '../../block.ts'
import { heightOf, ROW_PITCH, sameEdge } from '../../page/tolerance.ts'
import { union } from '../layout/boxes.ts'
import { type FoundTable, type GridCell, joinLines } from './grid.ts'
import type { Line, Segment } from './lines.ts'

const LEAST_PAIRS = 3
const MOST_NAME_WORDS = 3
const MOST_NAME = 30
const MOST_VALUE_WORDS = 8
// Points: text nearer to the left of a name is a cell of its row.
const LEAST_ASIDE = 20
// Share of the smallest distance between pairs: the lines of one cell are closer.
const WRAPPED = 0.85
// Share of the values with a digit: two addresses next to each other have digits in both columns.
const LEAST_WITH_FIGURES = 0.5

type Pair = readonly [name: Segment, value: Segment]

/** Tables of two columns, with a name and its value in each row. */
export function namedValues(lines: readonly Line[]): FoundTable[] {
  const runs: Pair[][] = []
  for (const { segments } of lines)
    segments.slice(1).forEach((value, i) => {
      const name = segments[i]
      const left = segments[i - 1]?.bbox[2] ?? Number.NEGATIVE_INFINITY
      if (name === undefined || !isName(name) || value.words.length > MOST_VALUE_WORDS) return
      if (name.bbox[0] - left < LEAST_ASIDE) return
      const run = runs.find((pairs) => goesOn(pairs.at(-1), name, value))
      if (run === undefined) runs.push([[name, value]])
      else run.push([name, value])
    })
  return runs.filter(isForm).map((pairs) => toTable(pairs, lines))
}

const isName = ({ text, words }: Segment): boolean =>
  words.length <= MOST_NAME_WORDS && text.length <= MOST_NAME && /^\p{L}[^\d,;]*$/u.test(text)

function goesOn(last: Pair | undefined, { bbox: name }: Segment, { bbox: value }: Segment): boolean {
  if (last === undefined) return false
  const [above, beside] = [last[0].bbox, last[1].bbox]
  const step = name[3] - above[3]
  return (
    step > 0 &&
    step < heightOf(name) * ROW_PITCH &&
    sameEdge(name[0], above[0], heightOf(name)) &&
    [0, 2].some((side) => sameEdge(value[side] ?? 0, beside[side] ?? 0, heightOf(name)))
  )
}

const isForm = (pairs: readonly Pair[]): boolean =>
  pairs.length >= LEAST_PAIRS &&
  pairs.filter(([, { text }]) => /\d/.test(text)).length > pairs.length * LEAST_WITH_FIGURES

function toTable(pairs: readonly Pair[], lines: readonly Line[]): FoundTable {
  const steps = pairs.slice(1).map(([name], i) => name.bbox[3] - (pairs[i]?.[0].bbox[3] ?? 0))
  const closest = Math.min(...steps)
  const cells: GridCell[] = []
  const all: Segment[] = []
  pairs.forEach((pair, row) => {
    pair.forEach((segment, column) => {
      const own = withWrapped(segment, lines, closest * WRAPPED)
      all.push(...own)
      cells.push({ row, column, rows: 1, columns: 1, text: joinLines(own.map(({ text }) => text)) })
    })
  })
  const bbox: BBox = all.map((segment) => segment.bbox).reduce(union)
  return { cells, bbox, words: all.flatMap(({ words }) => words) }
}

/** The text and the lines below it on its edge that are closer than pairs. */
function withWrapped(first: Segment, lines: readonly Line[], most: number): Segment[] {
  const found = [first]
  for (const { segments } of lines) {
    const last = found.at(-1)?.bbox ?? first.bbox
    const [left, , , bottom] = last
    const next = segments.find(({ bbox }) => sameEdge(bbox[0], left, heightOf(last)))
    if (next !== undefined && next.bbox[3] > bottom + 1 && next.bbox[3] - bottom < most) found.push(next)
  }
  return found
}
