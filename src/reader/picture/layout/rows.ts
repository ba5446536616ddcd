// Recognised lines as rows of cells: between two cells there is more room than between words of a sentence. Pure.

import type { BBox } from '../../block.ts'
import type { Line, Paragraph, Word } from '../ocr/recognised.ts'
import { isUnspaced } from '../ocr/unspaced-scripts.ts'
import type { BoxedBlock } from './separators.ts'

// Of 100: below it a word is a smudge, part of a drawing, or of another script.
const MIN_WORD_CONFIDENCE = 30
// In line heights. The space between words of a line is about a third of one.
const MIN_CELL_GAP = 1.3
export const MIN_TABLE_ROWS = 3

// Dust and ruling lines are recognised as these.
const SPECK = /^[:;.,|'`~_\\]+$/

export interface Cell {
  text: string
  left: number
  right: number
}

export interface Row {
  cells: Cell[]
  words: Word[]
  paragraph: Paragraph
  block: BoxedBlock
  /** Where its ink begins, which is left of the first word when a list mark was not recognised. */
  left: number
}

/** The lines of a block; words are in two cells where `isSeparated` says so, however close they are. */
export const rowsOf = (block: BoxedBlock, isSeparated: (left: Word, right: Word) => boolean): Row[] =>
  block.paragraphs.flatMap((paragraph) =>
    paragraph.lines.flatMap((line) => toRow(line, paragraph, block, isSeparated)),
  )

function toRow(
  line: Line,
  paragraph: Paragraph,
  block: BoxedBlock,
  isSeparated: (left: Word, right: Word) => boolean,
): Row[] {
  const words = line.words.filter(
    ({ text, confidence }) => (confidence >= MIN_WORD_CONFIDENCE || isUnspaced(text)) && !SPECK.test(text),
  )
  if (words.length === 0) return []
  const heights = words.map((word) => word.bbox.y1 - word.bbox.y0).sort((a, b) => a - b)
  const gap = MIN_CELL_GAP * (heights[heights.length >> 1] ?? 1)
  const cells: Cell[] = []
  for (const [i, word] of words.entries()) {
    const { text, bbox } = word
    const [last, before] = [cells.at(-1), words[i - 1]]
    const isNear = before !== undefined && bbox.x0 - before.bbox.x1 <= gap
    if (last !== undefined && isNear && !isSeparated(before, word)) {
      last.text += ` ${text}`
      last.right = bbox.x1
    } else cells.push({ text, left: bbox.x0, right: bbox.x1 })
  }
  const left = Math.min(...[...line.words, line, ...words].map(({ bbox }) => bbox?.x0 ?? Infinity))
  return [{ cells, words, paragraph, block, left }]
}

export function boundsOf(rows: readonly Row[]): BBox {
  const bounds: BBox = [Infinity, Infinity, 0, 0]
  for (const { bbox } of rows.flatMap((row) => row.words)) {
    bounds[0] = Math.min(bounds[0], bbox.x0)
    bounds[1] = Math.min(bounds[1], bbox.y0)
    bounds[2] = Math.max(bounds[2], bbox.x1)
    bounds[3] = Math.max(bounds[3], bbox.y1)
  }
  return bounds
}

/** Whether two rows are on one line of the page: the centre of each is within the other's height. */
export function areOnOneLine(one: Row, other: Row): boolean {
  const [a, b] = [boundsOf([one]), boundsOf([other])]
  const centreOf = (box: BBox): number => (box[1] + box[3]) / 2
  return centreOf(a) > b[1] && centreOf(a) < b[3] && centreOf(b) > a[1] && centreOf(b) < a[3]
}

export const textOf = ({ words }: Pick<Row, 'words'>): string => words.map(({ text }) => text).join(' ')
