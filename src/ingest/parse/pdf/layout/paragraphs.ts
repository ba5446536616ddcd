// Joins a paragraph the layout pass cut in the middle of a sentence: answers and citations are made of whole sentences.

import type { BBox, Block } from '../../block.ts'
import { isClause } from '../headings/paragraph-edges.ts'
import { isCaption } from './figures.ts'
import { union } from './place.ts'
import { lettersWide } from './words.ts'

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

// A line of running text fills this share of its column, and the next one is no further away than this.
const FULL = 0.95
const CLOSE = 6
const LEAST_LETTERS = 40

/** A name or a number at the head of the next line: the last line was full, and no sentence ended with it. */
function goesOn(last: Block, next: Block, gap: number): boolean {
  const [a, b] = [last.bbox, next.bbox]
  if (a === undefined || b === undefined || gap < -1) return false
  if (isClause(next.text) || lettersWide(last.text) < LEAST_LETTERS) return false
  if (isClause(last.text) && hangsUnder(a, b)) return true
  if (gap >= CLOSE || lettersWide(next.text) < LEAST_LETTERS) return false
  const left = Math.min(a[0], b[0])
  return a[2] - left > (Math.max(a[2], b[2]) - left) * FULL && b[0] - left < HANGING
}

// Points the lines of a clause are indented behind its number.
const HANGING = 40
const LEAST_HANGING = 8

/** A line under the text of a clause, not under its number, and no longer than the lines above. */
const hangsUnder = (clause: BBox, line: BBox): boolean =>
  line[0] - clause[0] > LEAST_HANGING && line[0] - clause[0] < HANGING && line[2] <= clause[2]

function continues(last: Block, next: Block): boolean {
  if (last.kind !== 'paragraph' || next.kind !== 'paragraph' || !last.bbox || !next.bbox) return false
  // The text that a figure stands in the way of goes on below it.
  if (isCaption(last.text)) return false
  // No sentence ends with the sign of a relation or an operation.
  if (!/[\p{L}\p{N}\p{Sm},;\-\u2010)"'’”](?<![|~¬])\s*$/u.test(last.text)) return false
  const gap = next.bbox[1] - last.bbox[3]
  if (!/^\s*\p{Ll}/u.test(next.text) && !goesOn(last, next, gap)) return false
  const overlap = Math.min(last.bbox[2], next.bbox[2]) - Math.max(last.bbox[0], next.bbox[0])
  return gap > -MOST_GAP && gap < MOST_GAP && overlap > 0
}
