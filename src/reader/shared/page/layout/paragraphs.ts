// Joins paragraphs that were split and lines that wrap, because answers and citations need whole sentences.

import type { TextItem } from '@llamaindex/liteparse'
import type { BBox } from '../../../block.ts'
import { isClause, isNumbered } from '../marks.ts'
import { heightOf, INDENT, isIndent, isSameEdge, LINE_GAP, PARAGRAPH_GAP } from '../tolerance.ts'
import { joinNeighbours, type PlacedBlock, union } from './boxes.ts'
import { isCaption } from './figures.ts'
import { isTicked } from './paragraph-edges.ts'
import { weightedLength } from './words.ts'

/** Joins the parts of split paragraphs if they are neighbours, one below the other. `height` is the usual height of a line. */
export const joinCutParagraphs = (blocks: readonly PlacedBlock[], height: number): PlacedBlock[] =>
  joinNeighbours(blocks, (last, next) =>
    isContinuation(last, next, height) ? joinedParagraph(last, next) : undefined,
  )

/** A paragraph and the one that continues it as one block. */
export const joinedParagraph = (last: PlacedBlock, next: PlacedBlock): PlacedBlock => ({
  ...last,
  text: joinedText(last.text, next.text),
  bbox: union(last.bbox, next.bbox),
})

/** Joins two texts. A word that was broken at a line end loses its hyphen ("rea-" + "soning"), but "10-" + "Q" keeps it. */
export function joinedText(last: string, next: string): string {
  if (/\p{Ll}[-\u2010]$/u.test(last) && /^\p{Ll}/u.test(next)) return last.slice(0, -1) + next
  const endsWithHyphen = /[\p{L}\p{N}][-\u2010]$/u.test(last) && /^[\p{L}\p{N}]/u.test(next)
  return endsWithHyphen ? last + next : `${last} ${next}`
}

// A line of running text fills this share of its column.
const FULL_LINE_SHARE = 0.95
// A shorter text may be a label, which is joined to no paragraph.
const MIN_PROSE_LETTERS = 40

/** Whether an unfinished paragraph may continue with a capital or a number, because its lines were full. */
function continuesParagraph(last: PlacedBlock, next: PlacedBlock, gap: number, height: number): boolean {
  const [lastBox, nextBox] = [last.bbox, next.bbox]
  if (gap < -1) return false
  if (
    isClause(next.text) ||
    hasNextNumber(last.text, next.text) ||
    weightedLength(last.text) < MIN_PROSE_LETTERS
  )
    return false
  if (isTicked(last.text)) return false
  const isIndentedBelowClause = isClause(last.text) && isIndent(nextBox[0] - lastBox[0], height)
  if (isIndentedBelowClause && (nextBox[2] <= lastBox[2] || gap < height * LINE_GAP)) return true
  if (gap >= height * LINE_GAP || weightedLength(next.text) < MIN_PROSE_LETTERS) return false
  const left = Math.min(lastBox[0], nextBox[0])
  const fullWidth = Math.max(lastBox[2], nextBox[2]) - left
  return lastBox[2] - left > fullWidth * FULL_LINE_SHARE && nextBox[0] - left < height * INDENT[1]
}

/** Whether two texts begin with successive numbers, as two notes do. */
const hasNextNumber = (last: string, next: string): boolean =>
  Number(/^\d{1,2}(?= )/.exec(next)?.[0]) - 1 === Number(/^\d{1,2}(?= )/.exec(last)?.[0])

function isContinuation(last: PlacedBlock, next: PlacedBlock, height: number): boolean {
  if (last.kind !== 'paragraph' || next.kind !== 'paragraph') return false
  // A caption does not continue: the next paragraph is the text around the figure.
  if (isCaption(last.text)) return false
  // A letter, a number, or a sign that does not end a sentence, such as a mathematical one.
  const isUnfinished = /[\p{L}\p{N}\p{Sm},;\-\u2010)"'’”](?<![|~¬])\s*$/u.test(last.text)
  // "Market, Inc." may continue with a parenthesis.
  if (!isUnfinished && !(isClause(last.text) && /^\(\p{Ll}/u.test(next.text))) return false
  const gap = next.bbox[1] - last.bbox[3]
  if (!/^\s*\p{Ll}/u.test(next.text) && !continuesParagraph(last, next, gap, height)) return false
  const overlap = Math.min(last.bbox[2], next.bbox[2]) - Math.max(last.bbox[0], next.bbox[0])
  return Math.abs(gap) < height * PARAGRAPH_GAP && overlap > 0
}

// In points: the maximum difference of the right ends of the lines of one text.
const MAX_RAGGED_POINTS = 20

/** A line of text with its position. */
export interface TextLine {
  text: string
  bbox: BBox
}

/** The right edge of the texts that have the left edge of a line. Infinity if they end much further left than the line. */
function marginOf(line: TextLine, items: readonly TextItem[]): number {
  const [left, top, right] = line.bbox
  const height = heightOf(line.bbox)
  const alignedItems = items.filter(({ x, y }) => isSameEdge(x, left, height) && !isSameEdge(y, top, height))
  const margin = Math.max(...alignedItems.map(({ x, width }) => x + width))
  return margin < right - MAX_RAGGED_POINTS ? Number.POSITIVE_INFINITY : Math.max(margin, right)
}

const ENDS_SENTENCE = /[.;:]\s*$/

// A line that ends before this share of the block's width, and not with a sentence, is a row of a table or a form.
const MAX_ROW_SHARE = 0.8

/** The text of lines. Wrapped lines are joined, rows keep their line breaks. `items` are the items of the page. */
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
    const continuesLine =
      beginsLowerCase(line) ||
      (!areRows &&
        !isRow(line, i) &&
        isWrapped(above, line, ENDS_SENTENCE.test(above.text) ? marginOf(above, items) : right))
    if (!continuesLine) return `${text}\n${line.text}`
    return joinedText(text, line.text)
  }, '')
}

const beginsLowerCase = (line: TextLine | undefined): boolean =>
  line !== undefined && /^\s*\p{Ll}/u.test(line.text)

/** Whether a line is the continuation of the line above, which had no space for its first word. */
function isWrapped(above: TextLine, line: TextLine, right: number): boolean {
  if (
    weightedLength(above.text) < MIN_PROSE_LETTERS ||
    (isNumbered(line.text.trimStart()) && ENDS_SENTENCE.test(above.text))
  )
    return false
  const [word = ''] = line.text.trimStart().split(' ')
  const width = ((line.bbox[2] - line.bbox[0]) * word.length) / Math.max(1, line.text.length)
  return above.bbox[2] + width > right
}
