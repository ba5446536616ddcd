// Two rows of boxes that are read by columns: heads above their texts (PowerPoint's own layout "Comparison"), figures
// above what they count. Cards of one size are read by rows.

/** In English Metric Units, 914,400 an inch. */
export interface Place {
  x: number
  y: number
  width: number
  height: number
}

interface Placed {
  place: Place
}

// Of the wider of two boxes.
const OFF_ALLOWED = 0.1
// Boxes of about one height are cards of a grid.
const OTHER_HEIGHT = 1.25

/** The rows with each two of them that are heads and texts turned into their columns. */
export function headedColumns<P extends Placed>(rows: readonly P[][]): P[][] {
  const parts: P[][] = []
  for (let i = 0; i < rows.length; i++) {
    const [before = [], row = [], below = [], after = []] = [rows[i - 1], rows[i], rows[i + 1], rows[i + 2]]
    // Three rows one below the other are a table.
    const isGrid = isAligned(before, row) || isAligned(below, after)
    if (!isGrid && isAligned(row, below) && belongTogether(row, below)) {
      const lower = byX(below)
      parts.push(...byX(row).map((head, k) => [head, ...lower.slice(k, k + 1)]))
      i++
    } else parts.push(row)
  }
  return parts
}

const byX = <P extends Placed>(row: readonly P[]): P[] => row.toSorted((a, b) => a.place.x - b.place.x)

function isAligned(upper: readonly Placed[], lower: readonly Placed[]): boolean {
  if (upper.length < 2 || upper.length !== lower.length) return false
  const below = byX(lower)
  return byX(upper).every(({ place: a }, k) => {
    const b = below[k]?.place ?? a
    const allowed = OFF_ALLOWED * Math.max(a.width, b.width)
    return Math.min(Math.abs(a.x - b.x), Math.abs(a.x - b.x + (a.width - b.width) / 2)) <= allowed
  })
}

/** Of other heights, and nearer to what is below than to what is beside. */
function belongTogether(upper: readonly Placed[], lower: readonly Placed[]): boolean {
  const heights = (row: readonly Placed[]): number[] => row.map(({ place }) => place.height)
  const [high, low] = [heights(upper), heights(lower)]
  const ratio = Math.max(Math.min(...high) / Math.max(...low), Math.min(...low) / Math.max(...high))
  const bottom = Math.max(...upper.map(({ place }) => place.y + place.height))
  const down = Math.min(...lower.map(({ place }) => place.y)) - bottom
  return ratio >= OTHER_HEIGHT && down < Math.min(between(upper), between(lower))
}

/** The smallest gap between neighbours of a row. */
function between(row: readonly Placed[]): number {
  const sorted = byX(row)
  const gaps = sorted.slice(1).map(({ place }, k) => {
    const left = sorted[k]?.place ?? place
    return place.x - left.x - left.width
  })
  return Math.min(...gaps)
}
