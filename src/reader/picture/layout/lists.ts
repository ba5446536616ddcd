// Lists of a scan: lines that begin with marks at one place. Tesseract reads a bullet as a star, a plus, a quote, an equals
// sign, or as nothing that is sure; the ink to the left of the words still says that it is there. Pure.

import { joinBroken } from '../../blocks/clean.ts'
import { extent, type Row } from './rows.ts'

export const MARK = /^[-–—•·*+«»°¢=~>■□▪◦○●]$/u
// Marks by themselves; when all marks of a list are one of these, lines are quoted, or sides of an equation.
const OTHER_USE = /^[«»°¢=~>]$/
const FIGURE = /^[\d.,]*\d/
const NUMBER = /^\d{1,2}[.)]$/
const LEAST_ENTRIES = 2
const MOST_LEVELS = 3
// Of a line's height: marks of one level stand at one place, and a line stands this close to the one above it.
const SAME_EDGE = 0.6
const MOST_GAP = 1.6
// Ink further to the left of the words is not their mark.
const MARK_ROOM = 2.5

interface Entry {
  /** Where the mark stands, and the words behind it. */
  mark: number
  words: number
  number?: number
}

/** The list that starts with this row: where it ends and its lines; undefined for none. */
export function listAt(rows: readonly Row[], at: number): { end: number; text: string } | undefined {
  const entries: Entry[] = []
  const edges: number[] = []
  const lines: string[] = []
  let end = at
  for (let row = rows[end]; row !== undefined; row = rows[end]) {
    const entry = entryOf(row)
    const before = rows[end - 1]
    if (before !== undefined && end > at && !isBelow(before, row)) break
    if (entry !== undefined && fits(entry, edges, heightOf(row))) {
      entries.push(entry)
      lines.push(said(row, entry))
    } else if (entry === undefined && end > at && isIndented(row, entries))
      lines.push(`${lines.pop()}\n${said(row)}`)
    else break
    end++
  }
  if (
    entries.length < LEAST_ENTRIES ||
    !(isMarked(rows.slice(at, end), entries.length) || isCounted(entries))
  )
    return undefined
  const levels = levelsOf(entries, heightOf(rows[at]))
  const text = lines.map((line, i) => `${'  '.repeat(levelOf(levels, entries[i]))}${joined(line)}`)
  return { end, text: text.join('\n') }
}

/** Whether what was read of the marks says list; a mark that nobody read needs one that was. */
function isMarked(rows: readonly Row[], entries: number): boolean {
  const marked = rows.filter(({ words }) => MARK.test(words[0]?.text ?? ''))
  const marks = new Set(marked.map(({ words }) => words[0]?.text ?? ''))
  const plus = marked.filter(({ words }) => words[0]?.text === '+')
  // "+ 12 per cent", "- 7 per cent".
  const areSigns = plus.length > 0 && plus.every(({ words }) => FIGURE.test(words[1]?.text ?? ''))
  const areMixed = marks.size > 1 || (marks.size === 1 && marked.length < entries)
  return !areSigns && (areMixed || [...marks].some((mark) => !OTHER_USE.test(mark)))
}

const heightOf = (row: Row | undefined): number => {
  const [, top = 0, , bottom = 0] = row === undefined ? [] : extent([row])
  return bottom - top
}

function entryOf(row: Row): Entry | undefined {
  const [first, second] = row.words
  if (first === undefined || row.cells.length > 2) return undefined
  const numbered = NUMBER.test(first.text) && { number: Number.parseInt(first.text, 10) }
  if (numbered || MARK.test(first.text))
    return second && { mark: first.bbox.x0, words: second.bbox.x0, ...numbered }
  const room = first.bbox.x0 - row.left
  const height = heightOf(row)
  return room > height * SAME_EDGE && room < height * MARK_ROOM
    ? { mark: row.left, words: first.bbox.x0 }
    : undefined
}

const isCounted = (entries: readonly Entry[]): boolean =>
  entries.every(({ number }, i) => number !== undefined && number === (entries[0]?.number ?? 0) + i)

/** On an edge of the list, or further in on one of few. */
function fits({ mark }: Entry, edges: number[], height: number): boolean {
  if (mark <= (edges[0] ?? -Infinity) - height * SAME_EDGE) return false
  if (!edges.some((edge) => Math.abs(mark - edge) <= height * SAME_EDGE)) edges.push(mark)
  return edges.length <= MOST_LEVELS
}

function levelsOf(entries: readonly Entry[], height: number): number[] {
  const levels: number[] = []
  for (const { mark } of [...entries].sort((a, b) => a.mark - b.mark))
    if (mark - (levels.at(-1) ?? -Infinity) > height * SAME_EDGE) levels.push(mark)
  return levels
}

const levelOf = (levels: readonly number[], entry: Entry | undefined): number =>
  Math.max(
    0,
    levels.findLastIndex((edge) => edge <= (entry?.mark ?? 0)),
  )

function isBelow(before: Row, row: Row): boolean {
  const [above, here] = [extent([before]), extent([row])]
  return here[1] > above[1] && here[1] - above[3] <= MOST_GAP * (above[3] - above[1])
}

/** The next line of the last entry. */
const isIndented = (row: Row, entries: readonly Entry[]): boolean =>
  Math.abs(row.left - (entries.at(-1)?.words ?? -Infinity)) <= heightOf(row) * SAME_EDGE

function said(row: Row, entry?: Entry): string {
  const hasMark = entry !== undefined && entry.number === undefined && MARK.test(row.words[0]?.text ?? '')
  const text = row.words
    .slice(hasMark ? 1 : 0)
    .map((word) => word.text)
    .join(' ')
  return entry === undefined || entry.number !== undefined ? text : `- ${text}`
}

const joined = (line: string): string => joinBroken(line).replaceAll('\n', ' ')
