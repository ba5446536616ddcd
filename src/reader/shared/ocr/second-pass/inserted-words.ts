// Adds words that the first pass missed. Those with high confidence become lines of their own, which the layout orders. Pure.

import type { LineWord } from '../engine.ts'
import { hasLetters, type Line, type Word, type WordBox, wordsOf } from '../recognised.ts'

// Of 100. High, because leaves are read as letters, and the corners of a frame as digits.
const MIN_CONFIDENCE = 80
const MIN_CELL_CONFIDENCE = 90
const MIN_TEXT_LETTERS = 4
const MIN_CELL_LETTERS = 2
// Matches "12", "(1,234.50)", "–$3.5" and "12%".
const NUMBER = /^[-–—+($€£~]*\d[\d.,]*[)%]*$/
// If there are more crops, most are table cells, not text.
const MAX_TEXT_CROPS = 12
// In line heights. A cell that is further away from the words of its line belongs to another part of the page.
const MAX_CELL_DISTANCE = 40

/** The lines, and as further lines the words of crops of unread ink that have high confidence and overlap no other word. */
export function withMissedWords(lines: readonly Line[], crops: readonly (readonly LineWord[])[]): Line[] {
  const existingWords = wordsOf(lines)
  const candidates = crops
    .map((words) => words.filter(hasLetters).map(toWord))
    .filter((words) => words.length > 0 && !words.some((word) => overlapsWord(word, existingWords)))
  const texts = candidates.filter((words) => isConfidentText(words) && crops.length <= MAX_TEXT_CROPS)
  const cells = candidates.filter((words) => isConfidentCell(words) && !texts.includes(words))
  return [
    ...lines,
    ...texts.map(toLine),
    ...cells.filter((cell) => isBeside(cell, existingWords)).map(toLine),
  ]
}

/** The lines, and the lines of another pass that have high confidence and overlap no words. */
export function withMissingLines(lines: readonly Line[], otherLines: readonly Line[]): Line[] {
  // Words of bars and dashes do not count: letters on a coloured band are read as a drawing.
  const existingWords = wordsOf(lines).filter(hasLetters)
  const missedLines = otherLines
    .map(({ words }) => trimUncertain(words.filter(hasLetters)))
    .filter((words) => isConfidentText(words) && !words.some((word) => overlapsWord(word, existingWords)))
  return [...lines, ...missedLines.map(toLine)]
}

/** The words without uncertain words at both ends: a symbol beside a line, or the edge of a band, is read as letters. */
function trimUncertain(words: readonly Word[]): Word[] {
  const isConfident = ({ confidence }: Word): boolean => confidence >= MIN_CONFIDENCE
  return words.slice(words.findIndex(isConfident), words.findLastIndex(isConfident) + 1)
}

export const toWord = ({ text, confidence, left, top, right, bottom }: LineWord): Word => ({
  text,
  confidence,
  bbox: { x0: left, y0: top, x1: right, y1: bottom },
})

const count = (words: readonly Word[], pattern: RegExp): number =>
  words.reduce((sum, { text }) => sum + (text.match(pattern)?.length ?? 0), 0)

const isConfidentText = (words: readonly Word[]): boolean =>
  words.every(({ confidence }) => confidence >= MIN_CONFIDENCE) && count(words, /\p{L}/gu) >= MIN_TEXT_LETTERS

const isConfidentCell = (words: readonly Word[]): boolean =>
  words.every(({ confidence }) => confidence >= MIN_CELL_CONFIDENCE) &&
  words.every(({ text }) => NUMBER.test(text) || /^\p{L}+$/u.test(text)) &&
  count(words, /[\p{L}\p{N}]/gu) >= MIN_CELL_LETTERS

/** Whether a word covers the centre of an existing one, as the frame around a stamp covers the words of the stamp. */
const overlapsWord = ({ bbox: { x0, y0, x1, y1 } }: Word, existingWords: readonly Word[]): boolean =>
  existingWords.some(({ bbox: box }) => {
    const [x, y] = [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2]
    return x > x0 && x < x1 && y > y0 && y < y1
  })

/** Whether a cell is on one line with other words and not far from them. */
function isBeside(cell: readonly Word[], otherWords: readonly Word[]): boolean {
  const { x0, x1, y0, y1 } = boundsOf(cell)
  const centre = (y0 + y1) / 2
  return otherWords.some(({ bbox }) => {
    const otherCentre = (bbox.y0 + bbox.y1) / 2
    const isOnLine = centre > bbox.y0 && centre < bbox.y1 && otherCentre > y0 && otherCentre < y1
    return isOnLine && Math.max(bbox.x0 - x1, x0 - bbox.x1) < MAX_CELL_DISTANCE * (y1 - y0)
  })
}

const boundsOf = (words: readonly Word[]): WordBox => ({
  x0: Math.min(...words.map(({ bbox }) => bbox.x0)),
  y0: Math.min(...words.map(({ bbox }) => bbox.y0)),
  x1: Math.max(...words.map(({ bbox }) => bbox.x1)),
  y1: Math.max(...words.map(({ bbox }) => bbox.y1)),
})

export const toLine = (words: readonly Word[]): Line => ({ words: [...words], bbox: boundsOf(words) })
