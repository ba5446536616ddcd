// A left column that goes on over the page beside a right one that had room left: cells of a table without lines, boxes
// of a form. The next page's first blocks belong before the right column.

import type { BBox, Block } from '../../block.ts'
import type { PlacedPage } from '../running-lines.ts'

// Shares of the page's height: a column that goes on ends far down and begins again far up, the other one ends so much higher.
const ENDS_AFTER = 0.7
const BEGINS_BEFORE = 0.3
const ROOM_LEFT = 0.15
// Points the left edges of the two parts may differ by.
const SAME_EDGE = 3

/** Moves, in place, what goes on on the next page to the column that it goes on from. */
export function joinContinuedColumns(pages: readonly PlacedPage[]): void {
  for (const [i, page] of pages.entries()) {
    const next = pages[i + 1]
    const at = next?.number === page.number + 1 ? leftColumnEnd(page) : undefined
    const last = at === undefined ? undefined : page.blocks[at - 1]
    if (next === undefined || at === undefined || last === undefined) continue
    const edge = Math.min(...page.blocks.slice(at).map(({ bbox }) => bbox?.[0] ?? 0))
    const end = goesOnUntil(last, next, edge)
    page.blocks = [...page.blocks.slice(0, at), ...next.blocks.slice(0, end), ...page.blocks.slice(at)]
    next.blocks = next.blocks.slice(end)
  }
}

/** Behind the blocks of a left column that fills its page beside one that does not; undefined where there is none. */
function leftColumnEnd({ blocks, height }: PlacedPage): number | undefined {
  const boxes: BBox[] = blocks.flatMap(({ bbox }) => (bbox === undefined ? [] : [bbox]))
  if (boxes.length < blocks.length) return undefined
  const at = boxes.findLastIndex((box, i) => {
    const above = boxes[i - 1]
    return above !== undefined && box[1] < above[1] && box[0] > above[2]
  })
  const [last, rest] = [boxes[at - 1], boxes.slice(at)]
  if (at < 1 || last === undefined || last[3] < height * ENDS_AFTER) return undefined
  const isBeside = rest.every(([left, , , bottom]) => left > last[2] && bottom < last[3] - height * ROOM_LEFT)
  return isBeside ? at : undefined
}

/** How many of the next page's first blocks stand in the column and go on with its last one. */
function goesOnUntil(last: Block, { blocks, height }: PlacedPage, edge: number): number {
  const [first] = blocks
  if (first?.bbox === undefined || first.bbox[1] > height * BEGINS_BEFORE || !goesOn(last, first)) return 0
  const end = blocks.findIndex(
    ({ kind, bbox }, i) => i > 0 && (kind === 'heading' || bbox === undefined || bbox[2] > edge),
  )
  return first.bbox[2] > edge ? 0 : end < 0 ? blocks.length : end
}

/** A list on the same edge, or the rest of a sentence. */
function goesOn(last: Block, next: Block): boolean {
  if (last.kind !== next.kind || Math.abs((last.bbox?.[0] ?? 0) - (next.bbox?.[0] ?? 0)) > SAME_EDGE)
    return false
  return last.kind === 'list' || (/[\p{L}\p{N},;-]$/u.test(last.text) && /^\p{Ll}/u.test(next.text))
}
