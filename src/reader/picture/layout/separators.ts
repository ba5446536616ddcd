// Words that stand on both sides of a wall: in two boxes side by side, in two columns of a table. Pure.

import type { Line, Block as TesseractBlock, Word } from 'tesseract.js'
import type { BBox } from '../../block.ts'
import type { Rule } from '../raster/ruling-lines.ts'

/** What parts words; pixels of an upright page. */
export interface Walls {
  /** Upright rules. */
  down: readonly Rule[]
  /** The paper between two boxes. */
  gaps: readonly BBox[]
}

/** A block of a box beside another one; those of one box have the same number. */
export type Boxed = TesseractBlock & { box?: number }

// Of a line's height: less is a letter's stem or a stroke between words.
const LEAST_RULE = 2.5
// Of a word's height: a rule is read as a part of a word ("Moder]").
const SLACK = 0.3

/** Tesseract's blocks; what stands right of the gap between two boxes comes behind what stands left of it. */
export function inBoxes(found: readonly TesseractBlock[], gaps: readonly BBox[]): Boxed[] {
  const least = LEAST_RULE * middleHeight(found)
  // In a picture of one line the stems of letters are as long as rules.
  const boxes = gaps.filter(([, top, , bottom]) => bottom - top >= least)
  return boxes.reduce<Boxed[]>((blocks, gap, i) => splitAt(blocks, gap, i), [...found])
}

/** Of the words; 0 without any. */
function middleHeight(found: readonly TesseractBlock[]): number {
  const words = found.flatMap(linesOf).flatMap((line) => line.words)
  const heights = words.map(({ bbox: { y0, y1 } }) => y1 - y0).sort((a, b) => a - b)
  return heights[heights.length >> 1] ?? 0
}

function splitAt(blocks: readonly Boxed[], [from, top, to, bottom]: BBox, box: number): Boxed[] {
  const isLevel = ({ y0, y1 }: Word['bbox']): boolean => (y0 + y1) / 2 > top && (y0 + y1) / 2 < bottom
  const middle = (from + to) / 2
  const isRight = ({ bbox }: Word): boolean => isLevel(bbox) && bbox.x0 > middle
  const isLeft = ({ bbox }: Word): boolean => isLevel(bbox) && bbox.x1 < middle
  const isAstride = ({ words }: Line): boolean => words.some(isLeft) && words.some(isRight)
  if (!blocks.some((block) => linesOf(block).some(isAstride))) return [...blocks]
  const last = blocks.findLastIndex((block) => linesOf(block).some(({ words }) => words.some(isLeft)))
  const isBeside = (block: Boxed): boolean =>
    linesOf(block).every(({ words }) => words.every(({ bbox }) => isLevel(bbox)))
  const left = blocks
    .map((block) => withWords(block, (word) => !isRight(word)))
    .map((block) => (isBeside(block) ? { ...block, box: block.box ?? -1 - box } : block))
  const right = blocks.map((block) => ({ ...withWords(block, isRight), box }))
  const all = [...left.slice(0, last + 1), ...right, ...left.slice(last + 1)]
  return all.filter(({ paragraphs }) => paragraphs.length > 0)
}

const linesOf = ({ paragraphs }: TesseractBlock): Line[] => paragraphs.flatMap(({ lines }) => lines)

function withWords(block: Boxed, isIn: (word: Word) => boolean): Boxed {
  const lineOf = (line: Line): Line[] => {
    const words = line.words.filter(isIn)
    if (words.length === line.words.length) return [line]
    const x0 = words[0] === line.words[0] ? line.bbox.x0 : (words[0]?.bbox.x0 ?? 0)
    return words.length === 0 ? [] : [{ ...line, words, bbox: { ...line.bbox, x0 } }]
  }
  const paragraphs = block.paragraphs.map((one) => ({ ...one, lines: one.lines.flatMap(lineOf) }))
  return { ...block, paragraphs: paragraphs.filter(({ lines }) => lines.length > 0) }
}

/** Whether a rule stands between two words of a line: one along more than that line, and through no word. */
export function partedBy(
  down: readonly Rule[],
  found: readonly TesseractBlock[],
): (left: Word, right: Word) => boolean {
  const words = found.flatMap(linesOf).flatMap((line) => line.words)
  const slackOf = ({ bbox: { y0, y1 } }: Word): number => (y1 - y0) * SLACK
  const isLong = ({ from, to }: Rule, { bbox: { y0, y1 } }: Word): boolean =>
    from < (y0 + y1) / 2 && to > (y0 + y1) / 2 && to - from >= LEAST_RULE * (y1 - y0)
  const isThrough =
    (rule: Rule) =>
    (word: Word): boolean =>
      isLong(rule, word) && rule.at > word.bbox.x0 + slackOf(word) && rule.at < word.bbox.x1 - slackOf(word)
  // A fold of the paper, a stroke of a drawing.
  const walls = down.filter((rule) => !words.some(isThrough(rule)))
  return (left, right) =>
    walls.some(
      (rule) =>
        isLong(rule, left) &&
        rule.at >= left.bbox.x1 - slackOf(left) &&
        rule.at <= right.bbox.x0 + slackOf(right),
    )
}
