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
    beginsClause(lines, line) ||
    beginsParagraph(lines, line)
  )
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

const CLAUSE = /^(?:\(?\d{1,2}(?:\.\d{1,2})+[.)]?|\(?(?:[a-z]|[ivx]{1,4}|\d{1,2})[.)]|§+\s*\d+)\s+\S/u
// Points the number of a clause stands out to the left of its lines.
const HANGS = 8

/** A line with a number that stands out to the left of the others: "4.2 The rent is reviewed once". */
function beginsClause(lines: readonly TypeLine[], line: TypeLine): boolean {
  if (!CLAUSE.test(line.text)) return false
  const lefts = lines.filter(({ text }) => !CLAUSE.test(text)).map(({ bbox }) => bbox[0])
  return lefts.length === 0 || line.bbox[0] < Math.min(...lefts) - HANGS
}

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
