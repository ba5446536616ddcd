// Small tables without rules that the layout pass takes for text: figures under a line that names each of their columns.

import type { BBox } from '../../../block.ts'
import { union } from '../../layout/place.ts'
import { isFigure, type Line, type Segment } from '../lines.ts'

const LEAST_COLUMNS = 3
// Heights of a line from one row to the next: each figure stands under its name, so blank ones may be between.
const MOST_PITCH = 4.2
// Labels alone between two rows: titles of groups, and the first lines of labels that wrap.
const MOST_LABELS = 2
// Names are short: a line of prose with wide gaps is none.
const MOST_NAME_WORDS = 5

/** Where a line of names stands over rows of figures, each below its own name. */
export function namedRows(lines: readonly Line[]): BBox[] {
  const places: BBox[] = []
  let next = 0
  lines.forEach((names, i) => {
    if (i < next || !isNames(names)) return
    const { rows, end } = rowsBelow(names, lines, i + 1)
    if (rows.length === 0 || (rows.length === 1 && !rows[0]?.segments.every(({ text }) => isFigure(text))))
      return
    next = end
    places.push(
      lines
        .slice(i, end)
        .map(({ bbox }) => bbox)
        .reduce(union),
    )
  })
  return places
}

/** The rows from line `from` on, and the line behind the last of them. */
function rowsBelow(names: Line, lines: readonly Line[], from: number): { rows: Line[]; end: number } {
  const rows: Line[] = []
  let end = from
  for (let at = from; at - end <= MOST_LABELS; at++) {
    const line = lines[at]
    if (line === undefined || !isNear(lines[at - 1], line)) break
    if (isRowOf(names, line)) {
      rows.push(line)
      end = at + 1
    } else if (!isLabelOf(names, line)) break
  }
  return { rows, end }
}

/** One text alone that ends before the second name. */
const isLabelOf = (names: Line, { segments: [only, second] }: Line): boolean =>
  only !== undefined && second === undefined && only.bbox[2] < (names.segments[1]?.bbox[0] ?? 0)

const isNames = ({ segments }: Line): boolean =>
  segments.length >= LEAST_COLUMNS - 1 &&
  segments.every(({ text, words }) => words.length <= MOST_NAME_WORDS && (!isFigure(text) || YEAR.test(text)))

const YEAR = /^(?:19|20)\d\d$/

const isNear = (above: Line | undefined, { bbox }: Line): boolean =>
  above !== undefined && bbox[3] - above.bbox[3] < (bbox[3] - bbox[1]) * MOST_PITCH

/** Whether the line has a figure under each name; its label may have a name or none. */
function isRowOf(names: Line, { segments }: Line): boolean {
  const [label, ...figures] = segments
  if (label === undefined || segments.length < LEAST_COLUMNS || !figures.every(({ text }) => isFigure(text)))
    return false
  const own = segments.length === names.segments.length ? segments : figures
  return own.length === names.segments.length && own.every((cell, i) => isUnder(names.segments[i], cell))
}

const isUnder = (name: Segment | undefined, { bbox }: Segment): boolean =>
  name !== undefined && Math.min(name.bbox[2], bbox[2]) > Math.max(name.bbox[0], bbox[0])
