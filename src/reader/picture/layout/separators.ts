// What separates words on one line: a vertical ruling line between columns of a table, or the gutter between two boxes that
// are side by side. Pure.

import type { BBox } from '../../block.ts'
import { type Line, linesOf, type OcrBlock, type Word, wordsOf } from '../ocr/recognised.ts'
import { type GreyImage, inkBounds } from '../raster/grey-image.ts'
import { maxThickness, type RulingLine, type RulingLines } from '../raster/ruling-lines.ts'

/** Pixels of an upright page. */
export interface Separators {
  /** Vertical ruling lines. */
  rules: readonly RulingLine[]
  /** The blank paper between two boxes. */
  gutters: readonly BBox[]
}

/** A block of a page with boxes; blocks in the same box have the same number. */
export type BoxedBlock = OcrBlock & { box?: number }

// Of the page's longer side: lines closer together are a double line.
const MIN_GUTTER = 1 / 40
// Of the longer one: how far the two sides of a box overlap.
const MIN_SIDE_OVERLAP = 0.8

/** The separators of a page. Nothing is written or drawn in a gutter; columns of a table share the line between them. */
export function findSeparators(grey: GreyImage, { vertical }: RulingLines): Separators {
  const minGutter = Math.max(grey.width, grey.height) * MIN_GUTTER
  const sides = [...vertical].sort((a, b) => a.at - b.at)
  const gutters = sides.flatMap((right, i) => {
    const before = sides.slice(0, i)
    const left = before.findLast((side) => right.at - side.at >= minGutter && overlap(side, right) > 0)
    const areBoxes =
      left !== undefined &&
      before.some((side) => side.at < left.at && areSidesOfBox(side, left)) &&
      sides.slice(i + 1).some((side) => areSidesOfBox(right, side))
    const gutter = areBoxes ? between(left, right) : undefined
    return gutter !== undefined && isBlank(grey, gutter) ? [gutter] : []
  })
  return { rules: vertical, gutters }
}

const overlap = (a: RulingLine, b: RulingLine): number => Math.min(a.to, b.to) - Math.max(a.from, b.from)

const areSidesOfBox = (a: RulingLine, b: RulingLine): boolean =>
  overlap(a, b) >= MIN_SIDE_OVERLAP * Math.max(a.to - a.from, b.to - b.from)

const between = (left: RulingLine, right: RulingLine): BBox => [
  left.at + left.thickness / 2,
  Math.min(left.from, right.from),
  right.at - right.thickness / 2,
  Math.max(left.to, right.to),
]

/** Without the corners of the boxes, whose lines reach into the gutter. */
function isBlank(grey: GreyImage, [left, top, right, bottom]: BBox): boolean {
  const margin = maxThickness(grey)
  const inside = {
    left: left + margin,
    top: top + margin,
    width: right - left - 2 * margin,
    height: bottom - top - 2 * margin,
  }
  return inkBounds(grey, inside) === undefined
}

// Of a word's height: a shorter line is the stem of a letter, or a stroke between words.
const MIN_RULE_HEIGHT = 2.5
// Of a word's height: a line may be read as part of a word ("Moder]").
const MAX_RULE_OVERLAP = 0.3

/** Splits blocks at the gutters: what is right of a gutter comes after what is left of it. */
export function splitAtGutters(blocks: readonly OcrBlock[], gutters: readonly BBox[]): BoxedBlock[] {
  // In an image of one line the stems of letters are as long as ruling lines.
  const minHeight = MIN_RULE_HEIGHT * medianHeight(blocks)
  const high = gutters.filter(([, top, , bottom]) => bottom - top >= minHeight)
  return high.reduce<BoxedBlock[]>((split, gutter, i) => splitAt(split, gutter, i), [...blocks])
}

/** Of the words; 0 without any. */
function medianHeight(blocks: readonly OcrBlock[]): number {
  const heights = wordsOf(blocks)
    .map(({ bbox: { y0, y1 } }) => y1 - y0)
    .sort((a, b) => a - b)
  return heights[heights.length >> 1] ?? 0
}

function splitAt(blocks: readonly BoxedBlock[], [from, top, to, bottom]: BBox, box: number): BoxedBlock[] {
  const isBeside = ({ y0, y1 }: Word['bbox']): boolean => (y0 + y1) / 2 > top && (y0 + y1) / 2 < bottom
  const middle = (from + to) / 2
  const isRight = ({ bbox }: Word): boolean => isBeside(bbox) && bbox.x0 > middle
  const isLeft = ({ bbox }: Word): boolean => isBeside(bbox) && bbox.x1 < middle
  const crosses = ({ words }: Line): boolean => words.some(isLeft) && words.some(isRight)
  if (!linesOf(blocks).some(crosses)) return [...blocks]
  const last = blocks.findLastIndex((block) => wordsOf([block]).some(isLeft))
  const isInBox = (block: BoxedBlock): boolean => wordsOf([block]).every(({ bbox }) => isBeside(bbox))
  const left = blocks
    .map((block) => withWords(block, (word) => !isRight(word)))
    .map((block) => (isInBox(block) ? { ...block, box: block.box ?? -1 - box } : block))
  const right = blocks.map((block) => ({ ...withWords(block, isRight), box }))
  const all = [...left.slice(0, last + 1), ...right, ...left.slice(last + 1)]
  return all.filter(({ paragraphs }) => paragraphs.length > 0)
}

function withWords(block: BoxedBlock, isKept: (word: Word) => boolean): BoxedBlock {
  const keepWords = (line: Line): Line[] => {
    const words = line.words.filter(isKept)
    if (words.length === line.words.length) return [line]
    const x0 = words[0] === line.words[0] ? line.bbox.x0 : (words[0]?.bbox.x0 ?? 0)
    return words.length === 0 ? [] : [{ ...line, words, bbox: { ...line.bbox, x0 } }]
  }
  const paragraphs = block.paragraphs.map((one) => ({ ...one, lines: one.lines.flatMap(keepWords) }))
  return { ...block, paragraphs: paragraphs.filter(({ lines }) => lines.length > 0) }
}

/** Whether a ruling line higher than the text separates two words of a line. */
export function separatedBy(
  rules: readonly RulingLine[],
  blocks: readonly OcrBlock[],
): (left: Word, right: Word) => boolean {
  const words = wordsOf(blocks)
  const toleranceOf = ({ bbox: { y0, y1 } }: Word): number => (y1 - y0) * MAX_RULE_OVERLAP
  const isBeside = ({ from, to }: RulingLine, { bbox: { y0, y1 } }: Word): boolean =>
    from < (y0 + y1) / 2 && to > (y0 + y1) / 2 && to - from >= MIN_RULE_HEIGHT * (y1 - y0)
  const crosses = (rule: RulingLine, word: Word): boolean =>
    isBeside(rule, word) &&
    rule.at > word.bbox.x0 + toleranceOf(word) &&
    rule.at < word.bbox.x1 - toleranceOf(word)
  // A line through a word is a fold of the paper, or a stroke of a drawing.
  const separators = rules.filter((rule) => !words.some((word) => crosses(rule, word)))
  return (left, right) =>
    separators.some(
      (rule) =>
        isBeside(rule, left) &&
        rule.at >= left.bbox.x1 - toleranceOf(left) &&
        rule.at <= right.bbox.x0 + toleranceOf(right),
    )
}
