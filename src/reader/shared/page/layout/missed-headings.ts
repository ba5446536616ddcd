// Finds headings that liteparse missed: lines in bold or italics alone above their text, and titles of contracts in the font of
// the text.

import type { TextItem } from '@llamaindex/liteparse'
import type { BBox } from '../../../block.ts'
import { LARGER_SIZE } from '../tolerance.ts'
import { centreIn, itemsIn, joinNeighbours, type PlacedBlock, union } from './boxes.ts'
import { isCaptionText, isHeadingLike, linesOf } from './cut-blocks.ts'
import { isItalic, type StyledLine } from './line-fonts.ts'

/** The blocks in reading order. Lines that are missed headings become headings. */
export function findLoneHeadings(blocks: readonly PlacedBlock[], items: readonly TextItem[]): PlacedBlock[] {
  const joinedBlocks = joinRunIns(blocks, items)
  return joinedBlocks.map((block, i) =>
    isLoneHeading(block, joinedBlocks.slice(i + 1), items) ? asHeading(block) : block,
  )
}

/** Joins paragraphs that begin in bold to their first line, which liteparse treated as a heading. */
const joinRunIns = (blocks: readonly PlacedBlock[], items: readonly TextItem[]): PlacedBlock[] =>
  joinNeighbours(blocks, (last, next) => {
    if (!isRunIn(last, next, items)) return undefined
    const { level: _, ...start } = last
    return {
      ...start,
      kind: 'paragraph',
      text: `${last.text} ${next.text}`,
      bbox: union(last.bbox, next.bbox),
    }
  })

/** Whether a heading in the size of the text fills its line and continues on the next line in mid-sentence. */
function isRunIn(heading: PlacedBlock, next: PlacedBlock, items: readonly TextItem[]): boolean {
  if (heading.kind !== 'heading' || next.kind !== 'paragraph') return false
  const [headingBox, nextBox] = [heading.bbox, next.bbox]
  if (/[.:!?]$/.test(heading.text) || /^[\p{Lu}\p{N}]/u.test(next.text)) return false
  if (sizeIn(headingBox, items) > sizeIn(nextBox, items) * LARGER_SIZE) return false
  const [line] = linesOf(next, items)
  const height = headingBox[3] - headingBox[1]
  const pitch = (line?.bbox[3] ?? nextBox[1]) - headingBox[3]
  const hasSameEdge = Math.abs(headingBox[0] - nextBox[0]) < height * 2
  return hasSameEdge && pitch > 0 && pitch < height * 1.6 && !endsEarly(headingBox, nextBox)
}

/** The largest font size in a box. Not the height of items, because boxes of bold letters may be higher than others. */
const sizeIn = (bbox: BBox, items: readonly TextItem[]): number =>
  Math.max(0, ...itemsIn(items, bbox).map(({ fontHeight, fontSize = 0 }) => fontHeight ?? fontSize))

const asHeading = (block: PlacedBlock): PlacedBlock => ({
  ...block,
  kind: 'heading',
  text: block.text.replace(/\s+/g, ' '),
})

// The text under a heading has at least this many words. The value of a label has fewer.
const MIN_WORDS = 10
// In line heights: the maximum gap below a heading.
const MAX_GAP_BELOW = 3
// In points: the maximum distance of the left edges of a heading and its text.
const LEFT_EDGE = 40

function isLoneHeading(
  block: PlacedBlock,
  blocksAfter: readonly PlacedBlock[],
  items: readonly TextItem[],
): boolean {
  if (block.kind !== 'paragraph' || block.text.length > 200) return false
  const lines = linesOf(block, items)
  const [first] = lines
  const text = block.text.replace(/\s+/g, ' ')
  if (first === undefined) return false
  const height = first.bbox[3] - first.bbox[1]
  const below = blocksAfter.find(({ bbox }) => isUnder(block.bbox, bbox, height))
  if (below === undefined) return false
  if (isPlainHeading(text, lines, below)) return true
  if (!(isHeadingLike(text, lines) || isItalicHeading(text, lines, items))) return false
  const isItalicOnly = !lines.every(({ bold }) => bold)
  // A line in italics is a heading only above text in another font with the same left edge.
  if (isItalicOnly && (below.kind !== 'paragraph' || linesOf(below, items)[0]?.font === first.font))
    return false
  if (isItalicOnly && Math.abs(below.bbox[0] - first.bbox[0]) > LEFT_EDGE) return false
  if (isCaptionText(below.text)) return !isItalicOnly
  if (below.kind === 'paragraph')
    return below.text.split(/\s+/).length >= MIN_WORDS && endsEarly(lines.at(-1)?.bbox, below.bbox)
  return below.kind === 'table' || below.kind === 'list' || below.kind === 'heading'
}

const MAX_PLAIN_WORDS = 12
const NUMBERED_SECTION =
  /^(?:item|article|section|artikel|abschnitt|§)\s*(?:\d{1,4}(?:\.\d{1,2})*|[IVX]{1,5})[.:]?\s+\p{Lu}/iu
// In points: the maximum distance of the centres of a centred line and of the text.
const MAX_OFF_CENTRE = 8
// The maximum width of a centred line, as a share of the text's width.
const MAX_CENTRED_SHARE = 0.7

/**
 * Whether a line above a paragraph, in the font of the paragraph, is a heading as in contracts: "Section 101. …", or a centred
 * "RECITALS".
 */
function isPlainHeading(text: string, lines: readonly StyledLine[], below: PlacedBlock): boolean {
  const [line, second] = lines
  if (line === undefined || second !== undefined || below.kind !== 'paragraph') return false
  const words = text.split(' ').length
  const [left, , right] = below.bbox
  const minWords = NUMBERED_SECTION.test(below.text) ? 1 : MIN_WORDS
  const isText = below.text.split(/\s+/).length >= minWords && /^[\p{Lu}\p{N}("“]/u.test(below.text)
  if (!isText || words > MAX_PLAIN_WORDS || !endsEarly(line.bbox, below.bbox)) return false
  if (NUMBERED_SECTION.test(text)) return /[\p{L})].?$/u.test(text)
  const isCapitals = /^\p{Lu}[\p{Lu}\d\s,.&()’'/-]{3,}$/u.test(text) && !/[.,:;]$/.test(text)
  const isCentred = Math.abs(line.bbox[0] + line.bbox[2] - left - right) < MAX_OFF_CENTRE * 2
  return isCapitals && isCentred && line.bbox[2] - line.bbox[0] < (right - left) * MAX_CENTRED_SHARE
}

const MAX_ITALIC_WORDS = 8

/** Whether a short line in italics without punctuation at the end is a heading: "Income Taxes". */
function isItalicHeading(text: string, lines: readonly StyledLine[], items: readonly TextItem[]): boolean {
  const [only, second] = lines
  if (only === undefined || second !== undefined || text.split(' ').length > MAX_ITALIC_WORDS) return false
  const lineItems = items.filter((item) => centreIn(item, only.bbox))
  return lineItems.every(isItalic) && /^\p{Lu}/u.test(text) && /[\p{L}\p{N})]$/u.test(text)
}

// A heading ends before this share of the text's width. Bold words that begin a paragraph are on a full line.
const MAX_EARLY_END_SHARE = 0.9

const endsEarly = (line: BBox | undefined, text: BBox): boolean =>
  line === undefined || line[2] < text[0] + (text[2] - text[0]) * MAX_EARLY_END_SHARE

/** Whether a box is right below a heading. */
function isUnder(heading: BBox, box: BBox, height: number): boolean {
  const gap = box[1] - heading[3]
  const isClose = gap > -height / 2 && gap < height * MAX_GAP_BELOW
  const overlap = Math.min(heading[2], box[2]) - Math.max(heading[0], box[0])
  return isClose && overlap > 0 && Math.abs(heading[0] - box[0]) < Math.max(LEFT_EDGE, box[2] - box[0])
}
