// Words of ink that the first pass missed, inserted at their place: a number or a short word in its line, other lines as
// blocks of their own. Pure.

import type { LineWord } from '../ocr/engine.ts'
import {
  type Bbox,
  hasLetters,
  type Line,
  linesOf,
  mapLines,
  type OcrBlock,
  type Word,
  wordsOf,
} from '../ocr/recognised.ts'

// Of 100. Leaves are read as letters too, the corners of a frame as digits.
const MIN_CONFIDENCE = 80
const MIN_CELL_CONFIDENCE = 90
const MIN_LETTERS = 4
const MIN_CELL_LETTERS = 2
const NUMBER = /^[-–—+($€£~]*\d[\d.,]*[)%]*$/
// Of more crops than this, most are cells.
const MANY_CROPS = 12
// In line heights: a number further from the words of a line is in another part of the page.
const MAX_CELL_DISTANCE = 40

/** The blocks with the words of crops of unread ink, a line each: those of high confidence that overlap no other word. */
export function insertUnread(
  blocks: readonly OcrBlock[],
  crops: readonly (readonly LineWord[])[],
): OcrBlock[] {
  const taken = wordsOf(blocks)
  const read = crops
    .map((words) => words.filter(hasLetters).map(toWord))
    .filter((words) => words.length > 0 && !words.some((word) => overlapsWord(word, taken)))
  const texts = read.filter((words) => isConfidentText(words) && crops.length <= MANY_CROPS)
  const cells = read.filter((words) => isConfidentCell(words) && !texts.includes(words))
  return cells.reduce(insertCell, texts.map(toBlock).reduce(insertBlock, [...blocks]))
}

/** The blocks with digits that were recognised alone, each in the line that it is on. */
export const insertDigits = (
  blocks: readonly OcrBlock[],
  digits: readonly (readonly LineWord[])[],
): OcrBlock[] =>
  digits
    .filter((words) => words.length > 0)
    .map((words) => words.map(toWord))
    .reduce(insertCell, [...blocks])

/** The blocks with the confident lines of another pass that overlap no words. */
export function insertMissingLines(blocks: readonly OcrBlock[], other: readonly OcrBlock[]): OcrBlock[] {
  // A band with letters that was taken for a drawing has words of bars and dashes.
  const taken = wordsOf(blocks).filter(hasLetters)
  const lines = linesOf(other)
    .map(({ words }) => trimUncertain(words.filter(hasLetters)))
    .filter((words) => isConfidentText(words) && !words.some((word) => overlapsWord(word, taken)))
  return lines.map(toBlock).reduce(insertBlock, [...blocks])
}

/** Without the uncertain words at both ends: a symbol beside a line is read as letters, and so is the edge of a band. */
function trimUncertain(words: readonly Word[]): Word[] {
  const isConfident = ({ confidence }: Word): boolean => confidence >= MIN_CONFIDENCE
  return words.slice(words.findIndex(isConfident), words.findLastIndex(isConfident) + 1)
}

const toWord = ({ text, confidence, left, top, right, bottom }: LineWord): Word =>
  ({ text, confidence, bbox: { x0: left, y0: top, x1: right, y1: bottom } }) as Word

const count = (words: readonly Word[], what: RegExp): number =>
  words.reduce((sum, { text }) => sum + (text.match(what)?.length ?? 0), 0)

const isConfidentText = (words: readonly Word[]): boolean =>
  words.every(({ confidence }) => confidence >= MIN_CONFIDENCE) && count(words, /\p{L}/gu) >= MIN_LETTERS

const isConfidentCell = (words: readonly Word[]): boolean =>
  words.every(({ confidence }) => confidence >= MIN_CELL_CONFIDENCE) &&
  words.every(({ text }) => NUMBER.test(text) || /^\p{L}+$/u.test(text)) &&
  count(words, /[\p{L}\p{N}]/gu) >= MIN_CELL_LETTERS

/** Whether the centre of another word is inside: the frame around a stamp is unread ink with the stamp's words inside. */
const overlapsWord = ({ bbox: { x0, y0, x1, y1 } }: Word, taken: readonly Word[]): boolean =>
  taken.some(({ bbox: box }) => {
    const [x, y] = [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2]
    return x > x0 && x < x1 && y > y0 && y < y1
  })

/** A cell becomes part of the nearest line at its height; without one it is dropped. */
function insertCell(blocks: readonly OcrBlock[], cell: readonly Word[]): OcrBlock[] {
  const { x0, x1, y0, y1 } = boundsOf(cell)
  const centre = (y0 + y1) / 2
  const distance = ({ words }: Line): number =>
    Math.min(...words.map(({ bbox }) => Math.max(bbox.x0 - x1, x0 - bbox.x1)))
  const isOnLine = ({ words }: Line): boolean =>
    words.some(({ bbox }) => {
      const other = (bbox.y0 + bbox.y1) / 2
      return centre > bbox.y0 && centre < bbox.y1 && other > y0 && other < y1
    })
  const [nearest] = linesOf(blocks)
    .filter((line) => isOnLine(line) && distance(line) < MAX_CELL_DISTANCE * (y1 - y0))
    .sort((one, other) => distance(one) - distance(other))
  return mapLines(blocks, (line) => {
    if (line !== nearest) return line
    const words = [...line.words, ...cell].sort((one, other) => one.bbox.x0 - other.bbox.x0)
    return { ...line, words, bbox: boundsOf([line, ...cell]) }
  })
}

const boundsOf = (boxes: readonly { bbox: Bbox }[]): Bbox => ({
  x0: Math.min(...boxes.map(({ bbox }) => bbox.x0)),
  y0: Math.min(...boxes.map(({ bbox }) => bbox.y0)),
  x1: Math.max(...boxes.map(({ bbox }) => bbox.x1)),
  y1: Math.max(...boxes.map(({ bbox }) => bbox.y1)),
})

function toBlock(words: readonly Word[]): OcrBlock {
  const bbox = boundsOf(words)
  return { bbox, paragraphs: [{ bbox, lines: [{ bbox, words }] }] } as unknown as OcrBlock
}

/** Before the first block that is below it in its column. */
function insertBlock(blocks: readonly OcrBlock[], block: OcrBlock): OcrBlock[] {
  const { x0, x1, y1 } = block.bbox
  const at = blocks.findIndex(({ bbox }) => bbox.y0 >= y1 && bbox.x0 < x1 && bbox.x1 > x0)
  return blocks.toSpliced(at === -1 ? blocks.length : at, 0, block)
}
