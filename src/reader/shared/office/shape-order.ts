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

interface Placed<T> {
  item: T
  place: Place
}

/**
 * Sorts shapes by a recursive XY cut: split at horizontal gaps, top first, else at vertical gaps, left first. Cards in
 * rows are read by rows, columns of unequal boxes by columns. A shape without a position follows its predecessor.
 */
export function inOrder<T>(items: readonly Placeable<T>[]): T[] {
  const placedItems: Placed<T>[] = []
  let last: Place = { x: 0, y: 0, width: 0, height: 0 }
  for (const { item, place } of items) {
    last = place ?? last
    placedItems.push({ item, place: last })
  }
  return cut(placedItems).map(({ item }) => item)
}

function cut<T>(items: readonly Placed<T>[]): Placed<T>[] {
  for (const [start, size] of [
    ['y', 'height'],
    ['x', 'width'],
  ] as const) {
    const parts = partAtGaps(items, start, size)
    if (parts.length > 1) return parts.flatMap((part) => cut(part))
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
