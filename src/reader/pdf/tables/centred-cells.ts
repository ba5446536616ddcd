// Cells of several lines in rows whose other cells stand in the middle of them, as browsers and word processors set
// them: lines half a line above and below the row's own are of it.

import { EDGE, heightOf, sameEdge } from '../../page/tolerance.ts'
import { union } from '../layout/boxes.ts'
import { joinLines } from './grid.ts'
import { isFigure, type Line, type Segment } from './lines.ts'

// A row has as many texts, two of them on its own line, one of them a figure; the names of columns as many there.
const LEAST_CELLS = 4
// Heights of a line from the row's own line to the nearest of a cell of two, half of the pitch.
const HALF = [0.3, 0.9] as const
// Lines of such a cell above the row's own, and as many below.
const MOST_RINGS = 3

/** The lines, those of centred cells with the row they are of: its cells are texts of several lines then. */
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

/** Whether both lines are of a row; the ticks of a chart beside its legend are not. */
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
 * The lines around line `at`, in pairs as far above as below it: half a pitch off in other columns than the row's, then
 * a half or a whole one further in its columns or those.
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

/** How far both stand off the row, by their tops or by their feet; not a number where they do not stand alike. */
function distance(own: Line, above: Line, below: Line, slack: number): number {
  for (const side of [1, 3] as const) {
    const [up, down] = [own.bbox[side] - above.bbox[side], below.bbox[side] - own.bbox[side]]
    if (Math.abs(up - down) < slack) return (up + down) / 2
  }
  return Number.NaN
}

/** Whether both have a text in the same columns, none of them the row's; further off, in columns of it or of the nearer ones. */
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

/** The row with the lines around it, the texts of a column as one. */
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
