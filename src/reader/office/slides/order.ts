// The reading order of the shapes on a slide.

/** In English Metric Units, 914,400 an inch. */
export interface Place {
  x: number
  y: number
  width: number
  height: number
}

export interface Placeable<T> {
  item: T
  place?: Place
}

interface Located {
  place: Place
}

interface Placed<T> extends Located {
  item: T
}

/**
 * Sorts shapes by a recursive XY cut: split at horizontal gaps, top first, else at vertical gaps, left first. Cards in
 * rows are read by rows, columns of unequal boxes by columns. A shape without a position follows its predecessor.
 */
export function inOrder<T>(items: readonly Placeable<T>[]): T[] {
  const placed: Placed<T>[] = []
  let last: Place = { x: 0, y: 0, width: 0, height: 0 }
  for (const { item, place } of items) {
    last = place ?? last
    placed.push({ item, place: last })
  }
  return cut(placed).map(({ item }) => item)
}

function cut<T>(items: readonly Placed<T>[]): Placed<T>[] {
  for (const [start, size] of [
    ['y', 'height'],
    ['x', 'width'],
  ] as const) {
    const parts = partAtGaps(items, start, size)
    if (parts.length > 1) return (start === 'y' ? pairedColumns(parts) : parts).flatMap((part) => cut(part))
  }
  return [...items].sort((a, b) => a.place.y - b.place.y || a.place.x - b.place.x)
}

// Boxes are slightly larger than their text.
const OVERLAP_ALLOWED = 0.1

function partAtGaps<T>(
  items: readonly Placed<T>[],
  start: 'x' | 'y',
  size: 'width' | 'height',
): Placed<T>[][] {
  const sorted = [...items].sort((a, b) => a.place[start] - b.place[start])
  const parts: Placed<T>[][] = []
  let end = Number.NEGATIVE_INFINITY
  for (const entry of sorted) {
    const { place } = entry
    const part = parts.at(-1)
    if (part === undefined || (place[size] > 0 && place[start] >= end - OVERLAP_ALLOWED * place[size])) {
      parts.push([entry])
    } else part.push(entry)
    end = Math.max(end, place[start] + place[size])
  }
  return parts
}

// A share of the wider of two boxes.
const OFF_ALLOWED = 0.1
// Boxes of about the same height are cards in a grid.
const OTHER_HEIGHT = 1.25

/**
 * Turns pairs of rows that belong together into columns: headings above their texts (PowerPoint's layout "Comparison"),
 * figures above what they count. Cards of the same size stay rows.
 */
function pairedColumns<P extends Located>(rows: readonly P[][]): P[][] {
  const parts: P[][] = []
  for (let i = 0; i < rows.length; i++) {
    const [before = [], row = [], below = [], after = []] = [rows[i - 1], rows[i], rows[i + 1], rows[i + 2]]
    // Three aligned rows are a table.
    const isGrid = isAligned(before, row) || isAligned(below, after)
    if (!isGrid && isAligned(row, below) && arePaired(row, below)) {
      const lower = byX(below)
      parts.push(...byX(row).map((head, k) => [head, ...lower.slice(k, k + 1)]))
      i++
    } else parts.push(row)
  }
  return parts
}

const byX = <P extends Located>(row: readonly P[]): P[] => row.toSorted((a, b) => a.place.x - b.place.x)

function isAligned(upper: readonly Located[], lower: readonly Located[]): boolean {
  if (upper.length < 2 || upper.length !== lower.length) return false
  const below = byX(lower)
  return byX(upper).every(({ place: a }, k) => {
    const b = below[k]?.place ?? a
    const allowed = OFF_ALLOWED * Math.max(a.width, b.width)
    return Math.min(Math.abs(a.x - b.x), Math.abs(a.x - b.x + (a.width - b.width) / 2)) <= allowed
  })
}

/** Whether two rows differ in height and are closer to each other than the boxes within each row. */
function arePaired(upper: readonly Located[], lower: readonly Located[]): boolean {
  const heights = (row: readonly Located[]): number[] => row.map(({ place }) => place.height)
  const [high, low] = [heights(upper), heights(lower)]
  const ratio = Math.max(Math.min(...high) / Math.max(...low), Math.min(...low) / Math.max(...high))
  const bottom = Math.max(...upper.map(({ place }) => place.y + place.height))
  const down = Math.min(...lower.map(({ place }) => place.y)) - bottom
  return ratio >= OTHER_HEIGHT && down < Math.min(between(upper), between(lower))
}

/** The smallest gap between neighbours of a row. */
function between(row: readonly Located[]): number {
  const sorted = byX(row)
  const gaps = sorted.slice(1).map(({ place }, k) => {
    const left = sorted[k]?.place ?? place
    return place.x - left.x - left.width
  })
  return Math.min(...gaps)
}
