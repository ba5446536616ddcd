// Lines of a scan that are headings: higher than the text or bold, alone on their line, and no sentence. Pure.

import type { StrokeWidths } from '../raster/stroke-width.ts'
import { boldRows, boldRunEnd, isAboveText, isOneText } from './bold-lines.ts'
import { isListMark } from './lists.ts'
import { type Row, textOf } from './rows.ts'

// A word whose box is as high as a capital: it has an ascender, and neither a descender nor an accent above a capital. Boxes
// of short words are blurred.
const ASCENDER = /[\p{Lu}bdfhklt]/u
const WORD = /\p{L}{3}/u
const DESCENDER_OR_ACCENT = /[gjpqyQ,;()[\]{}|/@$§_βγζημξρςφχψµДЦЩдрцуфщ]|\p{Lu}\p{M}|[\u0327\u0328]/u
const NUMBER = /^[\d.:+-]*\d{2}$/
// In heights of the text's capitals. A line in a block of its own, or with lines of its size only, may be lower.
const TALL = 1.4
const TALL_ALONE = 1.17
const TITLE = 1.8
// Heights of capitals of one type size, measured in pixels: more than SAME_SIZE, the letters of a scan are blurred.
const SAME_MEASURED_SIZE = 1.15
const MAX_HEADING_LINES = 3
const SENTENCE_OR_LABEL_END = /[.,:;]$/
// A bold heading may end with a colon: "Recommendations:".
const SENTENCE_END = /[.,;]$/
const MAX_WORDS_BEFORE_COLON = 8
const HEADING_START = /^[\p{Lu}\p{N}"“]/u
// "Invoice no.: 20481", or a mail address. A heading may end with a number in brackets: "Estimate (no.: 7)".
const LABELLED_VALUE = /:( \S*\d\S*)+(?<!\))$|\S@\S/
const MAX_WORDS = 14
const MAX_BOLD_WORDS = 24
// More are a list of authors.
const MAX_COMMAS = 2
// Of 100.
const MIN_CONFIDENCE = 80
const MIN_LETTERS = 4
// An image with fewer lines does not show the size of the text.
const MIN_LINES = 5
// Text may have two sizes: where rows of tables and sentences have a heading's size, most words are small print. Only for
// headings lower than TALL, as boxes of numbers on a poor scan are as high as its headings.
const AS_TALL = 0.95
const MIN_TEXT_SHARE = 0.05
const MIN_TEXT_LINES = 3

const median = (values: readonly number[]): number | undefined =>
  [...values].sort((a, b) => a - b)[values.length >> 1]

/** The height of a line's capitals in pixels; undefined when none of its words shows it. */
function capitalHeight({ words }: Pick<Row, 'words'>): number | undefined {
  const measurable = words.filter(
    ({ text }) => WORD.test(text) && ASCENDER.test(text) && !DESCENDER_OR_ACCENT.test(text.normalize('NFD')),
  )
  return median(measurable.map(({ bbox }) => bbox.y1 - bbox.y0))
}

/** Digits are as high as capitals. */
const digitHeight = ({ words }: Row): number | undefined =>
  median(words.filter(({ text }) => NUMBER.test(text)).map(({ bbox }) => bbox.y1 - bbox.y0))

/** The median height of the text's capitals; undefined for a few lines. */
function textHeightOf(rows: readonly Row[]): number | undefined {
  const heights = rows
    .flatMap((row) => {
      const height = capitalHeight(row)
      return row.words.map(() => height)
    })
    .filter((height) => height !== undefined)
  return rows.length < MIN_LINES ? undefined : median(heights)
}

export interface Heading {
  /** The row after its last one. */
  end: number
  level: number
}

/** The headings of a page, by the index of their first row. */
export function findHeadings(rows: readonly Row[], strokes: StrokeWidths): ReadonlyMap<number, Heading> {
  const textHeight = textHeightOf(rows)
  const bold = boldRows(rows, strokes, capitalHeight, textHeight)
  const found = new Map<number, Heading>()
  let last = 0
  for (let at = 0; at < rows.length; at++) {
    const heading = tallHeading(rows, at, textHeight) ?? boldHeading(rows, at, bold, textHeight, at === last)
    if (heading === undefined) continue
    found.set(at, heading)
    last = heading.end
    at = last - 1
  }
  return found
}

function boldHeading(
  rows: readonly Row[],
  at: number,
  bold: ReadonlySet<Row>,
  textHeight: number | undefined,
  isBelowHeading: boolean,
): Heading | undefined {
  const end = boldRunEnd(rows, at, bold, isBelowHeading)
  const lines = rows.slice(at, end)
  const [first] = lines
  if (end === undefined || first === undefined || first.block.box !== undefined) return undefined
  if (!HEADING_START.test(first.words[0]?.text ?? '')) return undefined
  if (!isTitle(lines, SENTENCE_END, MAX_BOLD_WORDS)) return undefined
  if (isTextOrValue(lines) || !isAboveText(rows, lines)) return undefined
  const height = Math.max(...lines.map((row) => capitalHeight(row) ?? 0))
  return { end, level: height >= (textHeight ?? Infinity) * TALL ? 2 : 3 }
}

function isTextOrValue(lines: readonly Row[]): boolean {
  const words = lines.flatMap((line) => line.words)
  const text = textOf({ words })
  return (
    LABELLED_VALUE.test(text) ||
    words.filter((word) => word.text.endsWith(',')).length > MAX_COMMAS ||
    (words.length > MAX_WORDS_BEFORE_COLON && text.endsWith(':'))
  )
}

function tallHeading(rows: readonly Row[], at: number, textHeight: number | undefined): Heading | undefined {
  const first = rows[at]
  const height = first && capitalHeight(first)
  if (first === undefined || height === undefined || textHeight === undefined) return undefined
  if (height < textHeight * TALL_ALONE) return undefined
  // The top line of a box has no text below the box as its own: a stamp beside a signature.
  if (first.block.box !== undefined) return undefined
  const isSameSize = (row: Row): boolean => {
    const other = capitalHeight(row) ?? 0
    return (
      row.block === first.block && Math.max(other, height) <= Math.min(other, height) * SAME_MEASURED_SIZE
    )
  }
  let end = at + 1
  for (let row = rows[end]; row !== undefined && isSameSize(row); row = rows[end]) end++
  const lines = rows.slice(at, end)
  const isAlone = rows.filter(({ block }) => block === first.block).every(isSameSize)
  if (lines.length > MAX_HEADING_LINES || (!isAlone && height < textHeight * TALL)) return undefined
  if (!isTitle(lines) || (height < textHeight * TALL && isTextSize(rows, height))) return undefined
  return { end, level: height >= textHeight * TITLE ? 1 : height >= textHeight * TALL ? 2 : 3 }
}

/** Whether text that is no title has this height, too. */
function isTextSize(rows: readonly Row[], height: number): boolean {
  const heightOf = (row: Row): number => capitalHeight(row) ?? digitHeight(row) ?? 0
  const asTall = rows.filter((row) => heightOf(row) >= height * AS_TALL && !isTitle([row]))
  return asTall.length >= Math.max(MIN_TEXT_LINES, rows.length * MIN_TEXT_SHARE)
}

function isTitle(lines: readonly Row[], textEnd = SENTENCE_OR_LABEL_END, maxWords = MAX_WORDS): boolean {
  const words = lines.flatMap((line) => line.words)
  const text = textOf({ words })
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return (
    lines.every(isOneText) &&
    !isListMark(words[0]?.text) &&
    words.length <= maxWords &&
    letters >= MIN_LETTERS &&
    letters * 2 > text.length &&
    !textEnd.test(text) &&
    (median(words.map(({ confidence }) => confidence)) ?? 0) >= MIN_CONFIDENCE
  )
}
