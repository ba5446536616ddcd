// Lists of a scan: lines that begin with marks at the same place. Tesseract reads a bullet as a star, a plus, a quotation mark
// or an equals sign, or drops it; then the ink left of the words shows that it is there. Pure.

import { joinBroken } from '../../blocks/clean.ts'
import { isBullet, ordinalOf } from '../../page/marks.ts'
import { INDENT } from '../../page/tolerance.ts'
import { boundsOf, type Row, textOf } from './rows.ts'

// What Tesseract reads for a bullet.
const MISREAD_BULLET = /^[+«»°¢=~>□]$/u
// When all marks of a list are one of these, the lines are quotations, or sides of an equation.
const AMBIGUOUS_MARK = /^[«»°¢=~>]$/
const NUMBER = /^[\d.,]*\d/
const MIN_ENTRIES = 2
const MAX_LEVELS = 3
// In line heights: less is the same indent.
const [MIN_INDENT] = INDENT
// In line heights: the gap between two lines.
const MAX_GAP = 1.6
// In line heights: ink further left of the words is not their mark.
const MAX_MARK_DISTANCE = 2.5

/** Whether a word is the mark of a list, as Tesseract reads it. */
export const isListMark = (word = ''): boolean => isBullet(word) || MISREAD_BULLET.test(word)

interface Entry {
  /** Left edges of the mark and of the words after it. */
  mark: number
  words: number
  ordinal?: number
}

/** The list that starts with a row: its text, and the row after its last one. */
export function listAt(rows: readonly Row[], at: number): { end: number; text: string } | undefined {
  const entries: Entry[] = []
  const indents: number[] = []
  const lines: string[] = []
  let end = at
  for (let row = rows[end]; row !== undefined; row = rows[end]) {
    const entry = entryOf(row)
    const before = rows[end - 1]
    if (before !== undefined && end > at && !isBelow(before, row)) break
    if (entry !== undefined && fitsIndents(entry, indents, heightOf(row))) {
      entries.push(entry)
      lines.push(entryText(row, entry))
    } else if (entry === undefined && end > at && continuesEntry(row, entries))
      lines.push(`${lines.pop()}\n${textOf(row)}`)
    else break
    end++
  }
  if (entries.length < MIN_ENTRIES) return undefined
  if (!hasMarks(rows.slice(at, end), entries.length) && !isNumbered(entries)) return undefined
  const levels = levelsOf(entries, heightOf(rows[at]))
  const text = lines.map((line, i) => `${'  '.repeat(levelOf(levels, entries[i]))}${joinLines(line)}`)
  return { end, text: text.join('\n') }
}

/** Whether the recognised marks are those of a list. */
function hasMarks(rows: readonly Row[], entries: number): boolean {
  const marked = rows.filter(({ words }) => isListMark(words[0]?.text))
  const marks = new Set(marked.map(({ words }) => words[0]?.text ?? ''))
  const plus = marked.filter(({ words }) => words[0]?.text === '+')
  // "+ 12 per cent", "- 7 per cent".
  const areSigns = plus.length > 0 && plus.every(({ words }) => NUMBER.test(words[1]?.text ?? ''))
  const areMixed = marks.size > 1 || (marks.size === 1 && marked.length < entries)
  return !areSigns && (areMixed || [...marks].some((mark) => !AMBIGUOUS_MARK.test(mark)))
}

const heightOf = (row: Row | undefined): number => {
  const [, top = 0, , bottom = 0] = row === undefined ? [] : boundsOf([row])
  return bottom - top
}

function entryOf(row: Row): Entry | undefined {
  const [first, second] = row.words
  if (first === undefined || row.cells.length > 2) return undefined
  const ordinal = ordinalOf(textOf(row))
  if (ordinal !== undefined || isListMark(first.text))
    return second && { mark: first.bbox.x0, words: second.bbox.x0, ...(ordinal !== undefined && { ordinal }) }
  const distance = first.bbox.x0 - row.left
  const height = heightOf(row)
  return distance > height * MIN_INDENT && distance < height * MAX_MARK_DISTANCE
    ? { mark: row.left, words: first.bbox.x0 }
    : undefined
}

const isNumbered = (entries: readonly Entry[]): boolean =>
  entries.every(({ ordinal }, i) => ordinal !== undefined && ordinal === (entries[0]?.ordinal ?? 0) + i)

/** Whether a mark is at an indent of the list, or further in at a new one, which is added. */
function fitsIndents({ mark }: Entry, indents: number[], height: number): boolean {
  if (mark <= (indents[0] ?? -Infinity) - height * MIN_INDENT) return false
  if (!indents.some((indent) => Math.abs(mark - indent) <= height * MIN_INDENT)) indents.push(mark)
  return indents.length <= MAX_LEVELS
}

function levelsOf(entries: readonly Entry[], height: number): number[] {
  const levels: number[] = []
  for (const { mark } of [...entries].sort((a, b) => a.mark - b.mark))
    if (mark - (levels.at(-1) ?? -Infinity) > height * MIN_INDENT) levels.push(mark)
  return levels
}

const levelOf = (levels: readonly number[], entry: Entry | undefined): number =>
  Math.max(
    0,
    levels.findLastIndex((indent) => indent <= (entry?.mark ?? 0)),
  )

function isBelow(before: Row, row: Row): boolean {
  const [above, here] = [boundsOf([before]), boundsOf([row])]
  return here[1] > above[1] && here[1] - above[3] <= MAX_GAP * (above[3] - above[1])
}

/** Whether a row is another line of the last entry. */
const continuesEntry = (row: Row, entries: readonly Entry[]): boolean =>
  Math.abs(row.left - (entries.at(-1)?.words ?? -Infinity)) <= heightOf(row) * MIN_INDENT

function entryText(row: Row, { ordinal }: Entry): string {
  if (ordinal !== undefined) return textOf(row)
  const hasMark = isListMark(row.words[0]?.text)
  return `- ${textOf({ words: row.words.slice(hasMark ? 1 : 0) })}`
}

const joinLines = (line: string): string => joinBroken(line).replaceAll('\n', ' ')
