// Joins paragraphs that were split and lines that wrap, because answers and citations need whole sentences.

import type { TextItem } from '@llamaindex/liteparse'
import type { BBox } from '../../../block.ts'
import { isClause, isNumbered } from '../marks.ts'
import { heightOf, INDENT, isIndent, LINE_GAP, PARAGRAPH_GAP, sameEdge } from '../tolerance.ts'
import { joinNeighbours, type PlacedBlock, union } from './boxes.ts'
import { isCaption } from './figures.ts'
import { isTicked } from './paragraph-edges.ts'
import { lettersWide } from './words.ts'

/** The blocks with split paragraphs joined, if they are neighbours on one page, one below the other. */
export const joinCutParagraphs = (blocks: readonly PlacedBlock[], height: number): PlacedBlock[] =>
  joinNeighbours(blocks, (last, next) =>
    isContinuation(last, next, height) ? joinedParagraph(last, next) : undefined,
  )

/** A paragraph with the one that continues it. */
export const joinedParagraph = (last: PlacedBlock, next: PlacedBlock): PlacedBlock => ({
  ...last,
  text: joinedText(last.text, next.text),
  bbox: union(last.bbox, next.bbox),
})

/**
 * Two texts as one, with a word that was broken at a line end joined ("rea-" + "soning"). A hyphen before a digit or a capital
 * is kept ("10-" + "Q").
 */
export function joinedText(last: string, next: string): string {
  if (/\p{Ll}[-\u2010]$/u.test(last) && /^\p{Ll}/u.test(next)) return last.slice(0, -1) + next
  const isBroken = /[\p{L}\p{N}][-\u2010]$/u.test(last) && /^[\p{L}\p{N}]/u.test(next)
  return isBroken ? last + next : `${last} ${next}`
}

// A line of running text fills this share of its column.
const FULL_LINE_SHARE = 0.95
const MIN_LETTERS = 40

/** Whether a paragraph continues with a name or a number: its last line was full and did not end a sentence. */
function continuesParagraph(last: PlacedBlock, next: PlacedBlock, gap: number, height: number): boolean {
  const [a, b] = [last.bbox, next.bbox]
  if (gap < -1) return false
  if (isClause(next.text) || hasNextNumber(last.text, next.text) || lettersWide(last.text) < MIN_LETTERS)
    return false
  if (isTicked(last.text)) return false
  if (isClause(last.text) && isIndent(b[0] - a[0], height) && (b[2] <= a[2] || gap < height * LINE_GAP))
    return true
  if (gap >= height * LINE_GAP || lettersWide(next.text) < MIN_LETTERS) return false
  const left = Math.min(a[0], b[0])
  return a[2] - left > (Math.max(a[2], b[2]) - left) * FULL_LINE_SHARE && b[0] - left < height * INDENT[1]
}

/** Whether two texts begin with successive numbers, as notes with superscripts do. */
const hasNextNumber = (last: string, next: string): boolean =>
  Number(/^\d{1,2}(?= )/.exec(next)?.[0]) - 1 === Number(/^\d{1,2}(?= )/.exec(last)?.[0])

function isContinuation(last: PlacedBlock, next: PlacedBlock, height: number): boolean {
  if (last.kind !== 'paragraph' || next.kind !== 'paragraph') return false
  // Text continues below a figure, not its caption.
  if (isCaption(last.text)) return false
  // No sentence ends with a mathematical sign.
  const isUnfinished = /[\p{L}\p{N}\p{Sm},;\-\u2010)"'’”](?<![|~¬])\s*$/u.test(last.text)
  // "Market, Inc." may continue with a parenthesis.
  if (!isUnfinished && !(isClause(last.text) && /^\(\p{Ll}/u.test(next.text))) return false
  const gap = next.bbox[1] - last.bbox[3]
  if (!/^\s*\p{Ll}/u.test(next.text) && !continuesParagraph(last, next, gap, height)) return false
  const overlap = Math.min(last.bbox[2], next.bbox[2]) - Math.max(last.bbox[0], next.bbox[0])
  return Math.abs(gap) < height * PARAGRAPH_GAP && overlap > 0
}

// Points: the maximum difference of the ends of the lines of one text.
const MAX_RAGGED_POINTS = 20

/** A line of text and its place. */
export interface TextLine {
  text: string
  bbox: BBox
}

/** The right margin of the page's text with the line's left edge, if it is near the line's end. */
function marginOf(line: TextLine, items: readonly TextItem[]): number {
  const [left, top, right] = line.bbox
  const height = heightOf(line.bbox)
  const others = items.filter(({ x, y }) => sameEdge(x, left, height) && !sameEdge(y, top, height))
  const margin = Math.max(...others.map(({ x, width }) => x + width))
  return margin < right - MAX_RAGGED_POINTS ? Number.POSITIVE_INFINITY : Math.max(margin, right)
}

const ENDS_SENTENCE = /[.;:]\s*$/

// A line that ends before this share of the block's width, and not with a sentence, is a row.
const MAX_ROW_SHARE = 0.8

/** The text of lines. Wrapped lines are joined, rows keep their line breaks. `items` are those of the page. */
export function joinWrappedLines(lines: readonly TextLine[], items: readonly TextItem[]): string {
  const left = Math.min(...lines.map(({ bbox }) => bbox[0]))
  const right = Math.max(...lines.map(({ bbox }) => bbox[2]))
  const isRow = ({ text, bbox }: TextLine, i: number): boolean =>
    i < lines.length - 1 &&
    bbox[2] - left < (right - left) * MAX_ROW_SHARE &&
    !ENDS_SENTENCE.test(text) &&
    !beginsLowerCase(lines[i + 1])
  const areRows = lines.filter(isRow).length * 2 >= lines.length - 1
  return lines.reduce((text, line, i) => {
    const above = lines[i - 1]
    if (above === undefined) return line.text
    const runsOn =
      beginsLowerCase(line) ||
      (!areRows &&
        !isRow(line, i) &&
        isWrapped(above, line, ENDS_SENTENCE.test(above.text) ? marginOf(above, items) : right))
    if (!runsOn) return `${text}\n${line.text}`
    return joinedText(text, line.text)
  }, '')
}

const beginsLowerCase = (line: TextLine | undefined): boolean =>
  line !== undefined && /^\s*\p{Ll}/u.test(line.text)

/** Whether there was no room on the line above for the line's first word. */
function isWrapped(above: TextLine, line: TextLine, right: number): boolean {
  if (
    lettersWide(above.text) < MIN_LETTERS ||
    (isNumbered(line.text.trimStart()) && ENDS_SENTENCE.test(above.text))
  )
    return false
  const [word = ''] = line.text.trimStart().split(' ')
  const width = ((line.bbox[2] - line.bbox[0]) * word.length) / Math.max(1, line.text.length)
  return above.bbox[2] + width > right
}
