// Recognised lines as rows of cells: words with more room between them than between words of a sentence.

import type { Line, Paragraph, Word } from 'tesseract.js'
import type { BBox } from '../../block.ts'
import { isUnspaced } from '../ocr/unspaced-scripts.ts'
import type { Boxed } from './separators.ts'

// Below this a word is a smudge, a line of a drawing or another script.
const LEAST_WORD_CONFIDENCE = 30
// Between two cells there is more room than this many line heights; between words of a line about a third of one.
const CELL_GAP = 1.3
export const LEAST_TABLE_ROWS = 3

// What dust and rules are read as.
const speck = /^[:;.,|'`~_\\]+$/

export interface Cell {
  text: string
  left: number
  right: number
}

export interface Row {
  cells: Cell[]
  words: Word[]
  paragraph: Paragraph
  block: Boxed
  /** Where its ink begins: further left than its first word where a mark was not read. */
  left: number
}

/** The block's lines; words with a wall between them are of two cells. */
export const rowsOf = (block: Boxed, isParted: (left: Word, right: Word) => boolean): Row[] =>
  block.paragraphs.flatMap((paragraph) =>
    paragraph.lines.flatMap((line) => toRow(line, paragraph, block, isParted)),
  )

function toRow(
  line: Line,
  paragraph: Paragraph,
  block: Boxed,
  isParted: (left: Word, right: Word) => boolean,
): Row[] {
  const words = line.words.filter(
    ({ text, confidence }) => (confidence >= LEAST_WORD_CONFIDENCE || isUnspaced(text)) && !speck.test(text),
  )
  if (words.length === 0) return []
  const heights = words.map((word) => word.bbox.y1 - word.bbox.y0).sort((a, b) => a - b)
  const gap = CELL_GAP * (heights[heights.length >> 1] ?? 1)
  const cells: Cell[] = []
  for (const [i, word] of words.entries()) {
    const { text, bbox } = word
    const [last, before] = [cells.at(-1), words[i - 1]]
    const isNear = before !== undefined && bbox.x0 - before.bbox.x1 <= gap
    if (last !== undefined && isNear && !isParted(before, word)) {
      last.text += ` ${text}`
      last.right = bbox.x1
    } else cells.push({ text, left: bbox.x0, right: bbox.x1 })
  }
  const left = Math.min(...[...line.words, line, ...words].map(({ bbox }) => bbox?.x0 ?? Infinity))
  return [{ cells, words, paragraph, block, left }]
}

export function extent(rows: readonly Row[]): BBox {
  const bbox: BBox = [Infinity, Infinity, 0, 0]
  for (const { bbox: box } of rows.flatMap((row) => row.words)) {
    bbox[0] = Math.min(bbox[0], box.x0)
    bbox[1] = Math.min(bbox[1], box.y0)
    bbox[2] = Math.max(bbox[2], box.x1)
    bbox[3] = Math.max(bbox[3], box.y1)
  }
  return bbox
}

/** Whether the middle of each stands within the other's height. */
export function isLevel(one: Row, other: Row): boolean {
  const [a, b] = [extent([one]), extent([other])]
  const middleOf = (box: BBox): number => (box[1] + box[3]) / 2
  return middleOf(a) > b[1] && middleOf(a) < b[3] && middleOf(b) > a[1] && middleOf(b) < a[3]
}
