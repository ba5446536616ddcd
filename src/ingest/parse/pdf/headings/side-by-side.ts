// Parts a block whose lines stand in two columns: where a line of one column stands half a line lower than that of the
// other, the layout pass takes both for one line.

import type { TextItem } from '@llamaindex/liteparse'
import type { Block } from '../../block.ts'
import { centreIn } from '../layout/place.ts'
import { linesOf, piecesOf } from './cut-blocks.ts'

// Points: two lines or three run together; blocks of more are text that was cut by its columns before.
const MOST_HEIGHT = 40
// Heights of a line between the columns; words of one line, and a mark and its text, stand closer.
const LEAST_GAP = 4
// Share of a line's height by which the feet of two texts on one line differ: a box to be ticked and its text .35.
const SAME_LINE = 0.4

/** The block, or what of it stands in the left column and what in the right one. */
export function sideBySide(block: Block, items: readonly TextItem[]): Block[] {
  const { bbox } = block
  if (bbox === undefined || block.kind !== 'paragraph' || bbox[3] - bbox[1] > MOST_HEIGHT) return [block]
  const own = items.filter((item) => centreIn(item, bbox, 1))
  const edge = edgeOf(own)
  if (edge === undefined) return [block]
  const left = own.filter(({ x }) => x < edge)
  const right = own.filter(({ x }) => x >= edge)
  return isApart(left, right) ? parted(block, left, right) : [block]
}

/** Where the right one of two columns begins. */
function edgeOf(items: readonly TextItem[]): number | undefined {
  const [first, ...others] = [...items].sort((a, b) => a.x - b.x)
  if (first === undefined) return undefined
  let end = first.x + first.width
  for (const { x, width, height } of others) {
    if (x - end > height * LEAST_GAP) return x
    end = Math.max(end, x + width)
  }
  return undefined
}

const foot = ({ y, height }: TextItem): number => y + height

/** Whether no text of one column stands on a line of the other. */
const isApart = (left: readonly TextItem[], right: readonly TextItem[]): boolean =>
  left.every((a) =>
    right.every((b) => Math.abs(foot(a) - foot(b)) > Math.max(a.height, b.height) * SAME_LINE),
  )

function parted(block: Block, left: readonly TextItem[], right: readonly TextItem[]): Block[] {
  const [a, b] = [linesOf(block, left), linesOf(block, right)]
  return piecesOf(block, [...a, ...b], [a.length])
}
