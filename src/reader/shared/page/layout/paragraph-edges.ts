// Finds where paragraphs begin inside a block: at a larger line distance, an indent, or a numbered clause.

import { isClause, isNumbered } from '../marks.ts'
import { isIndent, sameEdge, usualHeight } from '../tolerance.ts'
import type { TypeLine } from './type-lines.ts'

// Multiple of the closest line distance. A larger one separates paragraphs; lines with superscripts have 1.2.
const PARAGRAPH_PITCH = 1.45

/**
 * Facts about all lines of a block, computed once, because computing them for each line took quadratic time on a page of 5,000
 * lines.
 */
interface Lines {
  lines: readonly TypeLine[]
  minPitch: number
  height: number
  indent: Indent | undefined
}

/** The lines of a block that begin a paragraph. */
export function paragraphEdges(lines: readonly TypeLine[], closest: number): number[] {
  const block: Lines = {
    lines,
    minPitch: closest,
    height: usualHeight(lines),
    indent: indentOf(lines),
  }
  return lines.flatMap((line, i) => {
    const above = lines[i - 1]
    return above !== undefined && isParagraphEdge(block, above, line, i) ? [i] : []
  })
}

/** Whether a paragraph begins with `line`, at index `at`, below `above`. */
function isParagraphEdge(block: Lines, above: TypeLine, line: TypeLine, at: number): boolean {
  const pitch = line.bbox[3] - above.bbox[3]
  return (
    (block.lines.length > 2 && pitch > block.minPitch * PARAGRAPH_PITCH) ||
    isBelowTicked(block, pitch, above, line) ||
    (isNumbered(line.text) && pitch > block.minPitch * APART && ENDS.test(above.text)) ||
    isTitle(block, at) ||
    isTitle(block, at - 1) ||
    isBlankApart(block, pitch, above, line) ||
    beginsClause(block.lines, line) ||
    beginsParagraph(block, line, at)
  )
}

// In line heights: the distance of two lines with a blank line between them.
const BLANK_LINE = 1.9

/**
 * Whether only two lines have a blank line between them, and are the end of a sentence and the start of another, or two
 * headings.
 */
const isBlankApart = ({ lines, height }: Lines, pitch: number, above: TypeLine, line: TypeLine): boolean =>
  lines.length === 2 &&
  pitch > height * BLANK_LINE &&
  ((above.bold && line.bold) || (ENDS.test(above.text) && BEGINS.test(line.text)))

const ENDS = /[.!?:;…]["'”’»)]*\p{N}{0,2}$/u
const BEGINS = /^["'“„«([—–-]?[\p{Lu}\p{Lo}\p{N}]/u

// A question with checkboxes ends with them: "Yes ☒ No". Multiple of the closest line distance: the text after it is further
// down.
const ENDS_TICKED = /[☐☑☒]\s*\p{L}{0,3}$/u
const BELOW_TICKED = 1.1

/** Whether a text ends with checkboxes. */
export const isTicked = (text: string): boolean => ENDS_TICKED.test(text)

const isBelowTicked = ({ minPitch }: Lines, pitch: number, above: TypeLine, line: TypeLine): boolean =>
  pitch > minPitch * BELOW_TICKED && isTicked(above.text) && BEGINS.test(line.text)

// Multiple of the closest line distance. A larger one separates paragraphs. A superscript or a formula needs as much space, but
// does not end a sentence.
const APART = 1.25

// Share of the lines' width: a title in italics ends earlier.
const SHORT = 0.6
const ITALIC = /italic|oblique|cmti/i

/** Whether a line is a title: short, in italics, and separate from the lines around it, which are not. */
function isTitle({ lines, minPitch }: Lines, at: number): boolean {
  const [above, line, below] = [lines[at - 1], lines[at], lines[at + 1]]
  if (line === undefined || below === undefined || !ITALIC.test(line.font) || ITALIC.test(below.font))
    return false
  if (!/^\p{Lu}/u.test(line.text) || /[.,;:]$/.test(line.text) || !BEGINS.test(below.text)) return false
  const [left, right] = [below.bbox[0], Math.max(...lines.map(({ bbox }) => bbox[2]))]
  const isOff = (a: TypeLine, b: TypeLine): boolean => b.bbox[3] - a.bbox[3] > minPitch * APART
  return (
    line.bbox[2] < left + (right - left) * SHORT &&
    isOff(line, below) &&
    (above === undefined || (isOff(above, line) && !ITALIC.test(above.font)))
  )
}

const MIN_LINES = 4
// The share of the indented lines with the same left edge. A page number may be among them.
const MOSTLY = 0.9
// The minimum number of lines that begin in mid-sentence and so show where text continues.
const MIN_IN_SENTENCE = 3

interface Indent {
  isIndented: (line: TypeLine) => boolean
  /** Whether most lines are indented, so that the others begin a paragraph. */
  isMostlyIndented: boolean
  /** Whether text continues over several lines only at the other edge, so that each indented line begins a paragraph. */
  isEachIndented: boolean
}

/** The indent of a block whose lines have two left edges. */
function indentOf(lines: readonly TypeLine[]): Indent | undefined {
  if (lines.length < MIN_LINES) return undefined
  const left = Math.min(...lines.map(({ bbox }) => bbox[0]))
  const height = usualHeight(lines)
  const isIndented = ({ bbox }: TypeLine): boolean => !sameEdge(bbox[0], left, height)
  const indents = lines.filter(isIndented).map(({ bbox }) => bbox[0] - left)
  const medianIndent = indents.sort((a, b) => a - b)[indents.length >> 1] ?? 0
  const onUsual = indents.filter((indent) => sameEdge(indent, medianIndent, height)).length
  if (onUsual < indents.length * MOSTLY || !isIndent(medianIndent, height)) return undefined
  const inSentence = lines.filter(({ text }) => /^\p{Ll}/u.test(text))
  const isEachIndented = inSentence.length >= MIN_IN_SENTENCE && !inSentence.some(isIndented)
  return { isIndented, isMostlyIndented: indents.length * 2 >= lines.length, isEachIndented }
}

/** Whether a line at one of two left edges begins a paragraph: at the rarer edge, indented or, in a bibliography, further left. */
function beginsParagraph({ lines, indent }: Lines, line: TypeLine, at: number): boolean {
  if (indent === undefined || !/^[\p{Lu}\p{Lo}\p{N}["“„«(]/u.test(line.text)) return false
  const { isIndented, isMostlyIndented, isEachIndented } = indent
  if (isEachIndented) return isIndented(line)
  if (isMostlyIndented) return !isIndented(line)
  // Successive indented lines are a list entry or a quotation.
  return (
    isIndented(line) && ![lines[at - 1], lines[at + 1]].some((next) => next !== undefined && isIndented(next))
  )
}

// Points: the number of a clause is at least this far to the left of its lines. With INDENT, notes became clauses, because
// their superscripts are 5 to 7 points to the left.
const HANGS = 8

/** Whether a line begins with a number further left than the others: "4.2 The rent is reviewed once". */
function beginsClause(lines: readonly TypeLine[], line: TypeLine): boolean {
  if (!isClause(line.text)) return false
  const lefts = lines.filter(({ text }) => !isClause(text)).map(({ bbox }) => bbox[0])
  return lefts.length === 0 || line.bbox[0] < Math.min(...lefts) - HANGS
}

/** Whether a blank line separates a line from the entry above. Then it begins the next level, or follows the list. */
export const isBelowEntry = (lines: readonly TypeLine[], pitch: number, minPitch: number): boolean =>
  lines.length > 2 && pitch > minPitch * PARAGRAPH_PITCH
