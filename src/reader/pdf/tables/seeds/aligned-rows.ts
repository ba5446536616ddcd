// Names and values in turn, four texts or more a row on the same left edges: the head of a payslip or a report.

import { heightOf, ROW_PITCH, sameEdge } from '../../../page/tolerance.ts'
import { isFigure, type Line } from '../lines.ts'

const LEAST_CELLS = 4
const LEAST_ROWS = 2

/** Such rows below each other; rows that begin with figures are found by other seeds. */
export function alignedRows(lines: readonly Line[]): Line[][] {
  const runs: Line[][] = []
  for (const line of lines) {
    const last = runs.at(-1)?.at(-1)
    if (last !== undefined && isAligned(last, line)) runs.at(-1)?.push(line)
    else runs.push([line])
  }
  return runs.filter((run) => run.length >= LEAST_ROWS)
}

function isAligned(above: Line, below: Line): boolean {
  const { length } = above.segments
  if (length < LEAST_CELLS || below.segments.length !== length) return false
  if (below.bbox[3] - above.bbox[3] > heightOf(below.bbox) * ROW_PITCH) return false
  return above.segments.every(({ bbox, text }, i) => {
    const other = below.segments[i]
    return (
      other !== undefined && sameEdge(other.bbox[0], bbox[0], heightOf(bbox)) && !(isFigure(text) && i === 0)
    )
  })
}
