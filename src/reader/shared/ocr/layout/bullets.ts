// Restores the bullets of a scan. Tesseract reads a bullet as a star, a plus, a quotation mark or an equals sign, or drops it so
// that only ink to the left of the words remains. Lines whose marks share a left edge are list items and get "•". Pure.

import { isBullet } from '../../page/marks.ts'
import { INDENT } from '../../page/tolerance.ts'
import type { Line, Word } from '../recognised.ts'

const MISREAD_BULLET = /^[+«»°¢=~>□]$/u
// Lines that all begin with the same one of these signs are quotations or parts of an equation, not a list.
const AMBIGUOUS_MARK = /^[«»°¢=~>]$/u
const NUMBER = /^[\d.,]*\d/
const MIN_ENTRIES = 2
// In line heights. Marks that are closer than this have the same left edge.
const [MIN_INDENT] = INDENT
// In line heights. Ink that is further to the left does not belong to the words.
const MAX_DISTANCE = 2.5

interface Mark {
  line: Line
  /** The recognised sign. Empty if there is only ink. */
  text: string
  left: number
  words: readonly Word[]
}

/** The lines with their bullets; `height` is the height of a line. */
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
  // "+ 5" is a number with a sign.
  const areSigns = marks.every(({ text, words }) => text === '+' && NUMBER.test(words[0]?.text ?? ''))
  const [only = ''] = texts
  return marks.length >= MIN_ENTRIES && !areSigns && (texts.size > 1 || !AMBIGUOUS_MARK.test(only))
}
