// Puts a page's blocks in reading order: what stands above in the same column comes first, everything else keeps the
// parser's order. liteparse moves centred lines behind the body (seen on every 10-K cover page).

import type { BBox, Block } from '../../block.ts'

// Two blocks share a column when they overlap in x by a third of the narrower one (a title centred over two
// columns overlaps each by less than half); letters' tails may touch the next line.
const SAME_COLUMN_SHARE = 0.3
const TOUCHING_POINTS = 2
// Pages of more blocks than this are drawings; the order is quadratic.
const MOST_BLOCKS = 600

/** A stable topological order of the blocks by "above, in the same column"; blocks without a place stay put. */
export function inReadingOrder(blocks: readonly Block[]): Block[] {
  if (blocks.length > MOST_BLOCKS) return [...blocks]
  const waiting = blocks.map((block, i) => ({
    block,
    above: new Set(blocks.flatMap((other, k) => (k !== i && standsAbove(other.bbox, block.bbox) ? [k] : []))),
    index: i,
  }))
  const ordered: Block[] = []
  while (waiting.length > 0) {
    const next = Math.max(
      0,
      waiting.findIndex((entry) => entry.above.size === 0),
    )
    const [entry] = waiting.splice(next, 1)
    if (entry === undefined) break
    ordered.push(entry.block)
    for (const other of waiting) other.above.delete(entry.index)
  }
  return ordered
}

function standsAbove(a: BBox | undefined, b: BBox | undefined): boolean {
  if (a === undefined || b === undefined) return false
  if (a[3] > b[1] + TOUCHING_POINTS || a[1] >= b[1]) return false
  const overlap = Math.min(a[2], b[2]) - Math.max(a[0], b[0])
  return overlap >= SAME_COLUMN_SHARE * Math.min(a[2] - a[0], b[2] - b[0])
}
