// The reading order of the shapes on a slide.

/** The position and size of a shape in English Metric Units, of which an inch has 914,400. */
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
 * Sorts shapes by a recursive XY cut. They are split at horizontal gaps, top first, or otherwise at vertical gaps, left
 * first. So cards in rows are read row by row, and columns of unequal boxes column by column. A shape without a position comes
 * after its predecessor.
 */
export function inOrder<T>(items: readonly Placeable<T>[]): T[] {
  const placedItems: Placed<T>[] = []
  let last: Place = { x: 0, y: 0, width: 0, height: 0 }
  for (const { item, place } of items) {
    last = place ?? last
    placedItems.push({ item, place: last })
  }
  return cutRecursively(placedItems).map(({ item }) => item)
}

function cutRecursively<T>(items: readonly Placed<T>[]): Placed<T>[] {
  for (const [start, size] of [
    ['y', 'height'],
    ['x', 'width'],
  ] as const) {
    const parts = splitAtGaps(items, start, size)
    if (parts.length > 1) return parts.flatMap((part) => cutRecursively(part))
  }
  return [...items].sort((a, b) => a.place.y - b.place.y || a.place.x - b.place.x)
}

// Boxes are slightly larger than their text, so they may overlap by this share of their size.
const MAX_OVERLAP_SHARE = 0.1

function splitAtGaps<T>(
  items: readonly Placed<T>[],
  start: 'x' | 'y',
  size: 'width' | 'height',
): Placed<T>[][] {
  const sortedItems = [...items].sort((a, b) => a.place[start] - b.place[start])
  const parts: Placed<T>[][] = []
  let end = Number.NEGATIVE_INFINITY
  for (const entry of sortedItems) {
    const { place } = entry
    const part = parts.at(-1)
    if (part === undefined || (place[size] > 0 && place[start] >= end - MAX_OVERLAP_SHARE * place[size])) {
      parts.push([entry])
    } else part.push(entry)
    end = Math.max(end, place[start] + place[size])
  }
  return parts
}
