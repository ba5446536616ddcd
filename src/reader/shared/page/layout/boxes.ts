// Converts liteparse's rectangles to `BBox`, and compares boxes on a page.

import type { LayoutBlock, Rect, TextItem } from '@llamaindex/liteparse'
import type { BBox, Block } from '../../../block.ts'
import { BLOCK_EDGE } from '../tolerance.ts'

/** A block with its position, as every block of a page has one. */
export type PlacedBlock = Block & { bbox: BBox }

/** A layout block with its position. The text of a layout block without a position is added later as missing text. */
export type PlacedLayout = LayoutBlock & { bbox: Rect }

export const hasPosition = (layout: LayoutBlock): layout is PlacedLayout => layout.bbox !== undefined

/** The blocks, of which neighbours are replaced by the one block that `join` returns for them, if any. */
export function joinNeighbours(
  blocks: readonly PlacedBlock[],
  join: (last: PlacedBlock, next: PlacedBlock) => PlacedBlock | undefined,
): PlacedBlock[] {
  const result: PlacedBlock[] = []
  for (const block of blocks) {
    const last = result.at(-1)
    const joinedBlock = last && join(last, block)
    if (joinedBlock === undefined) result.push(block)
    else result[result.length - 1] = joinedBlock
  }
  return result
}

/** The smallest box around two boxes. */
export function union(a: BBox, b: BBox): BBox {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])]
}

/** Extends a box to contain another one, in place. */
export function widen(box: BBox, other: BBox): void {
  box[0] = Math.min(box[0], other[0])
  box[1] = Math.min(box[1], other[1])
  box[2] = Math.max(box[2], other[2])
  box[3] = Math.max(box[3], other[3])
}

/** A rectangle's edges, to a hundredth of a point. */
export function rectBox(rect: Rect): BBox {
  return [round(rect.x), round(rect.y), round(rect.x + rect.width), round(rect.y + rect.height)]
}

const round = (value: number): number => Math.round(value * 100) / 100

// A cache of the results of `lineHeight`.
const heights = new WeakMap<readonly TextItem[], number>()

/** The usual height of a page's lines: the median height of its items. */
export function lineHeight(items: readonly TextItem[]): number {
  const cached = heights.get(items)
  if (cached !== undefined) return cached
  const sortedHeights = items.map(({ height }) => height).sort((a, b) => a - b)
  const height = sortedHeights[sortedHeights.length >> 1] ?? 0
  heights.set(items, height)
  return height
}

/** Whether the middle of one box is inside another one, with a tolerance of `slack` points. */
export function isCentreInside(inner: BBox, outer: BBox, slack = 0): boolean {
  const x = (inner[0] + inner[2]) / 2
  const y = (inner[1] + inner[3]) / 2
  return x >= outer[0] - slack && x <= outer[2] + slack && y >= outer[1] - slack && y <= outer[3] + slack
}

/** The items of a block: those whose middle is in its box. */
export const itemsIn = (items: readonly TextItem[], box: BBox): TextItem[] =>
  items.filter((item) => centreIn(item, box, BLOCK_EDGE))

/** Like `isCentreInside`, but for liteparse's rectangle. It runs for every item and block of a page, so it creates no box. */
export function centreIn({ x, y, width, height }: Rect, outer: BBox, slack = 0): boolean {
  const [centreX, centreY] = [x + width / 2, y + height / 2]
  return (
    centreY >= outer[1] - slack &&
    centreY <= outer[3] + slack &&
    centreX >= outer[0] - slack &&
    centreX <= outer[2] + slack
  )
}
