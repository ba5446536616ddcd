// Where a paragraph begins between two lines of a block: a wider pitch, an indent, a clause with its number.

import type { TypeLine } from './type.ts'

// A pitch this much wider than the closest one parts paragraphs; lines with raised marks stand 1.2 apart.
const PARAGRAPH_PITCH = 1.45

/** Whether a paragraph begins with `line`, which stands below `above` in a block of text. */
export function isParagraphEdge(
  lines: readonly TypeLine[],
  closest: number,
  above: TypeLine,
  line: TypeLine,
): boolean {
  const pitch = line.bbox[3] - above.bbox[3]
  return (
    (lines.length > 2 && pitch > closest * PARAGRAPH_PITCH) ||
    standsApart(lines, pitch, above, line) ||
    isBlankApart(lines, pitch, above, line) ||
    beginsClause(lines, line) ||
    beginsNumbered(lines, line) ||
    beginsNote(lines, above, line) ||
    beginsParagraph(lines, line)
  )
}

// Heights of a line from one to the next where a blank one is between.
const BLANK_LINE = 1.9

/** Two lines alone, a blank one apart: what ends a sentence and what begins one, or two headings. */
const isBlankApart = (lines: readonly TypeLine[], pitch: number, above: TypeLine, line: TypeLine): boolean =>
  lines.length === 2 &&
  pitch > heightOf(lines) * BLANK_LINE &&
  ((above.bold && line.bold) || (ENDS.test(above.text) && BEGINS.test(line.text)))

const ENDS = /[.!?:;…]["'”’»)]*\p{N}{0,2}$/u
const BEGINS = /^["'“„«([—–-]?[\p{Lu}\p{Lo}\p{N}]/u

// Of lines set at one pitch a wider one parts paragraphs: a raised mark or a formula takes as much, but ends no sentence.
const APART = 1.25
// Heights of a line: what is set in another font, below a sentence that ended.
const OTHER_FONT = 1.6

/** A sentence that begins below the end of another, further down than the lines of the block stand from each other. */
function standsApart(lines: readonly TypeLine[], pitch: number, above: TypeLine, line: TypeLine): boolean {
  if (!ENDS.test(above.text) || !BEGINS.test(line.text)) return false
  if (above.font !== line.font && pitch > heightOf(lines) * OTHER_FONT) return true
  const usual = regularPitch(lines)
  return usual !== undefined && pitch > usual * APART
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

// Points of an indent, and by how much lines on one edge differ.
const INDENT = [6, 45] as const
const SAME_EDGE = 2.5
const LEAST_LINES = 4

/** The first line of a paragraph among lines on two edges: the fewer ones, indented or, in a bibliography, standing out. */
function beginsParagraph(lines: readonly TypeLine[], line: TypeLine): boolean {
  if (lines.length < LEAST_LINES || !/^[\p{Lu}\p{Lo}\p{N}["“„«(]/u.test(line.text)) return false
  const left = Math.min(...lines.map(({ bbox }) => bbox[0]))
  const isIndented = ({ bbox }: TypeLine): boolean => bbox[0] > left + SAME_EDGE
  const indents = lines.filter(isIndented).map(({ bbox }) => bbox[0] - left)
  const least = Math.min(...indents)
  const isOne = indents.length > 0 && Math.max(...indents) - least < SAME_EDGE
  if (!isOne || least < INDENT[0] || least > INDENT[1]) return false
  if (indents.length * 2 >= lines.length) return !isIndented(line)
  const at = lines.indexOf(line)
  // Lines indented together are an entry of a list, or a quotation.
  return (
    isIndented(line) && ![lines[at - 1], lines[at + 1]].some((next) => next !== undefined && isIndented(next))
  )
}

const CLAUSE = /^(?:\(?\d{1,2}(?:\.\d{1,2})+[.)†‡*+]?|\(?(?:[a-z]|[ivx]{1,4}|\d{1,2})[.)]|§+\s*\d+)\s+\S/u
// Points the number of a clause stands out to the left of its lines.
const HANGS = 8

/** A line with a number that stands out to the left of the others: "4.2 The rent is reviewed once". */
function beginsClause(lines: readonly TypeLine[], line: TypeLine): boolean {
  if (!CLAUSE.test(line.text)) return false
  const lefts = lines.filter(({ text }) => !CLAUSE.test(text)).map(({ bbox }) => bbox[0])
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
function beginsNumbered(lines: readonly TypeLine[], line: TypeLine): boolean {
  const own = bareNumber(line)
  if (own === undefined || !isNumberedEntry(lines.slice(lines.indexOf(line)))) return false
  return lines.some((other, i) => {
    const step = Math.abs((bareNumber(other) ?? own) - own)
    return step === 1 && Math.abs(other.bbox[0] - line.bbox[0]) < 1 && isNumberedEntry(lines.slice(i))
  })
}

// "(1)", "(a)", "2.", and a figure alone: the mark of a note that was raised.
const MARK = /^(\(?)(\d{1,2}|[a-z]|[A-Z])([.)]?)\s+\S/u
const LEAST_NOTES = 3

interface Mark {
  kind: string
  place: number
}

function markOf({ text }: TypeLine): Mark | undefined {
  const [, open = '', sign, close = ''] = MARK.exec(text) ?? []
  if (sign === undefined || (/\D/.test(sign) && close === '')) return undefined
  const isNumber = /\d/.test(sign)
  const script = isNumber ? '1' : sign === sign.toLowerCase() ? 'a' : 'A'
  return { kind: `${open}${script}${close}`, place: isNumber ? Number(sign) : sign.charCodeAt(0) }
}

/** Whether a text begins with the mark of an entry: "(a)", "2.". */
export const isMarked = (text: string): boolean => /^(?:\(\w{1,4}\)|\w{1,2}[.)])\s/.test(text)

/** One of several notes that count on one edge, below the end of a sentence; without signs around their marks from 1 on. */
function beginsNote(lines: readonly TypeLine[], above: TypeLine, line: TypeLine): boolean {
  const mark = markOf(line)
  if (mark === undefined) return false
  const isBare = mark.kind === '1'
  if (!isBare && !ENDS.test(above.text)) return false
  const places = lines.flatMap((other) => {
    const own = Math.abs(other.bbox[0] - line.bbox[0]) < SAME_EDGE ? markOf(other) : undefined
    return own?.kind === mark.kind ? [own.place] : []
  })
  if (places.some((place, i) => i > 0 && place !== (places[i - 1] ?? 0) + 1)) return false
  return isBare ? places[0] === 1 && places.length >= LEAST_NOTES : places.length > 1
}

/** A line a blank one below those of an entry: the next level's first, or what follows the list. */
export const isBelowEntry = (lines: readonly TypeLine[], pitch: number, closest: number): boolean =>
  lines.length > 2 && pitch > closest * PARAGRAPH_PITCH

/** Whether a text is a clause with its number. */
export const isClause = (text: string): boolean => CLAUSE.test(text)

/** The height of most lines. */
export const heightOf = (lines: readonly TypeLine[]): number => {
  const heights = lines.map(({ bbox }) => bbox[3] - bbox[1]).sort((a, b) => a - b)
  return heights[heights.length >> 1] ?? 0
}

/** Baseline to baseline of the two closest lines; never less than what letters need. */
export function closestPitch(lines: readonly TypeLine[]): number {
  const pitches = lines.slice(1).map(({ bbox }, i) => bbox[3] - (lines[i]?.bbox[3] ?? 0))
  return Math.max(heightOf(lines), ...(pitches.length === 0 ? [] : [Math.min(...pitches)]))
}
