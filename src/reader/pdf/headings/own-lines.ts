// Lines of their own inside a paragraph: a letterhead's name, address and telephone, the authors of a paper with where they
// work, the lines of a cover page. The layout pass runs them into one line.

import type { TextItem } from '@llamaindex/liteparse'
import type { BBox, Block } from '../../block.ts'
import { EDGE, usualHeight } from '../../page/tolerance.ts'
import { lettersIn, lettersOf } from '../layout/words.ts'
import { keptLines, linesOf } from './cut-blocks.ts'
import type { TypeLine } from './type.ts'

// Letters of such lines; a longer text is none.
const MOST_LETTERS = 600
// A line and the next one's first word fill no more than this share of the width there is.
const FILLED = 0.8
// Heights of a line that others of the block may stand below it and beside it.
const REACH = 8
// What goes on below: a parenthesis that is open, a small word of three letters at most, a word in small letters.
const OPEN = /\([^)]*$|(?:^|\s)\p{Ll}{1,3}$/u
const GOES_ON = /^\p{Ll}+(?:\s|$)/u

/** The blocks with lines one below the other on one axis each on a line, where the page has room for the next word. */
export const withCentredLines = (blocks: readonly Block[], items: readonly TextItem[]): Block[] => {
  const parted = blocks.map((block) => {
    const { bbox, kind, text } = block
    if (bbox === undefined || kind !== 'paragraph' || text.length > MOST_LETTERS) return block
    // Of thousands of single signs none is looked at.
    if (!text.includes(' ') || text.includes('\n')) return block
    const width = widthAround(bbox, blocks)
    if (bbox[2] - bbox[0] > width * FILLED) return block
    const lines = allLines(block, bbox, items)
    return areCentred(lines) ? keptLines(block, lines, roomyEdges(lines, width)) : block
  })
  return parted
}

/** The block's lines; the layout pass' place of several lines that it took for a heading is that of the first. */
function allLines(block: Block, bbox: BBox, items: readonly TextItem[]): TypeLine[] {
  const own = linesOf(block, items)
  const letters = lettersIn(block.text)
  if (own.length !== 1 || own.every(({ text }) => lettersIn(text) === letters)) return own
  const [left, top, right, bottom] = bbox
  const reach = (bottom - top) * REACH
  const below = linesOf({ ...block, bbox: [left - reach, top, right + reach, bottom + reach] }, items)
  const end = below.findIndex((_, i) => lettersOf(below.slice(0, i + 1)) === letters)
  return end < 0 ? own : below.slice(0, end + 1)
}

/** How wide a line in the middle of the box may be: to the nearer edge of the widest text that stands above and below it. */
function widthAround(bbox: BBox, blocks: readonly Block[]): number {
  const middle = (bbox[0] + bbox[2]) / 2
  const halves = blocks.map(({ bbox: other }) =>
    other === undefined ? 0 : Math.min(middle - other[0], other[2] - middle),
  )
  return Math.max(...halves) * 2
}

/** Whether lines stand on one axis and, half of them at least, not on one edge. */
function areCentred(lines: readonly TypeLine[]): boolean {
  const height = usualHeight(lines)
  const steps = lines.slice(1).map(({ bbox }, i) => bbox.map((edge, k) => edge - (lines[i]?.bbox[k] ?? edge)))
  const ragged = steps.filter(([left = 0]) => Math.abs(left) > height * EDGE).length
  return (
    ragged > 0 &&
    ragged * 2 >= steps.length &&
    steps.every(([left = 0, down = 0, right = 0]) => Math.abs(left + right) / 2 < height * EDGE && down > 0)
  )
}

/** Before which lines the next word had much room above, and nothing says that the line above goes on. */
const roomyEdges = (lines: readonly TypeLine[], width: number): number[] =>
  lines.flatMap((line, i) => {
    const above = lines[i - 1]
    if (above === undefined || OPEN.test(above.text) || GOES_ON.test(line.text)) return []
    return above.bbox[2] - above.bbox[0] + wordWidth(line) < width * FILLED ? [i] : []
  })

/** The first word of a line, with the space before it. */
function wordWidth({ text, bbox }: TypeLine): number {
  const [word = ''] = text.split(' ')
  return ((word.length + 1) * (bbox[2] - bbox[0])) / Math.max(1, text.length)
}
