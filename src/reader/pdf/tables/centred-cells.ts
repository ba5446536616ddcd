// Rows with a cell of several lines whose other cells are centred vertically, as browsers and word processors set them: lines
// half a line above and below the row's own line belong to it.

import { EDGE, heightOf, sameEdge } from '../../page/tolerance.ts'
import { union } from '../layout/boxes.ts'
import { joinLines } from './grid.ts'
import { isFigure, type Line, type Segment } from './lines.ts'

// A row has at least this many texts, two of them on its own line and one a figure; a row of column names has as many on its
// own line.
const LEAST_CELLS = 4
// In line heights: the distance from the row's own line to the nearest line of a cell of two lines, half of the pitch.
const HALF = [0.3, 0.9] as const
// The most lines of such a cell above the row's own line, and below.
const MOST_RINGS = 3

/** The lines, with those of centred cells joined to their row. */
export function withCentredCells(lines: readonly Line[]): readonly Line[] {
  const taken = new Set<Line>()
  const whole = new Map<Line, Line>()
  lines.forEach((line, i) => {
    if (taken.has(line)) return
    const around = ringsOf(lines, i, taken)
    if (around.length === 0) return
    for (const each of around) taken.add(each)
    whole.set(line, joined(line, around))
  })
  return taken.size === 0
    ? lines
    : lines.flatMap((line) => (taken.has(line) ? [] : [whole.get(line) ?? line]))
}

/** Whether two lines belong to one row; the ticks of a chart next to its legend do not. */
function isRow({ segments }: Line, above: Line): boolean {
  const cells = [...segments, ...above.segments]
  if (segments.length < 2 || cells.length < LEAST_CELLS) return false
  if (areFigures(above) && !segments.some(({ text }) => isFigure(text))) return false
  if (segments.length < LEAST_CELLS - 1 && areFigures({ segments }))
    return above.segments.length > segments.length
  return segments.length >= LEAST_CELLS || cells.some(({ text }) => isFigure(text))
}

const areFigures = ({ segments }: Pick<Line, 'segments'>): boolean =>
  segments.every(({ text }) => isFigure(text))

/**
 * The lines around line `at`, in pairs at equal distance above and below: first half a pitch away in other columns than the
 * row's,
 * then half a pitch or a whole one further in these columns or the row's.
 */
function ringsOf(lines: readonly Line[], at: number, taken: ReadonlySet<Line>): Line[] {
  const own = lines[at]
  const found: Line[] = []
  if (own === undefined) return found
  const height = own.bbox[3] - own.bbox[1]
  let half = 0
  for (let ring = 1; ring <= MOST_RINGS; ring++) {
    const [above, below] = [lines[at - ring], lines[at + ring]]
    if (above === undefined || below === undefined || taken.has(above)) break
    const off = distance(own, above, below, height * EDGE)
    const isNext =
      half === 0
        ? off > height * HALF[0] && off < height * HALF[1]
        : [2, 3].some((times) => Math.abs(off - half * times) < height * EDGE)
    if (!isNext || (ring === 1 && !isRow(own, above)) || !isPair(own, above, below, found)) break
    found.push(above, below)
    half ||= off
  }
  return found
}

/** The distance of both lines from the row, by their tops or bottoms; NaN if the two distances differ. */
function distance(own: Line, above: Line, below: Line, slack: number): number {
  for (const side of [1, 3] as const) {
    const [up, down] = [own.bbox[side] - above.bbox[side], below.bbox[side] - own.bbox[side]]
    if (Math.abs(up - down) < slack) return (up + down) / 2
  }
  return Number.NaN
}

/**
 * Whether both lines have texts in the same columns: the nearest pair outside the row's columns, others in columns already
 * used.
 */
function isPair(own: Line, above: Line, below: Line, nearer: readonly Line[]): boolean {
  const meets = (segment: Segment, line: Line): boolean =>
    line.segments.some((other) => overlaps(segment, other))
  const inner = nearer.length === 0
  const fits = (segment: Segment): boolean =>
    inner
      ? !meets(segment, own)
      : [own, ...nearer].some((line) => line.segments.some((other) => startsWith(segment, other)))
  return (
    below.segments.every((segment) => meets(segment, above) && fits(segment)) &&
    above.segments.every((segment) => meets(segment, below) && fits(segment))
  )
}

const overlaps = (a: Segment, b: Segment): boolean =>
  Math.min(a.bbox[2], b.bbox[2]) > Math.max(a.bbox[0], b.bbox[0])

const startsWith = (a: Segment, b: Segment): boolean => sameEdge(a.bbox[0], b.bbox[0], heightOf(a.bbox))

/** The row with the lines around it; the texts of a column become one. */
function joined(own: Line, around: readonly Line[]): Line {
  const stacks: Segment[][] = []
  const all = [own, ...around].flatMap(({ segments }) => segments)
  for (const segment of all.sort((a, b) => a.bbox[1] - b.bbox[1])) {
    const stack = stacks.find((each) => each.some((other) => overlaps(segment, other)))
    if (stack === undefined) stacks.push([segment])
    else stack.push(segment)
  }
  const segments = stacks.map(
    (stack): Segment => ({
      text: joinLines(stack.map(({ text }) => text)),
      bbox: stack.map(({ bbox }) => bbox).reduce((a, b) => union(a, b)),
      words: stack.flatMap(({ words }) => words),
    }),
  )
  segments.sort((a, b) => a.bbox[0] - b.bbox[0])
  return { segments, bbox: segments.map(({ bbox }) => bbox).reduce((a, b) => union(a, b)) }
}
