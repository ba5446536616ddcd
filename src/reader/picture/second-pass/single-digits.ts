// Single digits in cells: Tesseract drops them as specks, so that an invoice for "3" of something has no quantity. Pure.

import type { BBox } from '../../block.ts'
import { sameFigureEdge } from '../../page/tolerance.ts'
import type { LineWord } from '../ocr/engine.ts'
import { type OcrBlock, type Word, wordsOf } from '../ocr/recognised.ts'

// More are a drawing, the boxes of a form, or a grainy scan.
const MAX_CANDIDATES = 30
// Of 100.
const MIN_CONFIDENCE = 90
const NUMBER = /^[-–—+($€£~]*\d[\d.,]*[)%]*$/

/** The boxes right of a word on their line that are in a column with numbers, or with two other such boxes. */
export function digitCandidates(
  boxes: readonly BBox[],
  blocks: readonly OcrBlock[],
  textHeight: number,
): BBox[] {
  const words = wordsOf(blocks)
  const beside = boxes.filter((box) =>
    words.some((word) => isOnLine(boxOf(word), box) && word.bbox.x1 < box[0]),
  )
  const numbers = words.filter(({ text }) => NUMBER.test(text)).map(boxOf)
  const inColumnOf = (box: BBox) => (other: BBox) =>
    !isOnLine(other, box) && isAligned(other, box, textHeight)
  const inColumns = beside.filter(
    (box) => numbers.some(inColumnOf(box)) || beside.filter(inColumnOf(box)).length >= 2,
  )
  return inColumns.length > MAX_CANDIDATES ? [] : inColumns
}

/** The digit that both readings of a box have with confidence. Not 0, as which a box or a ring is read. */
export function agreedDigit(readings: readonly (readonly LineWord[])[]): LineWord[] {
  const [first, second] = readings.map(([word, ...more]) => (more.length === 0 ? word : undefined))
  const isAgreed = first && second && first.text === second.text && /^[1-9]$/.test(first.text)
  return isAgreed && Math.min(first.confidence, second.confidence) >= MIN_CONFIDENCE ? [first] : []
}

const boxOf = ({ bbox: { x0, y0, x1, y1 } }: Word): BBox => [x0, y0, x1, y1]

function isOnLine(one: BBox, other: BBox): boolean {
  const centre = (other[1] + other[3]) / 2
  return centre > one[1] && centre < one[3]
}

/** Numbers of a column have the same right edge, or the same centre. */
const isAligned = (one: BBox, other: BBox, textHeight: number): boolean =>
  sameFigureEdge(one[2], other[2], textHeight) ||
  sameFigureEdge((one[0] + one[2]) / 2, (other[0] + other[2]) / 2, textHeight)
