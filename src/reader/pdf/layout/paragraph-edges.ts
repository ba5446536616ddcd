// Where a paragraph begins between two lines of a block: a wider pitch, an indent, a clause with its number.

import type { Block } from '../../block.ts'
import { isClause, isEntry, isNumbered, type Mark, markOf } from '../../page/marks.ts'
import { heightOf, INDENT, isIndent, sameEdge, usualHeight } from '../../page/tolerance.ts'
import type { TypeLine } from './type-lines.ts'

// A pitch this much wider than the closest one parts paragraphs; lines with raised marks stand 1.2 apart.
const PARAGRAPH_PITCH = 1.45

/** What all lines of a block tell, worked out once: line by line it took the square of a page of 5,000 lines. */
interface Lines {
  lines: readonly TypeLine[]
  closest: number
  height: number
  /** The pitch of most lines, where most have one. */
  usual: number | undefined
  indent: Indent | undefined
  marks: readonly (Mark | undefined)[]
}

/** Before which lines of a block of text a paragraph begins. */
export function paragraphEdges(lines: readonly TypeLine[], closest: number): number[] {
  const block: Lines = {
    lines,
    closest,
    height: usualHeight(lines),
    usual: regularPitch(lines),
    indent: indentOf(lines),
    marks: lines.map(({ text }) => markOf(text)),
  }
  return lines.flatMap((line, i) => {
    const above = lines[i - 1]
    return above !== undefined && isParagraphEdge(block, above, line, i) ? [i] : []
  })
}

/** Whether a paragraph begins with `line`, the one at `at`, which stands below `above` in a block of text. */
function isParagraphEdge(block: Lines, above: TypeLine, line: TypeLine, at: number): boolean {
  const pitch = line.bbox[3] - above.bbox[3]
  return (
    (block.lines.length > 2 && pitch > block.closest * PARAGRAPH_PITCH) ||
    standsApart(block, pitch, above, line) ||
    isBelowTicked(block, pitch, above, line) ||
    (isNumbered(line.text) && pitch > block.closest * APART && ENDS.test(above.text)) ||
    isTitle(block, at) ||
    isTitle(block, at - 1) ||
    isBlankApart(block, pitch, above, line) ||
    beginsClause(block.lines, line) ||
    beginsNumbered(block.lines, line, at) ||
    beginsNote(block, above, line, at) ||
    beginsParagraph(block, line, at)
  )
}

// Heights of a line from one to the next where a blank one is between.
const BLANK_LINE = 1.9

/** Two lines alone, a blank one apart: what ends a sentence and what begins one, or two headings. */
const isBlankApart = ({ lines, height }: Lines, pitch: number, above: TypeLine, line: TypeLine): boolean =>
  lines.length === 2 &&
  pitch > height * BLANK_LINE &&
  ((above.bold && line.bold) || (ENDS.test(above.text) && BEGINS.test(line.text)))

const ENDS = /[.!?:;…]["'”’»)]*\p{N}{0,2}$/u
const BEGINS = /^["'“„«([—–-]?[\p{Lu}\p{Lo}\p{N}]/u

// A question with boxes to be ticked ends with them: "Yes ☒ No". What follows stands this much lower than lines do.
const ENDS_TICKED = /[☐☑☒]\s*\p{L}{0,3}$/u
const BELOW_TICKED = 1.1

/** Whether a text ends with boxes to be ticked. */
export const isTicked = (text: string): boolean => ENDS_TICKED.test(text)

const isBelowTicked = ({ closest }: Lines, pitch: number, above: TypeLine, line: TypeLine): boolean =>
  pitch > closest * BELOW_TICKED && isTicked(above.text) && BEGINS.test(line.text)

// Of lines set at one pitch a wider one parts paragraphs: a raised mark or a formula takes as much, but ends no sentence.
const APART = 1.25
// Heights of a line: what is set in another font, below a sentence that ended.
const OTHER_FONT = 1.6

/** A sentence that begins below the end of another, further down than the lines of the block stand from each other. */
function standsApart({ height, usual }: Lines, pitch: number, above: TypeLine, line: TypeLine): boolean {
  if (!ENDS.test(above.text) || !BEGINS.test(line.text)) return false
  if (above.font !== line.font && pitch > height * OTHER_FONT) return true
  return usual !== undefined && pitch > usual * APART
}

// A title in italics ends before this share of the lines' width.
const SHORT = 0.6
const ITALIC = /italic|oblique|cmti/i

/** A short line in italics that stands off the lines around it, which are not: the name of what follows. */
function isTitle({ lines, closest }: Lines, at: number): boolean {
  const [above, line, below] = [lines[at - 1], lines[at], lines[at + 1]]
  if (line === undefined || below === undefined || !ITALIC.test(line.font) || ITALIC.test(below.font))
    return false
  if (!/^\p{Lu}/u.test(line.text) || /[.,;:]$/.test(line.text) || !BEGINS.test(below.text)) return false
  const [left, right] = [below.bbox[0], Math.max(...lines.map(({ bbox }) => bbox[2]))]
  const isOff = (a: TypeLine, b: TypeLine): boolean => b.bbox[3] - a.bbox[3] > closest * APART
  return (
    line.bbox[2] < left + (right - left) * SHORT &&
    isOff(line, below) &&
    (above === undefined || (isOff(above, line) && !ITALIC.test(above.font)))
  )
}

// Lines of one pitch differ by this share; so many say it.
const SAME_PITCH = 0.03
const LEAST_PITCHES = 3

/** The pitch of most lines, where most have one. */
function regularPitch(lines: readonly TypeLine[]): number | undefined {
  const pitches = lines.slice(1).map(({ bbox }, i) => bbox[3] - (lines[i]?.bbox[3] ?? 0))
  const [usual] = pitches.toSorted((a, b) => a - b).slice(pitches.length >> 1)
  if (usual === undefined) return undefined
  const same = pitches.filter((pitch) => Math.abs(pitch - usual) < usual * SAME_PITCH).length
  return same >= LEAST_PITCHES && same * 2 > pitches.length ? usual : undefined
}

const LEAST_LINES = 4

interface Indent {
  isIndented: (line: TypeLine) => boolean
  /** Whether most lines are indented: those that are not begin a paragraph. */
  most: boolean
}

/** Which lines of a block on two edges are indented. */
function indentOf(lines: readonly TypeLine[]): Indent | undefined {
  if (lines.length < LEAST_LINES) return undefined
  const left = Math.min(...lines.map(({ bbox }) => bbox[0]))
  const height = usualHeight(lines)
  const isIndented = ({ bbox }: TypeLine): boolean => !sameEdge(bbox[0], left, height)
  const indents = lines.filter(isIndented).map(({ bbox }) => bbox[0] - left)
  const least = Math.min(...indents)
  const isOne = indents.length > 0 && sameEdge(Math.max(...indents), least, height)
  if (!isOne || !isIndent(least, height)) return undefined
  return { isIndented, most: indents.length * 2 >= lines.length }
}

/** The first line of a paragraph among lines on two edges: the fewer ones, indented or, in a bibliography, standing out. */
function beginsParagraph({ lines, indent }: Lines, line: TypeLine, at: number): boolean {
  if (indent === undefined || !/^[\p{Lu}\p{Lo}\p{N}["“„«(]/u.test(line.text)) return false
  const { isIndented, most } = indent
  if (most) return !isIndented(line)
  // Lines indented together are an entry of a list, or a quotation.
  return (
    isIndented(line) && ![lines[at - 1], lines[at + 1]].some((next) => next !== undefined && isIndented(next))
  )
}

// Points that the number of a clause stands out to the left of its lines. With INDENT notes became clauses: their raised marks
// stand out by 5.
const HANGS = 8

/** A line with a number that stands out to the left of the others: "4.2 The rent is reviewed once". */
function beginsClause(lines: readonly TypeLine[], line: TypeLine): boolean {
  if (!isClause(line.text)) return false
  const lefts = lines.filter(({ text }) => !isClause(text)).map(({ bbox }) => bbox[0])
  return lefts.length === 0 || line.bbox[0] < Math.min(...lefts) - HANGS
}

const BARE_NUMBER = /^(\d{1,2})\s+\p{Lu}/u

const bareNumber = ({ text }: TypeLine): number | undefined => {
  const [, digits] = BARE_NUMBER.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** Whether lines begin with a bare number that stands out to the left of the next: an entry of a list. */
export const isNumberedEntry = ([first, second]: readonly TypeLine[]): boolean =>
  first !== undefined &&
  second !== undefined &&
  bareNumber(first) !== undefined &&
  second.bbox[0] - first.bbox[0] > HANGS

/** One of several such lines that count on one edge: "1 The first of them", "2 The second". */
function beginsNumbered(lines: readonly TypeLine[], line: TypeLine, at: number): boolean {
  const own = bareNumber(line)
  if (own === undefined || !isNumberedEntry(lines.slice(at, at + 2))) return false
  return lines.some((other, i) => {
    const step = Math.abs((bareNumber(other) ?? own) - own)
    return step === 1 && Math.abs(other.bbox[0] - line.bbox[0]) < 1 && isNumberedEntry(lines.slice(i, i + 2))
  })
}

const LEAST_NOTES = 3

/** One of several notes that count on one edge, below the end of a sentence; without signs around their marks from 1 on. */
function beginsNote({ lines, marks, height }: Lines, above: TypeLine, line: TypeLine, at: number): boolean {
  const mark = marks[at]
  if (mark === undefined) return false
  const isBare = mark.kind === '1'
  if (!isBare && !ENDS.test(above.text)) return false
  let [first, last, count] = [0, 0, 0]
  for (const [i, other] of lines.entries()) {
    const own = marks[i]
    if (own?.kind !== mark.kind || !sameEdge(other.bbox[0], line.bbox[0], height)) continue
    if (count > 0 && own.place !== last + 1) return false
    if (count === 0) first = own.place
    last = own.place
    count++
  }
  return isBare ? first === 1 && count >= LEAST_NOTES : count > 1
}

/** A line a blank one below those of an entry: the next level's first, or what follows the list. */
export const isBelowEntry = (lines: readonly TypeLine[], pitch: number, closest: number): boolean =>
  lines.length > 2 && pitch > closest * PARAGRAPH_PITCH

/** Before which lines a sentence or an entry begins, below a line that ended with much room. */
export const roomyEdges = (
  { kind, text }: Block,
  lines: readonly TypeLine[],
  roomy: ReadonlySet<number>,
): number[] =>
  [...roomy].filter((i) => {
    const [above, line] = [lines[i - 1], lines[i]]
    if (above === undefined || line === undefined || kind === 'heading') return false
    // Lines of one title; a list whose entries are apart.
    if ((above.bold && line.bold) || (kind === 'list' && text.includes('\n'))) return false
    return kind === 'list'
      ? isEntryBreak(lines, above, line)
      : isSentenceBreak(above, line) && line.bbox[0] < above.bbox[2]
  })

/** Whether a sentence ends with one line and another begins with the next. */
const isSentenceBreak = (above: TypeLine, line: TypeLine): boolean =>
  ENDS.test(above.text) && BEGINS.test(line.text)

// A star or a dot may be that of a note, or part keywords.
const NOTE = /^[*·]\s/

/** Whether below a line of an entry another one begins, or a sentence on the edge of its mark. */
function isEntryBreak(lines: readonly TypeLine[], above: TypeLine, line: TypeLine): boolean {
  if (isNumbered(line.text) || isClause(line.text) || isEntry(line.text.replace(NOTE, ''))) return true
  const edge = (lines[0]?.bbox[0] ?? 0) + heightOf(line.bbox) * INDENT[0]
  return line.bbox[0] < edge && isSentenceBreak(above, line)
}
