// Bullets of a scan. Tesseract reads a bullet as a star, a plus, a quotation mark or an equals sign, or drops it; then ink to
// the left of the words shows it. Lines with marks on one left edge get the bullet that they have on the page. Pure.

import { isBullet } from '../../page/marks.ts'
import { INDENT } from '../../page/tolerance.ts'
import type { Line, Word } from '../recognised.ts'

const MISREAD_BULLET = /^[+«»°¢=~>□]$/u
// If all marks of a list are the same sign of these, the lines are quotations or parts of an equation.
const AMBIGUOUS_MARK = /^[«»°¢=~>]$/u
const NUMBER = /^[\d.,]*\d/
const MIN_ENTRIES = 2
// In line heights. Smaller differences are the same edge, and ink further to the left is not a mark of these words.
const [MIN_INDENT] = INDENT
const MAX_DISTANCE = 2.5

interface Mark {
  line: Line
  /** The sign that was recognised. Empty if only ink was found. */
  text: string
  left: number
  words: readonly Word[]
}

/** The lines with their bullets; `height` is that of a line. */
export function withBullets(lines: readonly Line[], height: number): Line[] {
  const marks = lines.flatMap((line) => markOf(line, height))
  const edges: Mark[][] = []
  for (const mark of marks.sort((a, b) => a.left - b.left)) {
    const last = edges.at(-1)
    if (last?.[0] && mark.left - last[0].left < height * MIN_INDENT) last.push(mark)
    else edges.push([mark])
  }
  const entries = new Map(
    edges.filter(isList).flatMap((list) => list.map((mark) => [mark.line, mark] as const)),
  )
  return lines.map((line) => {
    const mark = entries.get(line)
    const first = mark?.words[0]
    if (mark === undefined || first === undefined) return line
    const bbox = { ...first.bbox, x0: mark.left, x1: Math.min(mark.left + height / 2, first.bbox.x0) }
    return { ...line, words: [{ ...first, text: '•', bbox }, ...mark.words] }
  })
}

function markOf(line: Line, height: number): Mark[] {
  const [first, ...otherWords] = line.words
  if (first === undefined) return []
  if (isBullet(first.text) || MISREAD_BULLET.test(first.text))
    return otherWords.length === 0 ? [] : [{ line, text: first.text, left: first.bbox.x0, words: otherWords }]
  const distance = first.bbox.x0 - line.bbox.x0
  if (distance < height * MIN_INDENT || distance > height * MAX_DISTANCE) return []
  return [{ line, text: '', left: line.bbox.x0, words: line.words }]
}

function isList(marks: readonly Mark[]): boolean {
  const texts = new Set(marks.map(({ text }) => text))
  const areSigns = marks.every(({ text, words }) => text === '+' && NUMBER.test(words[0]?.text ?? ''))
  const [only = ''] = texts
  return marks.length >= MIN_ENTRIES && !areSigns && (texts.size > 1 || !AMBIGUOUS_MARK.test(only))
}
