// Finds where paragraphs begin inside a block: at a larger line distance, an indent, or a numbered clause.

import { isClause, isNumbered } from '../marks.ts'
import { isIndent, isSameEdge, usualHeight } from '../tolerance.ts'
import type { StyledLine } from './line-fonts.ts'

// A line distance that is larger than the closest one by this factor separates paragraphs. Lines with superscripts have 1.2.
const PARAGRAPH_PITCH = 1.45

/** Facts about all lines of a block. Computing them for each line would take quadratic time on a page of 5,000 lines. */
interface BlockLines {
  lines: readonly StyledLine[]
  /** The distance of the two closest lines. */
  minPitch: number
  /** The usual height of a line. */
  height: number
  indent: Indent | undefined
}

/** The indexes of the lines of a block that begin a paragraph. `minPitch` is the distance of the two closest lines. */
export function paragraphEdges(lines: readonly StyledLine[], minPitch: number): number[] {
  const block: BlockLines = {
    lines,
    minPitch,
    height: usualHeight(lines),
    indent: indentOf(lines),
  }
  return lines.flatMap((line, i) => {
    const above = lines[i - 1]
    return above !== undefined && isParagraphEdge(block, above, line, i) ? [i] : []
  })
}

/** Whether a paragraph begins with `line`, which is at `index` and below `above`. */
function isParagraphEdge(block: BlockLines, above: StyledLine, line: StyledLine, index: number): boolean {
  const pitch = line.bbox[3] - above.bbox[3]
  return (
    (block.lines.length > 2 && pitch > block.minPitch * PARAGRAPH_PITCH) ||
    isBelowTicked(block, pitch, above, line) ||
    (isNumbered(line.text) && pitch > block.minPitch * SEPARATE_PITCH && ENDS_SENTENCE.test(above.text)) ||
    isTitle(block, index) ||
    isTitle(block, index - 1) ||
    hasBlankLineBetween(block, pitch, above, line) ||
    beginsClause(block.lines, line) ||
    beginsParagraph(block, line, index)
  )
}

// In line heights: the minimum distance of two lines with a blank line between them.
const BLANK_LINE = 1.9

/** Whether a block has two lines with a blank line between them, which are two headings or parts of two sentences. */
const hasBlankLineBetween = (
  { lines, height }: BlockLines,
  pitch: number,
  above: StyledLine,
  line: StyledLine,
): boolean =>
  lines.length === 2 &&
  pitch > height * BLANK_LINE &&
  ((above.bold && line.bold) || (ENDS_SENTENCE.test(above.text) && BEGINS_SENTENCE.test(line.text)))

const ENDS_SENTENCE = /[.!?:;…]["'”’»)]*\p{N}{0,2}$/u
const BEGINS_SENTENCE = /^["'“„«([—–-]?[\p{Lu}\p{Lo}\p{N}]/u

// The end of a question with checkboxes: "Yes ☒ No".
const ENDS_TICKED = /[☐☑☒]\s*\p{L}{0,3}$/u
// The distance to the text after such a question, as a multiple of the closest line distance, is larger than this.
const BELOW_TICKED = 1.1

/** Whether a text ends with checkboxes. */
export const isTicked = (text: string): boolean => ENDS_TICKED.test(text)

const isBelowTicked = (
  { minPitch }: BlockLines,
  pitch: number,
  above: StyledLine,
  line: StyledLine,
): boolean => pitch > minPitch * BELOW_TICKED && isTicked(above.text) && BEGINS_SENTENCE.test(line.text)

// As a multiple of the closest line distance. A larger distance separates paragraphs if a sentence ends there; without that it
// may be a superscript or a formula.
const SEPARATE_PITCH = 1.25

// A title in italics ends before this share of the width of the block.
const MAX_TITLE_SHARE = 0.6
const ITALIC = /italic|oblique|cmti/i

/** Whether a line is a title: short, in italics, and separate from the lines around it, which are not in italics. */
function isTitle({ lines, minPitch }: BlockLines, index: number): boolean {
  const [above, line, below] = [lines[index - 1], lines[index], lines[index + 1]]
  if (line === undefined || below === undefined || !ITALIC.test(line.font) || ITALIC.test(below.font))
    return false
  if (!/^\p{Lu}/u.test(line.text) || /[.,;:]$/.test(line.text) || !BEGINS_SENTENCE.test(below.text))
    return false
  const [left, right] = [below.bbox[0], Math.max(...lines.map(({ bbox }) => bbox[2]))]
  const isSeparate = (a: StyledLine, b: StyledLine): boolean =>
    b.bbox[3] - a.bbox[3] > minPitch * SEPARATE_PITCH
  return (
    line.bbox[2] < left + (right - left) * MAX_TITLE_SHARE &&
    isSeparate(line, below) &&
    (above === undefined || (isSeparate(above, line) && !ITALIC.test(above.font)))
  )
}

const MIN_LINES = 4
// The minimum share of the indented lines with the same left edge. Not all, because a page number may be among them.
const MIN_SAME_INDENT_SHARE = 0.9
// The minimum number of lines that begin in mid-sentence, by which the left edge of continued text is known.
const MIN_IN_SENTENCE = 3

interface Indent {
  isIndented: (line: StyledLine) => boolean
  /** Whether most lines are indented, so that the others begin a paragraph. */
  isMostlyIndented: boolean
  /** Whether lines that continue a sentence are never indented, so that each indented line begins a paragraph. */
  isEachIndented: boolean
}

/** The indent of a block whose lines have two left edges. */
function indentOf(lines: readonly StyledLine[]): Indent | undefined {
  if (lines.length < MIN_LINES) return undefined
  const left = Math.min(...lines.map(({ bbox }) => bbox[0]))
  const height = usualHeight(lines)
  const isIndented = ({ bbox }: StyledLine): boolean => !isSameEdge(bbox[0], left, height)
  const indents = lines.filter(isIndented).map(({ bbox }) => bbox[0] - left)
  const medianIndent = indents.sort((a, b) => a - b)[indents.length >> 1] ?? 0
  const sameIndentCount = indents.filter((indent) => isSameEdge(indent, medianIndent, height)).length
  if (sameIndentCount < indents.length * MIN_SAME_INDENT_SHARE || !isIndent(medianIndent, height))
    return undefined
  const continuingLines = lines.filter(({ text }) => /^\p{Ll}/u.test(text))
  const isEachIndented = continuingLines.length >= MIN_IN_SENTENCE && !continuingLines.some(isIndented)
  return { isIndented, isMostlyIndented: indents.length * 2 >= lines.length, isEachIndented }
}

/** Whether a line at the rarer of two left edges begins a paragraph: an indented line or, in a bibliography, one further left. */
function beginsParagraph({ lines, indent }: BlockLines, line: StyledLine, index: number): boolean {
  if (indent === undefined || !/^[\p{Lu}\p{Lo}\p{N}["“„«(]/u.test(line.text)) return false
  const { isIndented, isMostlyIndented, isEachIndented } = indent
  if (isEachIndented) return isIndented(line)
  if (isMostlyIndented) return !isIndented(line)
  // Successive indented lines are a list entry or a quotation.
  return (
    isIndented(line) &&
    ![lines[index - 1], lines[index + 1]].some((next) => next !== undefined && isIndented(next))
  )
}

// In points: the minimum distance of the number of a clause to the left of the other lines. The superscript of a note is 5 to 7
// points to the left.
const MIN_HANGING_POINTS = 8

/** Whether a line begins with a number further left than the others: "4.2 The rent is reviewed once". */
function beginsClause(lines: readonly StyledLine[], line: StyledLine): boolean {
  if (!isClause(line.text)) return false
  const lefts = lines.filter(({ text }) => !isClause(text)).map(({ bbox }) => bbox[0])
  return lefts.length === 0 || line.bbox[0] < Math.min(...lefts) - MIN_HANGING_POINTS
}

/** Whether a blank line separates a line from the entry above, so that it begins another entry or follows the list. */
export const isBelowEntry = (lines: readonly StyledLine[], pitch: number, minPitch: number): boolean =>
  lines.length > 2 && pitch > minPitch * PARAGRAPH_PITCH
