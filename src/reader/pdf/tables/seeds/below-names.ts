// Rows below a line that names their columns, as each kind of such tables knows them.

import type { BBox } from '../../../block.ts'
import { heightOf } from '../../../page/tolerance.ts'
import { union } from '../../layout/place.ts'
import type { Line, Segment } from '../lines.ts'

export interface NamedTable {
  isNames: (line: Line) => boolean
  /** Heights of a line from one line of the table to the next, at most. */
  pitch: number
  isRow: (names: Line, line: Line) => boolean
  /** A line that may stand between two rows, and so many of them. */
  mayStand: (names: Line, line: Line) => boolean
  mostBetween: number
  isTable: (names: Line, rows: readonly Line[]) => boolean
}

/** Where a line of names stands over such rows. */
export function placesBelowNames(lines: readonly Line[], kind: NamedTable): BBox[] {
  const places: BBox[] = []
  let next = 0
  lines.forEach((names, i) => {
    if (i < next || !kind.isNames(names)) return
    const { rows, end } = rowsBelow(names, lines, i + 1, kind)
    if (!kind.isTable(names, rows)) return
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
function rowsBelow(
  names: Line,
  lines: readonly Line[],
  from: number,
  kind: NamedTable,
): { rows: Line[]; end: number } {
  const rows: Line[] = []
  let end = from
  for (let at = from; at - end <= kind.mostBetween; at++) {
    const line = lines[at]
    if (line === undefined || !isNear(lines[at - 1], line, kind.pitch)) break
    if (kind.isRow(names, line)) {
      rows.push(line)
      end = at + 1
    } else if (!kind.mayStand(names, line)) break
  }
  return { rows, end }
}

const isNear = (above: Line | undefined, { bbox }: Line, pitch: number): boolean =>
  above !== undefined && bbox[3] - above.bbox[3] < heightOf(bbox) * pitch

export const isUnder = (name: Segment | undefined, { bbox }: Segment): boolean =>
  name !== undefined && Math.min(name.bbox[2], bbox[2]) > Math.max(name.bbox[0], bbox[0])
