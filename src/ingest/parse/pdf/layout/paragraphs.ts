// Joins a paragraph the layout pass cut in the middle of a sentence: answers and citations are made of whole sentences.

import type { Block } from '../../block.ts'
import { isCaption } from './figures.ts'
import { union } from './place.ts'

// Points between the lower edge of one line and the upper edge of the next; a blank line is 10 and more.
const MOST_GAP = 9

/** The blocks with cut paragraphs whole again; only neighbours on one page, one below the other. */
export function joinCutParagraphs(blocks: readonly Block[]): Block[] {
  const joined: Block[] = []
  for (const block of blocks) {
    const last = joined.at(-1)
    if (last === undefined || !continues(last, block)) {
      joined.push({ ...block })
      continue
    }
    const hyphen = /\p{Ll}[-\u2010]$/u.test(last.text)
    last.text = hyphen ? last.text.slice(0, -1) + block.text : `${last.text} ${block.text}`
    if (last.bbox !== undefined && block.bbox !== undefined) last.bbox = union(last.bbox, block.bbox)
  }
  return joined
}

function continues(last: Block, next: Block): boolean {
  if (last.kind !== 'paragraph' || next.kind !== 'paragraph' || !last.bbox || !next.bbox) return false
  // The text that a figure stands in the way of goes on below it.
  if (isCaption(last.text)) return false
  if (!/^\s*\p{Ll}/u.test(next.text) || !/[\p{L}\p{N},;\-\u2010)"'’”]\s*$/u.test(last.text)) return false
  const gap = next.bbox[1] - last.bbox[3]
  const overlap = Math.min(last.bbox[2], next.bbox[2]) - Math.max(last.bbox[0], next.bbox[0])
  return gap > -MOST_GAP && gap < MOST_GAP && overlap > 0
}
