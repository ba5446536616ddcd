// A figure of one digit alone in its cell: Tesseract takes it for a speck and drops it, so that an invoice for "3" of
// something says no quantity. Pure.

import type { Block, Word } from 'tesseract.js'
import type { BBox } from '../../block.ts'
import type { LineWord } from '../ocr/engine.ts'

// Of the text's height: figures of a column end, or have their middle, on one line.
const ALIGNED = 0.5
// More are a drawing, a form's boxes, a grainy sheet.
const MOST = 30
const SURE_CONFIDENCE = 90
const FIGURE = /^[-–—+($€£~]*\d[\d.,]*[)%]*$/

/** Of the boxes those that stand right of a word in its line, and in a column with figures or with two of their own kind. */
export function inFigureColumns(boxes: readonly BBox[], found: readonly Block[], height: number): BBox[] {
  const words = wordsOf(found)
  const beside = boxes.filter((box) =>
    words.some((word) => isLevel(boxOf(word), box) && word.bbox.x1 < box[0]),
  )
  const figures = words.filter(({ text }) => FIGURE.test(text)).map(boxOf)
  const isOf = (box: BBox) => (other: BBox) => !isLevel(other, box) && isAligned(other, box, height * ALIGNED)
  const inColumns = beside.filter((box) => figures.some(isOf(box)) || beside.filter(isOf(box)).length >= 2)
  return inColumns.length > MOST ? [] : inColumns
}

/** What two readings of a place agree on: one digit, and not the one that a box or a ring reads as. */
export function sureFigure(readings: readonly (readonly LineWord[])[]): LineWord[] {
  const [first, second] = readings.map(([word, ...more]) => (more.length === 0 ? word : undefined))
  const isSure = first && second && first.text === second.text && /^[1-9]$/.test(first.text)
  return isSure && Math.min(first.confidence, second.confidence) >= SURE_CONFIDENCE ? [first] : []
}

const wordsOf = (found: readonly Block[]): Word[] =>
  found.flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines.flatMap(({ words }) => words)))

const boxOf = ({ bbox: { x0, y0, x1, y1 } }: Word): BBox => [x0, y0, x1, y1]

function isLevel(one: BBox, other: BBox): boolean {
  const middle = (other[1] + other[3]) / 2
  return middle > one[1] && middle < one[3]
}

const isAligned = (one: BBox, other: BBox, most: number): boolean =>
  Math.abs(one[2] - other[2]) <= most || Math.abs(one[0] + one[2] - other[0] - other[2]) / 2 <= most
